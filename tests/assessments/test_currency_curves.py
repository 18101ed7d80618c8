"""One curve for each kind of release: limits, what bounds what, and what cannot be compared."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.counted import joint_counts
from epsilometer.assessments.currency import repeats, synthetic
from epsilometer.assessments.currency.counts import counts_curve
from epsilometer.assessments.currency.guess import OVERALL, better
from epsilometer.assessments.currency.local import OWN_REPORT, local_curve
from epsilometer.assessments.currency.raw import raw_curve
from epsilometer.assessments.currency.sample import sample_curve
from epsilometer.assessments.currency.subject import Simulation, Subject
from epsilometer.assessments.currency.synthetic import MODEL, side_by_side, synthetic_curve
from epsilometer.errors import BadQuestion, MissingExtra, OutOfRange
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval
from epsilometer.vocabulary.telling import silent

CHANCE = Simulation(repeats=20, runs=3, seed=1, tell=silent)
PLAN = em.Plan(table=em.example_table(), quasi_identifiers=("sex", "age"), sensitive=("admission",), bins={"age": 20})


def subject_of(plan):
    counts = joint_counts(plan)
    return Subject.of(plan, counts.frequency_table(counts.roles.sensitive))


@pytest.fixture(scope="module", params=["admission", "reason"])
def subject(request):
    return subject_of(replace(PLAN, sensitive=(request.param,)))


def risks(curve):
    return np.array([float(point.risk.value) for point in curve.points])


def losses(curve):
    return np.array([float(point.loss.value) for point in curve.points])


def test_raw_and_no_release_are_read_off_the_table(subject):
    rows = pa.table(em.example_table()).to_pandas()
    name = subject.plan.sensitive[0]
    largest = rows.groupby(["sex", rows["age"] // 20])[name].agg(lambda values: values.value_counts().iloc[0]).sum()
    assert subject.raw == pytest.approx(largest / len(rows))
    assert subject.no_release == pytest.approx(rows[name].value_counts(normalize=True).iloc[0])
    (point,) = raw_curve(subject, em.Raw(), (), CHANCE).points
    assert (point.risk.value, point.loss.value, point.parameter) == (subject.raw, 0.0, None)


def test_counts_lie_between_no_release_and_raw_and_tend_to_raw(subject):
    curve = counts_curve(subject, em.Counts(), (80.0, 1.0), CHANCE)
    assert np.all(np.diff([point.parameter for point in curve.points]) > 0)
    assert risks(curve)[-1] == pytest.approx(subject.raw, abs=1e-9)
    assert losses(curve)[-1] < 1e-9
    assert np.all(risks(curve) >= subject.no_release)
    assert np.all(risks(curve) <= subject.raw + 1e-12)
    assert [point.parameter for point in curve.points if point.planned] == [1.0, 80.0]
    assert all(point.risk.kind == "exact" and point.loss.kind == "estimate" for point in curve.points)
    stronger = [point.stronger for point in curve.points if point.planned]
    if subject.freq.n_values == 2:
        for point in (point for point in curve.points if point.planned):
            assert point.risk.value - 1e-12 <= point.stronger.value <= 1
    else:
        assert stronger == [None, None]


def test_a_large_table_has_no_stronger_attacker_worked_out(monkeypatch):
    monkeypatch.setattr("epsilometer.assessments.currency.counts.MOST_WORK", 10)
    curve = counts_curve(subject_of(PLAN), em.Counts(), (1.0,), CHANCE)
    assert all(point.stronger is None for point in curve.points)


def test_noise_calibrated_up_to_one_ends_there():
    classic = em.Counts(mechanism=em.Gaussian(epsilon=0.5, delta=1e-5, calibration="classic"))
    curve = counts_curve(subject_of(PLAN), classic, (0.5,), CHANCE)
    assert curve.points[-1].parameter == 0.7
    assert curve.name == "counts, gaussian noise"


def test_samples_lie_between_no_release_and_raw_and_tend_to_raw(subject):
    n = subject.n_people
    curve = sample_curve(subject, em.Sample(size=1), (n, 1), CHANCE)
    assert risks(curve)[-1] == pytest.approx(subject.raw, abs=1e-9)
    assert losses(curve)[-1] < 1e-12
    assert np.all(risks(curve) >= subject.no_release)
    assert np.all(risks(curve) <= subject.raw + 1e-9)
    assert np.all(np.diff(losses(curve)) < 0)
    evidence = {point.risk.kind for point in curve.points[5:]}
    assert evidence == ({"exact"} if subject.freq.n_values == 2 else {"estimate"})
    assert [point.parameter for point in curve.points if point.planned] == [1, n]


def test_a_column_with_one_value_gives_nothing_away():
    alike = pa.table({"known": ["a", "a", "b"], "wanted": ["x", "x", "x"]})
    subject = subject_of(em.Plan(table=alike, quasi_identifiers=("known",), sensitive=("wanted",)))
    assert risks(sample_curve(subject, em.Sample(size=1), (), CHANCE)).tolist() == [1.0]
    assert set(risks(counts_curve(subject, em.Counts(), (), CHANCE))) == {1.0}


def test_local_reports_tend_to_certainty_and_to_nothing(subject):
    curve = local_curve(subject, em.Local(), (1e-4, 60.0), CHANCE)
    assert curve.points[0].risk_at_most == pytest.approx(subject.no_release, abs=0.02)
    assert risks(curve)[-1] == pytest.approx(1.0, abs=1e-9)
    assert losses(curve)[-1] < 1e-9
    assert np.all(risks(curve) >= subject.no_release)
    assert [point.parameter for point in curve.points if point.planned] == [1e-4, 60.0]


def test_a_persons_own_report_is_never_undersold(subject):
    """With K values, the shares as the prior and truth told with probability p the exact guess is known."""
    shares, k = np.sort(subject.shares)[::-1], subject.freq.n_values
    for point in local_curve(subject, em.Local(), (), CHANCE).points:
        truth = 1 / (1 + (k - 1) * np.exp(-point.parameter))
        lie = truth * np.exp(-point.parameter)
        assert (
            point.risk_at_most
            >= sum(max(share * truth, shares[0] * lie) for share in shares[1:]) + shares[0] * truth - 1e-9
        )


def test_declared_values_that_nobody_has_cost_accuracy():
    at = (1.0,)
    short = local_curve(subject_of(PLAN), em.Local(), at, CHANCE)
    for domain in (["planned", "emergency", "birth", None], {"values": ("birth", "death"), "missing": True}):
        plan = replace(PLAN, domain={"admission": domain})
        longer = local_curve(subject_of(plan), em.Local(), at, CHANCE)
        assert losses(longer)[7] > losses(short)[7]


def test_numbers_may_be_reported_by_the_exponential_choice():
    ages = subject_of(
        em.Plan(
            table=pa.table({"known": ["a", "b"] * 30, "wanted": [1, 2, 4] * 20}),
            quasi_identifiers=("known",),
            sensitive=("wanted",),
        )
    )
    curve = local_curve(ages, em.Local(randomizer="exponential", epsilon=2.0), (2.0,), CHANCE)
    assert curve.points[-1].risk_at_most > 0.8
    assert any(point.attacker == OWN_REPORT for point in curve.points)


def test_synthetic_tables_are_attacked_by_look_up_and_by_a_model(subject):
    curve = synthetic_curve(subject, em.Synthetic(method="contingency"), (2.0,), CHANCE)
    assert [point.parameter for point in curve.points] == [0.1, 0.3, 1.0, 2.0, 3.0, 10.0]
    assert np.all(risks(curve) >= subject.no_release)
    assert risks(curve)[-1] == pytest.approx(subject.raw, abs=0.02)
    assert losses(curve)[-1] < 0.05
    assert losses(curve)[-1] < losses(curve)[0]
    assert all(point.risk_at_most <= subject.raw + 1e-12 for point in curve.points)
    assert all(point.loss.kind == "estimate" for point in curve.points)


def test_without_scikit_learn_there_is_one_attacker_less(monkeypatch):
    def absent(*_):
        raise MissingExtra("An attacker who trains a model", "synthesis")

    monkeypatch.setattr(synthetic, "logistic_model", absent)
    curve = synthetic_curve(subject_of(PLAN), em.Synthetic(method="contingency"), (), CHANCE)
    assert all(point.attacker != MODEL for point in curve.points)


def test_a_model_is_trained_on_some_rows_of_many(monkeypatch):
    monkeypatch.setattr(synthetic, "MOST_TRAINED", 50)
    curve = synthetic_curve(subject_of(PLAN), em.Synthetic(method="contingency", rows=300), (), CHANCE)
    assert len(curve.points) == 5


def test_tables_are_put_side_by_side_by_name():
    subject = subject_of(
        em.Plan(
            table=pa.table({"q": ["a", "a", None], "s": ["x", "y", "y"]}), quasi_identifiers=("q",), sensitive=("s",)
        )
    )
    both = side_by_side(subject, pa.table({"q": ["b", "(missing)"]}), np.array([[1, 2], [3, 0]]), ("y", "w"))
    shown = {name: counts.tolist() for name, counts in zip(both.labels["q"].to_pylist(), both.shown, strict=True)}
    true = {name: counts.tolist() for name, counts in zip(both.labels["q"].to_pylist(), both.true, strict=True)}
    assert true == {"a": [1, 1, 0], "(missing)": [0, 1, 0], "b": [0, 0, 0]}  # x, y, w
    assert shown == {"a": [0, 0, 0], "(missing)": [0, 3, 0], "b": [0, 1, 2]}


@pytest.mark.parametrize(
    ("curve", "release", "parameters", "message"),
    [
        (counts_curve, em.Counts(tables=(em.CountsOf(columns=("sex",)),)), (), "one table of counts over all columns"),
        (counts_curve, em.Counts(cells_per_person=2), (), "Leave tables and cells_per_person out of the plan"),
        (sample_curve, em.Sample(size=5, strata=("sex",)), (), "Leave the strata out of the plan"),
        (local_curve, em.Local(randomizer="unary"), (), "compared for response or exponential, not for unary"),
    ],
)
def test_what_cannot_be_compared_says_so(curve, release, parameters, message):
    with pytest.raises(BadQuestion, match=message):
        curve(subject_of(PLAN), release, parameters, CHANCE)


def test_a_sample_is_no_larger_than_the_table():
    with pytest.raises(
        OutOfRange, match=r"^size must be in \[1, 2400\], got 2401\. It is a number of the table's rows\.$"
    ):
        sample_curve(subject_of(PLAN), em.Sample(size=1), (2401,), CHANCE)


def test_counts_that_are_changed_afterwards_are_a_note():
    plain = counts_curve(subject_of(PLAN), em.Counts(), (), CHANCE)
    changed = counts_curve(subject_of(PLAN), em.Counts(post_processing=("totals",)), (), CHANCE)
    assert len(changed.assumptions) == len(plain.assumptions) + 1


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Exact(0.6), (Exact(0.6), "looks")),
        (Exact(0.4), (Exact(0.5), OVERALL)),
        (Estimate(0.6, Interval(0.4, 0.7, 0.95)), (Estimate(0.6, Interval(0.5, 0.7, 0.95)), "looks")),
        (Estimate(0.45, Interval(0.3, 0.6, 0.95)), (Estimate(0.5, Interval(0.5, 0.6, 0.95)), OVERALL)),
        (Estimate(0.45, Interval(0.4, 0.49, 0.95)), (Exact(0.5), OVERALL)),
    ],
)
def test_the_better_attacker_never_does_worse_than_the_other(found, expected):
    assert better(found, "looks", 0.5, OVERALL) == expected


def test_large_tables_are_simulated_in_blocks_and_less_often(monkeypatch):
    subject = subject_of(PLAN)
    whole = sample_curve(subject, em.Sample(size=1), (), CHANCE)
    monkeypatch.setattr("epsilometer.assessments.currency.sample.BLOCK", 1)
    monkeypatch.setattr("epsilometer.assessments.currency.local.BLOCK", 1)
    blocks = sample_curve(subject, em.Sample(size=1), (), CHANCE)
    np.testing.assert_allclose(losses(blocks), losses(whole), rtol=0.3)
    assert len(local_curve(subject, em.Local(), (), CHANCE).points) == 13
    assert repeats.affordable(30, 10**12) == 4
    assert repeats.affordable(2, 10**12) == 2
