"""What a parameter is chosen for: something with a certified risk and a simulated loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.assessments.inverse import epsilon_for_risk, threshold_for_risk
from epsilometer.assessments.simulated_loss import SimulatedLoss
from epsilometer.formulas import homogeneity
from epsilometer.vocabulary.choice import Consequences, TradeOff
from epsilometer.vocabulary.evidence import Estimate, Interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.assessments.choosing.axis import Axis
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.feasible import Feasible
    from epsilometer.vocabulary.loss import Loss

SEARCHES: Final = {"epsilon": epsilon_for_risk, "threshold": threshold_for_risk}


class Subject(Protocol):
    """Something to be published, whose risk and loss depend on one parameter."""

    @property
    def about(self) -> str:
        """What it is, in words."""
        ...

    @property
    def n_values(self) -> int:
        """Number of sensitive values."""
        ...

    @property
    def no_release(self) -> float:
        """How often a guess is right without any release."""
        ...

    def feasible(self, max_risk: float) -> Feasible:
        """Find every stretch that meets a risk target, certified."""
        ...

    def risk(self, point: float) -> float:
        """Return the exact risk at a point."""
        ...

    def loss(self, point: float) -> Estimate:
        """Return the loss at a point; asked again, the same number."""
        ...

    def count_error(self, point: float) -> float:
        """Return the expected error of a published count."""
        ...


class CountedTable:
    """The noisy counts of one sensitive attribute of a table."""

    def __init__(self, freq: FrequencyTable, axis: Axis) -> None:
        self.about = " and ".join(freq.sensitive)
        self.n_values = freq.n_values
        self.no_release = float(freq.profile.shares.max())
        self._freq = freq
        self._axis = axis
        self._simulated = SimulatedLoss(freq)
        self._losses: dict[float, Loss] = {}

    def feasible(self, max_risk: float) -> Feasible:
        """Find every stretch on which at most this share of the people is disclosed."""
        axis = self._axis
        return SEARCHES[axis.name](self._freq, axis.mechanism, max_risk, average="records", between=axis.between)

    def risk(self, point: float) -> float:
        """Return the share of people disclosed."""
        return float(homogeneity_risk(self._freq, self._axis.at(point), average="records").value)

    def loss(self, point: float) -> Estimate:
        """Return the mean total variation distance of the 1- and 2-way marginals, simulated with a fixed seed."""
        return self._loss(point).answer

    def count_error(self, point: float) -> float:
        """Return the mean over all counts of the table."""
        return float(self._loss(point).table_l1.value) / (self._freq.n_cells * self.n_values)

    def _loss(self, point: float) -> Loss:
        if point not in self._losses:
            self._losses[point] = self._simulated.at(self._axis.at(point))
        return self._losses[point]


def trade_off(subject: Subject, axis: Axis) -> TradeOff:
    """Return risk and loss at the points of the axis."""
    losses = [subject.loss(point) for point in axis.points]
    low, high = (np.array([getattr(loss.interval, end) for loss in losses]) for end in ("low", "high"))
    return TradeOff(
        about=subject.about,
        points=np.array(axis.points),
        risk=np.array([subject.risk(point) for point in axis.points]),
        loss=Estimate(np.array([loss.value for loss in losses]), Interval(low, high, losses[0].interval.confidence)),
        no_release=subject.no_release,
    )


def consequences(subjects: Iterable[Subject], axis: Axis, point: float) -> Consequences:
    """Return what a point means for the worst of the subjects."""
    noise, subjects = axis.at(point), tuple(subjects)
    return Consequences(
        risk=max(subject.risk(point) for subject in subjects),
        loss=max(worse_end(subject.loss(point)) for subject in subjects),
        any_table=max(float(homogeneity.largest_local_records(subject.n_values, noise)) for subject in subjects),
        own_record=float(noise.value_advantage),
        count_error=max(subject.count_error(point) for subject in subjects),
    )


def worse_end(loss: Estimate) -> float:
    """Return the upper end of the interval of one loss."""
    return float(loss.interval.high)
