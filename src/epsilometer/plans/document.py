"""A plan as a document: plain keys and values in, a plan out, or an error that says where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic reads the annotations)
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from epsilometer.errors import BadQuestion, EpsilometerError, OutOfRange, UnknownChoice
from epsilometer.plans.domain_section import Domain  # noqa: TC001
from epsilometer.plans.plan import Plan, check_rows_per_person
from epsilometer.plans.release_kinds import Counts
from epsilometer.plans.release_sections import Release  # noqa: TC001
from epsilometer.plans.values import MUST_BE, Number, Section, Text, Texts, Whole, below, by_column
from epsilometer.tables.bins import Bins, as_bins
from epsilometer.tables.types import COLUMN_TYPES
from epsilometer.vocabulary.privacy_loss import ROW


class TargetsSection(Section):
    """What must be met."""

    max_risk: Number | None = None
    max_loss: Number | None = None

    @model_validator(mode="after")
    def _are_shares(self) -> Self:
        for name, target in self.given().items():
            if not 0 <= target <= 1:
                raise OutOfRange(name, target, "[0, 1]", hint="It is a share.")
        return self


class UnitSection(Section):
    """Whose part a release hides: a row, or a person whom a column names."""

    person_id: Text | None = None
    rows_per_person: Whole | None = None

    @model_validator(mode="after")
    def _is_one_unit(self) -> Self:
        if len(self.model_fields_set) > 1:
            raise BadQuestion("A unit has a person_id, or rows_per_person; not both.")
        if self.rows_per_person is not None:
            check_rows_per_person(self.rows_per_person)
        return self

    def given(self) -> dict[str, Any]:
        """Return the unit as a plan in Python has it."""
        given = super().given()
        return given if "person_id" in given else {"unit": ROW, **given}


def _unit(given: object) -> object:
    """Read a unit: the word row, or a mapping."""
    if given == ROW:
        return {}
    if isinstance(given, str):
        raise PydanticCustomError(MUST_BE, "row, or a mapping with person_id or rows_per_person")
    return given


Unit = Annotated[UnitSection, BeforeValidator(_unit)]


class PlanDocument(Section):
    """Everything a plan file may say; the docs of :class:`Plan` and of the release kinds say what it means."""

    table: Text
    dataset: Text | None = None
    quasi_identifiers: Texts
    sensitive: Texts
    unit: Unit | None = None
    types: Annotated[Mapping[str, Text], by_column] = Field(default_factory=dict)
    bins: Annotated[Mapping[str, Any], by_column] = Field(default_factory=dict)
    where: Text | None = None
    missing: Texts = ()
    release: Release | None = None
    domain: Annotated[Mapping[str, Domain], by_column] = Field(default_factory=dict)
    targets: TargetsSection = TargetsSection()

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        self.plan  # noqa: B018  (built here, so that what is wrong is noticed)
        return self

    @cached_property
    def plan(self) -> Plan:
        """The plan in Python."""
        given = self.given()
        unit = given.pop("unit", None)
        given |= {} if unit is None else unit.given()
        targets = given.pop("targets", self.targets).given()
        for column, kind in self.types.items():
            if kind not in COLUMN_TYPES:
                raise below(UnknownChoice(column, kind, COLUMN_TYPES), "types")
        release = Counts() if self.release is None else self.release.settings()
        return Plan(**{**given, "bins": self._bins, "domain": self._domain, "release": release}, **targets)

    @property
    def _bins(self) -> dict[str, Bins]:
        bins = {}
        for column, written in self.bins.items():
            try:
                bins[column] = as_bins(column, written)
            except EpsilometerError as error:
                raise below(error, "bins", column) from None
        return bins

    @property
    def _domain(self) -> dict[str, object]:
        domain = {}
        for column, section in self.domain.items():
            try:
                domain[column] = section.declared(column)
            except EpsilometerError as error:
                raise below(error, "domain", column) from None
        return domain
