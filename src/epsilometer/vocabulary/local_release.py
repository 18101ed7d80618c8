"""The result of a local release: what people reported, and what an analyst makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import numpy as np
    from numpy.typing import NDArray

    from epsilometer.vocabulary.evidence import Interval
    from epsilometer.vocabulary.local_risk import LocalRisk


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistic:
    """A number that an analyst reads off the reports.

    Attributes:
        name: what it is about: a value of the domain, or ``"mean"``.
        value: the estimate; unbiased, so that a share may come out below 0 or above 1.
        interval: where the truth is, with the stated confidence.
    """

    name: str
    value: float
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "name": self.name,
            "value": plain(self.value),
            "low": plain(self.interval.low),
            "high": plain(self.interval.high),
            "confidence": self.interval.confidence,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalRelease(Shown):
    """Randomised reports with the analyst's estimates; nothing in it is computed from true values but the reports.

    Attributes:
        column: what people reported on.
        reports: one for each person: a number, the number of a value, or a row of bits.
        labels: what the numbers of values stand for; empty for numbers.
        shuffled: whether the reports are in a random order.
        n_people: how many reported.
        drawing: what was really drawn, and what it guarantees.
        statistics: shares of the values, or the mean.
        risk: what an attacker learns who takes the estimated shares for the truth; ``None`` for numbers without a
            declared domain.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "local-release"

    column: str
    reports: NDArray[np.generic]
    labels: tuple[str, ...]
    shuffled: bool
    n_people: int
    drawing: Mapping[str, Any]
    statistics: tuple[Statistic, ...]
    risk: LocalRisk | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the reports themselves, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "column": self.column,
            "labels": list(self.labels),
            "shuffled": self.shuffled,
            "n_people": self.n_people,
            "drawing": plain(self.drawing),
            "statistics": [statistic.to_dict() for statistic in self.statistics],
            "risk": None if self.risk is None else self.risk.to_dict(),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the analyst's estimates with their intervals."""
        from epsilometer.charts.local import draw_local_release

        return draw_local_release(self)
