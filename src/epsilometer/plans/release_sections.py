"""The release that a plan asks for, one section for each kind; what is not set keeps the default of its kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from epsilometer.errors import UnknownChoice
from epsilometer.mechanisms.naming import mechanism_named
from epsilometer.plans.release_kinds import (
    KINDS,
    Counts,
    CountsOf,
    Local,
    Raw,
    ReleaseKind,
    Sample,
    Synthetic,
)
from epsilometer.plans.values import MUST_BE, Number, Numbers, Section, Text, Texts, Truth, Whole, as_list

NOISE: Final = ("epsilon", "delta", "calibration", "adjacency", "threshold")
DEFAULT_NOISE: Final = Counts().mechanism
PLAIN: Final[Mapping[str, type[Sample | Synthetic | Local | Raw]]] = {
    kind.kind: kind for kind in (Sample, Synthetic, Local, Raw)
}


class BuiltSection(Section):
    """A section that stands for settings in Python; what they may be is checked by building them."""

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        self.settings()
        return self

    @abstractmethod
    def settings(self) -> object:
        """Return the settings as a plan in Python has them."""


class TableSection(BuiltSection):
    """One published table of counts."""

    columns: Texts
    weight: Number | None = None

    def settings(self) -> CountsOf:
        return CountsOf(**self.given())


class CountsSection(BuiltSection):
    """Counts with noise."""

    kind: Literal["counts"]
    mechanism: Text | None = None
    epsilon: Numbers | None = None
    delta: Number | None = None
    calibration: Text | None = None
    adjacency: Text | None = None
    threshold: Number | None = None
    support: Text | None = None
    support_delta: Number | None = None
    tables: Annotated[tuple[TableSection, ...], as_list] = ()
    split: Text | None = None
    cells_per_person: Whole | None = None
    post_processing: Texts = ()

    def settings(self) -> Counts:
        given = self.given()
        noise = {"epsilon": DEFAULT_NOISE.epsilon} | {name: given.pop(name) for name in NOISE if name in given}
        mechanism = mechanism_named(given.pop("mechanism", DEFAULT_NOISE.name), **noise)
        given |= {"mechanism": mechanism, "tables": tuple(table.settings() for table in self.tables)}
        del given["kind"]
        return Counts(**given)


class PlainReleaseSection(BuiltSection):
    """A release whose settings are those of its kind, name by name."""

    def settings(self) -> ReleaseKind:
        given = self.given()
        return PLAIN[given.pop("kind")](**given)


class SampleSection(PlainReleaseSection):
    """A random sample of the rows."""

    kind: Literal["sample"]
    size: Whole
    strata: Texts = ()


class SyntheticSection(PlainReleaseSection):
    """A synthetic table."""

    kind: Literal["synthetic"]
    method: Text | None = None
    epsilon: Number | None = None
    delta: Number | None = None
    columns: Texts = ()
    rows: Whole | None = None
    n_bins: Whole | None = None


class LocalSection(PlainReleaseSection):
    """Randomised reports."""

    kind: Literal["local"]
    randomizer: Text | None = None
    epsilon: Number | None = None
    delta: Number | None = None
    shuffled: Truth = True


class RawSection(PlainReleaseSection):
    """The rows as they are."""

    kind: Literal["raw"]


def _with_kind(given: object) -> Mapping[str, object]:
    """Return a release that says its kind; one that does not is counts."""
    if not isinstance(given, Mapping):
        raise PydanticCustomError(MUST_BE, "a mapping with a kind and its settings")
    kind = given.get("kind", Counts.kind)
    if kind not in KINDS:
        raise UnknownChoice("kind", kind, KINDS)
    return {**given, "kind": kind}


Release: TypeAlias = Annotated[
    CountsSection | SampleSection | SyntheticSection | LocalSection | RawSection,
    Field(discriminator="kind"),
    BeforeValidator(_with_kind),
]
