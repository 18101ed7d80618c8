"""The result of asking what all releases of a data set give away together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt


@dataclass(frozen=True, slots=True, kw_only=True)
class JointRisk(Confidential):
    """The share of people whom at least one of several releases discloses, next to that of each.

    Attributes:
        answer: the share for all together.
        each: the share for each release by itself.
        no_release: the share whose value each would be about is guessed right without any release, by naming the most
            common one; empty if it was read from a ledger that does not say.
        left_out: releases that the share does not speak of, and why.
    """

    answer: Exact
    each: tuple[float, ...]
    no_release: tuple[float, ...]
    left_out: tuple[str, ...]

    @property
    def value(self) -> float:
        """The share for all together."""
        return float(self.answer.value)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "evidence": self.answer.kind,
            "value": self.value,
            "each": list(self.each),
            "no_release": list(self.no_release),
            "left_out": list(self.left_out),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> JointRisk:
        """Read what :meth:`to_dict` wrote.

        >>> risk = JointRisk(answer=Exact(0.25), each=(0.2, 0.1), no_release=(0.5, 0.4), left_out=())
        >>> JointRisk.from_dict(risk.to_dict()) == risk
        True
        """
        return cls(
            answer=Exact(given["value"]),
            each=tuple(given["each"]),
            no_release=tuple(given.get("no_release", ())),
            left_out=tuple(given["left_out"]),
        )

    def plot(self) -> alt.LayerChart:
        """Draw the share of people that each release discloses, and all together."""
        from epsilometer.charts.joint_risk import draw_joint_risk

        return draw_joint_risk(self)
