"""What the guarantee alone promises about the part that one person's own record plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnRecord(Confidential):
    """Bounds that hold for every table and every attacker, however much they know of everybody else.

    They speak of one person's own record: what the others' records give away about a group is not in them.
    Each is an upper bound and tight: some table and attacker attain it.

    Attributes:
        membership_advantage: how much better than a coin anyone can tell whether the person is in the table.
        value_advantage: how much better than a coin anyone can tell which of two values the person has.
        value_posterior: the most that a belief in the person's value can grow to, from ``prior``; ``None`` where
            the guarantee may fail with probability delta, since belief is then unbounded.
        prior: the belief without a release: the overall share of the most common value.
    """

    kind: ClassVar[str] = "own-record"

    membership_advantage: float | FloatArray
    value_advantage: float | FloatArray
    value_posterior: float | FloatArray | None
    prior: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, ready for JSON."""
        return {
            "kind": self.kind,
            "evidence": "upper bound",
            "membership_advantage": plain(self.membership_advantage),
            "value_advantage": plain(self.value_advantage),
            "value_posterior": plain(self.value_posterior),
            "prior": self.prior,
        }

    def plot(self) -> alt.LayerChart:
        """Draw the bounds."""
        from epsilometer.charts.own_record import draw_own_record

        return draw_own_record(self)
