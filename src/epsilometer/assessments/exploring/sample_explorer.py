"""A sample under sliders: its size, and noise on its histogram or none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.assessments.exploring.counts_explorer import CountsSetting
from epsilometer.assessments.exploring.remembering import Remembered
from epsilometer.assessments.exploring.sample_view import SampleSizeCurves, SampleTargets, SampleView
from epsilometer.assessments.exploring.slider_stretches import check_target, stretches_of
from epsilometer.assessments.numbers import whole
from epsilometer.assessments.sampling.loss import sampling_utility_loss
from epsilometer.assessments.sampling.risk import sampling_risk
from epsilometer.assessments.sampling.setting import ADVERSARIES, TWO, checked_setting
from epsilometer.assessments.sampling.table import sample_of_table
from epsilometer.errors import BadCounts, UnknownChoice
from epsilometer.formulas import sampling
from epsilometer.vocabulary.evidence import Estimate
from epsilometer.vocabulary.table_sample import GroupSample

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.sample_loss import SampleLoss
    from epsilometer.vocabulary.sample_risk import SampleRisk
    from epsilometer.vocabulary.table_sample import TableSample

STEPS: Final = 8  # positions per factor of ten
DIGITS: Final = 2  # of a position, so that it can be read; everybody is the last one whatever their number
REMEMBERED: Final = 1024  # single sizes, each with one noise or none


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSetting:
    """Where the sliders stand.

    Attributes:
        sample: number of people drawn.
        mechanism: name of the noise on the histogram; ``None`` publishes it as it is.
        epsilon: the privacy parameter of the noise.
        delta: goes with Gaussian noise only.
    """

    sample: int
    mechanism: str | None = None
    epsilon: float = 1.0
    delta: float = 1e-6

    def noise(self) -> Mechanism | None:
        """Return the mechanism that the setting means, if any, or say why there is none such."""
        if self.mechanism is None:
            return None
        return CountsSetting(mechanism=self.mechanism, epsilon=self.epsilon, delta=self.delta).noise()


class SampleExplorer:
    """Risk and loss of samples of one attribute, by size.

    Without noise the curves depend on the population alone: they are computed once, which takes a second for tens of
    thousands of people and some ten for ten millions, and every position is then at hand. Noise costs up to seconds for
    a single size, and its curves start anew with each epsilon: ask :meth:`ready` before you make a person wait.

    Args:
        population: number of people.
        n_values: number of values of the attribute.
        prior: what attacker and analyst believe of the shares, as in :func:`epsilometer.sampling_risk`.
        counts: how many people have each value, by its name, if it is known.

    >>> view = SampleExplorer(1_000, 2).at(SampleSetting(sample=100), max_risk=0.75)
    >>> round(view.unknown.value, 4), view.targets.recommended
    (0.748, 420)
    """

    def __init__(
        self,
        population: int,
        n_values: int,
        *,
        prior: str | float = "frequencies",
        counts: Mapping[str, int] | None = None,
    ) -> None:
        setting = checked_setting(population=population, sample=1, prior=prior, n_values=n_values, mechanism=None)
        self._about: dict[str, Any] = {"population": setting.population, "n_values": setting.n_values, "prior": prior}
        self._population = setting.population
        self._counts = counts
        if counts is not None and (total := sum(counts.values())) != setting.population:
            raise BadCounts(
                f"The counts add up to {total:,}, not to {setting.population:,} people. Give one of the two."
            )
        self._risk = Remembered(self._computed_risk, most=len(ADVERSARIES) * REMEMBERED)
        self._loss = Remembered(self._computed_loss, most=REMEMBERED)
        self._curves = Remembered(self._computed_curves, most=REMEMBERED)
        self._own_shares = Remembered(self._computed_own_shares, most=REMEMBERED)
        self._table: Remembered[int, TableSample] | None = None
        self.grid = size_positions(setting.population)

    @classmethod
    def of_table(cls, freq: FrequencyTable, *, prior: str | float = "frequencies") -> SampleExplorer:
        """Explore samples of a counted table, with its own shares next to the model."""
        totals = freq.profile.totals
        counts = dict(zip(freq.profile.values, totals.tolist(), strict=True))
        explorer = cls(freq.n_records, max(TWO, freq.n_values), prior=prior, counts=counts)
        explorer._table = Remembered(
            lambda size: sample_of_table(freq, sample=size, prior=prior, limit=1), most=REMEMBERED
        )
        return explorer

    def at(
        self,
        setting: SampleSetting,
        *,
        max_risk: float | None = None,
        max_loss: float | None = None,
        adversary: str = "unknown",
    ) -> SampleView:
        """Return everything about one setting.

        Args:
            setting: where the sliders stand; the size may be any, not only a position.
            max_risk: the largest chance of the attacker, if there is such a target.
            max_loss: the largest expected error of the analyst, if there is such a target.
            adversary: whose chance ``max_risk`` is about: ``"unknown"``, ``"in"`` or ``"out"``.
        """
        check_target("max_risk", max_risk)
        check_target("max_loss", max_loss)
        if adversary not in ADVERSARIES:
            raise UnknownChoice("adversary", adversary, ADVERSARIES)
        noise, size = setting.noise(), self._checked_size(setting)
        curves, loss = self._curves(noise), self._loss((size, noise))
        unknown, inside = self._risk(("unknown", size, noise)), self._risk(("in", size, noise))
        outside = None if size == self._population else self._risk(("out", size, noise))
        return SampleView(
            setting=setting,
            unknown=unknown,
            inside=inside,
            outside=outside,
            loss=loss,
            no_release=unknown.no_release,
            own_shares=self._own_shares(size) if noise is None else None,
            table=self._table.known(size) if self._table is not None and noise is None else None,
            curves=curves,
            targets=_targets(curves, adversary, max_risk, max_loss),
        )

    def of_cells(self, setting: SampleSetting) -> TableSample:
        """Work out what a sample of the table gives away cell by cell: seconds for hundreds of cells, remembered."""
        if self._table is None:
            raise BadCounts("There is no table to look at cell by cell. Explore one with SampleExplorer.of_table.")
        return self._table(self._checked_size(setting))

    def ready(self, setting: SampleSetting) -> bool:
        """Say whether the curves of these settings are at hand, so that :meth:`at` answers at once on the slider."""
        return self._curves.known(setting.noise()) is not None

    def _checked_size(self, setting: SampleSetting) -> int:
        hint = "A sample has at least one person and at most the whole population."
        return whole("sample", setting.sample, 1, self._population, hint=hint)

    def _computed_risk(self, asked: tuple[str, int, Mechanism | None]) -> SampleRisk:
        adversary, size, noise = asked
        return sampling_risk(sample=size, adversary=adversary, mechanism=noise, **self._about)

    def _computed_loss(self, asked: tuple[int, Mechanism | None]) -> SampleLoss:
        size, noise = asked
        return sampling_utility_loss(sample=size, mechanism=noise, **self._about)

    def _computed_curves(self, noise: Mechanism | None) -> SampleSizeCurves:
        sizes = self.grid.tolist()

        def risks(adversary: str, among: list[int]) -> FloatArray:
            return np.array([_at_most(self._risk((adversary, size, noise)).answer) for size in among])

        return SampleSizeCurves(
            sizes=self.grid,
            unknown=risks("unknown", sizes),
            inside=risks("in", sizes),
            outside=np.append(risks("out", sizes[:-1]), np.nan),  # nobody is outside of everybody
            loss=np.array([_at_most(self._loss((size, noise)).answer) for size in sizes]),
        )

    def _computed_own_shares(self, size: int) -> GroupSample | None:
        """Put what the shares of the very table give away next to the model."""
        if self._counts is None:
            return None
        people, everybody = sorted(self._counts.values()), size == self._population
        return GroupSample(
            label={},
            people=self._population,
            sampled=size,
            counts={value: count for value, count in self._counts.items() if count},
            no_release=max(people) / self._population,
            inside=float(sampling.known_shares.inside(people, size)),
            outside=None if everybody else float(sampling.known_shares.outside(people, size)),
            loss=float(sampling.own_shares_loss(people, size)),
            model_inside=_at_most(self._risk(("in", size, None)).answer),
            model_outside=None if everybody else _at_most(self._risk(("out", size, None)).answer),
            model_loss=_at_most(self._loss((size, None)).answer),
        )


def size_positions(population: int) -> IntArray:
    """Return the positions of the size slider, ascending: even on the logarithm, from one person to everybody.

    >>> size_positions(50)
    array([ 1,  2,  3,  4,  5,  7, 10, 13, 18, 24, 32, 42, 50])
    """
    steps = 10.0 ** (np.arange(int(STEPS * np.log10(population)) + 1) / STEPS)
    rounded = {int(float(f"{step:.{DIGITS}g}")) for step in steps}
    positions = np.array(sorted({size for size in rounded if size < population} | {population}), dtype=np.int64)
    positions.setflags(write=False)
    return positions


def _targets(curves: SampleSizeCurves, adversary: str, max_risk: float | None, max_loss: float | None) -> SampleTargets:
    """Say which positions meet which target."""
    risks = {"unknown": curves.unknown, "in": curves.inside, "out": curves.outside}[adversary]
    given = {"risk": (risks, max_risk), "loss": (curves.loss, max_loss)}
    possible = ~np.isnan(risks)  # nobody is outside of everybody, whatever the loss
    met = {name: possible & (curve <= target) for name, (curve, target) in given.items() if target is not None}
    stretches = {name: stretches_of(curves.sizes, flags) for name, flags in met.items()}
    both = stretches_of(curves.sizes, reduce(and_, met.values())) if met else None
    small_is_best = max_loss is not None or adversary == "in"
    return SampleTargets(
        adversary=adversary,
        max_risk=max_risk,
        max_loss=max_loss,
        risk=stretches.get("risk"),
        loss=stretches.get("loss"),
        both=both,
        recommended=int(both[0].low if small_is_best else both[-1].high) if both else None,
    )


def _at_most(answer: Answer) -> float:
    """Return the number itself, or the upper end of what encloses it."""
    return float(answer.interval.high if isinstance(answer, Estimate) else answer.value)
