"""The result of making a synthetic table: the rows, what they guarantee, and where the budget went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    import altair as alt
    import pyarrow as pa

    from epsilometer.vocabulary.spending import Spending


@dataclass(frozen=True, slots=True)
class DomainOrigin:
    """How the domain of a column is known.

    Attributes:
        column: its name.
        domain: the domain in words.
        origin: ``"declared"``, ``"public table"``, ``"found privately"`` or ``"type"``.
    """

    column: str
    domain: str
    origin: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain strings, ready for JSON."""
        return {"column": self.column, "domain": self.domain, "origin": self.origin}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntheticTable(Shown):
    """A synthetic table; nothing in it is computed from true records but through differential privacy.

    Attributes:
        rows: the table, with the columns and types of the original.
        method: what made it.
        epsilon: privacy parameter that was kept, never above the one asked for.
        delta: chance that the guarantee fails.
        adjacency: what one person may change.
        spent: each look at the original records, in order.
        domains: how the domain of each column is known.
        n_rows: number of synthetic rows.
        in_words: the answer in words.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "synthetic-table"

    rows: pa.Table
    method: str
    epsilon: float
    delta: float
    adjacency: str
    spent: tuple[Spending, ...]
    domains: tuple[DomainOrigin, ...]
    n_rows: int
    in_words: str
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rows themselves, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "answer": self.in_words,
            "method": self.method,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "adjacency": self.adjacency,
            "spent": [look.to_dict() for look in self.spent],
            "domains": [domain.to_dict() for domain in self.domains],
            "n_rows": self.n_rows,
            "columns": list(self.rows.column_names),
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.LayerChart:
        """Draw where the budget went."""
        from epsilometer.charts.spending import draw_spending

        return draw_spending(self)
