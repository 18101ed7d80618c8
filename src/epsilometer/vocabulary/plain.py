"""Numbers as JSON wants them."""

from __future__ import annotations

import math

import numpy as np


def plain(value: object) -> object:
    """Turn arrays and tuples into lists, numpy numbers into Python's, and what is not a number into ``None``.

    >>> plain((np.float64(0.5), 2))
    [0.5, 2]
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
