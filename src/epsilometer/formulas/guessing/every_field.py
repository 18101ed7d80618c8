r"""The attacker wants every field of a record right, and the fields are independent before the release.

Fields stand on the last axis of ``priors`` and ``sensitivities``; either may be given once for all fields. The
prior of the event is the product of the priors, kept as a logarithm so that many fields do not underflow. Three
releases are told apart:

* ``joint``: one release of all fields, epsilon-DP for the largest of the distances between fields; the odds rise by
  at most :math:`e^{\varepsilon \max R_i}`;
* ``separate``: each field in a release of its own at epsilon; the odds rise by at most
  :math:`e^{\varepsilon \sum R_i}`. It holds too if each release depends on all fields;
* ``independent``: the same, and the release of a field depends on no other field: then the fields stay independent
  after the release, and the chance of the event is the product of the posteriors. At least the epsilon of
  ``separate``, and tight.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.guessing.fields import by_field
from epsilometer.formulas.guessing.margins import FEW_ROUNDINGS, SUM_ROUNDINGS
from epsilometer.formulas.safe_root import smallest_meeting
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@source("birthday-bound", "multivariate case, AND-events")
def epsilon_all_joint(advantage: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    r"""Largest epsilon of one release at which guessing every field gains at most ``advantage``. Rounded down.

    .. math:: \varepsilon = \frac{\operatorname{logit}(P + \delta) - \operatorname{logit}(P)}{\max_i R_i}, \quad
        P = \prod_i p_i

    with :math:`\delta` = ``advantage``, :math:`p_i` = ``priors`` in [0, 1], :math:`R_i` = ``sensitivities`` > 0.
    Infinite where the chance cannot rise so much by a margin of 1e-14, zero for an advantage of zero or less.
    Tight for one release; it does not hold if the fields are released one by one.

    >>> float(epsilon_all_joint(0.1, [0.5, 0.5], 1.0).round(6))
    0.479573
    """
    p, sensitivity = by_field(priors, sensitivities)
    return _log_odds_room(advantage, _log_prior(p)) / sensitivity.max(axis=-1) * (1 - SUM_ROUNDINGS)


@source("birthday-bound", "multivariate case, AND-events, with the sum of the sensitivities")
def epsilon_all_separate(advantage: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    r"""Epsilon of each field at which guessing every field gains at most ``advantage``. A bound, rounded down.

    .. math:: \varepsilon = \frac{\operatorname{logit}(P + \delta) - \operatorname{logit}(P)}{\sum_i R_i}, \quad
        P = \prod_i p_i

    with the symbols of :func:`epsilon_all_joint`. :func:`epsilon_all_independent` is larger where it holds.

    >>> float(epsilon_all_separate(0.1, [0.5, 0.5], 1.0).round(6))
    0.239787
    """
    p, sensitivity = by_field(priors, sensitivities)
    return _log_odds_room(advantage, _log_prior(p)) / sensitivity.sum(axis=-1) * (1 - SUM_ROUNDINGS)


@source("birthday-bound", "multivariate case, AND-events, as the product of the posteriors")
def epsilon_all_independent(advantage: float, priors: ArrayLike, sensitivities: ArrayLike) -> float:
    r"""Largest epsilon of each field at which guessing every field gains at most ``advantage``. Rounded down.

    .. math:: \max \left\{\varepsilon : \prod_i \frac{p_i e^{\varepsilon R_i}}{1 - p_i + p_i e^{\varepsilon R_i}}
        \le \prod_i p_i + \delta\right\}

    with the symbols of :func:`epsilon_all_joint`, for one record (``priors`` has one axis). Tight if the release
    of a field depends on that field alone; solved to about 1e-12, with 100,000 fields to 1e-9.

    >>> round(epsilon_all_independent(0.1, [0.5, 0.5], 1.0), 6)
    0.370617
    """
    p, sensitivity = by_field(priors, sensitivities)
    log_prior = _log_prior(p)
    room = float(_log_odds_room(advantage, log_prior))
    if room in {0.0, math.inf}:
        return room
    allowed = float(np.logaddexp(0.0, np.log(advantage) - log_prior)) * (1 - 4 * SUM_ROUNDINGS)
    scale = smallest_meeting(lambda b: float(_log_growth(p, sensitivity / b)), allowed, name="advantage")
    return (1 - FEW_ROUNDINGS) / scale


def advantage_all_joint(epsilon: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    r"""Largest gain in guessing every field from one release at ``epsilon``. Tight, rounded up.

    .. math:: \frac{P e^L}{1 - P + P e^L} - P, \quad P = \prod_i p_i, \quad L = \varepsilon \max_i R_i

    with :math:`\varepsilon` = ``epsilon`` in [0, inf] and the symbols of :func:`epsilon_all_joint`.

    >>> float(advantage_all_joint(1.0, [0.5, 0.5], 1.0).round(6))
    0.225367
    """
    p, sensitivity = by_field(priors, sensitivities)
    return _advantage(_log_prior(p), np.asarray(epsilon) * sensitivity.max(axis=-1))


def advantage_all_separate(epsilon: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    r"""Gain in guessing every field from releases at ``epsilon`` each. An upper bound, rounded up.

    As :func:`advantage_all_joint`, with :math:`L = \varepsilon \sum_i R_i`.

    >>> float(advantage_all_separate(1.0, [0.5, 0.5], 1.0).round(6))
    0.461235
    """
    p, sensitivity = by_field(priors, sensitivities)
    return _advantage(_log_prior(p), np.asarray(epsilon) * sensitivity.sum(axis=-1))


def advantage_all_independent(epsilon: ArrayLike, priors: ArrayLike, sensitivities: ArrayLike) -> FloatArray:
    r"""Largest gain in guessing every field from releases at ``epsilon`` that depend on one field each. Rounded up.

    .. math:: \prod_i \frac{p_i e^{\varepsilon R_i}}{1 - p_i + p_i e^{\varepsilon R_i}} - \prod_i p_i

    with :math:`\varepsilon` = ``epsilon`` in [0, inf] and the symbols of :func:`epsilon_all_joint`. Tight.

    >>> float(advantage_all_independent(1.0, [0.5, 0.5], 1.0).round(6))
    0.284447
    """
    p, sensitivity = by_field(priors, sensitivities)
    log_prior = _log_prior(p)
    log_odds_ratios = np.asarray(epsilon, dtype=np.float64)[..., None] * sensitivity * (1 + FEW_ROUNDINGS)
    growth = _log_growth(p, log_odds_ratios) * (1 + SUM_ROUNDINGS)
    possible = log_prior > -np.inf
    log_posterior = np.where(possible, log_prior, 0.0) * (1 - SUM_ROUNDINGS) + growth
    rise = np.exp(log_posterior) * -np.expm1(-growth) * (1 + FEW_ROUNDINGS)
    return np.where(possible, np.minimum(rise, 1.0), 0.0)


def _log_prior(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p).sum(axis=-1))


def _log_odds_room(advantage: ArrayLike, log_prior: FloatArray) -> FloatArray:
    """logit(P + delta) - logit(P), each part rounded down: both fall as P or 1 - P - delta grows."""
    delta = np.asarray(advantage, dtype=np.float64)
    left = -np.expm1(log_prior * (1 + SUM_ROUNDINGS)) * (1 + FEW_ROUNDINGS) - delta
    gain = np.maximum(delta, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        growth = np.logaddexp(0.0, np.log(gain) - log_prior * (1 - SUM_ROUNDINGS))
        room = growth + np.log1p(gain / np.maximum(left, 0.0))
    return np.where(delta > 0, room, 0.0)


def _advantage(log_prior: FloatArray, log_odds_ratio: FloatArray) -> FloatArray:
    """Posterior minus prior as posterior x (1 - prior) x (1 - e^-L), each factor rounded up."""
    complement = -np.expm1(log_prior * (1 + SUM_ROUNDINGS))
    with np.errstate(divide="ignore", invalid="ignore"):
        log_odds = log_prior * (1 - SUM_ROUNDINGS) - np.log(complement) + log_odds_ratio * (1 + SUM_ROUNDINGS)
        posterior = np.exp(-np.logaddexp(0.0, -log_odds))
    rise = posterior * complement * -np.expm1(-log_odds_ratio) * (1 + SUM_ROUNDINGS)
    return np.where((log_prior > -np.inf) & (log_prior < 0), np.minimum(rise, 1.0), 0.0)


def _log_growth(p: FloatArray, log_odds_ratios: FloatArray) -> FloatArray:
    """Log of posterior over prior, summed over fields: log(1 + (1 - p) / (p + 1 / (e^L - 1))) has no cancellation."""
    with np.errstate(divide="ignore", over="ignore"):
        pull = p + 1 / np.expm1(log_odds_ratios)
    return np.asarray(np.log1p((1 - p) / np.where(pull > 0, pull, 1.0)).sum(axis=-1))
