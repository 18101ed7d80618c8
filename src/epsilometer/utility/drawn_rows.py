"""A random part of a table that is too large to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from epsilometer.tables.records import Records


def some_rows(records: Records, at_most: int, rng: np.random.Generator) -> Records:
    """Draw so many rows without replacement, in their order; all of them if there are no more."""
    if len(records) <= at_most:
        return records
    return records.part(np.sort(rng.choice(len(records), at_most, replace=False)))
