"""Stretches of the positions of a slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.assessments.numbers import is_number
from epsilometer.errors import OutOfRange
from epsilometer.solvers.feasible import runs
from epsilometer.vocabulary.stretch import Stretch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import FloatArray, IntArray


def stretches_of(positions: FloatArray | IntArray, met: NDArray[np.bool_]) -> tuple[Stretch, ...]:
    """Return every run of neighbouring positions that meet a target, from the first to the last of them.

    >>> import numpy as np
    >>> [(s.low, s.high) for s in stretches_of(np.array([1, 2, 5, 9]), np.array([True, True, False, True]))]
    [(1, 2), (9, 9)]
    """
    at = positions.tolist()
    return tuple(
        Stretch(low=at[first], high=at[last - 1], bounded_below=first > 0, bounded_above=last < len(at))
        for first, last in runs(met)
    )


def check_target(name: str, target: object) -> None:
    """Refuse a target that is neither missing nor a share."""
    if target is not None and not (is_number(target) and 0 <= target <= 1):
        raise OutOfRange(name, target, "[0, 1]", hint="It is a probability or a share.")
