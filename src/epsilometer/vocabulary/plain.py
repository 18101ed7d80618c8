"""Numbers as JSON wants them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np


def plain(value: object) -> object:
    """Turn arrays and tuples into lists, numpy numbers into Python's, and what is no finite number into ``None``.

    Data classes become mappings of their fields.

    >>> plain((np.float64(0.5), 2))
    [0.5, 2]
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
