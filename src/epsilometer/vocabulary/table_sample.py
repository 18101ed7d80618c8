"""A sample of a real table: what its own shares give away, next to what the model's priors expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSample:
    """Everybody, or the people of one cell, of whom some are in the sample.

    Attributes:
        label: the cell's quasi-identifiers; empty for everybody.
        people: how many there are.
        sampled: how many of them are in the sample.
        counts: people by value; values that nobody has are left out.
        no_release: share of the most common value.
        inside: chance that an attacker who knows the shares names the value of a person in the sample; ``None``
            if nobody is in it.
        outside: the same for a person outside; ``None`` if nobody is.
        model_inside, model_outside: the same for an attacker with the model's prior.
        loss: expected total variation distance of the sample's shares from the true ones; ``None`` without a sample.
        model_loss: the loss that the model's prior expects.
    """

    label: Mapping[str, str]
    people: int
    sampled: int
    counts: Mapping[str, int]
    no_release: float
    inside: float | None
    outside: float | None
    model_inside: float | None
    model_outside: float | None
    loss: float | None
    model_loss: float | None

    @property
    def model_unknown(self) -> float:
        """Chance of an attacker with the model's prior who does not know whether the person is in the sample."""
        drawn = self.sampled / self.people
        return drawn * (self.model_inside or 0.0) + (1 - drawn) * (self.model_outside or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "label": dict(self.label),
            "people": self.people,
            "sampled": self.sampled,
            "counts": dict(self.counts),
            "no_release": self.no_release,
            "inside": self.inside,
            "outside": self.outside,
            "model_inside": self.model_inside,
            "model_outside": self.model_outside,
            "loss": self.loss,
            "model_loss": self.model_loss,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CellAverage:
    """Means over all people, each held against the shares of their own cell.

    Attributes:
        no_release: share of people who have the most common value of their cell.
        inside: mean over the people in the sample; ``None`` if there are none.
        outside: mean over the people outside; ``None`` if there are none.
    """

    no_release: float
    inside: float | None
    outside: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, ready for JSON."""
        return {"no_release": self.no_release, "inside": self.inside, "outside": self.outside}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSample(Confidential):
    """A sample of a real table.

    Attributes:
        table: what the table is called.
        sensitive: the attribute.
        quasi_identifiers: the columns that make a cell.
        n_values: number of values of the attribute.
        prior, alpha: the model's belief, as in :class:`SampleRelease`.
        everybody: the whole table.
        cells: the largest cells.
        n_cells: number of cells in all.
        average: means over all people.
        assumptions: what the numbers take for granted.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "table-sample"

    table: str
    sensitive: str
    quasi_identifiers: tuple[str, ...]
    n_values: int
    prior: str
    alpha: float
    everybody: GroupSample
    cells: tuple[GroupSample, ...]
    n_cells: int
    average: CellAverage
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "evidence": "exact",
            "table": self.table,
            "sensitive": self.sensitive,
            "quasi_identifiers": list(self.quasi_identifiers),
            "n_values": self.n_values,
            "prior": self.prior,
            "alpha": plain(self.alpha),
            "everybody": self.everybody.to_dict(),
            "cells": [cell.to_dict() for cell in self.cells],
            "n_cells": self.n_cells,
            "average": self.average.to_dict(),
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the chance to name a person's value, with and without the sample."""
        from epsilometer.charts.table_sample import draw_table_sample

        return draw_table_sample(self)
