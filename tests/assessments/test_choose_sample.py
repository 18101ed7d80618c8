"""Choosing the size of a sample: against every size there is, and what the answer claims."""

import json
from dataclasses import replace

import jsonschema
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

import epsilometer as em
from epsilometer.report.documents import schema_text

EXAMPLE = em.Plan(
    table=em.example_table(),
    quasi_identifiers=("sex", "district"),
    sensitive=("admission",),
    release=em.Sample(size=1),
    max_risk=0.7,
    max_loss=0.05,
)
MANY_VALUES = replace(EXAMPLE, sensitive=("reason",), max_risk=0.4, max_loss=0.1)

counts_of_two = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=4).filter(
    lambda rows: np.sum(rows) > 0
)
targets = st.floats(0.02, 1.0)
few = settings(max_examples=25, deadline=None)


def plan_of(counts, max_risk, max_loss):
    rows = [(f"{cell}", "xy"[value]) for cell, row in enumerate(counts) for value in (0, 1) for _ in range(row[value])]
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(("cell", "value"))})
    settings_ = {"table": table, "quasi_identifiers": ("cell",), "sensitive": ("value",)}
    return em.Plan(**settings_, release=em.Sample(size=1), max_risk=max_risk, max_loss=max_loss)


def risk_by_enumeration(counts, size):
    """How often the majority of the cell in a sample is right, outcome by outcome; or the overall mode, if better."""
    counts = np.array(counts)
    n, totals = counts.sum(), counts.sum(axis=0)
    modes = (totals == totals.max()) / (totals == totals.max()).sum()
    right = 0.0
    for first, second in counts:
        for drawn in range(min(first + second, size) + 1):
            likely = hypergeom.pmf(drawn, n, first + second, size)
            if drawn == 0:
                right += likely * (modes @ [first, second])
                continue
            ones = np.arange(drawn + 1)
            by_majority = np.where(2 * ones > drawn, first, np.where(2 * ones < drawn, second, (first + second) / 2))
            right += likely * (hypergeom.pmf(ones, first + second, first, drawn) @ by_majority)
    return max(right / n, totals.max() / n)


def judged(choice):
    """Return the sizes that were evaluated, with the risk and the loss that each is judged by, worst of all."""
    risk = [c.risk if c.risk_interval is None else c.risk_interval.high for c in choice.curves]
    return choice.curves[0].points, np.max(risk, axis=0), np.max([c.loss.interval.high for c in choice.curves], axis=0)


@given(counts_of_two, targets, targets)
@few
def test_the_smallest_evaluated_size_that_meets_both_targets_is_recommended(counts, max_risk, max_loss):
    chosen = em.choose(plan_of(counts, max_risk, max_loss))
    sizes, risk, loss = judged(chosen)
    both = (risk <= max_risk) & (loss <= max_loss)
    assert (None if not both.any() else sizes[both][0]) == chosen.recommended
    inside = [any(s.low <= size <= s.high for s in chosen.stretches) for size in sizes]
    np.testing.assert_array_equal(inside, both)


@given(counts_of_two, targets, targets)
@few
def test_risks_are_those_of_every_outcome_listed(counts, max_risk, max_loss):
    chosen = em.choose(plan_of(counts, max_risk, max_loss))
    (curve,) = chosen.curves
    by_hand = [risk_by_enumeration(counts, int(size)) for size in curve.points]
    np.testing.assert_allclose(curve.risk, by_hand, rtol=1e-9)


@given(counts_of_two, targets, targets)
@few
def test_a_scan_of_all_sizes_agrees_with_the_ends_of_each_stretch(counts, max_risk, max_loss):
    """Nothing is certified between evaluated sizes; on tables this small every end is found to the single row."""
    chosen = em.choose(plan_of(counts, max_risk, max_loss))
    risks = {size: risk_by_enumeration(counts, size) for size in range(1, np.sum(counts) + 1)}
    rounding = 1e-9
    for stretch in chosen.risk_stretches:
        assert max(risks[stretch.low], risks[stretch.high]) <= max_risk + rounding
        assert not stretch.bounded_below or risks[stretch.low - 1] > max_risk - rounding
        assert not stretch.bounded_above or risks[stretch.high + 1] > max_risk - rounding
    if chosen.recommended is not None:
        assert risks[chosen.recommended] <= max_risk + rounding


@given(counts_of_two, st.floats(0.02, 0.6), st.floats(0.0, 0.2))
@few
def test_every_change_that_is_offered_makes_it_feasible(counts, max_risk, max_loss):
    plan = plan_of(counts, max_risk, max_loss)
    chosen = em.choose(plan)
    if chosen.recommended is not None:
        assert chosen.relaxations == ()
        return
    by_kind = {relaxation.kind: relaxation for relaxation in chosen.relaxations}
    assert set(by_kind) == ({"risk", "loss"} if chosen.risk_stretches else {"risk"})
    for relaxation in chosen.relaxations:
        again = em.choose(replace(plan, **relaxation.setting))
        assert again.recommended is not None
        assert relaxation.cost > 0


@pytest.mark.parametrize(
    "plan",
    [
        EXAMPLE,
        replace(EXAMPLE, max_risk=0.5),
        MANY_VALUES,
        replace(MANY_VALUES, max_risk=0.32),
        replace(EXAMPLE, sensitive=("admission", "reason")),
    ],
    ids=["two values", "impossible", "many values", "many values, impossible", "several attributes"],
)
def test_a_choice_of_a_size_follows_the_schema(plan):
    chosen = em.choose(plan)
    document = json.loads(json.dumps(chosen.to_dict(), allow_nan=False))
    jsonschema.validate(document, json.loads(schema_text()))
    assert document["parameter"] == "size"
    assert document["confidential"] is True
    assert document["mechanism"] == {"name": "sample", "size": chosen.recommended, "rows": 2400}


def test_what_is_recommended_is_said_and_what_it_means():
    chosen = em.choose(EXAMPLE)
    size, low, high = chosen.recommended, *(getattr(chosen.stretches[0], end) for end in ("low", "high"))
    assert chosen.in_words.startswith(
        f"Publish a random sample of {size:,} of the 2,400 rows. From {low:,} to {high:,} rows an attacker names the "
        "value of at most 0.7 of the people and at most 0.05 of the accuracy is lost; "
    )
    assert chosen.in_words.endswith("It was found by looking at the table: the choice itself tells a little about it.")
    assert chosen.measure == "named"
    assert chosen.consequences.in_sample == size / 2400
    assert chosen.consequences.no_release <= chosen.consequences.risk <= chosen.consequences.raw
    assert chosen.binding == "loss below, nothing above"


def test_the_same_plan_is_answered_in_the_same_way():
    assert em.choose(MANY_VALUES).to_dict() == em.choose(MANY_VALUES).to_dict()


def test_the_risk_and_the_loss_are_those_of_a_comparison_of_releases():
    chosen = em.choose(EXAMPLE)
    compared = em.compare([replace(EXAMPLE, release=em.Sample(size=chosen.recommended))], repeats=200)
    (point,) = [point for point in compared.curves[0].points if point.planned]
    assert point.risk.value == pytest.approx(chosen.consequences.risk)
    assert point.loss.interval.low < chosen.consequences.loss
    (curve,) = chosen.curves
    i = curve.points.tolist().index(chosen.recommended)
    assert curve.loss.interval.low[i] < point.loss.interval.high


def test_with_two_values_the_risk_is_exact_and_nothing_is_called_certified():
    chosen = em.choose(EXAMPLE)
    assert chosen.curves[0].risk_interval is None
    assert "With two values the risk is exact at each size that was evaluated." in chosen.caveats
    assert any("nothing is certified between them" in caveat for caveat in chosen.caveats)
    assert "certified" not in chosen.in_words


def test_with_more_values_the_risk_is_an_estimate_judged_at_its_worse_end():
    chosen = em.choose(MANY_VALUES)
    (curve,) = chosen.curves
    i = curve.points.tolist().index(chosen.recommended)
    assert chosen.consequences.risk == curve.risk_interval.high[i] <= 0.4
    assert (curve.risk_interval.low <= curve.risk).all()
    assert any("the risk is an estimate from simulated samples" in caveat for caveat in chosen.caveats)
    assert not any("exact at each size" in caveat for caveat in chosen.caveats)


def test_of_several_attributes_the_worst_counts_for_a_sample():
    chosen = em.choose(replace(EXAMPLE, sensitive=("admission", "reason"), max_risk=0.9, max_loss=0.2))
    assert [curve.about for curve in chosen.curves] == ["admission", "reason", "admission and reason"]
    sizes, risk, loss = judged(chosen)
    i = sizes.tolist().index(chosen.recommended)
    assert (chosen.consequences.risk, chosen.consequences.loss) == (risk[i], loss[i])
    assert any("exact at each size" in caveat for caveat in chosen.caveats)
    assert any("an estimate from" in caveat for caveat in chosen.caveats)


def test_no_sample_is_safer_than_no_release():
    chosen = em.choose(replace(EXAMPLE, max_risk=0.5))
    assert (chosen.recommended, chosen.binding) == (None, "risk")
    assert chosen.certificate.startswith("None has a risk of 0.5: the smallest is 0.66")
    assert "without any release the most common value is right for 66.2 % of the people." in chosen.certificate
    assert chosen.in_words.startswith("No sample size lets an attacker name the value of at most 0.5 of the people and")
    assert [change.kind for change in chosen.relaxations] == ["risk"]


def test_a_certificate_of_targets_that_pull_apart_has_their_numbers():
    chosen = em.choose(replace(MANY_VALUES, max_risk=0.3, max_loss=0.03))
    sizes, risk, loss = judged(chosen)
    assert chosen.binding == "risk and loss together"
    assert f"only; the smallest loss there is {loss[risk <= 0.3].min():.3g}." in chosen.certificate
    assert f"only; the smallest risk there is {risk[loss <= 0.03].min():.4g}." in chosen.certificate
    assert f"{len(sizes)} sizes from 1 to 2,400 rows were evaluated, none between them." in chosen.certificate


def test_people_with_several_rows_are_spoken_of():
    table = pa.table({"id": [1, 1, 2, 3, 4], "sex": list("fmfmf"), "job": list("aabab")})
    roles = {"quasi_identifiers": ("sex",), "sensitive": ("job",), "person_id": "id"}
    chosen = em.choose(em.Plan(table=table, **roles, release=em.Sample(size=1), max_risk=1.0, max_loss=1.0))
    assert any(caveat.startswith("Rows are sampled; some people have several") for caveat in chosen.caveats)


WRONG = {
    "strata": (
        {"release": em.Sample(size=9, strata=("sex",))},
        r"^A size is chosen for a simple random sample\. Leave the strata out of the plan\.$",
    ),
    "no target": ({"max_loss": None}, r"^max_loss must be in \[0, 1\], got None\. Choosing needs both targets"),
}


@pytest.mark.parametrize(("wrong", "message"), WRONG.values(), ids=WRONG.keys())
def test_bad_plans_for_a_size_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        em.choose(replace(EXAMPLE, **wrong))


def test_a_sample_has_one_parameter():
    assert em.choose(EXAMPLE, parameter="size").recommended == em.choose(EXAMPLE).recommended
    with pytest.raises(ValueError, match=r"^parameter must be one of size; got 'epsilon'\. A sample has no other\.$"):
        em.choose(EXAMPLE, parameter="epsilon")
