"""What a release of noisy counts costs in accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from scipy.special import stdtrit

from epsilometer.assessments.homogeneity.averaging import number
from epsilometer.errors import OutOfRange
from epsilometer.formulas.count_error import expected_largest_error, expected_table_l1
from epsilometer.formulas.homogeneity.simulation import publish
from epsilometer.utility.marginals import Marginals
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval
from epsilometer.vocabulary.long_arrays import FITS_A_CACHE, KEEPS_A_THREAD_BUSY, on_all_cores
from epsilometer.vocabulary.loss import Loss
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.utility.marginals import Sums
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

CONFIDENCE: Final = 0.95

ASSUMPTIONS: Final = (
    "The release covers the non-empty cells, and in each of them the counts of all sensitive values.",
    "Every count gets independent noise; a noisy count below the threshold shows as zero, others as whole numbers.",
    "The analyst takes the published counts as they are, and shares of their published total.",
)
CAVEATS: Final = (
    "A release over a declared domain adds the noise of its empty cells: its loss can be much larger.",
    "Counts cannot be published below zero, which favours small ones; correcting for it may lose less.",
)


def utility_loss(
    freq: FrequencyTable,
    mechanism: Mechanism,
    *,
    ways: Collection[int] = (1, 2),
    repeats: int = 50,
    seed: int = 0,
) -> Loss:
    """Mean total variation distance of the marginals of published counts from those of the table.

    The distances are estimated from simulated releases, with Student's 95 % interval over the releases; the
    errors of the counts themselves are exact. The marginals are over the quasi-identifiers and the sensitive
    attribute; several sensitive attributes count as one column of combinations.

    Args:
        freq: the counted table.
        mechanism: the noise; with several epsilons the answer is a curve.
        ways: numbers of columns of the marginals to look at.
        repeats: number of releases to simulate for each epsilon.
        seed: what the simulation is seeded with.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> loss = utility_loss(FrequencyTable.from_counts([[19, 1], [40, 20]]), Laplace(epsilon=1.0))
    >>> bool(loss.answer.interval.low < loss.value < loss.answer.interval.high < 0.05)
    True
    >>> round(loss.table_l1.value, 4), round(loss.table_largest.value, 4)
    (3.6616, 1.9803)
    """
    return Reference.of(freq, ways).loss(mechanism, repeats=repeats, seed=seed)


@dataclass(frozen=True, eq=False)
class Reference:
    """A counted table with its marginals at hand: what simulated releases of it are compared with.

    Attributes:
        freq: the counted table.
        counts: cells x values.
        marginals: those of so many columns at a time.
    """

    freq: FrequencyTable
    counts: IntArray
    marginals: Marginals

    @classmethod
    def of(cls, freq: FrequencyTable, ways: Collection[int]) -> Self:
        """Fetch the cells of a table, and find its marginals."""
        cells = freq.cells()
        marginals = Marginals.of_cells(cells, freq.n_values, ways)
        counts = np.column_stack([column.to_numpy() for column in cells.columns[-freq.n_values :]])
        return cls(freq, counts, marginals)

    @cached_property
    def original(self) -> Sums:
        """The sums of the counts over the categories of the marginals."""
        return self.marginals.sums(self.counts[..., None].astype(np.float64))

    def loss(self, mechanism: Mechanism, *, repeats: int, seed: int) -> Loss:
        """Simulate releases, and say how far they are from the table."""
        if repeats < 2:  # noqa: PLR2004
            raise OutOfRange("repeats", repeats, "[2, inf)", hint="An interval needs two releases or more.")
        distances = self._distances(mechanism, repeats, np.random.default_rng(seed))
        ways = self.marginals.ways
        by_way = {way: distances[ways == way] for way in np.unique(ways).tolist()}
        return _loss(self.freq, mechanism, distances, by_way, seed)

    def _distances(self, mechanism: Mechanism, repeats: int, rng: np.random.Generator) -> FloatArray:
        """Simulate blocks of releases, each with a chance of its own: marginals x epsilons (if several) x repeats."""
        n_numbers = self.counts.size * np.size(mechanism.scale)
        at_once = int(np.clip(KEEPS_A_THREAD_BUSY // n_numbers, 1, repeats))
        n_releases = [min(at_once, repeats - done) for done in range(0, repeats, at_once)]
        chances = [rng, *rng.spawn(len(n_releases) - 1)]

        def of_block(n: int, chance: np.random.Generator) -> FloatArray:
            return self._distances_of_block(mechanism, n, chance)

        return np.concatenate(on_all_cores(of_block, n_releases, chances), axis=-1)

    def _distances_of_block(self, mechanism: Mechanism, n_releases: int, rng: np.random.Generator) -> FloatArray:
        released = reduce(
            add,
            (
                self.marginals.sums(_published(self.counts[cells], mechanism, n_releases, rng), cells)
                for cells in self._parts(np.size(mechanism.scale) * n_releases)
            ),
        )
        found = self.marginals.distances_of_sums(self.original, released)
        return found.reshape(len(found), *np.shape(mechanism.scale), n_releases)

    def _parts(self, n_tables: int) -> Iterator[slice]:
        """Cells to be summed at a time: as many as fit a cache, or as there are categories for them.

        The sums of every part are as long as there are categories; with fewer cells, adding them up would be the work.
        """
        at_once = max(_cells_that_fit(self.counts, n_tables), self.marginals.cells_worth_a_sum)
        return _slices(len(self.counts), at_once)


def _loss(
    freq: FrequencyTable, mechanism: Mechanism, distances: FloatArray, by_way: Mapping[int, FloatArray], seed: int
) -> Loss:
    profile, repeats = freq.profile, distances.shape[-1]
    return Loss(
        question=f"How far are shares over {_columns(by_way)}, read off the release, from those of the table?",
        answer=_estimate(distances),
        by_way={way: _estimate(of_way) for way, of_way in by_way.items()},
        table_l1=Exact(number(expected_table_l1(profile.counts, profile.n_cells, mechanism))),
        table_largest=Exact(number(expected_largest_error(profile.counts, profile.n_cells, mechanism))),
        mechanism=mechanism.describe(),
        repeats=repeats,
        seed=seed,
        assumptions=(*ASSUMPTIONS, f"{repeats:,} releases were simulated, seeded with {seed}."),
        caveats=(*CAVEATS, *freq.notes),
        source=sources_of(expected_table_l1),
    )


def _published(counts: IntArray, mechanism: Mechanism, n_releases: int, rng: np.random.Generator) -> FloatArray:
    """Publish cells so many times, as many at a time as fit a cache: cells x values x tables, epsilon by epsilon."""
    n_tables = np.size(mechanism.scale) * n_releases
    shown = np.empty((*counts.shape, np.size(mechanism.scale), n_releases))
    for cells in _slices(len(counts), _cells_that_fit(counts, n_tables)):
        true = np.broadcast_to(counts[cells, :, None], (*counts[cells].shape, n_releases))
        of_epsilons = publish(true, mechanism, rng).reshape(-1, *true.shape)
        shown[cells] = np.moveaxis(of_epsilons, 0, 2)
    return shown.reshape(*counts.shape, n_tables)


def _cells_that_fit(counts: IntArray, n_tables: int) -> int:
    return max(1, FITS_A_CACHE // (counts.shape[1] * n_tables))


def _slices(n_cells: int, at_once: int) -> Iterator[slice]:
    return (slice(first, first + at_once) for first in range(0, n_cells, at_once))


def _estimate(distances: FloatArray) -> Estimate:
    """Mean over marginals and releases; the releases are independent, the marginals of one are not."""
    of_releases = distances.mean(axis=0)
    n_releases = of_releases.shape[-1]
    mean = of_releases.mean(axis=-1)
    error = of_releases.std(axis=-1, ddof=1) / np.sqrt(n_releases)
    half = stdtrit(n_releases - 1, (1 + CONFIDENCE) / 2) * error
    low, high = np.maximum(mean - half, 0.0), np.minimum(mean + half, 1.0)
    return Estimate(number(mean), Interval(number(low), number(high), CONFIDENCE))


def _columns(ways: Collection[int]) -> str:
    return f"{' or '.join(map(str, ways))} column{'s' if max(ways) > 1 else ''}"
