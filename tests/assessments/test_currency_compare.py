"""Kinds of release on one chart: what nothing beats, what meets the targets, and what the answer says."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.currency.compare import compare, compare_kinds
from epsilometer.assessments.currency.frontier import not_beaten
from epsilometer.assessments.currency.grids import round_numbers
from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice
from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
PLAN = em.Plan(
    table=em.example_table(),
    quasi_identifiers=("sex", "age"),
    sensitive=("reason",),
    bins={"age": 20},
    max_risk=0.48,
    max_loss=0.08,
)
QUICK = {"repeats": 8, "runs": 2}


@pytest.fixture(scope="module")
def found():
    return compare_kinds(PLAN, **QUICK)


def points(frontier):
    return {(i, j): point for i, curve in enumerate(frontier.curves) for j, point in enumerate(curve.points)}


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_nothing_beats_exactly_the_points_that_are_kept(pairs):
    kept = not_beaten(*zip(*pairs, strict=True))
    for (risk, loss), stays in zip(pairs, kept, strict=True):
        beaten = any(r <= risk and lost <= loss and (r, lost) != (risk, loss) for r, lost in pairs)
        assert stays == (not beaten)


@given(st.floats(1e-3, 10), st.floats(1.1, 1e6))
def test_round_numbers_stay_inside_and_are_round(low, times):
    numbers = round_numbers(low, low * times)
    assert all(low <= number <= low * times for number in numbers)
    assert all(float(f"{number:.2g}") == number for number in numbers)


def test_every_kind_is_there_and_points_stand_out_as_they_should(found):
    assert [curve.kind for curve in found.curves] == ["counts", "sample", "synthetic", "local", "raw"]
    each = points(found)
    pairs = [(point.risk_at_most, point.loss_at_most) for point in each.values()]
    assert {tuple(place) for place in found.pareto} == {
        place
        for place, (risk, loss) in zip(each, pairs, strict=True)
        if not any(r <= risk and lost <= loss and (r, lost) != (risk, loss) for r, lost in pairs)
    }
    kept = [each[tuple(place)].loss_at_most for place in found.pareto]
    assert kept == sorted(kept)
    assert {tuple(place) for place in found.meeting} == {
        place for place, (risk, loss) in zip(each, pairs, strict=True) if risk <= 0.48 and loss <= 0.08
    }
    curve, point = found.at(found.recommended)
    assert curve.kind != "raw"
    assert point.risk_at_most == min(each[tuple(place)].risk_at_most for place in found.meeting)
    assert f"{point.parameter:g}" in found.in_words.replace(",", "")
    assert "28.8 %" in found.in_words


def test_the_document_and_the_frame_say_the_same(found):
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    SCHEMA.validate(document)
    frame = found.to_frame()
    assert len(frame) == sum(len(curve["points"]) for curve in document["curves"])
    assert frame["recommended"].sum() == 1
    assert frame["pareto"].sum() == len(document["pareto"])
    assert frame["meets_targets"].sum() == len(document["meeting"])
    assert document["source"][0]["key"] == "homogeneity-v2"


def test_the_same_seed_gives_the_same_answer(found):
    """But for the last digit of sums, which the engine's order of the cells decides."""
    pd.testing.assert_frame_equal(compare_kinds(PLAN, **QUICK).to_frame(), found.to_frame(), rtol=1e-12)


def test_plans_that_differ_in_their_parameter_share_a_curve():
    plans = [
        replace(PLAN, release=release)
        for release in (em.Counts(), em.Counts(mechanism=em.Laplace(epsilon=(0.3, 4.0))), em.Raw(), em.Raw(),
                        em.Counts(mechanism=em.Geometric(epsilon=1.0)), em.Sample(size=240), em.Sample(size=33))
    ]  # fmt: skip
    found = compare(plans, **QUICK)
    assert [curve.name for curve in found.curves] == [
        "counts, laplace noise", "raw table", "counts, geometric noise", "sample of rows"
    ]  # fmt: skip
    planned = [[point.parameter for point in curve.points if point.planned] for curve in found.curves]
    assert planned == [[0.3, 1.0, 4.0], [None], [1.0], [33.0, 240.0]]


def test_what_one_plan_declares_holds_for_all():
    """A longer list of values costs local reports accuracy, whichever plan has it."""
    local = replace(PLAN, release=em.Local(), sensitive=("admission",), max_risk=None, max_loss=None)
    longer = replace(local, release=em.Raw(), domain={"admission": ["planned", "emergency", "a", "b", "c"]})
    plain = compare([local, replace(local, release=em.Raw())], **QUICK).curves[0].points
    declared = compare([local, longer], **QUICK).curves[0].points
    assert sum(float(p.loss.value) for p in declared) > 1.2 * sum(float(p.loss.value) for p in plain)


def test_one_plan_names_the_methods_of_synthetic_tables():
    own = replace(PLAN, release=em.Synthetic(method="jtree", epsilon=2.0), sensitive=("admission",), max_risk=None)
    found = compare_kinds(own, ("synthetic",), methods=("contingency",), **QUICK)
    assert [curve.name for curve in found.curves] == ["synthetic, jtree", "synthetic, contingency"]
    assert [[p.parameter for p in curve.points if p.planned] for curve in found.curves] == [[2.0], []]


def test_progress_is_told_from_start_to_end():
    told = []
    compare_kinds(PLAN, ("counts", "sample"), **QUICK, tell=lambda what, done: told.append((what, done)))
    assert told[0] == ("counting the table", 0.0)
    assert [done for _, done in told] == sorted(done for _, done in told)
    assert told[-1][1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ({"max_risk": 0.1, "max_loss": 0.5}, "below what a guess achieves without any release"),
        ({"max_risk": 0.5, "max_loss": 1e-6}, "The safest of them, none of which is accurate enough, has a risk of"),
        ({"max_risk": 0.2884, "max_loss": 0.02}, "The safest that is accurate enough has a risk of"),
        (
            {"max_risk": 0.2884, "max_loss": 0.02},
            "; the most accurate of them, none of which is safe enough, a loss of",
        ),
        ({"max_risk": 0.47, "max_loss": 0.02}, "; the most accurate that is safe enough a loss of"),
    ],
)
def test_where_nothing_will_do_the_answer_says_why(targets, said):
    found = compare_kinds(replace(PLAN, **targets), ("counts", "sample", "raw"), **QUICK)
    assert found.recommended is None
    assert found.in_words.startswith("No release on the curves has a risk of at most")
    assert said in found.in_words
    SCHEMA.validate(found.to_dict())


def test_one_target_is_enough_and_none_is_a_picture():
    kinds = ("counts", "sample", "raw")
    accurate = compare_kinds(replace(PLAN, max_risk=None), kinds, **QUICK)
    safest = min(accurate.at(place)[1].risk_at_most for place in accurate.meeting)
    assert accurate.at(accurate.recommended)[1].risk_at_most == safest
    safe = compare_kinds(replace(PLAN, max_loss=None), kinds, **QUICK)
    released = [safe.at(place) for place in safe.meeting if safe.at(place)[0].kind != "raw"]
    assert safe.at(safe.recommended)[1].loss_at_most == min(point.loss_at_most for _, point in released)
    neither = compare_kinds(replace(PLAN, max_risk=None, max_loss=None), kinds, **QUICK)
    assert (neither.recommended, neither.meeting, neither.has_targets) == (None, (), False)
    assert "No kind is best everywhere; each of these is somewhere: raw table; counts, " in neither.in_words
    alone = compare_kinds(replace(PLAN, max_risk=None, max_loss=None), ("counts",), **QUICK)
    assert alone.in_words.endswith("Nothing on the curves beats counts, laplace noise.")


def test_of_equally_risky_releases_of_a_kind_the_strongest_guarantee_is_taken():
    """Cells hold a nurse among many cooks: no count changes the guess, whatever the noise."""
    alike = pa.table({"known": ["a", "b"] * 50, "wanted": ["cook"] * 90 + ["nurse"] * 10})
    plan = em.Plan(table=alike, quasi_identifiers=("known",), sensitive=("wanted",), max_loss=0.2)
    found = compare_kinds(plan, ("counts", "raw"), **QUICK)
    _, point = found.at(found.recommended)
    smaller = [p for p in found.curves[0].points if p.parameter < point.parameter]
    assert point.risk_at_most == found.no_release == found.raw == 0.9
    assert all(p.loss_at_most > 0.2 or p.risk_at_most > 0.9 for p in smaller)
    assert smaller or point.parameter == 0.05


def test_several_sensitive_columns_are_one_attribute():
    both = replace(PLAN, sensitive=("reason", "admission"))
    found = compare_kinds(both, ("counts", "synthetic", "raw"), **QUICK)
    assert found.sensitive == "reason and admission"
    assert any("Several sensitive columns count as one attribute" in line for line in found.assumptions)
    rows = em.example_table().to_pandas()
    largest = rows.groupby(["sex", rows["age"] // 20])[["reason", "admission"]].value_counts()
    assert found.raw == pytest.approx(largest.groupby(level=[0, 1]).max().sum() / len(rows))


@pytest.mark.parametrize(("kinds", "said"), [(("local",), True), (("counts",), False)], ids=["local", "counts"])
def test_who_takes_local_reports_is_told_that_they_are_for_records_to_come(kinds, said):
    found = compare_kinds(replace(PLAN, max_risk=None, max_loss=0.9), kinds, **QUICK)
    assert found.recommended is not None
    assert any("nobody has collected yet" in caveat for caveat in found.caveats) is said


def test_a_person_id_is_a_caveat():
    rows = pa.table({"who": [1, 1, 2, 3], "known": ["a", "b", "a", "b"], "wanted": ["x", "x", "y", "y"]})
    plan = em.Plan(table=rows, quasi_identifiers=("known",), sensitive=("wanted",), person_id="who")
    caveats = compare_kinds(plan, ("counts", "sample"), **QUICK).caveats
    assert any("a person may have several" in line for line in caveats)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"table": em.example_table()}, "tables"),
        ({"table": "stays.csv"}, "tables"),
        ({"quasi_identifiers": ("sex",), "bins": {}}, "quasi-identifiers"),
        ({"sensitive": ("admission",)}, "sensitive columns"),
        ({"bins": {"age": 10}}, "bins"),
        ({"where": "age > 3"}, "filters"),
        ({"missing": ("?",)}, "marks of missing values"),
        ({"person_id": "district"}, "person ids"),
    ],
)
def test_plans_that_read_the_table_differently_are_refused(change, what):
    with pytest.raises(
        BadQuestion, match=rf"^Releases are compared on one table, .* the {what} of these plans differ\."
    ):
        compare([PLAN, replace(PLAN, **change)])


def test_the_same_reading_may_be_written_in_several_ways(tmp_path):
    path = tmp_path / "stays.csv"
    em.example_table().to_pandas().to_csv(path, index=False)
    plan = replace(PLAN, table=str(path), max_risk=None, max_loss=None)
    other = replace(
        plan, table=Path(path), bins={"age": {"width": 20}}, quasi_identifiers=("age", "sex"), release=em.Raw()
    )
    assert len(compare([plan, other], **QUICK).curves) == 2


@pytest.mark.parametrize(
    ("plans", "settings", "error", "message"),
    [
        ([], {}, BadQuestion, "There is no plan to compare"),
        (
            [PLAN, replace(PLAN, max_risk=0.5)],
            {},
            BadQuestion,
            "different targets for max_risk: 0.48 and 0.5. Give one.",
        ),
        ([replace(PLAN, max_loss=1.5)], {}, OutOfRange, r"max_loss must be in \[0, 1\], got 1.5"),
        ([PLAN], {"repeats": 1}, OutOfRange, "An interval needs two releases or more"),
        ([PLAN], {"runs": 1}, OutOfRange, "An interval needs two tables or more"),
    ],
)
def test_what_compare_refuses(plans, settings, error, message):
    with pytest.raises(error, match=message):
        compare(plans, **settings)


def test_kinds_that_do_not_exist_are_refused():
    with pytest.raises(UnknownChoice, match="kind must be one of counts, sample, synthetic, local, raw; got 'count'"):
        compare_kinds(PLAN, ("count",))


def test_results_cannot_be_changed(found):
    with pytest.raises(AttributeError):
        found.raw = 1.0
    with pytest.raises(AttributeError):
        found.curves[0].points[0].planned = True


def test_labels_name_points(found):
    by_kind = {curve.kind: curve for curve in found.curves}
    labels = {kind: curve.label(curve.points[-1]) for kind, curve in by_kind.items()}
    assert labels == {"counts": "ε = 10", "sample": "2,160 rows", "synthetic": "ε = 10", "local": "ε = 10", "raw": ""}
    assert np.isfinite([point.risk_at_most for curve in found.curves for point in curve.points]).all()
