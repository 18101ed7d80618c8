"""Sets of columns as whole numbers: one bit for each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def columns_of(known: int) -> Iterator[int]:
    """Yield the columns of a set, lowest first.

    >>> list(columns_of(0b1101))
    [0, 2, 3]
    """
    while known:
        yield (known & -known).bit_length() - 1
        known &= known - 1
