"""Records as points: a table of numbers, one row for each record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from epsilometer.errors import BadTable, UnknownChoice

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

Norm = Literal[1, 2]  # distances are sums of differences, or roots of sums of their squares

LARGEST_NUMBER: Final = 1e150  # the square of a larger difference, summed over columns, may overflow


def checked_points(records: ArrayLike, name: str) -> FloatArray:
    """Return records as an array of finite numbers, records x columns, or say what they are instead.

    Differences below about 1e-154 make a distance of zero, as their squares do.
    """
    try:
        points = np.asarray(records, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadTable(f"The {name} records must be numbers, all rows of one length; encode other values.") from None
    if points.ndim != 2 or not points.shape[1]:  # noqa: PLR2004
        raise BadTable(
            f"The {name} records must be rows of at least one column, got an array of shape {points.shape}."
            " Put a single column in as [[1], [2]]."
        )
    if not len(points):
        raise BadTable(f"There are no {name} records; at least one is needed.")
    if not (np.abs(points) <= LARGEST_NUMBER).all():
        raise BadTable(
            f"The {name} records must be numbers of at most {LARGEST_NUMBER:g} in size, with no missing one."
            " Drop or fill in what is missing, and scale what is larger."
        )
    return points


def checked_pair(
    original: ArrayLike, synthetic: ArrayLike, names: tuple[str, str] = ("original", "synthetic")
) -> tuple[FloatArray, FloatArray]:
    """Return two tables of points with the same columns."""
    one, other = checked_points(original, names[0]), checked_points(synthetic, names[1])
    if one.shape[1] != other.shape[1]:
        raise BadTable(
            f"The {names[0]} records have {one.shape[1]} columns and the {names[1]} ones {other.shape[1]};"
            " both need the same columns in the same order."
        )
    return one, other


def check_norm(norm: Norm) -> None:
    """Refuse a norm that no search knows."""
    if norm not in get_args(Norm):
        raise UnknownChoice("norm", norm, map(str, get_args(Norm)), hint="2 is the Euclidean one.")


def distinct_points(points: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the different ones among some points, as they first occur, and which of them each point is.

    >>> distinct_points(np.array([[2.0, 0.0], [1.0, 1.0], [2.0, -0.0]]))[1]
    array([0, 1, 0])
    """
    rows = np.ascontiguousarray(points + 0.0)  # -0.0 is 0.0, though its bits differ
    bits = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()  # sorted faster than numbers are
    _, first, which = np.unique(bits, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return rows[first[order]], np.argsort(order)[which]
