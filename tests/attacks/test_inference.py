"""Guessing a column from others: against plain look-ups, record by record."""

import builtins
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.attacks.guessers import People, logistic_model, look_up
from epsilometer.attacks.inference import Guessed, InferenceRisk, inference_risk
from epsilometer.errors import MissingExtra, UnknownChoice
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.share_intervals import difference, wilson


@st.composite
def people(draw, n_columns=2, most=12):
    n = draw(st.integers(1, most))
    known = draw(arrays(np.int64, (n, n_columns), elements=st.integers(0, 2)))
    return People(known, draw(arrays(np.int64, n, elements=st.integers(0, 3))))


def plain_chance(table, known, secret):
    """Look up one target: the chance to name the secret."""
    rows = list(zip(map(tuple, table.known.tolist()), table.secret.tolist(), strict=True))
    alike = [value for key, value in rows if key == known] or [value for _, value in rows]
    counts = Counter(alike)
    modes = [value for value, n in counts.items() if n == max(counts.values())]
    return Fraction(secret in modes, len(modes))


def plain_chances(table, targets):
    pairs = zip(map(tuple, targets.known.tolist()), targets.secret.tolist(), strict=True)
    return [plain_chance(table, known, secret) for known, secret in pairs]


@given(people(), people(most=20))
def test_look_up_is_what_it_says_record_by_record(table, targets):
    np.testing.assert_allclose(look_up(table, targets), [float(p) for p in plain_chances(table, targets)], rtol=1e-15)


@given(people(), people(), people(), st.integers(0, 1000))
def test_rates_are_those_of_as_many_of_either(table, training, held_out, seed):
    risk = inference_risk(table, training, held_out, seed=seed)
    n = min(len(training), len(held_out))
    assert risk.n_targets == n
    assert risk.no_release == max(Counter(training.secret.tolist()).values()) / len(training)
    (found,) = risk.guessed
    for group, rate in ((training, found.training), (held_out, found.control)):
        chances = sorted(map(float, plain_chances(table, group)))
        assert sum(chances[:n]) - 1e-9 <= rate.value * n <= sum(chances[-n:]) + 1e-9
        assert rate.interval == wilson(rate.value * n, n).interval
    assert found.excess == difference(found.training, found.control)


@given(people(most=8), people(most=8), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(table, group, random):
    def shuffled(some):
        return some.part(np.array(random.sample(range(len(some)), len(some))))

    before = inference_risk(table, group, group, seed=1).best
    after = inference_risk(shuffled(table), shuffled(group), shuffled(group), seed=1).best
    for one, other in ((before.training, after.training), (before.control, after.control)):
        assert one.value == pytest.approx(other.value, abs=1e-12)
        assert one.interval == other.interval


def test_controls_are_drawn_without_replacement_and_by_the_seed():
    """Forty of a thousand, each with a chance of its own: draws differ by seed and agree for one."""
    everyone = People(np.arange(1000)[:, None], np.zeros(1000, dtype=int))
    table = People(everyone.known, (np.arange(1000) < 500).astype(int))
    rates = [
        inference_risk(table, everyone.part(np.arange(40)), everyone, seed=s).best.control.value for s in (1, 1, 2)
    ]
    assert rates[0] == rates[1] != rates[2]
    whole = inference_risk(table, everyone, everyone, seed=1).best
    assert (whole.training.value, whole.control.value) == (0.5, 0.5)


@given(people(most=20), people(most=20))
def test_everyone_of_the_smaller_group_is_a_target(table, group):
    both = People(np.concatenate([group.known] * 2), np.concatenate([group.secret] * 2))
    expected = float(sum(plain_chances(table, group)) / len(group))
    assert inference_risk(table, group, both, seed=1).best.training.value == pytest.approx(expected)
    assert inference_risk(table, both, group, seed=1).best.control.value == pytest.approx(expected)


def test_a_copied_table_exceeds_the_control_and_a_fresh_one_does_not():
    rng = np.random.default_rng(1)
    groups = [People(rng.integers(0, 30, size=(1000, 3)), rng.integers(0, 2, size=1000)) for _ in range(3)]
    training, held_out, fresh = groups
    copied = inference_risk(training, training, held_out, seed=1).best
    assert copied.training.value > 0.95
    assert copied.exceeds_control
    assert 0.4 < copied.excess.interval.low < copied.excess.value < copied.excess.interval.high < 0.6
    assert not inference_risk(fresh, training, held_out, seed=1).best.exceeds_control


def some_rate(value, low=0.0, high=1.0):
    return Estimate(value, Interval(low, high, 0.95))


def test_best_is_who_is_right_most_often_about_training_people():
    timid = Guessed("timid", some_rate(0.5), some_rate(0.1), some_rate(0.4, low=0.1))
    bold = Guessed("bold", some_rate(0.6), some_rate(0.6), some_rate(0.0, low=0.0))
    assert InferenceRisk(0.3, (timid, bold), 10, 1).best is bold
    assert (timid.exceeds_control, bold.exceeds_control) == (True, False)


def test_a_model_sees_what_a_look_up_cannot():
    """Twelve columns that say a little each: hardly anyone has a match, and the logistic model adds them up."""
    pytest.importorskip("sklearn", reason="the model attacker is an optional extra")
    rng = np.random.default_rng(2)
    secret = rng.integers(0, 2, size=3000)
    everyone = People((rng.random((3000, 12)) < 0.35 + 0.3 * secret[:, None]).astype(int), secret)
    table, training, held_out = (everyone.part(np.arange(start, start + 1000)) for start in (0, 1000, 2000))
    risk = inference_risk(table, training, held_out, seed=1, attackers=["look-up", "logistic model"])
    assert [found.attacker for found in risk.guessed] == ["look-up", "logistic model"]
    assert risk.best.attacker == "logistic model"
    assert risk.best.training.value > risk.guessed[0].training.value + 0.05
    assert not risk.best.exceeds_control
    assert set(logistic_model(table, held_out)) == {0.0, 1.0}


def test_a_model_of_one_value_and_of_unseen_ones():
    pytest.importorskip("sklearn", reason="the model attacker is an optional extra")
    table = People(np.array([[0], [1]]), np.array([4, 4]))
    assert logistic_model(table, People(np.array([[0], [7]]), np.array([4, 5]))).tolist() == [1.0, 0.0]
    split = People(np.repeat([[0], [1]], 20, axis=0), np.repeat([4, 5], 20))
    unseen = logistic_model(split, People(np.array([[0], [1], [9]]), np.array([4, 5, 6])))
    assert unseen.tolist() == [1.0, 1.0, 0.0]


def test_a_model_that_is_asked_for_needs_its_extra(monkeypatch):
    group = People(np.array([[0], [1]]), np.array([0, 1]))
    imported = builtins.__import__

    def absent(name, *arguments, **options):
        if name.startswith("sklearn"):
            raise ImportError(name)
        return imported(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", absent)
    assert inference_risk(group, group, group, seed=1).best.training.value == 1.0
    with pytest.raises(
        MissingExtra, match=r"An attacker who trains a model needs the optional part synthesis: .*\[synthesis\]"
    ):
        inference_risk(group, group, group, seed=1, attackers=["logistic model"])


def test_attackers_have_names():
    group = People(np.array([[0], [1]]), np.array([0, 1]))
    with pytest.raises(UnknownChoice, match="attacker must be one of look-up, logistic model; got 'magic'"):
        inference_risk(group, group, group, seed=1, attackers=["magic"])
