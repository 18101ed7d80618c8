"""Assess a plan: count the table once, then read every risk off its profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.assessments.homogeneity import homogeneity_risk, homogeneity_risk_of_pieces
from epsilometer.assessments.raw import raw_risk
from epsilometer.tables.counting import count_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles
from epsilometer.vocabulary.own_record import OwnRecord

if TYPE_CHECKING:
    from epsilometer.assessments.plan import Plan
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.raw_risk import RawRisk
    from epsilometer.vocabulary.risk import Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeAssessment:
    """What an attacker learns about one sensitive attribute.

    Attributes:
        sensitive: the attribute.
        raw: the table published as it is.
        people: homogeneity risk of noisy counts, as a share of people.
        cells: the same risk as the papers average it, over cells.
        pieces: what the papers' Corollary 3 or 6 gives for pieces of cell and value; for comparison only.
        own_record: what the guarantee alone promises, for any table.
    """

    sensitive: str
    raw: RawRisk
    people: Risk
    cells: Risk
    pieces: Risk
    own_record: OwnRecord

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        results = {
            name: getattr(self, name).to_dict() for name in ("raw", "people", "cells", "pieces", "own_record")
        }
        return {"sensitive": self.sensitive, **results}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """What a plan comes to. It is computed from the table itself, and as confidential as the table."""

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "assessment"

    quasi_identifiers: tuple[str, ...]
    attributes: tuple[AttributeAssessment, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "quasi_identifiers": list(self.quasi_identifiers),
            "attributes": [attribute.to_dict() for attribute in self.attributes],
            "notes": list(self.notes),
        }


def assess(plan: Plan) -> Assessment:
    """Count the plan's table once and assess the release of each sensitive attribute.

    >>> from epsilometer import Plan, example_table
    >>> plan = Plan(table=example_table(), quasi_identifiers=("sex", "district"), sensitive=("reason",))
    >>> assess(plan).attributes[0].raw.n_cells
    18
    """
    table = open_table(plan.table, plan.missing)
    roles = assign_roles(
        table.columns, plan.quasi_identifiers, plan.sensitive, person_id=plan.person_id, bins=plan.bins
    )
    counts = count_table(table, roles, where=plan.where)
    tables = [counts.frequency_table(name) for name in plan.sensitive]
    return Assessment(
        quasi_identifiers=plan.quasi_identifiers,
        attributes=tuple(_attribute(freq, plan) for freq in tables),
        notes=tuple(dict.fromkeys(note for freq in tables for note in freq.notes)),
    )


def _attribute(freq: FrequencyTable, plan: Plan) -> AttributeAssessment:
    noise, prior = plan.mechanism, float(freq.profile.shares.max())
    return AttributeAssessment(
        sensitive=" and ".join(freq.sensitive),
        raw=raw_risk(freq),
        people=homogeneity_risk(freq, noise, average="records"),
        cells=homogeneity_risk(freq, noise, average="cells"),
        pieces=homogeneity_risk_of_pieces(freq, noise),
        own_record=OwnRecord(
            membership_advantage=noise.membership_advantage,
            value_advantage=noise.value_advantage,
            value_posterior=None if noise.delta else noise.value_posterior(prior),
            prior=prior,
        ),
    )
