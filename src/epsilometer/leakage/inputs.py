"""Short ways to write priors, channels, gains and losses."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from epsilometer.errors import BadChannel, OutOfRange
from epsilometer.leakage.reading import python_fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray


def exact(values: object) -> NDArray[np.object_]:
    """Return an array of fractions from text such as ``"1/4"``, whole numbers and fractions.

    Floats are refused: 0.1 is not a tenth.

    >>> exact([["1/4", "3/4"], [0, 1]]).sum()
    Fraction(2, 1)
    """
    return np.frompyfunc(_fraction, 1, 1)(np.array(values, dtype=object))


def uniform(n_secrets: int) -> NDArray[np.object_]:
    """Return the prior of someone who knows nothing, in fractions; ``uniform(n).astype(float)`` for float channels.

    >>> print(*uniform(3))
    1/3 1/3 1/3
    """
    if n_secrets < 1:
        raise OutOfRange("n_secrets", n_secrets, "[1, inf)")
    return np.full(n_secrets, Fraction(1, n_secrets), dtype=object)


def identity_gain(n_secrets: int) -> NDArray[np.int64]:
    """Return the gain of naming the secret: 1 if the name is right, otherwise 0. Fits floats and fractions.

    >>> identity_gain(2)
    array([[1, 0],
           [0, 1]])
    """
    return np.eye(n_secrets, dtype=np.int64)


def tabulate(function: Callable[[Any, Any], object], rows: Iterable[Any], columns: Iterable[Any]) -> NDArray[Any]:
    """Return the matrix of ``function(row, column)``.

    For a gain or a loss rows are actions and columns secrets; for a channel rows are secrets and columns outputs.
    True and false count as one and zero.

    >>> tabulate(lambda guess, age: abs(guess - age), [0, 2], [0, 1, 2])
    array([[0, 1, 2],
           [2, 1, 0]])
    """
    columns = tuple(columns)
    return np.array([[function(row, column) for column in columns] for row in rows])


def _fraction(value: object) -> Fraction:
    if isinstance(value, (float, np.floating)):
        raise BadChannel(f"exact(...) refuses the float {value}; write it as text, such as '1/4' or '0.25'.")
    try:
        return python_fraction(Fraction(value) if isinstance(value, str) else value)
    except (AttributeError, ValueError, ZeroDivisionError) as error:
        raise BadChannel(
            f"exact(...) cannot read {value!r}; it reads whole numbers, fractions and text such as '1/4'."
        ) from error
