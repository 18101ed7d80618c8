"""One event, known to the attacker with some prior probability: what a release can add to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.guessing.margins import FEW_ROUNDINGS
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

_SMALLEST_PRIOR: Final = np.finfo(np.float64).tiny  # a smaller one is taken for this: less epsilon, no overflow


@source("LaudPankova2020", "posterior of a yes/no secret under pure DP")
def posterior(prior: ArrayLike, epsilon: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    r"""Largest belief in an event after the release. Attained by some mechanism: tight for the guarantee.

    .. math:: \frac{p e^{\varepsilon R}}{1 - p + p e^{\varepsilon R}}

    with :math:`p` = ``prior`` in [0, 1], :math:`\varepsilon` = ``epsilon`` in [0, inf] and :math:`R` =
    ``sensitivity`` > 0. An event of prior zero stays impossible, without noise too.

    >>> float(posterior(0.25, 1.0, 2.0).round(6))
    0.711235
    """
    p = np.asarray(prior, dtype=np.float64)
    weight = p + (1 - p) * np.exp(-_log_odds_ratio(epsilon, sensitivity))
    return p / np.where(weight > 0, weight, 1.0)


@source("birthday-bound", "univariate case")
def epsilon_single(advantage: ArrayLike, prior: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    r"""Largest epsilon at which the belief in an event rises by at most ``advantage``. Exact, rounded down.

    .. math:: \varepsilon = \frac{\operatorname{logit}(p + \delta) - \operatorname{logit}(p)}{R}
        = \frac1R \left[\log\left(1 + \frac{\delta}{p}\right)
        + \log\left(1 + \frac{\delta}{1 - p - \delta}\right)\right]

    with :math:`\delta` = ``advantage``, :math:`p` = ``prior`` in [0, 1] and :math:`R` = ``sensitivity`` > 0. It
    is infinite (no noise is needed) where the belief cannot rise so much: the event is impossible (p = 0) or
    :math:`p + \delta \ge 1`, compared without rounding. An advantage of zero or less leaves epsilon zero. As a
    function of p it is U-shaped: rare and nearly certain events need the least noise.

    >>> float(epsilon_single(0.1, 0.5, 1.0).round(12))
    0.405465108108
    """
    delta, p = np.asarray(advantage, dtype=np.float64), np.asarray(prior, dtype=np.float64)
    complement = 1 - p
    lost = (1 - complement) - p  # what that subtraction rounded off, exactly
    left = np.maximum((complement - delta) + lost, 0.0)
    gain = np.maximum(delta, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_odds_ratio = np.log1p(gain / np.maximum(p, _SMALLEST_PRIOR)) + np.log1p(gain / left)
    possible = np.where(p > 0, log_odds_ratio / np.asarray(sensitivity) * (1 - FEW_ROUNDINGS), np.inf)
    return np.where(delta > 0, possible, 0.0)


@source("LaudPankova2020", "posterior of a yes/no secret under pure DP, less its prior")
def advantage_single(epsilon: ArrayLike, prior: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    r"""Largest rise of the belief in an event. Tight for the guarantee; rounded up.

    .. math:: \frac{p e^{\varepsilon R}}{1 - p + p e^{\varepsilon R}} - p

    with the symbols and the domain of :func:`posterior`.

    >>> float(advantage_single(1.0, 0.5, 1.0).round(6))
    0.231059
    """
    p = np.asarray(prior, dtype=np.float64)
    log_odds_ratio = _log_odds_ratio(epsilon, sensitivity) * (1 + FEW_ROUNDINGS)  # an exponent: its errors grow
    rise = posterior(p, log_odds_ratio, 1.0) * (1 - p) * -np.expm1(-log_odds_ratio)
    return np.minimum(rise * (1 + FEW_ROUNDINGS), 1.0)


@source("birthday-bound", "univariate case, at the prior where epsilon is smallest")
def worst_case_epsilon(advantage: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    r"""Largest epsilon at which no event at all gains more than ``advantage``. Exact, rounded down.

    .. math:: \varepsilon = \frac2R \log\frac{1 + \delta}{1 - \delta}

    with :math:`\delta` = ``advantage`` and :math:`R` = ``sensitivity`` > 0: the least of :func:`epsilon_single`
    over all priors, attained at :math:`p = (1 - \delta)/2`. Infinite from an advantage of one on.

    >>> float(worst_case_epsilon(0.1, 1.0).round(12))
    0.401341390924
    """
    with np.errstate(divide="ignore"):
        quarter = np.arctanh(np.clip(np.asarray(advantage, dtype=np.float64), 0.0, 1.0))
    return 4 * quarter / np.asarray(sensitivity) * (1 - FEW_ROUNDINGS)


@source("birthday-bound", "univariate case, at the prior where the advantage is largest")
def worst_case_advantage(epsilon: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    r"""Largest rise of the belief in any event, whatever its prior. Tight for the guarantee; rounded up.

    .. math:: \tanh(\varepsilon R / 4)

    with :math:`\varepsilon` = ``epsilon`` and :math:`R` = ``sensitivity``.

    >>> float(worst_case_advantage(1.0, 1.0).round(6))
    0.244919
    """
    rise = np.tanh(_log_odds_ratio(epsilon, sensitivity) / 4)
    return np.minimum(rise * (1 + FEW_ROUNDINGS), 1.0)


def _log_odds_ratio(epsilon: ArrayLike, sensitivity: ArrayLike) -> FloatArray:
    return np.asarray(epsilon, dtype=np.float64) * np.asarray(sensitivity, dtype=np.float64)
