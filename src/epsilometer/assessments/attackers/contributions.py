"""What knowing each column adds."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

from epsilometer.tables.column_sets import columns_of
from epsilometer.vocabulary.attackers import Contribution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.assessments.attackers.lattice import Evaluated


def contributions(found: Mapping[int, Evaluated], names: Sequence[str]) -> tuple[Contribution, ...]:
    """Rank the columns by the mean increase of the raw share named right when they are added to what is known.

    The mean is taken first over the pairs of sets of the same size, then over the sizes with equal weight. If every
    set was looked at it is the Shapley value of the column in the game whose worth is the share named right; here it
    goes over the pairs looked at, in which the smaller set does not break the target. Every set without one of its
    columns was looked at before it.
    """
    increases: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    n_breaking = dict.fromkeys(range(len(names)), 0)
    for known, evaluated in found.items():
        for column in columns_of(known):
            before = found[known ^ 1 << column].raw
            increases[column][known.bit_count()].append(evaluated.raw - before)
            n_breaking[column] += evaluated.breaks
    ranked = [
        Contribution(
            column=names[column],
            increase=fmean(fmean(of_size) for of_size in by_size.values()),
            n_pairs=sum(map(len, by_size.values())),
            n_breaking=n_breaking[column],
        )
        for column, by_size in increases.items()
    ]
    return tuple(sorted(ranked, key=lambda one: (-one.increase, -one.n_breaking, one.column)))
