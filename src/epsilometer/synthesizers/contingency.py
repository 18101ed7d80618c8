"""Noisy contingency table: every cell of the declared domain is counted under noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.histogram import HistogramModel, check_size, model_from_noisy
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise


class ContingencySynthesizer:
    """Count every cell, add noise, and sample cells in proportion.

    Guarantee: epsilon, without delta. The whole budget goes into one look: a record is in one cell, so that adding
    or removing it changes the counts by 1 in all, and two-sided geometric noise of scale 1 / epsilon on each count
    hides it. All cells of the domain get noise, never only those that hold records: which cells are empty is secret.
    The number of records is the total of the noisy counts, which is unbiased.
    """

    name: ClassVar[str] = "contingency"
    summary: ClassVar[str] = "counts every combination of values under noise; for few columns with few values"
    needs_delta: ClassVar[bool] = False

    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> HistogramModel:
        check_size(table)
        scale = noise_scale(1, budget.epsilon)
        noisy = noise.whole(table.counts(range(len(table.columns))), scale)
        return model_from_noisy(
            noisy, (Spending("counts of all cells", budget.epsilon, noise=f"geometric, scale {scale:g}"),)
        )
