"""Curves of a risk or a loss over epsilon, fitted to the few epsilons at which it was measured.

A curve answers between the smallest and the largest measured epsilon and nowhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.optimize import isotonic_regression, minimize_scalar

from epsilometer.errors import BadCounts, OutOfRange, UnknownChoice
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

    Predictor = Callable[[FloatArray], FloatArray]
    Fit = Callable[[FloatArray, FloatArray], tuple[FloatArray, Predictor]]

FLATTEST: Final = 1e-3  # exponential over the whole range of epsilon: a line, to three digits
STEEPEST: Final = 40.0  # one over the smallest gap between epsilons: a step, to the last digit
N_RATES: Final = 200
ROUNDING: Final = 1e-9  # of the largest value; errors that differ by less do so by rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskCurve:
    """A fitted curve.

    Attributes:
        family: its kind; see :func:`fit_risk_curve`.
        coefficients: those of the formula of the family, in its order; of a monotone curve, its values at the
            measured epsilons.
        smallest: the smallest epsilon it answers for.
        largest: the largest one.
        leave_one_out: root of the mean squared error of the values measured between the ends, each predicted by a
            curve fitted without any value at its epsilon; infinite if there are too few epsilons to leave one out.
    """

    family: str
    coefficients: tuple[float, ...]
    smallest: float
    largest: float
    leave_one_out: float
    predictor: Predictor

    def at(self, epsilons: ArrayLike) -> FloatArray:
        """Return the curve's values; an epsilon outside the measured ones is refused."""
        asked = np.asarray(epsilons, dtype=np.float64)
        outside = asked[~((asked >= self.smallest) & (asked <= self.largest))]
        if outside.size:
            hint = "A fitted curve says nothing outside the measured epsilons; measure there."
            raise OutOfRange("epsilon", float(outside[0]), f"[{self.smallest:g}, {self.largest:g}]", hint=hint)
        return self.predictor(asked)


@source("chen-2021", "Eqs. (13) and (15), Section 3.2.5")
def fit_risk_curve(epsilons: ArrayLike, values: ArrayLike, family: str = "reciprocal-2") -> RiskCurve:
    r"""Which curve of a family is nearest to measured values? Least squares; what it says in between is an estimate.

    ``family`` is one of

    * ``reciprocal-1``: :math:`a/\varepsilon + b`
    * ``reciprocal-2``: :math:`a/\varepsilon^2 + b/\varepsilon + c`
    * ``exponential``: :math:`a e^{-b (\varepsilon - \varepsilon_0)} + c`, with :math:`\varepsilon_0` the smallest
      measured epsilon, or the largest if b is negative, so that a is the size of what decays
    * ``polynomial-2``: :math:`a \varepsilon^2 + b \varepsilon + c`
    * ``monotone``: rising or falling only, whichever is nearer to the values, and smooth in between

    >>> curve = fit_risk_curve([0.02, 0.1, 1.0], [37, 18, 6])
    >>> curve.at([0.05, 0.5]).round(2)
    array([28.01,  7.47])
    """
    if family not in FAMILIES:
        raise UnknownChoice("family", family, FAMILIES)
    fit, n_needed = FAMILIES[family]
    eps, measured = _checked(epsilons, values, f"The family {family}", n_needed)
    coefficients, predictor = fit(eps, measured)
    return RiskCurve(
        family=family,
        coefficients=tuple(coefficients.tolist()),
        smallest=float(eps[0]),
        largest=float(eps[-1]),
        leave_one_out=_leave_one_out(eps, measured, fit, n_needed),
        predictor=predictor,
    )


@source("chen-2021", "Section 3.3.2: the family that fits best, by its error at epsilons left out")
def choose_curve(epsilons: ArrayLike, values: ArrayLike) -> RiskCurve:
    """Which family predicts best what it has not seen? The one with the smallest leave-one-out error, fitted to all.

    Several values at one epsilon are runs, and are left out together: a curve that has seen one run at an epsilon
    has seen the epsilon. Families that need more epsilons than were measured do not take part. Of errors that differ
    by rounding alone, the curve with the fewest coefficients counts; two epsilons leave nothing out and decide
    nothing. A heuristic: the family that wins on a few epsilons need not be the truth.

    >>> epsilons = [0.1, 0.2, 0.5, 1.0, 2.0]
    >>> choose_curve(epsilons, [3 / epsilon + 1 for epsilon in epsilons]).family
    'reciprocal-1'
    """
    eps, measured = _checked(epsilons, values, "A curve", min(n_needed for _, n_needed in FAMILIES.values()))
    n_epsilons = len(np.unique(eps))
    curves = [fit_risk_curve(eps, measured, name) for name, (_, needed) in FAMILIES.items() if needed <= n_epsilons]
    smallest = min(curve.leave_one_out for curve in curves)
    tied = smallest + ROUNDING * float(np.abs(measured).max())
    return min((curve for curve in curves if curve.leave_one_out <= tied), key=lambda curve: len(curve.coefficients))


def _powers(*exponents: int) -> Fit:
    """Least squares of a sum of powers of epsilon."""

    def fit(eps: FloatArray, values: FloatArray) -> tuple[FloatArray, Predictor]:
        coefficients = _least_squares(eps[:, None] ** np.array(exponents, dtype=np.float64), values)
        return coefficients, lambda asked: asked[..., None] ** np.array(exponents, dtype=np.float64) @ coefficients

    return fit


def _exponential(eps: FloatArray, values: FloatArray) -> tuple[FloatArray, Predictor]:
    """Least squares of an exponential: the best a and c for a rate are linear, which leaves the rate to search."""

    def shapes(rates: FloatArray, at: FloatArray) -> FloatArray:
        origins = np.where(rates > 0, eps[0], eps[-1])
        return np.exp(-rates * (at - origins))

    def fitted(rates: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The best a, the best c and the squared error for each rate of a column."""
        decays = shapes(rates, eps)
        means = decays.mean(axis=1, keepdims=True)
        about_mean = decays - means
        slopes = (about_mean @ (values - values.mean()) / (about_mean**2).sum(axis=1))[:, None]
        offsets = values.mean() - slopes * means
        return slopes, offsets, ((slopes * decays + offsets - values) ** 2).sum(axis=1)

    rates = np.geomspace(FLATTEST / (eps[-1] - eps[0]), STEEPEST / np.diff(np.unique(eps)).min(), N_RATES)
    rates = np.concatenate([-rates[::-1], rates])
    best = int(np.argmin(fitted(rates[:, None])[2]))
    low, high = rates[max(best - 1, 0)], rates[min(best + 1, len(rates) - 1)]
    found = minimize_scalar(
        lambda rate: float(fitted(np.array([[rate]]))[2][0]),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-12 * abs(high)},
    )
    rate = np.array(found.x)
    slope, offset = (float(part[0, 0]) for part in fitted(rate.reshape(1, 1))[:2])
    return np.array([slope, float(rate), offset]), lambda asked: slope * shapes(rate, asked) + offset


def _monotone(eps: FloatArray, values: FloatArray) -> tuple[FloatArray, Predictor]:
    """Nearest rising or falling values, joined by a spline over log epsilon that keeps them so."""
    knots, which, repeats = np.unique(eps, return_inverse=True, return_counts=True)
    means = np.bincount(which, weights=values) / repeats
    rising, falling = (
        isotonic_regression(means, weights=repeats, increasing=increasing).x for increasing in (True, False)
    )
    errors = [float(repeats @ (fitted - means) ** 2) for fitted in (rising, falling)]
    fitted = rising if errors[0] < errors[1] else falling
    with np.errstate(over="ignore"):  # one over a slope of next to nothing, which the spline takes as none
        spline = PchipInterpolator(np.log(knots), fitted)
    ends = np.log(knots[[0, -1]])
    return fitted, lambda asked: spline(np.clip(np.log(asked), *ends))


FAMILIES: Final[dict[str, tuple[Fit, int]]] = {  # and how many different epsilons each needs
    "reciprocal-1": (_powers(-1, 0), 2),
    "reciprocal-2": (_powers(-2, -1, 0), 3),
    "exponential": (_exponential, 3),
    "polynomial-2": (_powers(2, 1, 0), 3),
    "monotone": (_monotone, 2),
}


def _least_squares(columns: FloatArray, values: FloatArray) -> FloatArray:
    """Coefficients of the columns, which are first brought to one size: powers of epsilon differ by thousands."""
    sizes = np.linalg.norm(columns, axis=0)
    return np.asarray(np.linalg.lstsq(columns / sizes, values, rcond=None)[0]) / sizes


def _leave_one_out(eps: FloatArray, values: FloatArray, fit: Fit, n_needed: int) -> float:
    """Error at the epsilons between the ends when each is left out; leaving out an end would be to extrapolate."""
    different = np.unique(eps)
    kept = [eps != left_out for left_out in different[1:-1]]
    if not kept or len(different) - 1 < n_needed:
        return math.inf
    errors = [fit(eps[keep], values[keep])[1](eps[~keep]) - values[~keep] for keep in kept]
    return float(np.sqrt(np.mean(np.concatenate(errors) ** 2)))


def _checked(epsilons: ArrayLike, values: ArrayLike, what: str, n_needed: int) -> tuple[FloatArray, FloatArray]:
    """Return the measurements in the order of epsilon, or say what is wrong with them."""
    eps, measured = np.asarray(epsilons, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if eps.ndim != 1 or eps.shape != measured.shape:
        raise BadCounts(f"There must be one value for each epsilon, got shapes {eps.shape} and {measured.shape}.")
    for name, numbers, allowed in (("epsilon", eps, "(0, inf)"), ("value", measured, "(-inf, inf)")):
        wrong = numbers[~(np.isfinite(numbers) & ((numbers > 0) | (name == "value")))]
        if wrong.size:
            raise OutOfRange(name, float(wrong[0]), allowed, hint="Leave out what was not measured.")
    if len(np.unique(eps)) < n_needed:
        raise BadCounts(f"{what} needs values at {n_needed} different epsilons or more; measure more.")
    order = np.argsort(eps, kind="stable")
    return eps[order], measured[order]
