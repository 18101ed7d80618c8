"""The risk of one cell of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRisk(Confidential):
    """A cell by name, its counts, and what noisy counts would give away of it. Exact, and confidential.

    Attributes:
        cell: the quasi-identifiers of the cell, by column.
        counts: its records by sensitive value, those that nobody has left out.
        any_value: probability that it is published with a single value that somebody in it has.
        own_value: probability, for a member drawn at random, that it is published with theirs alone.
        no_release: share of the members who have the most common value of the whole table, which is what a guess
            without any release names for everyone; of several that are equally common, the mean.
        people: expected number of members disclosed.
    """

    kind: ClassVar[str] = "cell-risk"

    cell: Mapping[str, str]
    counts: Mapping[str, int]
    any_value: float
    own_value: float
    no_release: float
    people: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "kind": self.kind,
            "evidence": "exact",
            "cell": dict(self.cell),
            "counts": dict(self.counts),
            "any_value": self.any_value,
            "own_value": self.own_value,
            "no_release": self.no_release,
            "people": self.people,
        }

    def plot(self) -> alt.LayerChart:
        """Draw the people of the cell by their sensitive value."""
        from epsilometer.charts.cell_risk import draw_cell_risk

        return draw_cell_risk(self)
