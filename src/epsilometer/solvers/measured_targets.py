"""Which epsilons meet a target, read off curves that were fitted to a few measured epsilons.

An answer is an estimate and comes with what it rests on. It lies between measured epsilons, meets the target at the
unsafe end of the band, and says so where the measured epsilons end rather than the target is missed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from epsilometer.errors import BadQuestion
from epsilometer.solvers.feasible import runs
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.stretch import Stretch, common
from epsilometer.vocabulary.wording import rounded_down, rounded_up

if TYPE_CHECKING:
    from epsilometer.formulas.curve_bands import CurveBand
    from epsilometer.vocabulary.arrays import FloatArray

N_SCANNED: Final = 2_000  # epsilons looked at, besides the measured ones
FINEST: Final = 1e-9  # relative: how near to the end of a stretch the search stops, inside it
ROUNDING: Final = 1e-9  # of the largest value: smaller steps are neither up nor down
DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class AtMost:
    """A target for a risk or a loss: the upper end of the band must not be above the bound."""

    bound: float

    def excess(self, band: CurveBand, epsilons: FloatArray) -> FloatArray:
        """How far the band misses the target; met where this is zero or below."""
        return np.asarray(band.at(epsilons).high - self.bound)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A target for a distance or an accuracy: the lower end of the band must not be below the bound."""

    bound: float

    def excess(self, band: CurveBand, epsilons: FloatArray) -> FloatArray:
        """How far the band misses the target; met where this is zero or below."""
        return np.asarray(self.bound - band.at(epsilons).low)


Target = AtMost | AtLeast

Side = Literal["largest", "smallest"]


@dataclass(frozen=True, slots=True)
class Measured:
    """An epsilon and what was measured there, run by run."""

    epsilon: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOff:
    """The largest or the smallest epsilon that meets a target, and what that rests on.

    Attributes:
        side: which of the two.
        epsilon: the answer; one set by the target has three digits, rounded to the inside of its stretch.
        set_by_target: otherwise the measured epsilons end there, and some beyond may meet the target as well.
        monotone: whether the end of the band that counts only rises or only falls; if not, look at all stretches.
        stretches: every stretch of epsilon that meets the target.
        below: the nearest measured epsilon that is not above the answer.
        above: the nearest measured epsilon that is not below it.
        n_epsilons: number of different epsilons measured.
        family: that of the curve.
        leave_one_out: its error at epsilons left out, in the unit of the values; infinite if there are too few.
        has_band: whether there were runs enough to tell how sure the curve is; the curve itself counts otherwise.
    """

    side: Side
    epsilon: float
    set_by_target: bool
    monotone: bool
    stretches: tuple[Stretch, ...]
    below: Measured
    above: Measured
    n_epsilons: int
    family: str
    leave_one_out: float
    has_band: bool

    @property
    def in_words(self) -> str:
        """The answer and how far the measurements support it."""
        beyond = {"largest": "at least", "smallest": "at most"}[self.side]
        around = {m.epsilon: f"{_span(m.values)} at {m.epsilon:g}" for m in (self.below, self.above)}
        said = [
            f"The {self.side} epsilon is {self.epsilon:g}."
            if self.set_by_target
            else f"The {self.side} epsilon is {beyond} {self.epsilon:g}, where the measured ones end; measure further.",
            f"Measured at {self.n_epsilons} epsilons: {', '.join(around.values())}.",
            f"At an epsilon left out the {self.family} curve is off by {self.leave_one_out:.2g}."
            if math.isfinite(self.leave_one_out)
            else f"Too few epsilons to say how far off the {self.family} curve is.",
        ]
        said += ["No band: that takes two runs or more at each epsilon."] * (not self.has_band)
        said += ["The curve both rises and falls, so look at every stretch."] * (not self.monotone)
        return " ".join(said)


@source("chen-2021", "Sections 3.3.2 and 3.4, with the upper end of a band")
def largest_epsilon_within(band: CurveBand, target: Target) -> ReadOff | None:
    """What is the largest epsilon that keeps a target, such as a risk? An estimate; ``None`` if none.

    No curve is taken to be monotone: the range of the measured epsilons is scanned. It is the largest epsilon
    that meets the target itself; smaller ones may miss it where the curve is not monotone, which the answer says.

    >>> from epsilometer.formulas.curve_bands import band_of_runs
    >>> from epsilometer.formulas.risk_curves import fit_risk_curve
    >>> epsilons, values = [1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4]
    >>> curve = fit_risk_curve(epsilons, values, "polynomial-2")
    >>> band = band_of_runs(curve, epsilons, values, rng=np.random.default_rng(0))
    >>> largest_epsilon_within(band, AtMost(0.2512)).epsilon
    2.51
    """
    return _read_off(band, target, "largest")


@source("chen-2021", "Sections 3.3.2 and 3.4, with the upper end of a band")
def smallest_epsilon_within(band: CurveBand, target: Target) -> ReadOff | None:
    """What is the smallest epsilon that keeps a target, such as a loss? As :func:`largest_epsilon_within`.

    >>> from epsilometer.formulas.curve_bands import band_of_runs
    >>> from epsilometer.formulas.risk_curves import fit_risk_curve
    >>> epsilons, values = [1, 2, 3, 4], [0.4, 0.3, 0.2, 0.1]
    >>> curve = fit_risk_curve(epsilons, values, "polynomial-2")
    >>> band = band_of_runs(curve, epsilons, values, rng=np.random.default_rng(0))
    >>> smallest_epsilon_within(band, AtMost(0.2512)).epsilon
    2.49
    """
    return _read_off(band, target, "smallest")


@dataclass(frozen=True, slots=True)
class FeasibleEpsilons:
    """Epsilons that meet a target for a risk and one for a loss.

    Attributes:
        stretches: every stretch that meets both; empty if there is none.
        binding: if there is none, the targets that stand in the way: one that no epsilon meets, or both.
        risk: the largest epsilon that meets the target for the risk; ``None`` if none does.
        loss: the smallest epsilon that meets the target for the loss; ``None`` if none does.
    """

    stretches: tuple[Stretch, ...]
    binding: tuple[str, ...]
    risk: ReadOff | None
    loss: ReadOff | None


@source("chen-2021", "Section 3.4")
def feasible_epsilons(risk: CurveBand, risk_target: Target, loss: CurveBand, loss_target: Target) -> FeasibleEpsilons:
    """Which epsilons keep both a risk and a loss within their targets? An estimate, from where both were measured."""
    ranges = [(band.curve.smallest, band.curve.largest) for band in (risk, loss)]
    if max(low for low, _ in ranges) > min(high for _, high in ranges):
        shown = " and ".join(f"{low:g} to {high:g}" for low, high in ranges)
        raise BadQuestion(f"Risk and loss were measured from {shown}; measure both at the same epsilons.")
    largest, smallest = largest_epsilon_within(risk, risk_target), smallest_epsilon_within(loss, loss_target)
    if largest and smallest:
        both = common(largest.stretches, smallest.stretches)
        return FeasibleEpsilons(both, () if both else ("risk", "loss"), largest, smallest)
    missed = tuple(name for name, met in (("risk", largest), ("loss", smallest)) if not met)
    return FeasibleEpsilons((), missed, largest, smallest)


def _scanned(band: CurveBand, target: Target) -> tuple[tuple[Stretch, ...], bool]:
    """Every stretch that meets the target, and whether the end of the band that counts is monotone."""
    even = np.geomspace(band.curve.smallest, band.curve.largest, N_SCANNED)
    grid = np.union1d(even, band.epsilons)
    excess = target.excess(band, grid)
    steps = np.diff(excess)
    level = ROUNDING * float(np.abs(excess).max())
    stretches = tuple(
        Stretch(
            low=_edge(band, target, grid[first], grid[first - 1]) if first else float(grid[0]),
            high=_edge(band, target, grid[last - 1], grid[last]) if last < len(grid) else float(grid[-1]),
            bounded_below=first > 0,
            bounded_above=last < len(grid),
        )
        for first, last in runs(excess <= 0)
    )
    return stretches, bool((steps >= -level).all() or (steps <= level).all())


def _edge(band: CurveBand, target: Target, met: float, missed: float) -> float:
    """An epsilon that meets the target next to one that misses it."""
    while abs(missed - met) > FINEST * met:
        middle = (met + missed) / 2
        met, missed = (middle, missed) if target.excess(band, np.array(middle)) <= 0 else (met, middle)
    return float(met)


def _read_off(band: CurveBand, target: Target, side: Side) -> ReadOff | None:
    """Return the end of the outermost stretch on one side, rounded to its inside if the target sets it."""
    stretches, monotone = _scanned(band, target)
    if not stretches:
        return None
    if side == "largest":
        outermost = stretches[-1]
        end, set_by_target, rounded = outermost.high, outermost.bounded_above, rounded_down(outermost.high, DIGITS)
    else:
        outermost = stretches[0]
        end, set_by_target, rounded = outermost.low, outermost.bounded_below, rounded_up(outermost.low, DIGITS)
    epsilon = rounded if set_by_target and outermost.low <= rounded <= outermost.high else end
    different = np.unique(band.epsilons)
    below, above = (
        Measured(float(near), tuple(band.values[band.epsilons == near].tolist()))
        for near in (different[different <= epsilon][-1], different[different >= epsilon][0])
    )
    return ReadOff(
        side=side,
        epsilon=epsilon,
        set_by_target=set_by_target,
        monotone=monotone,
        stretches=stretches,
        below=below,
        above=above,
        n_epsilons=len(different),
        family=band.curve.family,
        leave_one_out=band.curve.leave_one_out,
        has_band=bool(band.draws),
    )


def _span(values: tuple[float, ...]) -> str:
    """Smallest and largest of the runs at one epsilon."""
    return " to ".join(f"{value:.4g}" for value in sorted({min(values), max(values)}))
