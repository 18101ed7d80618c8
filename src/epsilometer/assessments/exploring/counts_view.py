"""What noisy counts come to at one position of the sliders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epsilometer.assessments.exploring.counts_explorer import CountsSetting
    from epsilometer.mechanisms import Mechanism
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Estimate
    from epsilometer.vocabulary.own_record import OwnRecord
    from epsilometer.vocabulary.risk import Risk
    from epsilometer.vocabulary.stretch import Stretch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountsCurves:
    """Risk and loss at every position of the epsilon slider, the other settings as they are.

    Attributes:
        epsilons: the positions, ascending.
        people: share of people disclosed; exact.
        cells: share of cells that show a single value somebody in them has; exact.
        any_table: the largest share of people disclosed that any table with as many values could have; exact.
        loss: estimates of the loss, with intervals; ``None`` until the losses of these settings were asked for.
    """

    epsilons: FloatArray
    people: FloatArray
    cells: FloatArray
    any_table: FloatArray
    loss: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsTargets:
    """What the targets allow, among the positions of the epsilon slider.

    A stretch runs from the first to the last of neighbouring positions that meet a target; each of them was computed,
    and nothing is said about what lies between. :func:`epsilometer.choose` certifies the risk there as well.

    Attributes:
        max_risk: the largest share of people that may be disclosed; ``None`` if there is no such target.
        max_loss: the largest loss, met at the worse end of its interval; ``None`` if there is no such target.
        risk: where the risk target is met; ``None`` without one.
        loss: where the loss target is met; ``None`` without one, or while the losses are not known.
        both: where both are; ``None`` unless both are there and the losses known.
        recommended: the smallest position that meets both, and so the one with the strongest guarantee; ``None`` if
            there is none, or if it cannot be told yet.
    """

    max_risk: float | None
    max_loss: float | None
    risk: tuple[Stretch, ...] | None
    loss: tuple[Stretch, ...] | None
    both: tuple[Stretch, ...] | None
    recommended: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountsView:
    """What noisy counts of one sensitive attribute come to at one setting. Confidential, like the table.

    Attributes:
        setting: where the sliders stand.
        mechanism: the noise that it means.
        people: share of people disclosed, with what it takes for granted.
        cells: the same risk as an average over cells.
        no_release: share of the most common value: how often a guess is right without any release.
        any_table: the largest share of people disclosed that any table with as many values could have.
        n_people: number of people in the table.
        raw_certain: share of the people whose value the table as it is would give away for certain.
        own_record: what the guarantee alone promises.
        precision: share of the cells published with a single value that is true of a member picked at random; not a
            number where no cell is ever published so.
        likely: people whose own cell shows their value alone with a probability of one half or more; exact.
        mean_error: expected distance of a published count from the true one, over all counts of the table; exact.
        error_95: at least 95 of 100 published counts are no further off than this; exact.
        loss: the simulated loss here; ``None`` until it was asked for.
        curves: risk and loss along the epsilon slider.
        targets: what the targets allow.
    """

    setting: CountsSetting
    mechanism: Mechanism
    people: Risk
    cells: Risk
    no_release: float
    any_table: float
    n_people: int
    raw_certain: float
    own_record: OwnRecord
    precision: float
    likely: int
    mean_error: float
    error_95: int
    loss: Estimate | None
    curves: CountsCurves
    targets: CountsTargets
