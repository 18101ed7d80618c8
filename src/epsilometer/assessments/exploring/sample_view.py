"""What a sample comes to at one position of the sliders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epsilometer.assessments.exploring.sample_explorer import SampleSetting
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.sample_loss import SampleLoss
    from epsilometer.vocabulary.sample_risk import SampleRisk
    from epsilometer.vocabulary.stretch import Stretch
    from epsilometer.vocabulary.table_sample import GroupSample, TableSample


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleSizeCurves:
    """Risk and loss at every position of the size slider, each number on its safe side.

    Attributes:
        sizes: the positions, ascending.
        unknown: chance that an attacker names the value of a person of whom it is not known whether they were drawn.
        inside: the same for a person known to be in the sample.
        outside: the same for one known not to be; not a number where nobody is outside.
        loss: expected error of the analyst's shares.
    """

    sizes: IntArray
    unknown: FloatArray
    inside: FloatArray
    outside: FloatArray
    loss: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTargets:
    """What the targets allow, among the positions of the size slider.

    A stretch runs from the first to the last of neighbouring positions that meet a target; each of them was computed.

    Attributes:
        adversary: whose risk the risk target is about: ``"unknown"``, ``"in"`` or ``"out"``.
        max_risk: the largest chance of that attacker; ``None`` if there is no such target.
        max_loss: the largest expected error of the analyst; ``None`` if there is no such target.
        risk: where the risk target is met; ``None`` without one.
        loss: where the loss target is met; ``None`` without one.
        both: where every target is met; ``None`` without any.
        recommended: the position to take, as :func:`epsilometer.choose_sample` chooses: the smallest that meets the
            targets if one is about loss or the attacker knows the person to be in, else the largest.
    """

    adversary: str
    max_risk: float | None
    max_loss: float | None
    risk: tuple[Stretch, ...] | None
    loss: tuple[Stretch, ...] | None
    both: tuple[Stretch, ...] | None
    recommended: int | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleView:
    """What publishing the histogram of a random sample comes to at one setting.

    Attributes:
        setting: where the sliders stand.
        unknown: risk of a person of whom it is not known whether they were drawn.
        inside: risk of a person known to be in the sample.
        outside: risk of a person known not to be; ``None`` when everybody is in it.
        loss: expected error of the analyst's shares.
        no_release: chance of a right guess without any release.
        own_shares: the same for an attacker who knows how many people of this very table have each value; ``None`` with
            noise, or if that was not given.
        table: the same for this table cell by cell; ``None`` until it was asked for.
        curves: risk and loss along the size slider.
        targets: what the targets allow.
    """

    setting: SampleSetting
    unknown: SampleRisk
    inside: SampleRisk
    outside: SampleRisk | None
    loss: SampleLoss
    no_release: float
    own_shares: GroupSample | None
    table: TableSample | None
    curves: SampleSizeCurves
    targets: SampleTargets
