"""The cheapest change that makes both targets possible: it does, it is the cheapest, and it reads no row again."""

import json
from dataclasses import replace

import jsonschema
import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.choosing import relaxations
from epsilometer.assessments.simulated_loss import SimulatedLoss
from epsilometer.report.documents import schema_text
from epsilometer.tables import counting
from epsilometer.tables.bins import parse_bin
from epsilometer.vocabulary.relaxation import Relaxation, cheapest_first
from epsilometer.vocabulary.telling import heard_by

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
EXAMPLE = em.Plan(
    table=em.example_table(),
    quasi_identifiers=("age", "sex", "district"),
    sensitive=("reason",),
    bins={"age": 10},
    max_risk=0.005,
    max_loss=0.02,
)


def changed(plan, relaxation):
    """The plan with the change, from the setting alone."""
    match relaxation.setting:
        case {"bin": text}:
            column, bins = parse_bin(text)
            return replace(plan, bins={**plan.bins, column: bins})
        case {"drop": column}:
            bins = {name: bins for name, bins in plan.bins.items() if name != column}
            known = tuple(name for name in plan.quasi_identifiers if name != column)
            return replace(plan, quasi_identifiers=known, bins=bins)
        case {"threshold": threshold}:
            noise = replace(plan.release.mechanism, threshold=threshold)
            return replace(plan, release=replace(plan.release, mechanism=noise))
        case targets:
            return replace(plan, **targets)


@pytest.fixture(scope="module")
def infeasible():
    return em.choose(EXAMPLE)


def test_what_is_tried_is_told():
    told = []
    with heard_by(lambda what, _done: told.append(what)):
        found = em.choose(EXAMPLE)
    steps = list(dict.fromkeys(told))
    assert "simulating releases" in steps
    for relaxation in found.relaxations:
        assert f"nothing meets both targets, trying to {relaxation.change}: simulating releases" in steps


def apart(**targets):
    """Targets that pull apart: cells with a single value, risk needs small epsilon and accuracy a large one."""
    rng = np.random.default_rng(4)
    cells = np.repeat(np.arange(20), 12)
    table = pa.table({"cell": [f"c{c}" for c in cells], "job": [f"{j}" for j in (cells + (rng.random(240) < 0.1)) % 3]})
    return em.Plan(table=table, quasi_identifiers=("cell",), sensitive=("job",), **targets)


def with_loners(**targets):
    """Three large mixed cells and thirty people alone in theirs, whom a threshold hides at little loss."""
    rows = [(f"large {cell}", f"{i % 2}") for cell in range(3) for i in range(400)]
    rows += [(f"single {cell}", f"{cell % 2}") for cell in range(30)]
    table = pa.table({"cell": [row[0] for row in rows], "job": [row[1] for row in rows]})
    return em.Plan(table=table, quasi_identifiers=("cell",), sensitive=("job",), **targets)


PLANS = {
    "the risk rules everything out": EXAMPLE,
    "targets pull apart": apart(max_risk=0.2, max_loss=0.05),
    "the loss rules everything out": replace(EXAMPLE, max_risk=0.5, max_loss=0.0005),
    "a column without bins": replace(EXAMPLE, bins={}, max_loss=0.05),
    "a threshold that helps": with_loners(max_risk=0.004, max_loss=0.03),
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_each_change_makes_a_choice_possible_that_is_the_same_when_made_afresh(plan):
    chosen = em.choose(plan)
    assert chosen.recommended is None
    assert chosen.relaxations
    SCHEMA.validate(json.loads(json.dumps(chosen.to_dict(), allow_nan=False)))
    for relaxation in chosen.relaxations:
        afresh = em.choose(changed(plan, relaxation))
        assert afresh.recommended == relaxation.recommended
        assert afresh.stretches == relaxation.stretches
    assert chosen.in_words.split("The cheapest change: ")[1].startswith(chosen.relaxations[0].change)


def test_of_each_kind_there_is_one_and_both_targets_are_kept_before_one_is_given_up(infeasible):
    kinds = [relaxation.kind for relaxation in infeasible.relaxations]
    assert kinds == ["bins", "column", "risk"]


def entropy_of_cells(plan):
    keys = plan.quasi_identifiers
    freq = em.frequency_table(plan.table, quasi_identifiers=keys, sensitive="reason", bins=plan.bins)
    sizes = np.array([sum(list(cell.values())[len(keys) :]) for cell in freq.cells().to_pylist()])
    shares = sizes / sizes.sum()
    return float(-(shares * np.log2(shares)).sum())


def test_bits_are_the_entropy_that_is_lost_and_no_cheaper_change_would_do(infeasible):
    before = entropy_of_cells(EXAMPLE)
    bins, column, _ = infeasible.relaxations
    for relaxation in (bins, column):
        assert relaxation.cost == pytest.approx(before - entropy_of_cells(changed(EXAMPLE, relaxation)), abs=1e-9)
    for name in EXAMPLE.quasi_identifiers:
        kept = tuple(q for q in EXAMPLE.quasi_identifiers if q != name)
        other = replace(EXAMPLE, quasi_identifiers=kept, bins={k: v for k, v in EXAMPLE.bins.items() if k in kept})
        if before - entropy_of_cells(other) < column.cost - 1e-9:
            assert em.choose(other).recommended is None


def test_a_little_less_of_a_looser_target_would_not_do():
    plan = PLANS["targets pull apart"]
    by_kind = {relaxation.kind: relaxation for relaxation in em.choose(plan).relaxations}
    risk, loss = by_kind["risk"].setting["max_risk"], by_kind["loss"].setting["max_loss"]
    assert risk > 0.2
    assert loss > 0.05
    assert em.choose(replace(plan, max_risk=risk * 0.985)).recommended is None
    assert em.choose(replace(plan, max_loss=loss * 0.985)).recommended is None
    assert by_kind["risk"].cost == pytest.approx(risk / 0.2 - 1)
    assert by_kind["loss"].cost == pytest.approx(loss / 0.05 - 1)
    assert by_kind["loss"].cost_in_words == f"the accuracy target: {loss:g} instead of 0.05"


def test_the_table_is_read_once_whatever_is_tried(monkeypatch):
    scans = []
    monkeypatch.setattr(counting, "scan", lambda *given, scan=counting.scan: scans.append(given) or scan(*given))
    assert len(em.choose(EXAMPLE).relaxations) == 3
    assert len(scans) == 1


def test_what_misses_the_risk_is_not_simulated(monkeypatch):
    """All coarser tables miss a risk of zero, and so does every threshold: only the first curve is simulated."""
    simulated, original = [], SimulatedLoss.at
    monkeypatch.setattr(SimulatedLoss, "at", lambda self, noise: simulated.append(self) or original(self, noise))
    chosen = em.choose(replace(EXAMPLE, max_risk=0.0))
    assert len(set(simulated)) == 1
    assert [relaxation.kind for relaxation in chosen.relaxations] == ["risk"]
    (risk,) = chosen.relaxations[0].setting.values()
    assert chosen.relaxations[0].cost_in_words == f"the risk target: {risk:g} instead of 0"
    assert chosen.relaxations[0].to_dict()["cost"] is None


def test_people_in_several_cells_are_not_regrouped():
    table = em.example_table().append_column("person", pa.array([f"{i // 2}" for i in range(2_400)]))
    chosen = em.choose(replace(EXAMPLE, table=table, person_id="person"))
    assert "bins" not in {relaxation.kind for relaxation in chosen.relaxations}
    assert any(caveat.startswith("Coarser bins and fewer columns were not tried") for caveat in chosen.caveats)


def test_a_single_column_is_not_dropped_and_words_have_no_bins():
    kinds = {relaxation.kind for relaxation in em.choose(apart(max_risk=0.2, max_loss=0.05)).relaxations}
    assert not kinds & {"bins", "column"}


def test_where_no_single_change_helps_it_is_said():
    chosen = em.choose(apart(max_risk=0.0, max_loss=0.0))
    assert chosen.relaxations == ()
    assert "No single change was found that would do." in chosen.in_words


def relaxation(kind, cost):
    return Relaxation(
        kind=kind, change="", setting={}, cost=cost, cost_in_words="", stretches=(), recommended=1.0, in_words=""
    )


def test_bits_and_targets_are_never_weighed_against_each_other():
    given = [
        relaxation("loss", 0.01),
        relaxation("risk", float("inf")),
        relaxation("column", 2.5),
        relaxation("bins", 3.5),
        relaxation("threshold", 19.0),
    ]
    assert [change.kind for change in cheapest_first(given)] == ["threshold", "column", "bins", "loss", "risk"]


def test_where_a_threshold_is_chosen_no_other_one_is_a_change():
    chosen = em.choose(replace(EXAMPLE, max_risk=0.001), parameter="threshold")
    assert [relaxation.kind for relaxation in chosen.relaxations][:2] == ["bins", "column"]
    assert "threshold" not in {relaxation.kind for relaxation in chosen.relaxations}
    for relaxation in chosen.relaxations[:2]:
        afresh = em.choose(changed(replace(EXAMPLE, max_risk=0.001), relaxation), parameter="threshold")
        assert afresh.recommended == relaxation.recommended


def test_the_smallest_threshold_that_helps_is_the_cheapest_change_of_all():
    plan = PLANS["a threshold that helps"]
    first, *others = em.choose(plan).relaxations
    assert first.kind == "threshold"
    assert others
    threshold = first.setting["threshold"]
    assert first.cost == pytest.approx(threshold / 0.5 - 1)
    for smaller in relaxations.THRESHOLDS[: relaxations.THRESHOLDS.index(threshold)]:
        noise = em.Laplace(epsilon=1.0, threshold=smaller)
        assert em.choose(replace(plan, release=em.Counts(mechanism=noise))).recommended is None


def test_only_thresholds_beyond_the_plans_are_tried():
    noise = em.Laplace(epsilon=1.0, threshold=100.0)
    plan = replace(PLANS["a threshold that helps"], release=em.Counts(mechanism=noise), max_risk=0.0, max_loss=0.0)
    assert "threshold" not in {relaxation.kind for relaxation in em.choose(plan).relaxations}
