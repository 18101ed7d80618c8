"""How sure a curve over epsilon is, read off repeated runs at each epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import stats

from epsilometer.formulas.risk_curves import FAMILIES
from epsilometer.vocabulary.evidence import Interval
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.formulas.risk_curves import Predictor, RiskCurve
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

N_DRAWS: Final = 200
RUNS_NEEDED: Final = 2  # at each epsilon; one run does not say how far the next would be from it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveBand:
    """A fitted curve, what it was fitted to, and how far other runs would have moved it.

    Attributes:
        curve: the curve.
        epsilons: the epsilon of each run, ascending.
        values: what each run measured.
        draws: curves of the same family fitted to runs drawn anew; none if there is an epsilon with a single run.
        confidence: that of the band at each epsilon.
    """

    curve: RiskCurve
    epsilons: FloatArray
    values: FloatArray
    draws: tuple[Predictor, ...]
    confidence: float

    def at(self, epsilons: ArrayLike) -> Interval:
        """Return the band's ends, rounded outwards; they are the curve itself where there is no band."""
        asked = np.asarray(epsilons, dtype=np.float64)
        low = high = middle = self.curve.at(asked)
        if self.draws:
            drawn = np.array([draw(asked) for draw in self.draws])
            tail = (1 - self.confidence) / 2
            low = np.minimum(np.quantile(drawn, tail, axis=0, method="lower"), middle)
            high = np.maximum(np.quantile(drawn, 1 - tail, axis=0, method="higher"), middle)
        return Interval(low, high, self.confidence)


@source("efron-1979", "Section 2, with one sample for each epsilon")
def band_of_runs(
    curve: RiskCurve,
    epsilons: ArrayLike,
    values: ArrayLike,
    *,
    rng: np.random.Generator,
    n_draws: int = N_DRAWS,
    confidence: float = 0.95,
) -> CurveBand:
    r"""Where would the curve be had the runs come out otherwise? Pointwise bootstrap interval of the mean run.

    Runs are drawn with replacement from those at the same epsilon, the curve's family is fitted to each draw, and
    the band holds the middle of the fits. A few runs look alike more often than they should: draws of r runs vary
    too little by a factor :math:`(r - 1)/r`, and their spread is itself uncertain. So their distances from their
    mean are stretched by :math:`\sqrt{r/(r - 1)} \, t_{r-1}/z`, Student's quantile over the normal one: what one
    epsilon by itself would need, and wider than needed where several hold the curve.

    The band says how sure the fit of this family to the mean run is, neither that the family is right, for which see
    the leave-one-out error, nor how far a single run may lie from it.

    ``epsilons`` and ``values`` are those that the curve was fitted to.

    >>> from epsilometer.formulas.risk_curves import fit_risk_curve
    >>> epsilons, values = [1, 1, 2, 2, 4, 4], [0.9, 1.1, 0.4, 0.6, 0.2, 0.3]
    >>> curve = fit_risk_curve(epsilons, values, "reciprocal-1")
    >>> band = band_of_runs(curve, epsilons, values, rng=np.random.default_rng(1)).at(2.0)
    >>> bool(band.low < curve.at(2.0) < band.high)
    True
    """
    eps, measured = np.asarray(epsilons, dtype=np.float64), np.asarray(values, dtype=np.float64)
    order = np.argsort(eps, kind="stable")
    eps, measured = eps[order], measured[order]
    _, first, which, n_runs = np.unique(eps, return_index=True, return_inverse=True, return_counts=True)
    draws: tuple[Predictor, ...] = ()
    if n_runs.min() >= RUNS_NEEDED:
        means = np.add.reduceat(measured, first) / n_runs
        end = (1 + confidence) / 2
        wider = np.sqrt(n_runs / (n_runs - 1)) * stats.t.ppf(end, n_runs - 1) / stats.norm.ppf(end)
        stretched = means[which] + (measured - means[which]) * wider[which]
        drawn = first[which] + rng.integers(0, n_runs[which], (n_draws, len(eps)))
        fit, _ = FAMILIES[curve.family]
        draws = tuple(fit(eps, stretched[runs])[1] for runs in drawn)
    return CurveBand(curve=curve, epsilons=eps, values=measured, draws=draws, confidence=confidence)
