"""Noisy counts under sliders: epsilon, delta and the publication threshold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.cells import riskiest_cells
from epsilometer.assessments.exploring.counts_view import CountsCurves, CountsTargets, CountsView
from epsilometer.assessments.exploring.exposure import people_with_risk
from epsilometer.assessments.exploring.remembering import Remembered
from epsilometer.assessments.exploring.slider_stretches import check_target, stretches_of
from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.assessments.numbers import is_number
from epsilometer.assessments.own_record import own_record_of
from epsilometer.assessments.simulated_loss import SimulatedLoss
from epsilometer.errors import OutOfRange
from epsilometer.formulas.anonymity import homogeneous_records
from epsilometer.formulas.count_error import expected_table_l1
from epsilometer.formulas.error_share import probability_within
from epsilometer.formulas.homogeneity.alone_by_count import CellTallies, alone_by_count
from epsilometer.formulas.homogeneity.local import largest_local, largest_local_records
from epsilometer.mechanisms.naming import WITH_DELTA, mechanism_named
from epsilometer.solvers.whole_numbers import first_meeting
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.cell_risk import CellRisk
    from epsilometer.vocabulary.loss import Loss
    from epsilometer.vocabulary.risk import Risk

DECADES: Final = (-2, 1)  # epsilon from 0.01 to 10
STEPS: Final = 20  # positions per factor of ten: each is an eighth more than the one before
DIGITS: Final = 3  # of a position: what a person reads is what is computed
HALF: Final = 0.5  # the risk from which on it is rather likely than not
USUAL: Final = 0.95  # share of the counts that the error in words is about
LARGEST_ERROR: Final = 2**53
ROUNDING: Final = 1e-12  # by which a risk may be off: one that near to its target counts as above
REMEMBERED: Final = 256  # settings; a curve is a kilobyte or two


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsSetting:
    """Where the sliders stand.

    Attributes:
        mechanism: name of the noise: ``"laplace"``, ``"geometric"``, ``"gaussian"`` or ``"discrete-gaussian"``.
        epsilon: the privacy parameter.
        delta: goes with the Gaussians; the others have none, and leave it alone.
        threshold: a noisy count below this is published as zero.
        adjacency: what one person may change: ``"add-remove"`` or ``"replace"``.
    """

    mechanism: str = "laplace"
    epsilon: float = 1.0
    delta: float = 1e-6
    threshold: float = 0.5
    adjacency: str = "add-remove"

    def noise(self) -> Mechanism:
        """Return the mechanism that the setting means, or say why there is none.

        >>> CountsSetting(epsilon=0.5).noise().scale
        2.0
        """
        if not is_number(self.epsilon):
            raise OutOfRange("epsilon", self.epsilon, "(0, inf)", hint="A setting has one epsilon.")
        return mechanism_named(
            self.mechanism,
            epsilon=self.epsilon,
            delta=self.delta if self.mechanism in WITH_DELTA else None,
            adjacency=self.adjacency,
            threshold=self.threshold,
        )


class _Kind(NamedTuple):
    """A setting but for its epsilon and threshold: what a calibration depends on."""

    mechanism: str
    delta: float
    adjacency: str


class _Curve(NamedTuple):
    """A setting but for its epsilon: what a curve depends on."""

    kind: _Kind
    threshold: float

    @classmethod
    def through(cls, noise: Mechanism) -> _Curve:
        return cls(_Kind(noise.name, noise.delta, noise.adjacency.value), float(noise.threshold))

    @property
    def setting(self) -> CountsSetting:
        return CountsSetting(threshold=self.threshold, **self.kind._asdict())


class _AtThreshold:
    """Calibrated noise with another threshold, on which no calibration depends."""

    def __init__(self, noise: Mechanism, threshold: float) -> None:
        self.threshold = threshold
        self.probability_below = noise.probability_below
        self.probability_at_least = noise.probability_at_least


class CountsExplorer:
    """Risk and loss of the noisy counts of one sensitive attribute, wherever the sliders stand.

    Whatever is not simulated is exact at every setting, on the slider or typed in. Curves are remembered, so that a
    move of epsilon alone computes a single point. Several threads may ask at once.

    >>> from epsilometer import FrequencyTable
    >>> explorer = CountsExplorer(FrequencyTable.from_counts([[19, 1], [4, 0]]))
    >>> view = explorer.at(CountsSetting(epsilon=1.0), max_risk=0.3)
    >>> round(view.people.value, 4), [(s.low, s.high) for s in view.targets.risk]
    (0.3545, [(0.01, 0.0158), (1.78, 10.0)])
    """

    def __init__(self, freq: FrequencyTable) -> None:
        self._freq = freq
        profile = freq.profile
        self._tallies = CellTallies.of(profile.counts, profile.n_cells)
        self._raw_certain = homogeneous_records(profile.counts, profile.n_cells) / profile.total_records
        self._grid_noise = Remembered(self._calibrated, most=REMEMBERED)
        self._curves = Remembered(self._computed_curves, most=REMEMBERED)
        self._losses = Remembered(self._simulated_curve, most=REMEMBERED)
        self._simulated = SimulatedLoss(freq)
        self._loss = Remembered(self._simulated.at, most=REMEMBERED)
        self.grid = slider_positions()

    def at(self, setting: CountsSetting, *, max_risk: float | None = None, max_loss: float | None = None) -> CountsView:
        """Return everything about one setting; nothing is simulated for it, but losses that are known are in it.

        Args:
            setting: where the sliders stand; epsilon may be any number, not only a position.
            max_risk: the largest share of people that may be disclosed, if there is such a target.
            max_loss: the largest loss, if there is such a target.
        """
        check_target("max_risk", max_risk)
        check_target("max_loss", max_loss)
        noise = setting.noise()
        key = _Curve.through(noise)
        curves = replace(self._curves(key), loss=_answer(self._losses.known(key)))
        people, cells, precision = self._risks(noise)
        return CountsView(
            setting=setting,
            mechanism=noise,
            people=people,
            cells=cells,
            no_release=people.no_release,
            any_table=float(people.any_table),
            n_people=self._freq.n_records,
            raw_certain=self._raw_certain,
            own_record=own_record_of(noise, people.no_release),
            precision=precision,
            likely=people_with_risk(self._tallies, HALF, noise),
            mean_error=self._mean_error(noise),
            error_95=self._usual_error(noise),
            loss=self._known_loss(setting, noise, curves),
            curves=curves,
            targets=_targets(curves, max_risk, max_loss),
        )

    def losses(self, setting: CountsSetting) -> Loss:
        """Simulate the losses at every position of the epsilon slider: the slow part, remembered.

        Each is the loss that :func:`epsilometer.choose` simulates there, with the same random numbers.
        """
        return self._losses(_Curve.through(setting.noise()))

    def loss(self, setting: CountsSetting) -> Loss:
        """Simulate the loss at this setting alone: for an epsilon that is no position of the slider."""
        return self._loss(setting.noise())

    def riskiest(self, setting: CountsSetting, n: int = 10) -> tuple[CellRisk, ...]:
        """Return the cells with the most people disclosed, the worst first."""
        noise = setting.noise()
        return riskiest_cells(self._freq, noise, n)

    @cached_property
    def _words(self) -> tuple[Risk, Risk]:
        """The risks at some setting: but for the numbers they are the same at any other; and how the table was read."""
        noise, notes = CountsSetting().noise(), self._freq.notes
        people, cells = homogeneity_risk(self._freq, noise, average="records"), homogeneity_risk(self._freq, noise)
        return replace(people, caveats=(*people.caveats, *notes)), replace(cells, caveats=(*cells.caveats, *notes))

    def _risks(self, noise: Mechanism) -> tuple[Risk, Risk, float]:
        """Return the shares of people and cells disclosed, and the attacker's precision."""
        tallies, n_values = self._tallies, self._freq.n_values
        alone = alone_by_count(tallies, tallies.n_cells, noise)
        by_member = alone_by_count(tallies, tallies.n_cells / tallies.sizes, noise) @ tallies.distinct
        people, cells = (
            replace(words, answer=Exact(float(value)), any_table=float(largest), mechanism=noise.describe())
            for words, value, largest in zip(
                self._words,
                (self._people(alone), self._cells(alone)),
                (largest_local_records(n_values, noise), largest_local(n_values, noise)),
                strict=True,
            )
        )
        shown = float(alone.sum())
        return people, cells, float(by_member) / shown if shown else float("nan")

    def _people(self, alone: FloatArray) -> FloatArray:
        return np.minimum(alone @ self._tallies.distinct / self._freq.n_records, 1.0)

    def _cells(self, alone: FloatArray) -> FloatArray:
        return np.minimum(alone @ (self._tallies.distinct > 0) / self._freq.n_cells, 1.0)

    def _mean_error(self, noise: Mechanism) -> float:
        counts, n_entries = self._tallies.distinct, self._tallies.n_entries
        return float(expected_table_l1(counts[:, None], n_entries, noise)) / float(n_entries.sum())

    def _usual_error(self, noise: Mechanism) -> int:
        counts, n_entries = self._tallies.distinct, self._tallies.n_entries
        found = first_meeting(
            lambda error: bool(probability_within(counts, error, noise) @ n_entries >= USUAL * n_entries.sum()),
            0,
            LARGEST_ERROR,
            guess=int(3 * float(noise.scale)),  # type: ignore[arg-type]
        )
        return int(found)  # type: ignore[arg-type]

    def _calibrated(self, kind: _Kind) -> Mechanism:
        return CountsSetting(**kind._asdict()).noise().at(tuple(self.grid.tolist()))

    def _computed_curves(self, key: _Curve) -> CountsCurves:
        noise = _AtThreshold(self._grid_noise(key.kind), key.threshold)
        alone = alone_by_count(self._tallies, self._tallies.n_cells, noise)
        return CountsCurves(
            epsilons=self.grid,
            people=self._people(alone),
            cells=self._cells(alone),
            any_table=largest_local_records(self._freq.n_values, noise),
            loss=None,
        )

    def _known_loss(self, setting: CountsSetting, noise: Mechanism, curves: CountsCurves) -> Estimate | None:
        position = np.flatnonzero(curves.epsilons == setting.epsilon)
        if curves.loss is None or not len(position):
            return _answer(self._loss.known(noise))
        return _at(curves.loss, int(position[0]))

    def _simulated_curve(self, key: _Curve) -> Loss:
        return self._simulated.curve(key.setting.noise(), self.grid)


def slider_positions() -> FloatArray:
    """Return the positions of the epsilon slider, ascending: even on log epsilon, each a number of three digits.

    >>> slider_positions()[[0, 1, 20, 40, -1]]
    array([ 0.01  ,  0.0112,  0.1   ,  1.    , 10.    ])
    """
    first, last = DECADES
    exponents = np.arange(first * STEPS, last * STEPS + 1) / STEPS
    positions = np.array([float(f"{10.0**exponent:.{DIGITS}g}") for exponent in exponents])
    positions.setflags(write=False)
    return positions


def _targets(curves: CountsCurves, max_risk: float | None, max_loss: float | None) -> CountsTargets:
    """Say which positions meet which target, each on its safe side."""
    risk = None if max_risk is None else curves.people * (1 + ROUNDING) <= max_risk
    loss = None if max_loss is None or curves.loss is None else np.asarray(curves.loss.interval.high) <= max_loss
    both = None if risk is None or loss is None else risk & loss
    return CountsTargets(
        max_risk=max_risk,
        max_loss=max_loss,
        risk=None if risk is None else stretches_of(curves.epsilons, risk),
        loss=None if loss is None else stretches_of(curves.epsilons, loss),
        both=None if both is None else stretches_of(curves.epsilons, both),
        recommended=float(curves.epsilons[both.argmax()]) if both is not None and both.any() else None,
    )


def _answer(loss: Loss | None) -> Estimate | None:
    return None if loss is None else loss.answer


def _at(curve: Estimate, position: int) -> Estimate:
    value, low, high = (float(part[position]) for part in (curve.value, curve.interval.low, curve.interval.high))  # type: ignore[index]
    return Estimate(value, Interval(low, high, curve.interval.confidence))
