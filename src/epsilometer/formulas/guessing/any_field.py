"""The attacker is content with one right field, and the fields are independent before the release."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.guessing.fields import by_field
from epsilometer.formulas.guessing.margins import FEW_ROUNDINGS, SUM_ROUNDINGS
from epsilometer.formulas.safe_root import smallest_meeting
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

_LARGEST_EXPONENT: Final = 700.0  # e to it is about 1e304


@source("birthday-bound", "multivariate case, OR-events, for the event itself")
def epsilon_any(advantage: float, priors: ArrayLike, sensitivities: ArrayLike) -> float:
    r"""Largest epsilon of each field at which guessing at least one gains at most ``advantage``. Rounded down.

    .. math:: \max \left\{\varepsilon : 1 - \prod_i \frac{1 - p_i}{1 - p_i + p_i e^{\varepsilon R_i}}
        \le 1 - \prod_i (1 - p_i) + \delta\right\}

    with :math:`\delta` = ``advantage``, :math:`p_i` = ``priors`` in [0, 1] of the fields of one record and
    :math:`R_i` = ``sensitivities`` > 0, one for each or one for all. Each field is in a release of its own that
    depends on that field alone; then it is tight. Infinite where the chance cannot rise so much by a margin of
    1e-14, zero for an advantage of zero or less. Solved to about 1e-12.

    >>> round(epsilon_any(0.1, [0.1, 0.1], 1.0), 6)
    0.51941
    """
    p, sensitivity = by_field(priors, sensitivities)
    if advantage <= 0:
        return 0.0
    none_right = float(_none_right(p))
    if none_right <= advantage or not p.any():
        return math.inf
    allowed = math.log1p(advantage / (none_right - advantage)) * (1 - 2 * SUM_ROUNDINGS)
    scale = smallest_meeting(lambda b: float(_log_fall(p, sensitivity / b)), allowed, name="advantage")
    return (1 - FEW_ROUNDINGS) / scale


def advantage_any(epsilon: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    r"""Largest gain in guessing at least one field from releases at ``epsilon`` each. Tight, rounded up.

    .. math:: \prod_i (1 - p_i) - \prod_i \frac{1 - p_i}{1 - p_i + p_i e^{\varepsilon R_i}}

    with :math:`\varepsilon` = ``epsilon`` in [0, inf] and the symbols of :func:`epsilon_any`; the fields stand on
    the last axis.

    >>> float(advantage_any(0.81093, [0.1, 0.1], 1.0).round(6))
    0.17
    """
    p, sensitivity = by_field(priors, sensitivities)
    log_odds_ratios = np.asarray(epsilon, dtype=np.float64)[..., None] * sensitivity
    fall = _log_fall(p, log_odds_ratios * (1 + FEW_ROUNDINGS)) * (1 + SUM_ROUNDINGS)
    return _none_right(p) * -np.expm1(-fall)


def _none_right(p: FloatArray) -> FloatArray:
    """Chance that no guess is right without a release, rounded up: more of it can be lost."""
    with np.errstate(divide="ignore"):
        log_none = np.log1p(-p).sum(axis=-1)
    return np.minimum(np.exp(log_none * (1 - SUM_ROUNDINGS)) * (1 + FEW_ROUNDINGS), 1.0)


def _log_fall(p: FloatArray, log_odds_ratios: FloatArray) -> FloatArray:
    """Log of the chance that no guess is right, before over after: the sum of log(1 - p + p e^L) over fields."""
    within = np.minimum(log_odds_ratios, _LARGEST_EXPONENT)
    beyond = log_odds_ratios - within  # rounds up where p < 1e-300 only: log(1 + x e^y) <= log(1 + x) + y
    return np.asarray(np.where(p > 0, np.log1p(p * np.expm1(within)) + beyond, 0.0).sum(axis=-1))
