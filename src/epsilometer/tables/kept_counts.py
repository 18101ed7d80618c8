"""Counts of combinations that an engine keeps: what it found by grouping rows, wherever it put it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from epsilometer.tables.homogeneous import homogeneous_attributes
from epsilometer.tables.key_figures import figures_of
from epsilometer.tables.profiling import domain_of, profile_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.bins import Bins
    from epsilometer.tables.homogeneous import HomogeneousAttributes
    from epsilometer.tables.key_figures import KeyFigures
    from epsilometer.tables.profiling import Domain
    from epsilometer.vocabulary.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class KeptCounts:
    """Counts of the combinations that occur.

    Attributes:
        rows: one row per combination: its keys, and the count ``n``.
    """

    rows: Expression

    def figures(self) -> dict[str, KeyFigures]:
        """What is to be known of each key."""
        return figures_of(self.rows)

    def profile(self, cell: Sequence[str], sensitive: Mapping[str, Bins | None]) -> tuple[Domain, Profile]:
        """The sensitive values that occur, and the number of cells that have each vector of their counts."""
        domain = domain_of(self.rows, sensitive)
        return domain, profile_of(self.rows, cell, domain)

    def homogeneous(self, cell: Sequence[str], sensitive: Sequence[str]) -> tuple[HomogeneousAttributes, ...]:
        """Count the cells by how many of the sensitive keys have a single value in them."""
        return homogeneous_attributes(self.rows, cell, sensitive)
