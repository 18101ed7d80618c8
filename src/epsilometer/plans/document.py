"""A plan as a document: plain keys and values in, a plan out, or an error that says where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic reads the annotations)
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from epsilometer.errors import EpsilometerError, OutOfRange
from epsilometer.plans.domain_section import Domain  # noqa: TC001
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts
from epsilometer.plans.release_sections import Release  # noqa: TC001
from epsilometer.plans.values import Number, Section, Text, Texts, below, by_column
from epsilometer.tables.bins import Bins, as_bins


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


class PlanDocument(Section):
    """Everything a plan file may say; the docs of :class:`Plan` and of the release kinds say what it means."""

    table: Text
    dataset: Text | None = None
    quasi_identifiers: Texts
    sensitive: Texts
    person_id: Text | None = None
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
        targets = given.pop("targets", self.targets).given()
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
