"""The fields of a record, as arrays: fields stand on the last axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


def by_field(priors: ArrayLike, sensitivities: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return both with one entry for each field; a number given once is that of every field.

    >>> by_field([0.5, 0.2], 3.0)
    (array([0.5, 0.2]), array([3., 3.]))
    """
    p, sensitivity = (np.atleast_1d(np.asarray(given, dtype=np.float64)) for given in (priors, sensitivities))
    fields = np.broadcast_shapes(p.shape, sensitivity.shape)
    return np.broadcast_to(p, fields), np.broadcast_to(sensitivity, fields)
