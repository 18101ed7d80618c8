"""JTree: a dependency graph learned under differential privacy, and noisy counts of its cliques."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from epsilometer.synthesizers.association import SENSITIVITY, displaced_records
from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.chain import ChainModel, steps_through
from epsilometer.synthesizers.consistency import consistent
from epsilometer.synthesizers.noisy_marginals import measured, noisy_size, useful_cells
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise

Edge = tuple[int, int]


class JunctionTreeSynthesizer:
    """Columns that depend on each other are linked; the counts of the cliques of the links are a model (chen-2015).

    Of epsilon, 1/20 goes to the number of records, which says how large a useful table is; 9/20 to how strongly each
    pair of columns depends; and 1/2 to the tables of counts of the cliques. The paper finds the dependent pairs by a
    sparse vector technique that is not differentially private (lyu-2017, Algorithm 6); here every pair gets its noise.
    Pairs that cannot be linked, as their table would be too large or one has a single code, are not looked at; without
    any other, their part of epsilon stays unspent.
    """

    name: ClassVar[str] = "jtree"
    summary: ClassVar[str] = "junction tree: tables of columns that depend on each other, joined where they overlap"
    needs_delta: ClassVar[bool] = False

    @source("chen-2015", "dependency graph, junction tree, noisy marginals of the cliques")
    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> ChainModel:
        for_size, for_pairs, for_tables = budget.parts(1, 9, 10)
        n_records, sized = noisy_size(table, for_size.epsilon, noise)
        room = useful_cells(n_records, len(table.columns), for_tables.epsilon)
        pairs = [pair for pair in combinations(range(len(table.columns)), 2) if _may_be_linked(table.sizes, pair, room)]
        links, paired = _dependent_pairs(table, pairs, for_pairs.epsilon, for_tables.epsilon, noise)
        marginals, counted = measured(table, fitting_cliques(table.sizes, links, room), for_tables.epsilon, noise)
        return ChainModel(steps_through(consistent(marginals)), n_records, (sized, *paired, counted))


def _may_be_linked(sizes: Sequence[int], pair: Edge, room: int) -> bool:
    one, other = (sizes[column] for column in pair)
    return min(one, other) > 1 and one * other <= room


def _dependent_pairs(
    table: CodedTable, pairs: Sequence[Edge], epsilon: float, epsilon_of_tables: float, noise: Noise
) -> tuple[list[Edge], tuple[Spending, ...]]:
    """Find the pairs of columns that are worth a link, strongest first; also what that spends.

    A pair is if its noisy number of displaced records, which is what it costs to leave it out, is above what the noise
    of its table may displace, and above what noise alone gives to any of the pairs in at most half of all cases.
    """
    if not pairs:
        return [], ()
    scale = noise_scale(SENSITIVITY * len(pairs), epsilon)
    displaced = noise.real(np.array([displaced_records(table.counts(pair)) for pair in pairs]), scale)
    cells = np.array([table.sizes[one] * table.sizes[other] for one, other in pairs])
    noise_of_table = cells * len(table.columns) / epsilon_of_tables / 2
    worth = displaced > np.maximum(noise_of_table, scale * math.log(len(pairs)))
    links = [pairs[i] for i in np.argsort(-displaced) if worth[i]]
    return links, (Spending(f"pairs of columns: {len(pairs)}", epsilon, noise=f"Laplace, scale {scale:g}"),)


def fitting_cliques(sizes: Sequence[int], links: Iterable[Edge], room: int) -> list[frozenset[int]]:
    """Accept links as given, strongest first, unless a clique would get more cells than there is room for.

    >>> [sorted(clique) for clique in fitting_cliques([2, 3, 4], [(0, 1), (1, 2), (0, 2)], room=12)]
    [[0, 1], [1, 2]]
    """
    accepted: list[Edge] = []
    found = cliques(len(sizes), [])
    for link in links:
        tried = cliques(len(sizes), [*accepted, link])
        if all(len(clique) == 1 or math.prod(sizes[column] for column in clique) <= room for clique in tried):
            accepted.append(link)
            found = tried
    return found


def cliques(n_columns: int, links: Iterable[Edge]) -> list[frozenset[int]]:
    """Find the maximal cliques of a graph after it was triangulated by the rule of least fill.

    Columns are eliminated one by one, always one whose neighbours lack the fewest links among each other; these are
    filled in, and the column with its neighbours is a clique unless an earlier one contains it.

    >>> [sorted(clique) for clique in cliques(4, [(0, 1), (1, 2), (2, 3), (3, 0)])]
    [[0, 1, 3], [1, 2, 3]]
    """
    near: dict[int, set[int]] = {column: set() for column in range(n_columns)}
    for one, other in links:
        near[one].add(other)
        near[other].add(one)
    found: list[frozenset[int]] = []
    while near:
        column = min(near, key=lambda each: sum(b not in near[a] for a, b in combinations(near[each], 2)))
        neighbours = near.pop(column)
        clique = frozenset(neighbours | {column})
        if not any(clique <= earlier for earlier in found):
            found.append(clique)
        for each in neighbours:
            near[each] |= neighbours - {each}
            near[each].discard(column)
    return found
