"""PriView: noisy counts of sets of columns that hold every pair, and the likeliest table behind them."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.synthesizers.association import displaced_records
from epsilometer.synthesizers.chain import ChainModel, Step
from epsilometer.synthesizers.consistency import consistent
from epsilometer.synthesizers.histogram import MOST_CELLS
from epsilometer.synthesizers.noisy_marginals import MOST_USEFUL_CELLS, Marginal, measured
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import FloatArray

RECONSTRUCTED_CELLS: Final = 2**14  # of a table that is put together from views
FITTING_ROUNDS: Final = 25


class ViewsSynthesizer:
    """Sets of columns, the views, are counted so that every pair of columns is in one (qardaji-2014).

    All of epsilon goes to the counts of the views, which do not depend on the records. The views are made consistent;
    any table of few cells then is the one of most entropy that agrees with them. If the table of all columns has at
    most ``RECONSTRUCTED_CELLS``, it is the model. Otherwise that of as many columns as fit is, and the other columns
    follow one by one, each given the columns before that it depends on most, as many as fit: an approximation.
    """

    name: ClassVar[str] = "priview"
    summary: ClassVar[str] = "views: tables that hold every pair of columns, made consistent and put together"
    needs_delta: ClassVar[bool] = False

    @source("qardaji-2014", "covering design, consistency, maximum entropy")
    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> ChainModel:
        _check_pairs(table)
        noisy, counted = measured(table, pair_cover(table.sizes), budget.epsilon, noise)
        views = consistent(noisy)
        n_records = max(1, round(views[0].table.sum()))
        return ChainModel(_steps(views, table.sizes), n_records, (counted,))


def _check_pairs(table: CodedTable) -> None:
    """Refuse tables with a pair of columns that has more combinations than can be counted."""
    longest = sorted(table.columns, key=lambda column: column.size)[-2:]
    n_cells = math.prod(column.size for column in longest)
    if n_cells > MOST_CELLS:
        raise BadTable(
            f"{' and '.join(repr(column.name) for column in longest)} have {n_cells:,} combinations of values; this"
            f" method counts each of at most {MOST_CELLS:,}. Leave a column out, or use wider bins."
        )


def pair_cover(sizes: Sequence[int]) -> list[frozenset[int]]:
    """Choose sets of columns that hold every pair, with the least noise in the tables of the pairs.

    Large sets are few and get little noise each, but a pair sums many of its cells. Limits of 16, 32, ... cells are
    tried. The noise of a pair's table is that of its cells together: the number of sets times the root of the cells
    of the smallest set with the pair times the cells of the pair.

    >>> [sorted(view) for view in pair_cover([2, 2, 30])]
    [[0, 1, 2]]
    """
    if len(sizes) == 1:
        return [frozenset([0])]
    limits = [2**k for k in range(4, MOST_USEFUL_CELLS.bit_length())]
    return min((_cover_within(sizes, limit) for limit in limits), key=lambda views: _noise_of_pairs(sizes, views))


def _noise_of_pairs(sizes: Sequence[int], views: Sequence[frozenset[int]]) -> float:
    """Noise in the tables of all pairs together, up to a factor."""
    cells = {view: math.prod(sizes[column] for column in view) for view in views}
    return len(views) * sum(
        math.sqrt(min(cells[view] for view in views if view.issuperset(pair)) * sizes[pair[0]] * sizes[pair[1]])
        for pair in combinations(range(len(sizes)), 2)
    )


def _cover_within(sizes: Sequence[int], limit: int) -> list[frozenset[int]]:
    """Cover all pairs by sets of at most so many cells, or of a single pair, adding what covers most."""
    missing = set(combinations(range(len(sizes)), 2))
    views = []
    while missing:
        one, other = max(sorted(missing), key=lambda pair: sizes[pair[0]] * sizes[pair[1]])
        view = {one, other}
        while True:
            room = limit // math.prod(sizes[column] for column in view)
            gains = {
                column: sum((min(column, each), max(column, each)) in missing for each in view)
                for column in set(range(len(sizes))) - view
                if sizes[column] <= room
            }
            if not any(gains.values()):
                break
            view.add(max(gains, key=lambda column: (gains[column] / math.log(1 + sizes[column]), column)))
        missing -= set(combinations(sorted(view), 2))
        views.append(frozenset(view))
    return views


def _steps(views: Sequence[Marginal], sizes: Sequence[int]) -> tuple[Step, ...]:
    """Draw as many columns together as fit, then each of the others given those before that it depends on most."""
    ties = _ties(views, len(sizes))
    order = _along_strongest(ties)
    first = _fitting(order, sizes, RECONSTRUCTED_CELLS) or order[:1]
    steps = [Step((), first, most_entropy(views, first))]
    drawn = list(first)
    for column in order:
        if column not in drawn:
            nearest = sorted(drawn, key=lambda each: -ties[column, each])
            given = _fitting(nearest, sizes, RECONSTRUCTED_CELLS // sizes[column])
            steps.append(Step(given, (column,), most_entropy(views, (*given, column))))
            drawn.append(column)
    return tuple(steps)


def _fitting(columns: Sequence[int], sizes: Sequence[int], room: int) -> tuple[int, ...]:
    """Those of the columns, first come first served, that together have at most so many cells."""
    chosen: tuple[int, ...] = ()
    for column in columns:
        if sizes[column] <= room:
            chosen += (column,)
            room //= sizes[column]
    return chosen


def _ties(views: Sequence[Marginal], n_columns: int) -> FloatArray:
    """How strongly each pair of columns depends, according to a view that has it."""
    ties = np.zeros((n_columns, n_columns))
    for view in views:
        for one, other in combinations(view.columns, 2):
            ties[one, other] = ties[other, one] = displaced_records(view.onto((one, other)))
    return ties


def _along_strongest(ties: FloatArray) -> tuple[int, ...]:
    """Order the columns, from the one with most ties, so that each has the strongest tie to one before."""
    order = [int(ties.sum(axis=1).argmax())]
    while len(order) < len(ties):
        strongest = ties[:, order].max(axis=1)
        strongest[order] = -1
        order.append(int(strongest.argmax()))
    return tuple(order)


@source("qardaji-2014", "reconstruction of a marginal by maximum entropy")
def most_entropy(views: Sequence[Marginal], columns: tuple[int, ...]) -> FloatArray:
    """Find the table of some columns that has most entropy of all that agree with the views.

    By iterative proportional fitting: ``FITTING_ROUNDS`` times, the counts are scaled to each of the views in turn.
    Counts that several views put together cannot have end up near those of each; with views that agree, the rounds
    come nearer to the answer without reaching it.

    >>> most_entropy([Marginal((0,), np.array([3.0, 1.0])), Marginal((1,), np.array([2.0, 2.0]))], (1, 0))
    array([[1.5, 0.5],
           [1.5, 0.5]])
    """
    known = {tuple(column for column in columns if column in view.columns): view for view in views}
    largest = [shared for shared in known if not any(set(shared) < set(other) for other in known)]
    sizes = {column: size for view in views for column, size in zip(view.columns, view.table.shape, strict=True)}
    counts = np.ones([sizes[column] for column in columns])
    for _ in range(FITTING_ROUNDS):
        for shared in largest:
            summed_over = tuple(axis for axis, column in enumerate(columns) if column not in shared)
            now = counts.sum(axis=summed_over, keepdims=True)
            wanted = known[shared].onto(shared).reshape(now.shape)
            counts *= np.divide(wanted, now, out=np.zeros_like(now), where=now > 0)
    return counts
