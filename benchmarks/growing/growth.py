"""One piece of work, and what makes it larger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How the cost of some work depends on one size.

    Attributes:
        work: what is done, for people.
        over: what grows: rows, cells, values, epsilons or columns.
        sizes: from the smallest to the largest.
        prepare: takes a size and returns the work; only the work is timed.
        more: why the cost may grow faster than the size, if it may.
    """

    work: str
    over: str
    sizes: tuple[int, ...]
    prepare: Callable[[int], Callable[[], object]]
    more: str = ""


def decades(first: float, last: float, per_decade: int = 2) -> tuple[int, ...]:
    """Whole numbers, even on the logarithm.

    >>> decades(1, 100)
    (1, 3, 10, 32, 100)
    """
    n_steps = round(per_decade * np.log10(last / first))
    return tuple(np.unique(np.rint(np.geomspace(first, last, n_steps + 1)).astype(int)).tolist())
