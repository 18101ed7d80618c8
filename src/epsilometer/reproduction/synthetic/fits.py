"""Curves through what was measured, as the paper fits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.risk_curves import RiskCurve, fit_risk_curve
from epsilometer.reproduction.synthetic.comparisons import TRAINING

if TYPE_CHECKING:
    from epsilometer.reproduction.synthetic.experiments import Runs

FAMILIES: Final = {"reciprocal": "reciprocal-2", "exponential": "exponential", "polynomial": "polynomial-2"}
DEGREES: Final = {"degree 1": "reciprocal-1", "degree 2": "reciprocal-2"}
PREDICTED: Final = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0)


def fitted(runs: Runs, family: str) -> RiskCurve:
    """Fit a curve to all runs at all epsilons."""
    return fit_risk_curve(np.repeat(runs.epsilons, runs.values.shape[1]), runs.values.ravel(), family)


def trained(runs: Runs, family: str, on: tuple[float, ...] = TRAINING) -> RiskCurve:
    """Fit a curve to the mean runs at the three epsilons of the paper's training."""
    return fit_risk_curve(on, runs.at(on).means, family)


def best_family(runs: Runs) -> str:
    """Which of the paper's families predicts best the epsilons that it has not seen?"""
    return min(FAMILIES, key=lambda name: fitted(runs, FAMILIES[name]).leave_one_out)
