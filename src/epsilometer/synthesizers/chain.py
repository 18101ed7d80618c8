"""Records drawn column after column, each from its counts given some of the columns drawn before."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.synthesizers.noisy_marginals import Marginal
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.spending import Spending


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of a chain.

    Attributes:
        given: the columns it depends on.
        new: the columns it draws, all at once.
        table: weights that are not negative, an axis for each column given, then for each new one.
    """

    given: tuple[int, ...]
    new: tuple[int, ...]
    table: FloatArray

    @classmethod
    def of_marginal(cls, marginal: Marginal, given: tuple[int, ...], new: tuple[int, ...]) -> Step:
        """Draw some columns of a marginal given others of it; counts below 0 are taken for 0."""
        return cls(given, new, np.maximum(marginal.onto(given + new), 0.0))

    def draw(self, known: IntArray, rng: np.random.Generator) -> IntArray:
        """Draw codes of the new columns for each row of codes of the given ones.

        A combination without any weight gets the new columns as they are among all; without weight at all, any code
        is as likely as any other.

        >>> Step((0,), (1,), np.array([[0.0, 2.0], [0.0, 0.0]])).draw(np.array([[0], [1]]), np.random.default_rng(0))
        array([[1],
               [1]])
        """
        shape = self.table.shape[len(self.given) :]
        weights = self.table.reshape(-1, math.prod(shape))
        together = weights.sum(axis=0, keepdims=True)
        fallback = together if together.sum() > 0 else np.ones_like(together)
        upto = np.cumsum(np.where(weights.sum(axis=1, keepdims=True) > 0, weights, fallback), axis=1)
        groups = np.arange(len(weights))[:, None]
        ladder = (groups + upto / upto[:, -1:]).ravel()  # group g climbs from g to g + 1: one search serves all rows
        group = np.zeros(len(known), dtype=np.int64)
        if self.given:
            group = np.ravel_multi_index(tuple(known.T), self.table.shape[: len(self.given)])
        # a sum that rounds up to g + 1 would leave the group
        places = np.minimum(group + rng.random(len(known)), np.nextafter(group + 1.0, 0.0))
        cells = np.searchsorted(ladder, places, side="right") - group * math.prod(shape)
        return np.stack(np.unravel_index(cells, shape), axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class ChainModel:
    """A table as a chain of steps that draw each column once.

    Attributes:
        steps: the steps, in order.
        n_records: how many records the table has, as far as is known.
        spent: each look at the records.
    """

    steps: tuple[Step, ...]
    n_records: int
    spent: tuple[Spending, ...]

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        codes = np.zeros((n, sum(len(step.new) for step in self.steps)), dtype=np.int64)
        for step in self.steps:
            codes[:, step.new] = step.draw(codes[:, step.given], rng)
        return codes


def steps_through(marginals: Sequence[Marginal]) -> tuple[Step, ...]:
    """Chain marginals: always the one next that has most columns in common with those drawn.

    For the cliques of a triangulated graph those common columns lie within one earlier clique: a junction tree.
    """
    steps: list[Step] = []
    drawn: set[int] = set()
    waiting = list(marginals)
    while waiting:
        chosen = max(waiting, key=lambda marginal: len(drawn.intersection(marginal.columns)))
        waiting.remove(chosen)
        given = tuple(column for column in chosen.columns if column in drawn)
        new = tuple(column for column in chosen.columns if column not in drawn)
        steps.append(Step.of_marginal(chosen, given, new))
        drawn.update(chosen.columns)
    return tuple(steps)
