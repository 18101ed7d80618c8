"""Whatever the sliders show is what the assessments compute one by one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.choosing.axis import Axis
from epsilometer.assessments.choosing.search import Problem
from epsilometer.assessments.choosing.subject import CountedTable
from epsilometer.assessments.counted import counted
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer, CountsSetting
from epsilometer.assessments.homogeneity.scenarios import attacker_precision
from epsilometer.formulas.error_share import probability_within
from epsilometer.mechanisms.naming import KINDS

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv"
COUNTS = np.array([[19, 1, 0], [4, 0, 0], [0, 4, 0], [2, 2, 1], [0, 0, 1], [140, 30, 9]])
SETTINGS = st.builds(
    CountsSetting,
    mechanism=st.sampled_from(sorted(KINDS)),
    epsilon=st.floats(0.02, 12.0),
    delta=st.sampled_from([1e-9, 1e-6, 1e-3]),
    threshold=st.sampled_from([-1.0, 0.5, 1.0, 3.0, 7.25]),
    adjacency=st.sampled_from(["add-remove", "replace"]),
)


@pytest.fixture(scope="module")
def freq():
    return em.FrequencyTable.from_counts(COUNTS)


@pytest.fixture(scope="module")
def explorer(freq):
    return CountsExplorer(freq)


@given(setting=SETTINGS)
@settings(max_examples=60, deadline=None)
def test_agrees_with_the_assessments_at_any_setting(freq, explorer, setting):
    view, noise = explorer.at(setting), setting.noise()
    people = em.homogeneity_risk(freq, noise, average="records")
    cells = em.homogeneity_risk(freq, noise)
    for found, expected in ((view.people, people), (view.cells, cells)):
        assert found.value == pytest.approx(expected.value, rel=1e-12)
        shown, known = found.to_dict(), expected.to_dict()
        assert {k: v for k, v in shown.items() if k != "value"} == {k: v for k, v in known.items() if k != "value"}
    assert (view.no_release, view.any_table) == (people.no_release, people.any_table)
    assert view.precision == pytest.approx(float(attacker_precision(freq, noise)), rel=1e-12, nan_ok=True)
    loss = em.utility_loss(freq, noise, repeats=2)
    assert view.mean_error == pytest.approx(loss.table_l1.value / COUNTS.size, rel=1e-12)
    assert view.mechanism == noise


@given(setting=SETTINGS)
@settings(max_examples=25, deadline=None)
def test_the_usual_error_is_the_smallest_that_holds_for_95_of_100_counts(explorer, setting):
    error = explorer.at(setting).error_95

    def share_within(distance):
        return probability_within(COUNTS, distance, setting.noise()).mean()

    assert share_within(error) >= 0.95
    assert error == 0 or share_within(error - 1) < 0.95


@given(setting=SETTINGS)
@settings(max_examples=25, deadline=None)
def test_curves_are_the_risks_at_every_position(freq, explorer, setting):
    curves = explorer.at(setting).curves
    noise = setting.noise().at(tuple(explorer.grid.tolist()))
    people = em.homogeneity_risk(freq, noise, average="records")
    np.testing.assert_array_equal(curves.epsilons, explorer.grid)
    np.testing.assert_allclose(curves.people, people.value, rtol=1e-12)
    np.testing.assert_allclose(curves.any_table, people.any_table, rtol=1e-14)
    np.testing.assert_allclose(curves.cells, em.homogeneity_risk(freq, noise).value, rtol=1e-12)


def test_the_guarantee_and_the_raw_table_are_those_of_the_assessment():
    rows = pd.DataFrame({"q": list("aaabbc"), "s": list("xxyxxz")})
    plan = em.Plan(table=rows, quasi_identifiers=("q",), sensitive=("s",))
    assessed = em.assess(plan).attributes[0]
    freq = em.frequency_table(rows, quasi_identifiers=["q"], sensitive="s")
    view = CountsExplorer(freq).at(CountsSetting(epsilon=1.0))
    assert view.own_record.to_dict() == assessed.own_record.to_dict()
    assert view.raw_certain == assessed.raw.diversity.homogeneous_share == 0.5
    assert view.people.value == pytest.approx(assessed.people.value, rel=1e-12)


def test_positions_are_even_and_can_be_read(explorer):
    steps = np.diff(np.log(explorer.grid))
    assert {0.01, 0.1, 1.0, 10.0} <= set(explorer.grid.tolist())
    assert steps.min() > 0
    assert steps.max() / steps.min() < 1.1
    assert all(float(f"{position:.3g}") == position for position in explorer.grid)


def test_losses_are_those_that_choosing_simulates(freq):
    explorer, setting = CountsExplorer(freq), CountsSetting(mechanism="geometric", threshold=1.0)
    assert explorer.at(setting).loss is None
    losses = explorer.losses(setting)
    table = CountedTable(freq, Axis("epsilon", tuple(explorer.grid.tolist()), setting.noise()))
    chosen = [table.loss(epsilon) for epsilon in explorer.grid]
    np.testing.assert_array_equal(losses.value, [loss.value for loss in chosen])
    np.testing.assert_array_equal(losses.answer.interval.high, [loss.interval.high for loss in chosen])
    np.testing.assert_allclose(
        losses.table_l1.value / COUNTS.size, [table.count_error(epsilon) for epsilon in explorer.grid]
    )
    assert losses.mechanism["epsilon"] == tuple(explorer.grid.tolist())
    assert len(losses.to_frame()) == len(explorer.grid)
    for place in (0, 30, 60):
        view = explorer.at(replace(setting, epsilon=float(explorer.grid[place])))
        assert view.loss == chosen[place]
        assert view.curves.loss is losses.answer


def test_the_loss_of_a_typed_epsilon_is_simulated_by_itself(freq):
    explorer, setting = CountsExplorer(freq), CountsSetting(epsilon=0.777)
    explorer.losses(setting)
    assert explorer.at(setting).loss is None
    typed = explorer.loss(setting)
    expected = CountedTable(freq, Axis("epsilon", (0.777,), setting.noise())).loss(0.777)
    assert explorer.at(setting).loss is typed.answer
    assert typed.answer == expected


@given(setting=SETTINGS, max_risk=st.floats(0.0, 0.6), max_loss=st.floats(0.001, 0.4))
@settings(max_examples=40, deadline=None)
def test_what_is_recommended_is_feasible_as_choosing_sees_it(freq, explorer, setting, max_risk, max_loss):
    setting = replace(setting, mechanism="laplace", threshold=0.5, adjacency="add-remove")  # one curve of losses
    losses = explorer.losses(setting)
    targets = explorer.at(setting, max_risk=max_risk, max_loss=max_loss).targets
    axis = Axis("epsilon", tuple(explorer.grid.tolist()), setting.noise())
    problem = Problem(axis, (CountedTable(freq, axis),))
    met = np.array([problem.risk(e) <= max_risk for e in axis.points]) & (losses.answer.interval.high <= max_loss)
    if not met.any():
        assert targets.recommended is None
        assert targets.both == ()
        return
    assert targets.recommended == axis.points[met.argmax()]
    assert problem.risk(targets.recommended) <= max_risk
    assert problem.loss(targets.recommended) <= max_loss
    assert targets.both[0].low == targets.recommended


@pytest.mark.parametrize(("max_risk", "max_loss"), [(0.1, 0.2), (0.4, 0.05), (0.35, 0.1), (0.01, 0.01)])
def test_never_contradicts_choosing(max_risk, max_loss):
    rows = pd.DataFrame({"q": np.repeat(["a", "b", "c"], [40, 25, 5]), "s": (["x"] * 30 + ["y"] * 10) + ["x"] * 30})
    plan = em.Plan(table=rows, quasi_identifiers=("q",), sensitive=("s",), max_risk=max_risk, max_loss=max_loss)
    choice = em.choose(plan)
    explorer = CountsExplorer(em.frequency_table(rows, quasi_identifiers=["q"], sensitive="s"))
    explorer.losses(CountsSetting())
    targets = explorer.at(CountsSetting(), max_risk=max_risk, max_loss=max_loss).targets
    certified = [(s.low, s.high) for s in choice.risk_stretches]
    for stretch in targets.risk:
        for epsilon in explorer.grid[(explorer.grid >= stretch.low) & (explorer.grid <= stretch.high)]:
            assert any(low <= epsilon <= high for low, high in certified)
    if choice.recommended is None:
        assert targets.recommended is None
    elif targets.recommended is not None:
        assert targets.recommended >= choice.recommended * (1 - 1e-9)


def test_without_losses_only_the_risk_is_judged(explorer):
    targets = explorer.at(CountsSetting(delta=0.5, mechanism="gaussian"), max_risk=0.9, max_loss=0.5).targets
    assert targets.risk
    assert (targets.loss, targets.both, targets.recommended) == (None, None, None)
    nothing = explorer.at(CountsSetting()).targets
    assert (nothing.risk, nothing.loss, nothing.both, nothing.recommended) == (None, None, None, None)


@given(first=SETTINGS, second=SETTINGS)
@settings(max_examples=25, deadline=None)
def test_settings_never_mix(freq, first, second):
    shared = CountsExplorer(freq)
    for setting in (first, second, first):
        fresh = CountsExplorer(freq).at(setting)
        kept = shared.at(setting)
        np.testing.assert_array_equal(kept.curves.people, fresh.curves.people)
        assert kept.people.value == fresh.people.value
        assert kept.error_95 == fresh.error_95


def test_losses_of_other_settings_stay_unknown(freq):
    explorer = CountsExplorer(freq)
    explorer.losses(CountsSetting(mechanism="gaussian", delta=1e-6))
    for other in (
        CountsSetting(mechanism="gaussian", delta=1e-5),
        CountsSetting(mechanism="gaussian", threshold=1.0),
        CountsSetting(mechanism="gaussian", adjacency="replace"),
        CountsSetting(),
    ):
        assert explorer.at(other).curves.loss is None
    assert explorer.at(CountsSetting(mechanism="gaussian", epsilon=0.1)).loss is not None


def test_delta_plays_no_part_without_one(freq):
    explorer = CountsExplorer(freq)
    explorer.losses(CountsSetting(delta=1e-6))
    assert explorer.at(CountsSetting(delta=0.1)).curves.loss is not None


def test_threads_get_the_same_answers():
    rows = pd.DataFrame({"q": np.arange(300) % 40, "s": np.arange(300) % 7})
    freq = em.frequency_table(rows, quasi_identifiers=["q"], sensitive="s")
    asked = [
        CountsSetting(mechanism=mechanism, threshold=threshold, epsilon=epsilon)
        for mechanism in ("laplace", "gaussian")
        for threshold in (0.5, 2.0)
        for epsilon in (0.1, 1.0)
    ]

    def answers(explorer, setting):
        losses = explorer.losses(setting).value
        view = explorer.at(setting, max_risk=0.2, max_loss=0.2)
        worst = explorer.riskiest(setting, 3)
        return view.people.value, view.curves.people.tolist(), view.targets, losses.tolist(), worst

    expected = [answers(CountsExplorer(freq), setting) for setting in asked]
    shared = CountsExplorer(freq)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda setting: answers(shared, setting), asked * 2))
    assert found == expected * 2


def test_explorers_of_one_table_may_be_asked_at_once():
    rows = pd.DataFrame({"q": np.arange(600) % 50, "s": np.arange(600) % 7, "t": np.arange(600) % 3})
    plan = em.Plan(table=rows, quasi_identifiers=("q",), sensitive=("s", "t"))
    explorers = [CountsExplorer(freq) for freq in counted(plan).tables]
    expected = [explorer.riskiest(CountsSetting(), 4) for explorer in explorers]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: explorers[i % 3].riskiest(CountsSetting(), 4), range(60)))
    assert found == expected * 20


def test_the_riskiest_cells_are_those_of_the_assessment():
    rows = pd.DataFrame({"q": list("aaaabbc"), "s": list("xxxxxyz")})
    plan = em.Plan(table=rows, quasi_identifiers=("q",), sensitive=("s",))
    freq = em.frequency_table(rows, quasi_identifiers=["q"], sensitive="s")
    worst = CountsExplorer(freq).riskiest(CountsSetting(), 2)
    assert worst == em.assess(plan, riskiest=2).attributes[0].riskiest
    assert worst[0].cell == {"q": "a"}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (CountsSetting(epsilon=0.0), r"epsilon must be in \(0, inf\), got 0.0"),
        (CountsSetting(epsilon=float("nan")), r"epsilon must be in \(0, inf\), got nan"),
        (CountsSetting(epsilon=(0.1, 1.0)), r"epsilon must be in \(0, inf\), got \(0.1, 1.0\). A setting has one"),
        (CountsSetting(mechanism="gaussian", delta=1.0), r"delta must be in \(0, 1\), got 1.0"),
        (CountsSetting(threshold=float("inf")), r"threshold must be in \(-inf, inf\), got inf"),
        (CountsSetting(mechanism="cauchy"), "mechanism must be one of laplace, .*; got 'cauchy'"),
        (CountsSetting(adjacency="swap"), "adjacency must be one of add-remove, replace; got 'swap'"),
    ],
)
def test_bad_settings_are_refused(explorer, setting, message):
    for ask in (explorer.at, explorer.losses, explorer.loss, explorer.riskiest):
        with pytest.raises(em.errors.EpsilometerError, match=message):
            ask(setting)


@pytest.mark.parametrize("name", ["max_risk", "max_loss"])
@pytest.mark.parametrize("target", [-0.1, 1.5, float("nan"), "half"])
def test_bad_targets_are_refused(explorer, name, target):
    with pytest.raises(em.errors.OutOfRange, match=rf"{name} must be in \[0, 1\].*probability or a share"):
        explorer.at(CountsSetting(), **{name: target})


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not there")
def test_adult_is_as_the_assessments_have_it():
    freq = em.frequency_table(ADULT, quasi_identifiers=["age", "sex", "race"], sensitive="occupation")
    explorer = CountsExplorer(freq)
    for setting in (CountsSetting(epsilon=0.1), CountsSetting(mechanism="discrete-gaussian", threshold=5.0)):
        noise = setting.noise().at(tuple(explorer.grid.tolist()))
        np.testing.assert_allclose(
            explorer.at(setting).curves.people,
            em.homogeneity_risk(freq, noise, average="records").value,
            rtol=1e-12,
        )
