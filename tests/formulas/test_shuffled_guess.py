"""The guess after shuffling against a list of everything that can be reported, and against played-out attacks."""

import math
from itertools import product

import numpy as np
import pytest

from epsilometer.formulas.shuffled_guess import shuffled_vulnerability, simulated_shuffled_vulnerability

BINARY = np.array([[0.8, 0.2], [0.35, 0.65], [0.1, 0.9]])
TERNARY = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3]])


def listed_vulnerability(shares, channel, n):
    """The first person's value guessed from the sorted reports, summed over all values and all reports."""
    joint = {}
    for values in product(range(len(shares)), repeat=n):
        for reports in product(range(channel.shape[1]), repeat=n):
            chance = math.prod(shares[x] * channel[x, y] for x, y in zip(values, reports, strict=True))
            seen = joint.setdefault(tuple(sorted(reports)), np.zeros(len(shares)))
            seen[values[0]] += chance
    return sum(chances.max() for chances in joint.values())


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
def test_two_outputs_against_the_complete_list(n, shares):
    assert shuffled_vulnerability(shares, BINARY, n) == pytest.approx(
        listed_vulnerability(shares, BINARY, n), rel=1e-12
    )


@pytest.mark.parametrize("n", [1, 3])
def test_three_outputs_against_the_complete_list(n):
    """Five standard errors on a fixed seed."""
    estimate = simulated_shuffled_vulnerability(
        [0.45, 0.55], TERNARY, n, rng=np.random.default_rng(5), n_trials=50_000, confidence=1 - 6e-7
    )
    truth = listed_vulnerability([0.45, 0.55], TERNARY, n)
    assert estimate.interval.low <= truth <= estimate.interval.high
    assert estimate.interval.high - estimate.interval.low < 0.01


def test_simulation_agrees_with_the_sum():
    shares, n = [0.5, 0.3, 0.2], 200
    estimate = simulated_shuffled_vulnerability(shares, BINARY, n, rng=np.random.default_rng(6), confidence=1 - 6e-7)
    assert estimate.interval.low <= shuffled_vulnerability(shares, BINARY, n) <= estimate.interval.high


def test_shuffling_lies_between_one_report_and_none():
    shares = [0.5, 0.5]
    channel = [[0.75, 0.25], [0.25, 0.75]]
    along = [shuffled_vulnerability(shares, channel, n) for n in (1, 2, 10, 1000, 10**6, 10**9)]
    assert along[0] == pytest.approx(0.75, rel=1e-14)
    assert along == sorted(along, reverse=True)
    assert 0.5 < along[-1] < 0.5001


def test_many_people_cost_a_normal_deviation():
    """A fair prior and a symmetric channel: V - 1/2 is (p - q)/2 times E|2h/n - 1|, about sqrt(2 / pi n)."""
    n = 10**8
    expected = 0.5 + 0.25 * math.sqrt(2 / (math.pi * n))
    assert shuffled_vulnerability([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]], n) == pytest.approx(expected, abs=1e-11)
