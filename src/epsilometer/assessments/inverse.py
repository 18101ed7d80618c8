"""Which epsilon, delta or threshold keeps the risk of a table at or below a target?

Risk need not be monotone in any of them, so every stretch is looked for, and certified with envelopes of the noise.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.homogeneity import exact
from epsilometer.assessments.homogeneity.risk import check_words
from epsilometer.errors import OutOfRange
from epsilometer.formulas.envelope import lower_envelope, upper_envelope
from epsilometer.solvers.feasible import stretches_below
from epsilometer.vocabulary.feasible import Feasible
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.stretch import not_looked_at
from epsilometer.vocabulary.wording import rounded_down, rounded_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import Noise
    from epsilometer.vocabulary.stretch import Stretch

EPSILONS: Final = (1e-3, 1e2)
DELTAS: Final = (1e-15, 0.1)
THRESHOLDS: Final = (0.5, 100.0)
N_LOOKED_AT: Final = 200  # points at which the smallest risk is looked for
ROUNDING: Final = 1e-12


class _Asked(NamedTuple):
    """The risk that is asked about."""

    freq: FrequencyTable
    max_risk: float
    measure: str
    average: str

    def risk(self, noise: Noise) -> FloatArray:
        return np.asarray(exact.READINGS[self.measure](self.freq, noise, self.average).answer.value)

    def noise_limit(self) -> float:
        """Limit of the local risk as noise grows: every count vanishes with probability 1/2."""
        if self.average == "records":
            return 0.5**self.freq.n_values
        n_present = float((self.freq.profile.counts > 0).sum(axis=1) @ self.freq.profile.n_cells)
        return n_present / self.freq.n_cells * 0.5**self.freq.n_values


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
    asked = _asked(freq, max_risk, measure, average)

    def noises(log_epsilons: FloatArray) -> Mechanism:
        return mechanism.at(tuple(np.exp(log_epsilons).tolist()))

    limit = mechanism.epsilon_limit
    return _search("epsilon", asked, noises, _checked_range("epsilon", between, limit), (math.log, math.exp))


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
    asked = _asked(freq, max_risk, measure, average)

    def noises(log_deltas: FloatArray) -> Noise:
        return _Several([replace(mechanism, delta=delta) for delta in np.exp(log_deltas).tolist()])

    return _search("delta", asked, noises, _checked_range("delta", between, 1.0), (math.log, math.exp))


def threshold_for_risk(
    freq: FrequencyTable,
    mechanism: Mechanism,
    max_risk: float,
    *,
    measure: str = "local",
    average: str = "cells",
    between: tuple[float, float] = THRESHOLDS,
) -> Feasible:
    """Find every publication threshold at which, for the mechanism's epsilon, the risk is at most ``max_risk``."""
    asked = _asked(freq, max_risk, measure, average)

    def noises(thresholds: FloatArray) -> Noise:
        return _Several([replace(mechanism, threshold=threshold) for threshold in thresholds.tolist()])

    return _search("threshold", asked, noises, _checked_range("threshold", between, math.inf), (float, float))


class _Several:
    """Several noises as one, with the axis of the noises first; each brings its own threshold along."""

    threshold = 0.0

    def __init__(self, noises: list[Mechanism]) -> None:
        self.noises = noises

    def probability_below(self, x: object) -> FloatArray:
        return np.stack([noise.probability_below(np.asarray(x) + noise.threshold) for noise in self.noises])

    def probability_at_least(self, x: object) -> FloatArray:
        return np.stack([noise.probability_at_least(np.asarray(x) + noise.threshold) for noise in self.noises])


def _search(
    parameter: str,
    asked: _Asked,
    noises: Callable[[FloatArray], Noise],
    between: tuple[float, float],
    scales: tuple[Callable[[float], float], Callable[[float], float]],
) -> Feasible:
    to_scale, from_scale = scales
    low, high = to_scale(between[0]), to_scale(between[1])
    found = stretches_below(
        lambda left, right: asked.risk(upper_envelope(noises(left), noises(right))),
        lambda left, right: asked.risk(lower_envelope(noises(left), noises(right))),
        asked.max_risk,
        low,
        high,
    )
    stretches = tuple(_rounded_inwards(stretch.on_scale(from_scale), between) for stretch in found)
    points = np.linspace(low, high, N_LOOKED_AT)
    risks = asked.risk(noises(points))
    smallest, at = float(risks.min()), from_scale(float(points[np.argmin(risks)]))
    return Feasible(
        parameter=parameter,
        max_risk=asked.max_risk,
        stretches=stretches,
        searched=between,
        smallest_risk=smallest,
        smallest_at=at,
        no_release=float(asked.freq.profile.shares.max()),
        noise_limit=asked.noise_limit(),
        in_words=_in_words(parameter, asked, stretches, between, (smallest, at)),
    )


def _rounded_inwards(stretch: Stretch, between: tuple[float, float]) -> Stretch:
    """Move the ends that the target sets inwards by more than the scale can be off."""
    low = stretch.low * (1 + ROUNDING) if stretch.bounded_below else between[0]
    high = stretch.high * (1 - ROUNDING) if stretch.bounded_above else between[1]
    return replace(stretch, low=min(low, high), high=high)


def _in_words(
    parameter: str,
    asked: _Asked,
    stretches: tuple[Stretch, ...],
    between: tuple[float, float],
    smallest: tuple[float, float],
) -> str:
    risk, at = smallest
    if stretches:
        shown = " or ".join(f"{rounded_up(s.low, 4):g} to {rounded_down(s.high, 4):g}" for s in stretches)
        words = f"The risk is at most {asked.max_risk:g} for {parameter} from {shown}."
        return " ".join(filter(None, (words, not_looked_at(stretches, ENGLISH))))
    if risk <= asked.max_risk:
        return (
            f"The risk runs so close to {asked.max_risk:g} that no stretch of {parameter} could be certified; the "
            f"smallest that was seen is {risk:.4g}, at {parameter} = {at:.4g}."
        )
    return (
        f"No {parameter} from {between[0]:g} to {between[1]:g} brings the risk down to {asked.max_risk:g}: the "
        f"smallest is {risk:.4g}, at {parameter} = {at:.4g}. With ever more noise the local risk tends to "
        f"{asked.noise_limit():.4g}: noise alone does not get there; coarser bins or fewer columns may."
    )


def _asked(freq: FrequencyTable, max_risk: float, measure: str, average: str) -> _Asked:
    check_words(measure, "exact", average)
    if not 0 <= max_risk <= 1:
        raise OutOfRange("max_risk", max_risk, "[0, 1]", hint="It is a probability.")
    return _Asked(freq, max_risk, measure, average)


def _checked_range(parameter: str, between: tuple[float, float], limit: float) -> tuple[float, float]:
    low, high = between[0], min(between[1], limit)
    if not 0 < low < high:
        raise OutOfRange(f"range of {parameter}", between, f"0 < low < high <= {limit:g}")
    return low, high
