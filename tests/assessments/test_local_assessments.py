"""Local risk against attacks that are played out or listed in full."""

import math
import re
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.local.release import randomizer_named
from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.randomizers import ExponentialChoice, LocalGaussian, LocalLaplace, RandomizedResponse, UnaryEncoding

N_ATTACKS = 200_000


@dataclass(frozen=True)
class Law:
    """A randomiser as its definition has it: how to draw a report, and how likely (or dense) one is."""

    randomizer: object
    shares: tuple
    draw: object
    likelihood: object
    values: tuple | None = None


def by_channel(randomizer, shares, channel):
    rows = np.asarray(channel) / np.sum(channel, axis=1, keepdims=True)

    def draw(codes, rng):
        return (rng.random(len(codes))[:, None] > np.cumsum(rows, axis=1)[codes]).sum(axis=1)

    return Law(randomizer, shares, draw, lambda reports: rows[:, reports])


def of_bits(randomizer, shares):
    q = 1 / (math.exp(randomizer.epsilon) + 1)

    def draw(codes, rng):
        own = np.arange(len(shares)) == codes[:, None]
        return rng.random(own.shape) < np.where(own, 0.5, q)

    def likelihood(bits):
        """Relative to the chance that all bits are those of others."""
        return np.where(bits, 0.5 / q, 0.5 / (1 - q)).T

    return Law(randomizer, shares, draw, likelihood)


def of_noise(randomizer, shares, values, noise, log_density):
    at = np.clip(values, randomizer.low, randomizer.high)
    return Law(
        randomizer,
        shares,
        lambda codes, rng: at[codes] + noise(rng, len(codes)),
        lambda reports: np.exp(log_density(reports - at[:, None])),
        values,
    )


def laplace(epsilon, shares, values):
    scale = 4 / epsilon
    return of_noise(
        LocalLaplace(epsilon=epsilon, low=0.0, high=4.0),
        shares,
        values,
        lambda rng, n: rng.laplace(scale=scale, size=n),
        lambda gap: -np.abs(gap) / scale,
    )


def gaussian(shares, values):
    randomizer = LocalGaussian(epsilon=2.0, delta=1e-3, low=0.0, high=4.0)
    return of_noise(
        randomizer,
        shares,
        values,
        lambda rng, n: rng.normal(scale=randomizer.sigma, size=n),
        lambda gap: -0.5 * (gap / randomizer.sigma) ** 2,
    )


def response(epsilon, shares):
    k = len(shares)
    channel = 1 + (math.exp(epsilon) - 1) * np.eye(k)
    return by_channel(RandomizedResponse(epsilon=epsilon, n_values=k), shares, channel)


def choice(epsilon, shares, values):
    at = np.array(values)
    channel = np.exp(-epsilon * np.abs(at[:, None] - at) / (2 * (at.max() - at.min())))
    return by_channel(ExponentialChoice(epsilon=epsilon, values=values), shares, channel)


LAWS = {
    "response of two": response(1.0, (0.6, 0.4)),
    "response of four": response(2.0, (0.4, 0.3, 0.2, 0.1)),
    "a few bits": of_bits(UnaryEncoding(epsilon=1.5, n_values=3), (0.5, 0.3, 0.2)),
    "many bits": of_bits(UnaryEncoding(epsilon=2.0, n_values=9), (0.2, *(0.1,) * 8)),
    "choice of two": choice(3.0, (0.55, 0.45), (0.0, 5.0)),
    "choice of four": choice(4.0, (0.1, 0.4, 0.2, 0.3), (0.0, 1.0, 3.0, 10.0)),
    "laplace": laplace(3.0, (0.3, 0.3, 0.4), (0.0, 1.0, 4.0)),
    "laplace beyond the range": laplace(3.0, (0.2, 0.3, 0.5), (-9.0, 1.0, 9.0)),
    "gaussian": gaussian((0.3, 0.3, 0.4), (0.0, 2.0, 4.0)),
}
every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())


def risk_of(law, n_people, **about):
    return em.local_risk(law.randomizer, law.shares, n_people=n_people, values=law.values, **about)


@every_law
def test_the_best_attacker_on_one_report_is_right_as_often_as_stated(law):
    """Five standard errors on a fixed seed: neither beaten nor far."""
    rng = np.random.default_rng(4)
    truth = rng.choice(len(law.shares), N_ATTACKS, p=law.shares)
    guesses = (np.array(law.shares)[:, None] * law.likelihood(law.draw(truth, rng))).argmax(axis=0)
    right = (guesses == truth).mean()
    risk = risk_of(law, 10)
    assert risk.evidence == "exact"
    assert abs(right - risk.value) < 5 * math.sqrt(risk.value * (1 - risk.value) / N_ATTACKS)
    assert risk.no_release == pytest.approx(max(law.shares), rel=1e-14)
    assert risk.any_table == 1.0


def attacked_shuffled(law, n_people, n_attacks, seed):
    """One person's value guessed from everybody's reports in no order: whether right, for each attack.

    Any of the reports may be theirs: the belief is the mean over reports of what each alone would tell.
    """
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(law.shares), n_attacks * n_people, p=law.shares)
    joint = np.array(law.shares)[:, None] * law.likelihood(law.draw(truth, rng))
    beliefs = (joint / joint.sum(axis=0)).reshape(len(law.shares), n_attacks, n_people).mean(axis=2)
    return beliefs.argmax(axis=0) == truth.reshape(n_attacks, n_people)[:, 0]


@every_law
@pytest.mark.parametrize("n_people", [3, 20])
def test_the_best_attacker_on_shuffled_reports_never_beats_what_is_stated(law, n_people):
    """Five standard errors of the attacks; an exact number or an estimate is met as well."""
    n_attacks = 20_000
    right = attacked_shuffled(law, n_people, n_attacks, seed=5).mean()
    error = 5 * math.sqrt(right * (1 - right) / n_attacks)
    shuffled = risk_of(law, n_people).shuffled
    if shuffled.kind == "upper bound":
        assert right <= shuffled.value + error
        return
    low, high = (shuffled.interval.low, shuffled.interval.high) if shuffled.kind == "estimate" else 2 * [shuffled.value]
    assert low - error <= right <= high + error


def test_how_the_shuffled_chance_is_known():
    kinds = {name: risk_of(law, 5).shuffled.kind for name, law in LAWS.items()}
    assert {name for name, kind in kinds.items() if kind == "exact"} == {"response of two", "choice of two"}
    assert {name for name, kind in kinds.items() if kind == "estimate"} == {
        "response of four",
        "a few bits",
        "choice of four",
    }


def test_an_estimate_keeps_to_what_is_possible_with_its_interval():
    """One of four values that half of the people have stays the best guess after any report: nothing is gained."""
    risk = em.local_risk(RandomizedResponse(epsilon=1.0, n_values=4), [0.5, 1 / 6, 1 / 6, 1 / 6], n_people=100)
    shuffled = risk.shuffled
    assert shuffled.value == shuffled.interval.low == shuffled.interval.high == pytest.approx(0.5)


def listed(shares, channel, n):
    """The first person's value guessed from the number of ones among the reports, over all values and reports."""
    seen = np.zeros((n + 1, len(shares)))
    for values in product(range(len(shares)), repeat=n):
        for reports in product((0, 1), repeat=n):
            chance = math.prod(shares[x] * channel[x][y] for x, y in zip(values, reports, strict=True))
            seen[sum(reports), values[0]] += chance
    return seen.max(axis=1).sum()


@pytest.mark.parametrize("n_people", range(1, 7))
@pytest.mark.parametrize("first", [0.5, 0.62, 0.1])
def test_two_outputs_against_the_complete_list(n_people, first):
    shares = (first, 1 - first)
    told = math.e / (math.e + 1)
    risk = em.local_risk(RandomizedResponse(epsilon=1.0, n_values=2), shares, n_people=n_people)
    assert risk.shuffled.value == pytest.approx(
        listed(shares, [[told, 1 - told], [1 - told, told]], n_people), rel=1e-12
    )
    near = 1 / (1 + math.exp(-1))  # half of epsilon for the whole distance
    risk = em.local_risk(ExponentialChoice(epsilon=2.0, values=(3, 7)), shares, n_people=n_people)
    assert risk.shuffled.value == pytest.approx(
        listed(shares, [[near, 1 - near], [1 - near, near]], n_people), rel=1e-12
    )


@given(
    st.lists(st.floats(0.01, 1), min_size=2, max_size=5),
    st.floats(0.05, 5),
    st.integers(1, 10**6),
    st.sampled_from(["response", "unary", "exponential", "laplace"]),
)
@settings(max_examples=40)
def test_shuffling_takes_away_and_leaves_what_was_known(weights, epsilon, n_people, name):
    """Data processing: no more than before shuffling, no less than without a report; estimates to six standard errors.

    Rare rows of bits that a simulation may miss have a probability of 1e-4 together.
    """
    shares, domain = np.array(weights) / sum(weights), [str(i) for i in range(len(weights))]
    is_noise = name == "laplace"
    randomizer = randomizer_named(
        name, epsilon=epsilon, domain=() if is_noise else domain, bounds=(0, 4) if is_noise else None
    )
    risk = em.local_risk(randomizer, shares, n_people=n_people, values=range(len(weights)) if is_noise else None)
    slack = 1e-12
    if risk.shuffled.kind == "estimate":
        slack += 1e-4 + 6 / 2.576 * (risk.shuffled.interval.high - risk.shuffled.value)
    assert risk.no_release <= risk.value + 1e-12
    assert risk.no_release - slack <= risk.shuffled.value <= risk.value + slack
    assert risk.value <= math.exp(epsilon) * risk.no_release + 1e-12
    assert 0 <= risk.shuffled_epsilon <= risk.local_epsilon


@pytest.mark.parametrize("name", ["response of two", "response of four", "a few bits", "choice of four", "laplace"])
def test_among_many_people_a_report_tells_nothing(name):
    risk = risk_of(LAWS[name], 10**9)
    assert risk.value > risk.no_release + 0.05
    assert risk.shuffled.value == pytest.approx(risk.no_release, abs=1e-3)


def test_the_bound_is_what_the_guarantee_allows_and_no_more_than_before():
    law = LAWS["laplace"]
    few, many = (risk_of(law, n, delta=1e-5) for n in (1, 10**6))
    assert few.shuffled.value == few.value
    assert many.shuffled.value == pytest.approx(math.exp(many.shuffled_epsilon) * max(law.shares) + 1e-5, rel=1e-12)
    assert many.shuffled_delta == 1e-5
    assert risk_of(LAWS["gaussian"], 10**6).shuffled_epsilon is None
    assert risk_of(LAWS["gaussian"], 10**6).shuffled.value == risk_of(LAWS["gaussian"], 10**6).value


@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [1.0, 0.0, 0.0]])
def test_reports_that_hide_nothing_are_counted_without_overflow(shares):
    risk = em.local_risk(RandomizedResponse(epsilon=1e4, n_values=3), shares, n_people=1)
    assert risk.value == 1.0
    assert risk.shuffled.value == pytest.approx(1.0)
    assert risk.shuffled_epsilon is None


RISKS = {
    "one share": ({"shares": [1.0]}, BadCounts, "shares must be two or more numbers that are not negative and sum"),
    "negative": ({"shares": [1.5, -0.5]}, BadCounts, "shares must be two or more numbers"),
    "too much": ({"shares": [0.5, 0.6]}, BadCounts, "shares must be two or more numbers"),
    "not a number": ({"shares": [0.5, math.nan]}, BadCounts, "shares must be two or more numbers"),
    "text": ({"shares": ["a", "b"]}, BadCounts, "shares must be two or more numbers"),
    "a table": ({"shares": [[0.5, 0.5]]}, BadCounts, "shares must be two or more numbers"),
    "ragged": ({"shares": [[0.5], [0.5, 1]]}, BadCounts, "shares must be two or more numbers"),
    "too many shares": (
        {"shares": [0.5, 0.3, 0.2]},
        OutOfRange,
        "shares must be in 2 numbers, one for each value, got [0.5, 0.3, 0.2].",
    ),
    "nobody": (
        {"n_people": 0},
        OutOfRange,
        "n_people must be in the whole numbers [1, 10000000000], got 0. It is the number of people who report.",
    ),
    "half a person": ({"n_people": 2.5}, OutOfRange, "n_people must be in the whole numbers [1, 10000000000], got 2.5"),
    "people not a number": ({"n_people": math.nan}, OutOfRange, "n_people must be in the whole numbers"),
    "people beyond the earth": ({"n_people": 10**13}, OutOfRange, "n_people must be in the whole numbers"),
    "delta zero": (
        {"delta": 0},
        OutOfRange,
        "delta must be in (0, 1), got 0. It is the chance that the guarantee fails.",
    ),
    "delta not a number": ({"delta": math.nan}, OutOfRange, "delta must be in (0, 1), got nan."),
    "no values": (
        {"randomizer": LocalLaplace(epsilon=1.0, low=0.0, high=1.0)},
        OutOfRange,
        "values must be in 2 numbers, one for each share, got None.",
    ),
    "too many values": (
        {"randomizer": LocalLaplace(epsilon=1.0, low=0.0, high=1.0), "values": [0, 1, 2]},
        OutOfRange,
        "values must be in 2 numbers, one for each share, got [0, 1, 2].",
    ),
    "values that are not numbers": (
        {"randomizer": LocalLaplace(epsilon=1.0, low=0.0, high=1.0), "values": [0, math.nan]},
        OutOfRange,
        "every value must be in (-inf, inf), got nan.",
    ),
    "noise on counts": (
        {"randomizer": em.Laplace(epsilon=1.0)},
        OutOfRange,
        "randomizer must be in the randomisers of this package, got Laplace(",
    ),
}


@pytest.mark.parametrize(("wrong", "kind", "message"), RISKS.values(), ids=RISKS.keys())
def test_risks_that_cannot_be(wrong, kind, message):
    given_ = {"randomizer": RandomizedResponse(epsilon=1.0, n_values=2), "shares": [0.5, 0.5], "n_people": 9, **wrong}
    with pytest.raises(kind, match=f"^{re.escape(message)}"):
        em.local_risk(given_.pop("randomizer"), given_.pop("shares"), **given_)
