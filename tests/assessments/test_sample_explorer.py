"""Samples under sliders are what the assessments of samples compute one by one."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.exploring.sample_explorer import SampleExplorer, SampleSetting, size_positions

POPULATION = 2_000


@pytest.fixture(scope="module")
def explorers():
    return {n_values: SampleExplorer(POPULATION, n_values) for n_values in (2, 5)}


def high(result):
    """The number, or the upper end of what encloses it."""
    interval = getattr(result.answer, "interval", None)
    return result.value if interval is None else interval.high


@given(size=st.integers(1, POPULATION), n_values=st.sampled_from([2, 5]))
@settings(max_examples=40, deadline=None)
def test_agrees_with_the_assessments_at_any_size(explorers, size, n_values):
    view = explorers[n_values].at(SampleSetting(sample=size))
    about = {"population": POPULATION, "sample": size, "n_values": n_values}
    for found, adversary in ((view.unknown, "unknown"), (view.inside, "in"), (view.outside, "out")):
        if found is None:
            assert size == POPULATION
        else:
            assert found.to_dict() == em.sampling_risk(adversary=adversary, **about).to_dict()
    assert view.loss.to_dict() == em.sampling_utility_loss(**about).to_dict()
    assert view.no_release == 1 / n_values


@pytest.mark.parametrize("n_values", [2, 5])
def test_curves_are_the_assessments_at_every_position(explorers, n_values):
    curves = explorers[n_values].at(SampleSetting(sample=7)).curves
    np.testing.assert_array_equal(curves.sizes, explorers[n_values].grid)
    for place in (0, 5, 12, len(curves.sizes) - 1):
        about = {"population": POPULATION, "sample": int(curves.sizes[place]), "n_values": n_values}
        assert curves.unknown[place] == high(em.sampling_risk(**about))
        assert curves.inside[place] == high(em.sampling_risk(adversary="in", **about))
        assert curves.loss[place] == high(em.sampling_utility_loss(**about))
    assert np.isnan(curves.outside).tolist() == [False] * (len(curves.sizes) - 1) + [True]


@given(
    adversary=st.sampled_from(["unknown", "in", "out"]),
    max_risk=st.one_of(st.none(), st.floats(0.5, 1.0)),
    max_loss=st.one_of(st.none(), st.floats(0.005, 0.3)),
)
@settings(max_examples=40, deadline=None)
def test_never_contradicts_choosing(explorers, adversary, max_risk, max_loss):
    explorer = explorers[2]
    targets = explorer.at(SampleSetting(sample=9), max_risk=max_risk, max_loss=max_loss, adversary=adversary).targets
    if max_risk is None and max_loss is None:
        assert (targets.risk, targets.loss, targets.both, targets.recommended) == (None, None, None, None)
        return
    choice = em.choose_sample(population=POPULATION, max_risk=max_risk, max_loss=max_loss, adversary=adversary)
    low, high = (choice.smallest, choice.largest) if choice else (1, 0)
    allowed = [size for size in explorer.grid.tolist() if low <= size <= high]
    assert [(s.low, s.high) for s in targets.both] == ([(allowed[0], allowed[-1])] if allowed else [])
    if allowed:
        assert targets.recommended == (allowed[0] if choice.recommended == choice.smallest else allowed[-1]) or (
            choice.smallest == choice.largest
        )
    else:
        assert targets.recommended is None


def test_the_own_shares_are_those_of_the_table():
    counts = [[30, 10, 2], [5, 15, 0]]
    freq = em.FrequencyTable.from_counts(counts)
    explorer = SampleExplorer.of_table(freq)
    for size in (1, 6, 62):
        found = explorer.at(SampleSetting(sample=size)).own_shares.to_dict()
        expected = em.sample_of_table(freq, sample=size).everybody.to_dict()
        assert found.keys() == expected.keys()
        for name, value in expected.items():  # the values come in another order there, and processors round differently
            assert found[name] == (pytest.approx(value, rel=1e-14) if isinstance(value, float) else value), name
    assert explorer.at(SampleSetting(sample=6, mechanism="laplace")).own_shares is None
    assert SampleExplorer(62, 3).at(SampleSetting(sample=6)).own_shares is None


def test_a_table_of_one_value_is_explored_as_of_two():
    view = SampleExplorer.of_table(em.FrequencyTable.from_counts([[9]])).at(SampleSetting(sample=2))
    assert view.no_release == 0.5
    assert view.own_shares.no_release == 1.0


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_noise_is_that_of_the_assessments(mechanism):
    explorer = SampleExplorer(40, 2)
    setting = SampleSetting(sample=12, mechanism=mechanism, epsilon=0.5, delta=1e-3)
    assert not explorer.ready(setting)
    view = explorer.at(setting, max_loss=0.2)
    noise = em.Laplace(epsilon=0.5) if mechanism == "laplace" else em.Gaussian(epsilon=0.5, delta=1e-3)
    expected = em.sampling_risk(population=40, sample=12, mechanism=noise)
    assert view.unknown.to_dict() == expected.to_dict()
    assert view.loss.value == em.sampling_utility_loss(population=40, sample=12, mechanism=noise).value
    assert explorer.ready(setting)
    assert not explorer.ready(SampleSetting(sample=12, mechanism=mechanism, epsilon=0.6, delta=1e-3))
    assert not explorer.ready(SampleSetting(sample=12))


def test_settings_never_mix():
    shared = SampleExplorer(60, 2)
    asked = [SampleSetting(sample=size, mechanism=noise) for size in (5, 20, 60) for noise in (None, "laplace")]
    for setting in (*asked, *asked):
        fresh = SampleExplorer(60, 2).at(setting)
        kept = shared.at(setting)
        assert kept.inside.to_dict() == fresh.inside.to_dict()
        assert kept.loss.to_dict() == fresh.loss.to_dict()
        np.testing.assert_array_equal(kept.curves.outside, fresh.curves.outside)


def test_threads_get_the_same_answers():
    asked = [SampleSetting(sample=size) for size in (1, 3, 50, 499, 500)] * 4

    def answers(explorer, setting):
        view = explorer.at(setting, max_risk=0.7)
        return view.unknown.value, view.loss.value, view.curves.inside.tolist(), view.targets

    expected = [answers(SampleExplorer(500, 3), setting) for setting in asked[:5]] * 4
    shared = SampleExplorer(500, 3)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda setting: answers(shared, setting), asked)) == expected


@given(population=st.integers(1, 10**12))
def test_positions_run_from_one_person_to_everybody(population):
    positions = size_positions(population)
    assert (positions[0], positions[-1]) == (1, population)
    assert (np.diff(positions) > 0).all()
    assert len(positions) <= 8 * 12 + 2


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (SampleSetting(sample=0), r"sample must be in the whole numbers \[1, 2000\], got 0"),
        (SampleSetting(sample=2_001), r"sample must be in .*, got 2001. A sample has at least one person"),
        (SampleSetting(sample=1.5), r"sample must be in .*, got 1.5"),
        (SampleSetting(sample=5, mechanism="cauchy"), "mechanism must be one of"),
        (SampleSetting(sample=5, mechanism="laplace", epsilon=-1.0), "epsilon must be in"),
    ],
)
def test_bad_settings_are_refused(explorers, setting, message):
    with pytest.raises(em.errors.EpsilometerError, match=message):
        explorers[2].at(setting)


def test_bad_targets_and_adversaries_are_refused(explorers):
    setting = SampleSetting(sample=5)
    with pytest.raises(em.errors.OutOfRange, match="max_risk must be in"):
        explorers[2].at(setting, max_risk=2.0)
    with pytest.raises(em.errors.OutOfRange, match="max_loss must be in"):
        explorers[2].at(setting, max_loss=-1.0)
    with pytest.raises(em.errors.UnknownChoice, match="adversary must be one of in, out, unknown; got 'all'"):
        explorers[2].at(setting, adversary="all")


def test_counts_must_be_those_of_the_population():
    with pytest.raises(em.errors.BadCounts, match=r"The counts add up to 9, not to 10 people\. Give one of the two\."):
        SampleExplorer(10, 2, counts={"a": 4, "b": 5})


def test_cells_are_looked_at_when_asked_for_and_remembered():
    freq = em.FrequencyTable.from_counts([[30, 10], [5, 15]])
    explorer, setting = SampleExplorer.of_table(freq), SampleSetting(sample=6)
    assert explorer.at(setting).table is None
    found = explorer.of_cells(setting)
    assert found.average == em.sample_of_table(freq, sample=6).average
    assert explorer.at(setting).table is found


def test_without_a_table_there_are_no_cells():
    with pytest.raises(em.errors.BadCounts, match=r"There is no table to look at cell by cell\. Explore one with"):
        SampleExplorer(100, 2).of_cells(SampleSetting(sample=6))
