"""The Shannon capacity of a channel with a proof of how far off it can be, in any shape a channel takes.

Blahut's bounds hold for every prior: the capacity lies between the mutual information and the largest divergence of
a row from the outputs. His own iteration closes the gap too slowly where a row is as good as unused; Newton's method
on the mutual information, kept inside the simplex by a logarithmic barrier, needs a few dozen steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

from epsilometer.errors import NotCertified
from epsilometer.leakage.reading import dense, is_sparse

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix
    from epsilometer.vocabulary.arrays import FloatArray

GAP = 1e-9  # bits by which the bound may exceed the capacity
NEAR_CENTRE = 0.5  # a relative change of the prior small enough to lower the barrier
MOST_STEPS = 500  # ten times what any of thousands of random channels took


def certified_capacity(channel: Matrix) -> float:
    """Return a number of bits that the capacity is not above, nor more than ``GAP`` below."""
    rows = channel[:, np.flatnonzero(channel.sum(axis=0))]  # an output that never occurs tells nothing
    certainties = -_entropies(rows)
    n_secrets = rows.shape[0]
    prior, barrier = np.full(n_secrets, 1 / n_secrets), 0.1 / n_secrets
    for _ in range(MOST_STEPS):
        outputs = prior @ rows
        divergences = certainties - rows @ np.log(outputs)
        if divergences.max() - prior @ divergences < GAP * np.log(2):
            return max(float(divergences.max() / np.log(2)), 0.0)
        step = _newton_step(rows, prior, outputs, divergences, barrier)
        prior = prior * (1 + step * 0.9 / max(0.9, -step.min()))  # at most nine tenths of the way to zero
        prior /= prior.sum()
        if np.abs(step).max() < NEAR_CENTRE:
            barrier = max(barrier / 8, GAP / (8 * n_secrets))  # at its centre a barrier costs n_secrets times itself
    raise NotCertified(f"The capacity is not known to {GAP} bits after {MOST_STEPS} steps; use additive_leakage.")


def _newton_step(
    rows: Matrix, prior: FloatArray, outputs: FloatArray, divergences: FloatArray, barrier: float
) -> FloatArray:
    """Return the relative change of the prior that maximises information plus barrier, to second order."""
    curvature = prior[:, None] * dense((rows * (1 / outputs)) @ rows.T) * prior
    curvature[np.diag_indices_from(curvature)] += barrier
    uphill, normal = np.linalg.solve(curvature, np.stack([prior * divergences + barrier, prior], axis=1)).T
    return uphill - (prior @ uphill) / (prior @ normal) * normal  # probabilities keep their sum


def _entropies(rows: Matrix) -> FloatArray:
    if is_sparse(rows):
        rows = rows.copy()
        rows.data = entr(rows.data)
        return rows.sum(axis=1)
    return entr(rows).sum(axis=1)
