"""PrivBayes: a Bayesian network whose structure and counts are learned under differential privacy."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from epsilometer.synthesizers.association import SENSITIVITY, displaced_records
from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.chain import ChainModel, Step
from epsilometer.synthesizers.coded import CodedTable
from epsilometer.synthesizers.noisy_marginals import measured, noisy_size, useful_cells
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.noise import Noise

MOST_PARENT_SETS: Final = 400  # to choose from, for each column not placed yet


class BayesNetworkSynthesizer:
    """Each column is drawn given a few others, its parents, that it was found to depend on (zhang-2017).

    Of epsilon, 1/20 goes to the number of records, which says how large a useful table is; 9/20 to the structure, in
    equal parts to each column after the first; and 1/2 to the tables of counts of a column with its parents. The
    first column is the first of the table, whatever the records. A table of one column has no structure to pay for.
    """

    name: ClassVar[str] = "privbayes"
    summary: ClassVar[str] = "Bayesian network: each column given the few others it depends on"
    needs_delta: ClassVar[bool] = False

    @source("zhang-2017", "greedy network with theta-useful parents and noisy conditional tables")
    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> ChainModel:
        for_size, for_structure, for_tables = budget.parts(1, 9, 10)
        n_records, sized = noisy_size(table, for_size.epsilon, noise)
        room = useful_cells(n_records, len(table.columns), for_tables.epsilon)
        parents, structured = _network(table, for_structure, room, noise)
        families = [(column, *its_parents) for column, its_parents in parents.items()]
        marginals, counted = measured(table, families, for_tables.epsilon, noise)
        steps = tuple(
            Step.of_marginal(
                next(each for each in marginals if set(family) <= set(each.columns)), family[1:], family[:1]
            )
            for family in families
        )
        return ChainModel(steps, n_records, (sized, *structured, counted))


def _network(
    table: CodedTable, budget: Budget, room: int, noise: Noise
) -> tuple[dict[int, tuple[int, ...]], tuple[Spending, ...]]:
    """Choose the columns one after another, each with its parents among those before; also what that spends."""
    by_column = CodedTable(table.columns, np.asfortranarray(table.codes))  # thousands of sets of columns are counted

    @cache  # a candidate stays one until its column is placed
    def score(column: int, parents: tuple[int, ...]) -> float:
        return displaced_records(by_column.counts([*parents, column]).reshape(-1, table.sizes[column]))

    parents: dict[int, tuple[int, ...]] = {0: ()}
    n_choices = len(table.columns) - 1
    if not n_choices:
        return parents, ()
    scale = noise_scale(SENSITIVITY, budget.parts(*[1] * n_choices)[0].epsilon)
    for _ in range(n_choices):
        waiting = [column for column in range(len(table.columns)) if column not in parents]
        fitting = {
            size: parent_sets(list(parents), table.sizes, room // size)
            for size in {table.sizes[column] for column in waiting}
        }
        candidates = [(column, chosen) for column in waiting for chosen in fitting[table.sizes[column]]]
        column, chosen = candidates[noise.choose(np.array([score(*each) for each in candidates]), scale)]
        parents[column] = chosen
    spent = Spending(f"structure: {n_choices} choices", budget.epsilon, noise=f"exponential, scale {2 * scale:g}")
    return parents, (spent,)


def parent_sets(placed: Sequence[int], sizes: Sequence[int], room: int) -> list[tuple[int, ...]]:
    """List the sets of columns that no other fits on top of, with at most so many combinations of their codes.

    They have at most one column, or as many as keep the number of sets within ``MOST_PARENT_SETS``, and never a
    column of one code.

    >>> parent_sets([0, 1, 2], [2, 3, 4], room=8)
    [(0, 1), (0, 2)]
    """
    varied = [column for column in placed if sizes[column] > 1]
    most = next(
        (k for k in range(1, len(varied)) if math.comb(len(varied), k + 1) > MOST_PARENT_SETS),
        len(varied),
    )
    return sorted(tuple(sorted(each)) for each in _largest_sets(varied, sizes, room, most)) or [()]


@source("zhang-2017", "maximal parent sets")
def _largest_sets(columns: Sequence[int], sizes: Sequence[int], room: int, most: int) -> set[frozenset[int]]:
    """Sets of at most so many columns within the room that are not part of a larger such set."""
    if room < 1:
        return set()
    if not columns or not most:
        return {frozenset()}
    *others, last = columns
    with_last = _largest_sets(others, sizes, room // sizes[last], most - 1)
    return (_largest_sets(others, sizes, room, most) - with_last) | {each | {last} for each in with_last}
