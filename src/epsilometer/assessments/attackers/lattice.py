"""The search over sets of columns, smallest first. A set is a whole number, one bit for each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from epsilometer.errors import BadQuestion
from epsilometer.tables.column_sets import columns_of
from epsilometer.vocabulary.telling import within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.tables.subset_counts import SubsetCounts
    from epsilometer.vocabulary.telling import Tell

MOST_SETS: Final = 1_000_000
SLACK: Final = 1e-9  # so that three columns that cost 0.1 are within a budget of 0.3


class Evaluated(NamedTuple):
    """A set that was looked at: its share named right from the raw table and, where needed, from the release."""

    raw: float
    released: float | None
    breaks: bool


class Judge(Protocol):
    """Says how often somebody is right who has the release instead of the raw table."""

    def __call__(self, raw: Mapping[int, float], tell: Tell) -> Mapping[int, float]:
        """Turn the shares named right from the raw table, by set, into those from the release."""
        ...


def affordable(costs: Sequence[float], budget: float) -> list[int]:
    """Every set of columns whose total cost is within the budget, in increasing order; the empty one first.

    >>> affordable([1, 1, 2], 2)
    [0, 1, 2, 3, 4]
    """
    total = {0: 0.0}
    for column, cost in enumerate(costs):
        total |= {known | 1 << column: spent + cost for known, spent in total.items() if spent + cost <= budget + SLACK}
        if len(total) > MOST_SETS:
            raise BadQuestion(
                f"There are more than {MOST_SETS:,} sets of columns within a budget of {budget:g}. "
                "Lower max_known, or name fewer candidates."
            )
    return list(total)


def search(counts: SubsetCounts, sets: Sequence[int], target: float, judge: Judge, tell: Tell) -> dict[int, Evaluated]:
    """Look at every set of which no smaller one breaks the target, smallest first.

    Whoever knows more may ignore it, so a set that holds a breaking one breaks the target too and is not looked at:
    of the sets looked at, those that break the target are exactly the smallest ones that do. The judge is asked only
    about sets above the target on the raw table, which misses none where a release never names more people right
    than the raw table does, as :func:`~epsilometer.assessments.attackers.released.shares_named_right` shows for noise.

    Args:
        counts: the table.
        sets: the sets within the budget, in increasing order.
        target: largest share of people whose value may be named right.
        judge: what the release makes of a set.
        tell: told the level, and the share of the sets that is behind.
    """
    found, n_behind = dict[int, Evaluated](), 0
    for size in range(max(map(int.bit_count, sets)) + 1):
        level = [known for known in sets if known.bit_count() == size]
        part = within(tell, n_behind / len(sets), (n_behind + len(level)) / len(sets))
        open_ = [known for known in level if all(_stands(found, known ^ 1 << column) for column in columns_of(known))]
        raw = {}
        part(f"{size} known", 0.0)
        for known, n_records in counts.named_right(open_):
            raw[known] = n_records / counts.n_records
            part(f"{size} known", 0.5 * len(raw) / len(open_))
        above = {known: share for known, share in raw.items() if share > target}
        released = judge(above, within(part, 0.5, 1.0))
        for known, share in raw.items():
            value = released.get(known)
            found[known] = Evaluated(share, value, value is not None and value > target)
        n_behind += len(level)
    return found


def _stands(found: Mapping[int, Evaluated], known: int) -> bool:
    return known in found and not found[known].breaks
