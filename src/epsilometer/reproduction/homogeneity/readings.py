"""The risks that both papers read off their formulas, by table, mechanism and epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.mechanisms import Gaussian, Laplace

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray

NO_NOISE: Final = 1e3  # an epsilon that stands for the upper asymptote
ALL_NOISE: Final = 1e-9  # and one for the lower
DELTAS: Final = (1e-6, 1e-3, 0.1)  # the figures' own are in their legends only, which are pictures
GRID: Final = np.geomspace(1e-3, 1e2, 101)  # the range of paper 000
BELOW_ONE: Final = GRID[GRID < 1]  # where the classic calibration holds


def laplace(*epsilons: float) -> Laplace:
    """Return Laplace noise: epsilon-DP."""
    return Laplace(epsilon=epsilons)


def classic(delta: float, *epsilons: float) -> Gaussian:
    """Return Gaussian noise by the papers' calibration for (epsilon, delta)-aDP."""
    return Gaussian(epsilon=epsilons, delta=delta, calibration="classic")


def probabilistic(delta: float, *epsilons: float) -> Gaussian:
    """Return Gaussian noise by the papers' calibration for (epsilon, delta)-pDP."""
    return Gaussian(epsilon=epsilons, delta=delta, calibration="probabilistic")


class Setting(NamedTuple):
    """A mechanism of the papers with everything but epsilon.

    Attributes:
        mechanism: its name in the figures.
        delta: its delta; 0 for Laplace.
        noise: the noise for some epsilons.
        grid: the epsilons of a curve.
    """

    mechanism: str
    delta: float
    noise: Callable[..., Mechanism]
    grid: FloatArray


def adp(delta: float) -> Setting:
    """Return the Gaussian mechanism of (epsilon, delta)-aDP."""
    return Setting("Gaussian, aDP", delta, lambda *epsilons: classic(delta, *epsilons), BELOW_ONE)


def pdp(delta: float) -> Setting:
    """Return the Gaussian mechanism of (epsilon, delta)-pDP."""
    return Setting("Gaussian, pDP", delta, lambda *epsilons: probabilistic(delta, *epsilons), GRID)


LAPLACE: Final = Setting("Laplace", 0.0, laplace, GRID)
SETTINGS: Final = (LAPLACE, *map(adp, DELTAS), *map(pdp, DELTAS))


def exact(freq: FrequencyTable, mechanism: Mechanism) -> FloatArray:
    """Return the local risk of Definition 7, averaged over the cells; one number per epsilon."""
    return np.atleast_1d(homogeneity_risk(freq, mechanism).value)


def printed_bound(freq: FrequencyTable, mechanism: Mechanism) -> FloatArray:
    """Return equations (12) and (22) of paper 001, averaged over the cells; one number per epsilon."""
    return np.atleast_1d(homogeneity_risk(freq, mechanism, measure="expected", method="published").value)


def steepest_epsilon(freq: FrequencyTable) -> float:
    """Return the epsilon at which the risk with Laplace noise climbs fastest on a logarithmic scale."""
    slope = np.gradient(exact(freq, laplace(*GRID)), np.log(GRID))
    return float(GRID[slope.argmax()])


def largest_gap_of_calibrations(freq: FrequencyTable) -> float:
    """Return by how much the risk of pDP exceeds that of aDP at most, over epsilon below 1 and ``DELTAS``."""
    gaps = [exact(freq, probabilistic(delta, *BELOW_ONE)) - exact(freq, classic(delta, *BELOW_ONE)) for delta in DELTAS]
    return float(np.max(gaps))
