"""Paper 003 as printed, errors included: for comparison, never for a decision.

All three are one expression, :func:`epsilon_single`. It is printed without its domain. Where its logarithm is that
of a negative number the result is nan: advantage and prior sum to more than one. So it is at a prior of one, which
divides zero by zero. It is infinite where they sum to one and where the prior is zero, and at most zero for an
advantage of at most zero. Over several fields, nan for one field is nan for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.guessing.fields import by_field
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@source("birthday-bound", "univariate case")
def epsilon_single(advantage: ArrayLike, prior: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    r"""Epsilon for one field. Right as printed, on the domain that it does not state.

    .. math:: \varepsilon = \frac{-\ln\left(\frac{p}{1-p} \left(\frac{1}{\delta+p} - 1\right)\right)}{R}

    with :math:`\delta` = ``advantage``, :math:`p` = ``prior`` and :math:`R` = ``sensitivity``.

    >>> float(epsilon_single(0.1, 0.5, 1.0).round(12))
    0.405465108108
    """
    delta, p = np.asarray(advantage, dtype=np.float64), np.asarray(prior, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.log(p / (1 - p) * (1 / (delta + p) - 1)) / np.asarray(sensitivity)


@source("birthday-bound", "multivariate case, AND-events")
def epsilon_all(advantage: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    """Epsilon for guessing every field: the product of the priors and the largest sensitivity.

    Right for one release that is epsilon-DP for the largest of the distances; if the fields are released one by
    one the advantage is exceeded. Fields stand on the last axis.

    >>> float(epsilon_all(0.1, [0.5, 0.5], [1.0, 1.0]).round(6))
    0.479573
    """
    p, sensitivity = by_field(priors, sensitivities)
    return epsilon_single(advantage, p.prod(axis=-1), sensitivity.max(axis=-1))


@source("birthday-bound", "multivariate case, OR-events")
def epsilon_any(advantage: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    """Epsilon for guessing at least one field: the least over the fields, at the largest sensitivity.

    It limits the advantage on each field, not that of the event: with several fields the latter can be larger or
    smaller. The printed index runs from 0 over one field too many. Fields stand on the last axis.

    >>> float(epsilon_any(0.1, [0.1, 0.1], [1.0, 1.0]).round(6))
    0.81093
    """
    p, sensitivity = by_field(priors, sensitivities)
    each = epsilon_single(np.asarray(advantage)[..., None], p, sensitivity.max(axis=-1, keepdims=True))
    return each.min(axis=-1)
