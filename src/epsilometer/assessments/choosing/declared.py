"""A cell that is declared rather than looked at: its size, its values and what is believed of their shares."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import ndtri

from epsilometer.assessments.choosing.answer import RiskPhrase, shown
from epsilometer.assessments.inverse import N_LOOKED_AT, ROUNDING
from epsilometer.formulas import homogeneity
from epsilometer.formulas.count_error import expected_absolute_error
from epsilometer.formulas.empirical_bayes import CommonShares
from epsilometer.formulas.envelope import lower_envelope, upper_envelope
from epsilometer.formulas.homogeneity.simulation import (
    drawn_with_dirichlet_shares,
    drawn_with_random_sizes,
    drawn_with_shares,
    publish,
)
from epsilometer.solvers.feasible import stretches_below
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.feasible import Feasible
from epsilometer.vocabulary.long_arrays import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.assessments.choosing.axis import Axis
    from epsilometer.formulas.homogeneity.simulation import CellDraw
    from epsilometer.mechanisms import Mechanism
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise
    from epsilometer.vocabulary.stretch import Stretch

    SizeLaw = homogeneity.Poisson | homogeneity.NegativeBinomial

N_CELLS: Final = 10_000  # declared cells that are drawn and published for each loss
SEED_OF_CELLS: Final = 0
SEED_OF_NOISE: Final = 1  # the same for every epsilon: what differs between two of them is epsilon alone
CONFIDENCE: Final = 0.95
COIN: Final = 0.5

CELLS: Final = RiskPhrase("at most {} of such cells are disclosed", "discloses at most {} of such cells")
ANY_TABLE: Final = RiskPhrase(
    "at most {} of the people are disclosed in any table", "discloses at most {} of the people in every table"
)
OWN_RECORD: Final = RiskPhrase(
    "anyone tells a person's value at most {} better than a coin from that person's own record",
    "lets anyone tell a person's value at most {} better than a coin from that person's own record",
)


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """What is declared of a cell.

    Attributes:
        size: number of records, or the law that it follows.
        prior: the weights of the Dirichlet law that the shares of the values follow, or the shares themselves.
    """

    size: int | SizeLaw
    prior: FloatArray | CommonShares

    @property
    def n_values(self) -> int:
        """Number of sensitive values."""
        return len(self.prior.shares if isinstance(self.prior, CommonShares) else self.prior)

    @property
    def mean_size(self) -> float:
        """Expected number of records."""
        match self.size:
            case homogeneity.Poisson() as law:
                return law.positive_rate / law.nonempty
            case homogeneity.NegativeBinomial() as law:
                return law.r * (1 - law.p) / law.p / law.nonempty
            case size:
                return float(size)

    @property
    def largest_share(self) -> float:
        """Expected share of the most common value; whoever knows the true shares guesses no worse than by naming it."""
        weights = self.prior.shares if isinstance(self.prior, CommonShares) else self.prior
        return float(weights.max() / weights.sum())

    def risk(self, noise: Noise) -> FloatArray:
        """Return the probability that the published cell shows a single value that a member really has."""
        if isinstance(self.size, int):
            return homogeneity.shrinkage(self.size, self.prior, noise)
        return homogeneity.global_shrinkage(self.prior, self.size, noise)

    def draw(self, n_cells: int, rng: np.random.Generator) -> IntArray:
        """Draw such cells: cells x values."""
        if isinstance(self.size, int):
            drawn = self._given_sizes(np.full(n_cells, self.size))
        else:
            drawn = drawn_with_random_sizes(self.size, self._given_sizes)
        return drawn(rng, 1, slice(0, n_cells))[0]

    def _given_sizes(self, sizes: IntArray) -> CellDraw:
        if isinstance(self.prior, CommonShares):
            return drawn_with_shares(sizes, np.broadcast_to(self.prior.shares, (len(sizes), self.n_values)))
        return drawn_with_dirichlet_shares(sizes, self.prior)


class Measure(NamedTuple):
    """A risk that a target may be about, and what it is at most and at least between two noises.

    Attributes:
        name: what it is called in messages.
        phrase: how it is spoken of.
        at: the risk at a noise.
        most: its upper bound between two noises, the smaller epsilon first.
        least: its lower bound.
        limit: what it tends to with ever more noise.
        no_release: how often a guess is right, at least, without any release.
    """

    name: str
    phrase: RiskPhrase
    at: Callable[[Mechanism], FloatArray]
    most: Callable[[Mechanism, Mechanism], FloatArray]
    least: Callable[[Mechanism, Mechanism], FloatArray]
    limit: float
    no_release: float


class _EverMoreNoise:
    """The limit of ever more noise: each count vanishes or survives by the toss of a coin."""

    threshold = 0.0

    def probability_below(self, x: ArrayLike) -> FloatArray:
        return np.full(np.shape(x), 0.5)

    probability_at_least = probability_below


def measures(cell: Cell) -> tuple[Measure, ...]:
    """Return the risks of a declared cell: what is expected of it, the worst table, and the guarantee alone."""

    def by_envelopes(name: str, phrase: RiskPhrase, risk: Callable[[Noise], FloatArray], no_release: float) -> Measure:
        return Measure(
            name,
            phrase,
            risk,
            lambda one, other: risk(upper_envelope(one, other)),
            lambda one, other: risk(lower_envelope(one, other)),
            float(risk(_EverMoreNoise())),
            no_release,
        )

    return (
        by_envelopes("declared", CELLS, cell.risk, cell.largest_share),
        by_envelopes(
            "any-table",
            ANY_TABLE,
            lambda noise: homogeneity.largest_local_records(cell.n_values, noise),
            1 / cell.n_values,  # the most common of so many values cannot be rarer
        ),
        # with more epsilon there is less noise, and two values are told apart better
        Measure(
            "own-record",
            OWN_RECORD,
            lambda noise: noise.value_advantage,
            lambda _, larger: larger.value_advantage,
            lambda smaller, _: smaller.value_advantage,
            0.0,
            COIN,
        ),
    )


class DeclaredCell:
    """The noisy counts of a declared cell, against epsilon."""

    def __init__(self, cell: Cell, measure: Measure, axis: Axis) -> None:
        self.about = "a declared cell"
        self.n_values = cell.n_values
        self.no_release = measure.no_release
        self._cell = cell
        self._measure = measure
        self._axis = axis
        self._losses: dict[float, Estimate] = {}

    def feasible(self, max_risk: float) -> Feasible:
        """Find every stretch of epsilon that meets the risk target, certified."""
        measure, (low, high) = self._measure, np.log(self._axis.between)
        found = stretches_below(
            lambda left, right: measure.most(self._noises(left), self._noises(right)),
            lambda left, right: measure.least(self._noises(left), self._noises(right)),
            max_risk,
            low,
            high,
        )
        points = np.linspace(low, high, N_LOOKED_AT)
        risks = measure.at(self._noises(points))
        smallest, at = float(risks.min()), math.exp(points[np.argmin(risks)])
        stretches = tuple(self._inwards(stretch.on_scale(math.exp)) for stretch in found)
        return Feasible(
            parameter=self._axis.name,
            max_risk=max_risk,
            stretches=stretches,
            searched=self._axis.between,
            smallest_risk=smallest,
            smallest_at=at,
            no_release=self.no_release,
            noise_limit=measure.limit,
            in_words=self._in_words(max_risk, stretches, smallest, at),
        )

    def risk(self, point: float) -> float:
        """Return the risk that the target is about."""
        return float(self._measure.at(self._axis.at(point)))

    def loss(self, point: float) -> Estimate:
        """Return the mean total variation distance of the published shares of a cell from its own."""
        if point not in self._losses:
            self._losses[point] = self._simulated(point)
        return self._losses[point]

    def count_error(self, point: float) -> float:
        """Return the expected error of a count as large as the mean cell."""
        return float(expected_absolute_error(round(self._cell.mean_size), self._axis.at(point)))

    @cached_property
    def _counts(self) -> IntArray:
        return self._cell.draw(N_CELLS, np.random.default_rng(SEED_OF_CELLS))

    def _simulated(self, point: float) -> Estimate:
        noise, rng = self._axis.at(point), np.random.default_rng(SEED_OF_NOISE)
        several = parts(self._counts, numbers_per_row=self.n_values)
        distances = np.concatenate([_distances(counts, publish(counts, noise, rng)) for counts in several])
        mean = float(distances.mean())
        half = float(ndtri((1 + CONFIDENCE) / 2) * distances.std(ddof=1) / math.sqrt(N_CELLS))
        return Estimate(mean, Interval(max(mean - half, 0.0), min(mean + half, 1.0), CONFIDENCE))

    def _noises(self, log_epsilons: FloatArray) -> Mechanism:
        return self._axis.mechanism.at(tuple(np.exp(log_epsilons).tolist()))

    def _inwards(self, stretch: Stretch) -> Stretch:
        """Move the ends that the target sets inwards by more than the logarithm can be off."""
        low = stretch.low * (1 + ROUNDING) if stretch.bounded_below else self._axis.between[0]
        high = stretch.high * (1 - ROUNDING) if stretch.bounded_above else self._axis.between[1]
        return replace(stretch, low=min(low, high), high=high)

    def _in_words(self, max_risk: float, stretches: tuple[Stretch, ...], smallest: float, at: float) -> str:
        if stretches:
            return f"The risk is at most {max_risk:g} for epsilon from {shown(stretches)}."
        low, high = self._axis.between
        return (
            f"No epsilon from {low:g} to {high:g} brings the risk down to {max_risk:g}: the smallest that was seen is "
            f"{smallest:.4g}, at epsilon = {at:.4g}. With ever more noise it tends to {self._measure.limit:.4g}."
        )


def _distances(counts: IntArray, shown_counts: IntArray) -> FloatArray:
    """Total variation distance of the shares of each cell from the published ones; 1 where nothing is published."""
    true, published = (n / np.maximum(1, n.sum(axis=1, keepdims=True)) for n in (counts, shown_counts))
    return np.where(shown_counts.any(axis=1), np.abs(published - true).sum(axis=1) / 2, 1.0)
