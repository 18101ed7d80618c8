"""The result of looking for the attacker who needs to know least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """A set of columns that was looked at.

    Attributes:
        columns: what the attacker knows of the target.
        cost: how hard that is to know, all columns together.
        raw: share of people whose sensitive value is named right from the raw table. Exact.
        released: the same from the release. Exact; ``None`` where the raw share is within the target, which the
            share from the release can then not exceed.
        breaks: whether the share from the release is above the target.
    """

    columns: tuple[str, ...]
    cost: float
    raw: float
    released: float | None
    breaks: bool

    @property
    def at_most(self) -> float:
        """What the share from the release is, or at most is."""
        return self.raw if self.released is None else self.released


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacker:
    """An attacker who breaks the target, and would not if they knew one column less.

    Attributes:
        knowledge: what they know, and how often they are right.
        disclosed: share of people whose value the release shows as the only one of their cell: the homogeneity attack.
        n_cells: number of cells of the known columns.
        n_alone: number of people alone in their cell.
    """

    knowledge: Knowledge
    disclosed: float
    n_cells: int
    n_alone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What knowing a column adds.

    Attributes:
        column: its name.
        increase: mean increase of the raw share named right when the column is added to what is known: over all
            pairs of sets that were looked at and differ by it, first among sets of the same size, then over the sizes.
        n_pairs: number of such pairs.
        n_breaking: number of smallest breaking sets that it is in.
    """

    column: str
    increase: float
    n_pairs: int
    n_breaking: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How the search went among the sets of one size.

    Attributes:
        n_columns: the size.
        n_sets: number of sets within the budget.
        n_evaluated: number of those looked at; the others hold a smaller set that breaks the target.
        n_breaking: number of those that break it.
    """

    n_columns: int
    n_sets: int
    n_evaluated: int
    n_breaking: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attackers(Confidential):
    """Who breaks the target knowing least, and which column helps most.

    Attributes:
        in_words: the answer in words.
        sensitive: what the attackers want to know.
        costs: how hard each candidate column is to know.
        max_known: the most that an attacker may know: the largest total cost.
        max_risk: the target: the largest share of people whose value may be named right.
        mechanism: the noise of the release; ``None`` for the raw table.
        no_release: share named right knowing nothing: that of the most common value.
        all_known: share named right from the raw table by somebody who knows every candidate column.
        evaluated: every set that was looked at, smallest first.
        attackers: the smallest sets that break the target, cheapest first, described; at most twenty.
        contributions: what each column adds, largest first; empty where the search ended before it began.
        levels: how the search went, by number of columns.
        assumptions: what the numbers take for granted.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "attackers"

    in_words: str
    sensitive: str
    costs: Mapping[str, float]
    max_known: float
    max_risk: float
    mechanism: Mapping[str, Any] | None
    no_release: float
    all_known: float
    evaluated: tuple[Knowledge, ...]
    attackers: tuple[Attacker, ...]
    contributions: tuple[Contribution, ...]
    levels: tuple[Level, ...]
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]

    @property
    def breaking(self) -> tuple[Knowledge, ...]:
        """Every smallest set that breaks the target, cheapest first."""
        return cheapest_first(self.evaluated)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; of the sets, those that break the target."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "answer": self.in_words,
            "sensitive": self.sensitive,
            "costs": plain(self.costs),
            "max_known": self.max_known,
            "max_risk": self.max_risk,
            "mechanism": plain(self.mechanism),
            "no_release": self.no_release,
            "all_known": self.all_known,
            "breaking": plain(self.breaking),
            "attackers": plain(self.attackers),
            "contributions": plain(self.contributions),
            "levels": plain(self.levels),
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the risk of every set that was looked at."""
        from epsilometer.charts.attackers import draw_attackers

        return draw_attackers(self)


def cheapest_first(sets: tuple[Knowledge, ...]) -> tuple[Knowledge, ...]:
    """Return the sets that break the target: cheapest first, then fewest columns, then the most often right."""
    breaking = (known for known in sets if known.breaks)
    return tuple(sorted(breaking, key=lambda known: (known.cost, len(known.columns), -known.at_most, known.columns)))
