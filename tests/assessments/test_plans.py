"""Plans with several attributes, the riskiest cells, and choosing."""

import math

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.curves import grid, risk_and_loss
from epsilometer.tables.bins import parse_bin

ROWS = [
    # cell, job, town: cell a has one job and one town, b one town, c one job, d several of both
    *[("a", "cook", "here")] * 3,
    *[("b", "cook", "here"), ("b", "nurse", "here")],
    *[("c", "nurse", "here"), ("c", "nurse", "there"), ("c", "nurse", None)],
    *[("d", "cook", "here"), ("d", "nurse", "there")],
    ("e", "cook", None),
]
TABLE = pa.table({"cell": [r[0] for r in ROWS], "job": [r[1] for r in ROWS], "town": [r[2] for r in ROWS]})


def plan(**settings):
    return em.Plan(table=TABLE, quasi_identifiers=("cell",), **settings)


def test_attributes_are_assessed_alone_and_together():
    assessment = em.assess(plan(sensitive=("job", "town")))
    assert [attribute.sensitive for attribute in assessment.attributes] == ["job", "town", "job and town"]
    assert [attribute.raw.diversity.homogeneous_cells for attribute in assessment.attributes] == [3, 3, 2]
    assert [attribute.raw.n_values for attribute in assessment.attributes] == [2, 3, 5]
    assert any("adds up their epsilons" in note for note in assessment.notes)


def test_complete_and_partial_homogeneity_are_counted():
    """Complete: a and e, 4 people. Partial: b (town) and c (job), 5 people. Neither: d, 2 people."""
    assert em.assess(plan(sensitive=("job", "town"))).homogeneous == ((0, 1, 2), (1, 2, 5), (2, 2, 4))
    assert em.assess(plan(sensitive=("job",))).homogeneous == ((0, 2, 4), (1, 3, 7))


def test_riskiest_cells_are_named_and_in_order():
    freq = em.frequency_table(TABLE, quasi_identifiers="cell", sensitive="job")
    noise = em.Laplace(epsilon=2.0)
    every = em.riskiest_cells(freq, noise, limit=99)
    assert {cell.cell["cell"] for cell in every} == set("abcde")
    assert [cell.people for cell in every] == sorted((cell.people for cell in every), reverse=True)
    total = em.homogeneity_risk(freq, noise, average="records").value * freq.n_records
    assert sum(cell.people for cell in every) == pytest.approx(total, rel=1e-12)
    two = em.riskiest_cells(freq, noise, limit=2)
    assert {cell.cell["cell"] for cell in two} == {"a", "c"}
    assert two == every[:2]
    numbered = em.FrequencyTable.from_counts([[1, 1], [5, 0], [0, 0], [5, 0]])
    assert [c.cell["cell"] for c in em.riskiest_cells(numbered, noise, limit=3)] == ["2", "4", "1"]


def test_a_cell_is_held_against_the_most_common_value_of_the_whole_table():
    """Here 14 have the first value and 3 the second; there 4 have either, and the mean of naming one counts."""
    found = em.riskiest_cells(em.FrequencyTable.from_counts([[13, 0], [1, 3]]), em.Laplace(epsilon=2.0))
    assert {cell.cell["cell"]: cell.no_release for cell in found} == {"1": 1.0, "2": 0.25}
    tied = em.riskiest_cells(em.FrequencyTable.from_counts([[4, 0, 1], [0, 4, 0]]), em.Laplace(epsilon=2.0))
    assert {cell.cell["cell"]: cell.no_release for cell in tied} == {"1": 0.4, "2": 0.5}


def test_riskiest_cells_need_one_epsilon_and_a_number():
    freq = em.FrequencyTable.from_counts([[1, 1]])
    with pytest.raises(ValueError, match=r"^epsilon must be in the single numbers, got \(1.0, 2.0\)\. Name one"):
        em.riskiest_cells(freq, em.Laplace(epsilon=(1.0, 2.0)))
    with pytest.raises(ValueError, match=r"^limit must be in \[1, inf\), got 0"):
        em.riskiest_cells(freq, em.Laplace(epsilon=1.0), limit=0)


def example(**targets):
    return em.Plan(
        table=em.example_table(),
        quasi_identifiers=("sex", "district"),
        sensitive=("reason",),
        **targets,
    )


def test_a_choice_meets_both_targets_when_it_is_checked_afresh():
    chosen = em.choose(example(max_risk=0.02, max_loss=0.05))
    freq = em.frequency_table(em.example_table(), quasi_identifiers=["sex", "district"], sensitive="reason")
    for epsilon in (chosen.recommended, chosen.stretches[0].high):
        noise = em.Laplace(epsilon=epsilon)
        assert em.homogeneity_risk(freq, noise, average="records").value <= 0.02
        assert em.utility_loss(freq, noise, repeats=200, seed=99).value <= 0.05 * 1.02
    assert chosen.recommended >= chosen.stretches[0].low
    assert f"Publish with epsilon = {chosen.recommended:g}" in chosen.in_words
    assert chosen.binding.startswith("loss below")
    assert chosen.mechanism["epsilon"] == chosen.recommended


def test_what_rules_everything_out_is_named():
    risk = em.choose(example(max_risk=0.0, max_loss=0.5))
    assert (risk.recommended, risk.binding, risk.stretches) == (None, "risk", ())
    loss = em.choose(example(max_risk=1.0, max_loss=0.0))
    assert (loss.recommended, loss.binding) == (None, "loss")
    assert "The smallest loss on the grid" in loss.in_words
    everything = em.choose(example(max_risk=1.0, max_loss=1.0))
    assert everything.binding == "nothing below, nothing above"
    assert everything.recommended == 0.01


def test_targets_may_pull_apart():
    """Risk allows only small epsilon (homogeneous cells), loss only large ones."""
    table = pa.table({"cell": [f"{i % 40}" for i in range(400)], "job": ["ab"[i % 40 % 2] for i in range(400)]})
    settings = {"table": table, "quasi_identifiers": ("cell",), "sensitive": ("job",)}
    apart = em.choose(em.Plan(**settings, max_risk=0.3, max_loss=0.02))
    assert apart.recommended is None
    assert apart.binding == "risk and loss together"
    assert apart.risk_stretches
    assert apart.loss_stretches
    between = em.choose(em.Plan(**settings, max_risk=0.8, max_loss=0.05))
    assert between.binding == "loss below, risk above"


@pytest.mark.parametrize("targets", [{}, {"max_risk": 0.1}, {"max_risk": 2.0, "max_loss": 0.1}])
def test_choosing_needs_both_targets(targets):
    with pytest.raises(ValueError, match=r"max_(risk|loss) must be in \[0, 1\], got .* needs both targets"):
        em.choose(example(**targets))


def test_curves_include_the_epsilons_asked_for_and_stop_where_the_noise_does():
    freq = em.FrequencyTable.from_counts([[9, 1], [4, 0]])
    curves = risk_and_loss(freq, em.Laplace(epsilon=(0.77, 3.3)))
    epsilons = curves.people.mechanism["epsilon"]
    assert {0.77, 3.3} <= set(epsilons)
    assert epsilons == curves.loss.mechanism["epsilon"]
    assert curves.cell_sizes.tolist() == [4, 10]
    assert curves.cells_of_size.tolist() == [1, 1]
    assert 0.01 <= curves.knee.value <= 10
    assert sorted(curves.people_by_threshold) == [0.5, 3.0, 5.0, 10.0]
    suppressed = em.homogeneity_risk(freq, em.Laplace(epsilon=epsilons, threshold=5.0), average="records")
    np.testing.assert_array_equal(curves.people_by_threshold[5.0], suppressed.value)
    assert grid(0.999).max() < 1
    assert math.isclose(np.diff(np.log(grid(math.inf))).std(), 0, abs_tol=1e-12)


def test_a_plan_says_what_it_is_about():
    bins = {"age": parse_bin("age:width=5,origin=15,closed=right,top=90")[1], "hours": parse_bin("hours:edges=0/20")[1]}
    described = em.Plan(
        table="people.csv",
        quasi_identifiers=("age", "hours"),
        sensitive=("job",),
        person_id="id",
        bins=bins,
        where="age > 18",
        missing=("?", "NA"),
    ).described()
    assert described == {
        "quasi-identifiers": "age, hours",
        "sensitive": "job",
        "person id": "id",
        "bins": "age: width 5 from 15, closed right, top 90; hours: edges 0, 20, closed left",
        "filter": "age > 18",
        "missing marks": "?, NA",
    }
    assert "table" in em.assess(plan(sensitive=("job",))).plan
