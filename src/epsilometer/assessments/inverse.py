"""Which epsilon, delta or threshold keeps the risk of a table at or below a target?

Risk need not be monotone in any of them, so every stretch is looked for. A risk changes by at most the sum of the
changes of the K vanishing probabilities; a mechanism bounds how fast each of those can move with log epsilon, and
one half per unit of log delta is never reached. That is the slope with which stretches are certified.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.errors import OutOfRange
from epsilometer.solvers.feasible import runs, stretches_below
from epsilometer.vocabulary.feasible import Feasible
from epsilometer.vocabulary.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray

SLOPE_PER_VALUE: Final = 0.5
EPSILONS: Final = (1e-3, 1e2)
DELTAS: Final = (1e-15, 0.1)
THRESHOLDS: Final = (0.5, 100.0)
ROUNDING: Final = 1e-12


def epsilon_for_risk(
    freq: FrequencyTable,
    mechanism: Mechanism,
    max_risk: float,
    *,
    measure: str = "local",
    average: str = "cells",
    between: tuple[float, float] = EPSILONS,
) -> Feasible:
    """Find every epsilon at which the homogeneity risk is at most ``max_risk``.

    Args:
        freq: the counted table.
        mechanism: the noise; its own epsilon does not matter.
        max_risk: the target, in [0, 1].
        measure: as in :func:`homogeneity_risk`.
        average: as in :func:`homogeneity_risk`.
        between: smallest and largest epsilon to look at.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> found = epsilon_for_risk(FrequencyTable.from_counts([[9, 1], [4, 0]]), Laplace(epsilon=1.0), 0.38)
    >>> [(round(s.low, 4), round(s.high, 4)) for s in found.stretches]
    [(0.001, 0.0103)]
    """
    low, high = _searched("epsilon", between, min(mechanism.epsilon_limit, math.inf))

    def curve(log_epsilon: FloatArray) -> FloatArray:
        noise = mechanism.at(tuple(np.exp(log_epsilon).tolist()))
        return np.asarray(homogeneity_risk(freq, noise, measure, average=average).value)

    def slope(log_epsilon: FloatArray) -> FloatArray:
        return freq.n_values * mechanism.vanishing_slope(np.exp(log_epsilon))

    return _on_log_scale("epsilon", curve, slope, freq, average, max_risk, (low, high))


def delta_for_risk(
    freq: FrequencyTable,
    mechanism: Mechanism,
    max_risk: float,
    *,
    measure: str = "local",
    average: str = "cells",
    between: tuple[float, float] = DELTAS,
) -> Feasible:
    """Find every delta at which, for the mechanism's epsilon, the homogeneity risk is at most ``max_risk``."""
    if not mechanism.delta:
        raise OutOfRange("delta", mechanism.delta, "(0, 1)", hint=f"{mechanism.name} noise has none to choose.")

    def curve(log_delta: FloatArray) -> FloatArray:
        noises = (replace(mechanism, delta=delta) for delta in np.exp(log_delta).tolist())
        return np.array([homogeneity_risk(freq, noise, measure, average=average).value for noise in noises])

    def slope(log_delta: FloatArray) -> FloatArray:
        return np.full(len(log_delta), SLOPE_PER_VALUE * freq.n_values)

    return _on_log_scale("delta", curve, slope, freq, average, max_risk, _searched("delta", between, 1.0))


def threshold_for_risk(
    freq: FrequencyTable,
    mechanism: Mechanism,
    max_risk: float,
    *,
    measure: str = "local",
    average: str = "cells",
    between: tuple[float, float] = THRESHOLDS,
) -> Feasible:
    """Find every publication threshold at which, for the mechanism's epsilon, the risk is at most ``max_risk``.

    With whole-number noise only whole thresholds differ, and each of them is looked at.
    """
    low, high = between

    def curve(thresholds: FloatArray) -> FloatArray:
        noises = (replace(mechanism, threshold=threshold) for threshold in thresholds.tolist())
        return np.array([homogeneity_risk(freq, noise, measure, average=average).value for noise in noises])

    seen = _Seen(curve)
    if mechanism.peak_density is None:
        whole = np.arange(math.ceil(low), math.floor(high) + 1.0)
        stretches = tuple(
            Stretch(float(whole[first]), float(whole[last - 1]), first > 0, last < len(whole))
            for first, last in runs(seen(whole) <= _checked(max_risk))
        )
    else:
        steepest = freq.n_values * mechanism.peak_density
        stretches = stretches_below(
            seen, _checked(max_risk), low, high, slope=lambda left: np.full(len(left), steepest)
        )
    return _result("threshold", stretches, seen, (low, high), max_risk, _noise_limit(freq, average))


def _on_log_scale(  # noqa: PLR0917
    parameter: str,
    curve: Callable[[FloatArray], FloatArray],
    slope: Callable[[FloatArray], FloatArray],
    freq: FrequencyTable,
    average: str,
    max_risk: float,
    between: tuple[float, float],
) -> Feasible:
    seen = _Seen(curve)
    ends = math.log(between[0]), math.log(between[1])
    found = stretches_below(seen, _checked(max_risk), *ends, slope=slope)
    seen.scale = math.exp
    stretches = tuple(_rounded_inwards(stretch.on_scale(math.exp), between) for stretch in found)
    return _result(parameter, stretches, seen, between, max_risk, _noise_limit(freq, average))


def _rounded_inwards(stretch: Stretch, between: tuple[float, float]) -> Stretch:
    """Move the ends that the target sets inwards by more than the exponential can be off."""
    low = stretch.low * (1 + ROUNDING) if stretch.bounded_below else between[0]
    high = stretch.high * (1 - ROUNDING) if stretch.bounded_above else between[1]
    return replace(stretch, low=min(low, high), high=high)


class _Seen:
    """A curve that remembers the smallest value it has given, and where."""

    def __init__(self, curve: Callable[[FloatArray], FloatArray]) -> None:
        self.curve = curve
        self.scale: Callable[[float], float] = float
        self.smallest, self.at = math.inf, math.nan

    def __call__(self, points: FloatArray) -> FloatArray:
        values = self.curve(points)
        best = int(np.argmin(values))
        if values[best] < self.smallest:
            self.smallest, self.at = float(values[best]), float(points[best])
        return values


def _result(  # noqa: PLR0917
    parameter: str,
    stretches: tuple[Stretch, ...],
    seen: _Seen,
    searched: tuple[float, float],
    max_risk: float,
    noise_limit: float,
) -> Feasible:
    smallest_at = seen.scale(seen.at)
    if stretches:
        shown = " or ".join(f"{s.low:.4g} to {s.high:.4g}" for s in stretches)
        words = f"The risk is at most {max_risk:g} for {parameter} from {shown}."
        if not stretches[-1].bounded_above:
            words += f" It stays so up to the largest {parameter} looked at."
    else:
        words = (
            f"No {parameter} from {searched[0]:g} to {searched[1]:g} brings the risk down to {max_risk:g}: the "
            f"smallest is {seen.smallest:.4g}, at {parameter} = {smallest_at:.4g}. With ever more noise the local "
            f"risk tends to {noise_limit:.4g}: noise alone does not get there; coarser bins or fewer columns may."
        )
    return Feasible(
        parameter=parameter,
        max_risk=max_risk,
        stretches=stretches,
        searched=searched,
        smallest_risk=seen.smallest,
        smallest_at=smallest_at,
        noise_limit=noise_limit,
        in_words=words,
    )


def _noise_limit(freq: FrequencyTable, average: str) -> float:
    """Limit of the local risk as noise grows: every count vanishes with probability 1/2."""
    if average == "records":
        return 0.5**freq.n_values
    n_present = float((freq.profile.counts > 0).sum(axis=1) @ freq.profile.n_cells)
    return n_present / freq.n_cells * 0.5**freq.n_values


def _checked(max_risk: float) -> float:
    if not 0 <= max_risk <= 1:
        raise OutOfRange("max_risk", max_risk, "[0, 1]", hint="It is a probability.")
    return max_risk


def _searched(parameter: str, between: tuple[float, float], limit: float) -> tuple[float, float]:
    low, high = between[0], min(between[1], limit)
    if not 0 < low < high:
        raise OutOfRange(f"range of {parameter}", between, f"0 < low < high <= {limit:g}")
    return low, high
