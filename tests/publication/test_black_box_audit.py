"""Real noise of every release path, judged by what neighbouring tables give: never more than epsilon and delta allow.

Noise is added to a count whatever it is, so that one draw serves both tables. Each path has a million runs; paths with
the same law share their numbers. The bounds are exact at 99.9 % for each audit; since two bounds would have to err
at once, and towards each other, a right mechanism fails one about once in a million times.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from epsilometer.mechanisms import DiscreteGaussian, Geometric
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.counts import with_noise
from epsilometer.publication.listing import listing_threshold
from epsilometer.publication.noise_levels import noise_levels
from epsilometer.publication.post_processing import published
from epsilometer.randomizers.added_noise import LocalGaussian, LocalLaplace
from epsilometer.randomizers.drawing import draw
from epsilometer.randomizers.exponential_choice import ExponentialChoice
from epsilometer.randomizers.randomized_response import RandomizedResponse
from epsilometer.randomizers.unary_encoding import UnaryEncoding
from epsilometer.synthesizers.noise import ReleaseNoise

N = 10**6
SUPPORT_DELTA = 0.01
MANY = 1000  # a count that no noise here takes below the threshold


class Path(NamedTuple):
    """A mechanism, how many counts a person may add to, and how much of its noise is drawn: all of it, or less."""

    mechanism: Geometric | DiscreteGaussian
    cells: int
    part: float = 1.0

    @property
    def level(self):
        return noise_levels(Counts(mechanism=self.mechanism, cells_per_person=self.cells), [1.0], ["people"])[0]

    @property
    def moved(self):
        return self.cells * self.mechanism.adjacency.moved_counts

    @property
    def neighbours(self):
        """What a person adds to the counts they move, in either table: replaced, theirs go and others come."""
        added = np.arange(self.moved) < self.cells
        return added.astype(int), (~added).astype(int) if self.moved > self.cells else np.zeros(self.moved, dtype=int)


def geometric(cells, adjacency, part=1.0):
    """At these epsilons the noise has scale 2, whatever the counts that move."""
    epsilon = cells * (2 if adjacency == "replace" else 1) / 2
    return Path(Geometric(epsilon=epsilon, adjacency=adjacency), cells, part)


def gaussian(cells, adjacency, part=1.0):
    return Path(DiscreteGaussian(epsilon=0.75 * cells, delta=0.01, adjacency=adjacency), cells, part)


PATHS = {
    "geometric, one count, add-remove": geometric(1, "add-remove"),
    "geometric, one count, replace": geometric(1, "replace"),
    "geometric, two counts, add-remove": geometric(2, "add-remove"),
    "geometric, two counts, replace": geometric(2, "replace"),
    "gaussian, one count, add-remove": gaussian(1, "add-remove"),
    "gaussian, two counts, add-remove": gaussian(2, "add-remove"),
}
HALVED = {"geometric": geometric(1, "add-remove", part=0.5), "gaussian": gaussian(2, "add-remove", part=0.5)}


@pytest.fixture(scope="module")
def noise_of():
    """``noise_of(path)``: real noise, one row for each run and one column for each count that a person moves."""
    drawn = {}

    def noise(path):
        level = LessNoise(path.level, path.part * path.level.scale)
        law = level.mechanism.name, level.scale
        had = drawn.get(law, np.empty(0, dtype=np.int64))
        lacking = (N if path.part == 1 else N // 5) * path.moved - len(had)
        if lacking > 0:
            more = with_noise(np.zeros(lacking, dtype=np.int64), level, ReleaseNoise())
            drawn[law] = np.concatenate([had, more])
        return drawn[law][: N * path.moved].reshape(-1, path.moved)

    return noise


class LessNoise(NamedTuple):
    """A level of noise as the release knows it, with the scale that is drawn."""

    level: object
    scale: float

    @property
    def mechanism(self):
        return self.level.mechanism


def evidence(path, counts, base):
    """How much the published counts speak for the first table: the score of the most powerful test."""
    mine, theirs = path.neighbours
    above = counts - base
    score = np.where(above >= 1, 1.0, -1.0) if isinstance(path.mechanism, Geometric) else above - 0.5
    return score @ (mine - theirs)


def declared(path, noise):
    return [
        evidence(path, published(MANY + added + noise, path.mechanism.threshold), MANY) for added in path.neighbours
    ]


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_counts_over_a_domain_keep_their_epsilon(audit, noise_of, path):
    proven = audit(*declared(path, noise_of(path)), path.mechanism.delta)
    assert 0.5 * path.mechanism.epsilon < proven <= path.mechanism.epsilon


@pytest.mark.parametrize("path", HALVED.values(), ids=HALVED)
def test_half_the_noise_is_caught(audit, noise_of, path):
    assert audit(*declared(path, noise_of(path)), path.mechanism.delta) > path.mechanism.epsilon


def listed(path, noise, base, threshold):
    """Evidence in a list: what is not there is not known, and a count of nobody's never is there."""
    told = []
    for added in path.neighbours:
        counts = base + added + noise
        there = (counts >= threshold) & (base + added > 0)
        told.append(evidence(path, np.where(there, counts, 0), threshold - 1))
    return told


def threshold_of(path):
    return listing_threshold(path.level.mechanism, path.moved, SUPPORT_DELTA)


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_lists_keep_their_epsilon_and_delta(audit, noise_of, path):
    """For people whose combinations nobody else has, and for those whose count is near the threshold."""
    threshold, delta = threshold_of(path), path.mechanism.delta + SUPPORT_DELTA
    for base in (0, threshold - 1):
        assert audit(*listed(path, noise_of(path), base, threshold), delta) <= path.mechanism.epsilon


@pytest.mark.parametrize("path", list(PATHS.values())[:4], ids=list(PATHS)[:4])
def test_a_list_that_starts_too_low_is_caught(audit, noise_of, path):
    """Nobody has the combination in the one table, a lone person in the other: by four lower it is listed too often."""
    delta = path.mechanism.delta + SUPPORT_DELTA
    assert audit(*listed(path, noise_of(path), 0, threshold_of(path) - 4), delta) > path.mechanism.epsilon


@pytest.mark.parametrize("part", [1.0, 0.5], ids=["all", "half"])
def test_real_noise_keeps_its_epsilon(audit, part):
    """One number that moves by one; half the noise is caught."""
    noise = ReleaseNoise().real(np.zeros(N if part == 1.0 else N // 10), part * 1.0)
    proven = audit(noise + 1, noise, 0.0)
    assert (0.7 < proven <= 1.0) == (part == 1.0)
    assert (proven > 1.0) == (part == 0.5)


@pytest.mark.parametrize("part", [1.0, 0.5], ids=["all", "half"])
def test_a_noisy_choice_keeps_its_epsilon(audit, part):
    """One score rises by one and another falls; a million runs over both tables."""
    n_runs = N // 2 if part == 1.0 else N // 20
    one, other = (
        np.array([ReleaseNoise().choose(np.array(scores), part * 1.0) for _ in range(n_runs)], dtype=float)
        for scores in ([0.0, 1.0], [1.0, 0.0])
    )
    proven = audit(one, other, 0.0)
    assert (0.7 < proven <= 1.0) == (part == 1.0)
    assert (proven > 1.0) == (part == 0.5)


REPORTS = {
    "randomised response": (RandomizedResponse(epsilon=1.0, n_values=3), lambda r: (r == 0) * 1.0 - (r == 1)),
    "unary encoding": (UnaryEncoding(epsilon=1.0, n_values=3), lambda r: r[:, 0] * 1.0 - r[:, 1]),
    "exponential choice": (ExponentialChoice(epsilon=1.0, values=(0.0, 1.0, 2.0)), lambda r: -r * 1.0),
    "laplace": (LocalLaplace(epsilon=1.0, low=0.0, high=1.0), lambda r: -r),
    "gaussian": (LocalGaussian(epsilon=1.0, delta=0.01, low=0.0, high=1.0), lambda r: -r),
}


@pytest.mark.parametrize(("randomizer", "score"), REPORTS.values(), ids=REPORTS)
def test_reports_keep_their_epsilon(audit, randomizer, score):
    """Of two people with the values furthest apart; what is drawn with half the noise is caught.

    The exponential choice spends half of its epsilon on sums that hardly differ here: with half the noise it still
    keeps its epsilon, with a third it does not.
    """
    far, less = (2, 3.0) if isinstance(randomizer, ExponentialChoice) else (1, 2.0)

    def proven(drawn):
        return audit(*(score(draw(drawn, np.full(N, value))) for value in (0, far)), randomizer.delta)

    assert 0.4 < proven(randomizer) <= 1.0 < proven(replace(randomizer, epsilon=less * randomizer.epsilon))
