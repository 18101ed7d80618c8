"""Assess a plan: count the table once, then read every risk off its profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from epsilometer.assessments.cells import riskiest_cells
from epsilometer.assessments.counted import Counted, counted
from epsilometer.assessments.drawn_noise import whole_number_note
from epsilometer.assessments.homogeneity.averaging import number
from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.assessments.homogeneity.scenarios import attacker_precision
from epsilometer.assessments.own_record import own_record_of
from epsilometer.assessments.raw import raw_risk
from epsilometer.plans.release_kinds import Counts
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

    from epsilometer.mechanisms import Mechanism
    from epsilometer.plans.plan import Plan
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.tables.homogeneous import HomogeneousAttributes
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.cell_risk import CellRisk
    from epsilometer.vocabulary.own_record import OwnRecord
    from epsilometer.vocabulary.raw_risk import RawRisk
    from epsilometer.vocabulary.risk import Risk

SEVERAL_TABLES: Final = (
    "Each attribute is assessed as a table of its own. Publishing several tables adds up their epsilons; one "
    "table of all attributes together costs epsilon once."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeAssessment(Confidential):
    """What an attacker learns about one sensitive attribute.

    Attributes:
        sensitive: the attribute.
        raw: the table published as it is.
        people: homogeneity risk of noisy counts, as a share of people.
        cells: the same risk as the papers average it, over cells.
        pieces: what the papers' Corollary 3 or 6 gives for pieces of cell and value; for comparison only.
        own_record: what the guarantee alone promises, for any table.
        precision: share of the cells published with a single value that is true of a member picked at random.
        riskiest: the cells with the most people disclosed at the first epsilon, as many as were asked for.
    """

    sensitive: str
    raw: RawRisk
    people: Risk
    cells: Risk
    pieces: Risk
    own_record: OwnRecord
    precision: float | FloatArray
    riskiest: tuple[CellRisk, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        results = {name: getattr(self, name).to_dict() for name in ("raw", "people", "cells", "pieces", "own_record")}
        return {
            "sensitive": self.sensitive,
            **results,
            "precision": plain(self.precision),
            "riskiest": [cell.to_dict() for cell in self.riskiest],
        }

    def plot(self) -> alt.LayerChart:
        """Draw the share of people disclosed next to what it must be compared with."""
        return self.people.plot()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment(Confidential):
    """What a plan comes to. It is computed from the table itself, and as confidential as the table.

    Attributes:
        plan: what was assessed, in words: table, roles, bins, filter, missing marks.
        quasi_identifiers: what the attacker knows.
        attributes: each sensitive attribute by itself, then all together if there are several.
        homogeneous: cells and people by how many of the attributes have a single value in the cell: all of them
            is complete homogeneity, some of them partial.
        notes: how the table was read and counted, and what a release would draw instead of noise of real numbers.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "assessment"

    plan: Mapping[str, str]
    quasi_identifiers: tuple[str, ...]
    attributes: tuple[AttributeAssessment, ...]
    homogeneous: tuple[HomogeneousAttributes, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "plan": dict(self.plan),
            "quasi_identifiers": list(self.quasi_identifiers),
            "attributes": [attribute.to_dict() for attribute in self.attributes],
            "homogeneous": [row._asdict() for row in self.homogeneous],
            "notes": list(self.notes),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the risk of each attribute next to what it must be compared with."""
        from epsilometer.charts.assessment import draw_assessment

        return draw_assessment(self)


def assess(plan: Plan, *, riskiest: int = 0) -> Assessment:
    """Count the plan's table once and assess the release of each sensitive attribute.

    Args:
        plan: the table with roles, bins, filter and noise.
        riskiest: how many of the cells with the most people disclosed to list for each attribute, at the first
            epsilon.

    >>> from epsilometer import Plan, example_table
    >>> plan = Plan(table=example_table(), quasi_identifiers=("sex", "district"), sensitive=("reason",))
    >>> assess(plan).attributes[0].raw.n_cells
    18
    """
    return assess_counted(plan, counted(plan), riskiest=riskiest)


def assess_counted(plan: Plan, counts: Counted, *, riskiest: int = 0) -> Assessment:
    """Assess a plan whose table has been counted."""
    noise = plan.released_as(Counts).mechanism
    return Assessment(
        plan={"table": counts.name, **plan.described()},
        quasi_identifiers=plan.quasi_identifiers,
        attributes=tuple(_attribute(freq, noise, riskiest) for freq in counts.tables),
        homogeneous=counts.homogeneous,
        notes=(
            *dict.fromkeys(note for freq in counts.tables for note in freq.notes),
            *((SEVERAL_TABLES,) if len(counts.tables) > 1 else ()),
            *(note for freq in counts.tables if (note := whole_number_note(freq, noise)) is not None),
        ),
    )


def _attribute(freq: FrequencyTable, noise: Mechanism, riskiest: int) -> AttributeAssessment:
    prior = float(freq.profile.shares.max())
    first = noise.epsilon[0] if isinstance(noise.epsilon, tuple) else noise.epsilon
    return AttributeAssessment(
        sensitive=" and ".join(freq.sensitive),
        raw=raw_risk(freq),
        people=homogeneity_risk(freq, noise, average="records"),
        cells=homogeneity_risk(freq, noise, average="cells"),
        pieces=homogeneity_risk(freq, noise, method="published"),
        own_record=own_record_of(noise, prior),
        precision=number(attacker_precision(freq, noise)),
        riskiest=riskiest_cells(freq, noise.at(first), riskiest) if riskiest else (),
    )
