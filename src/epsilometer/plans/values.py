"""What a setting of a plan may be.

A plan file holds texts. What a text means is decided by the setting it is for, never by how it looks: ``no`` is a
truth value nowhere, ``01`` is a number only where a number is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

MUST_BE: Final = "must_be"  # the message says what the value must be
UNKNOWN_KEY: Final = "unknown_key"  # the context says which key, and which there are
BELOW: Final = "below"  # the context has the error, and the keys that lead to what it is about


class Section(BaseModel):
    """A part of a plan: keys with values, no others than those it knows."""

    model_config = ConfigDict(strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _has_known_keys(cls, given: object) -> object:
        known = tuple(cls.model_fields)
        if not isinstance(given, Mapping):
            raise PydanticCustomError(MUST_BE, "a mapping with keys such as {known}", {"known": ", ".join(known[:3])})
        for key in given:
            if key not in known:
                raise PydanticCustomError(UNKNOWN_KEY, "an unknown key", {"key": key, "known": known})
        return given

    def given(self) -> dict[str, Any]:
        """Return what was set, so that every default stands in one place: where it is used."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}


def below(error: Exception, *path: str) -> PydanticCustomError:
    """Return an error about what stands further down than the section that noticed it."""
    return PydanticCustomError(BELOW, "see the error in the context", {"error": error, "path": path})


def _number(given: object) -> float:
    if isinstance(given, int | float | str) and not isinstance(given, bool):
        try:
            return float(given)
        except ValueError:
            pass
    raise PydanticCustomError(MUST_BE, "a number")


def _whole(given: object) -> int:
    if isinstance(given, int | str) and not isinstance(given, bool):
        try:
            return int(given)
        except ValueError:
            pass
    raise PydanticCustomError(MUST_BE, "a whole number")


def _truth(given: object) -> bool:
    if isinstance(given, bool):
        return given
    if isinstance(given, str) and given.lower() in {"true", "false"}:
        return given.lower() == "true"
    raise PydanticCustomError(MUST_BE, "true or false")


def _text(given: object) -> str:
    if isinstance(given, str):
        return given
    raise PydanticCustomError(MUST_BE, "text")


def _listed(given: object) -> tuple[object, ...]:
    """Return what stands in a list; one text stands for a list of one."""
    if isinstance(given, str):
        return (given,)
    if isinstance(given, list | tuple):
        return tuple(given)
    raise PydanticCustomError(MUST_BE, "a list")


def _by_column(given: object) -> Mapping[str, object]:
    if isinstance(given, Mapping):
        return given
    raise PydanticCustomError(MUST_BE, "a mapping with a key for each column")


def _one_or_more(given: object) -> float | tuple[float, ...]:
    return tuple(map(_number, given)) if isinstance(given, list | tuple) else _number(given)


Number: TypeAlias = Annotated[float, BeforeValidator(_number)]
Numbers: TypeAlias = Annotated[float | tuple[float, ...], BeforeValidator(_one_or_more)]
Whole: TypeAlias = Annotated[int, BeforeValidator(_whole)]
Truth: TypeAlias = Annotated[bool, BeforeValidator(_truth)]
Text: TypeAlias = Annotated[str, BeforeValidator(_text)]
Texts: TypeAlias = Annotated[tuple[Text, ...], BeforeValidator(_listed)]
as_list: Final = BeforeValidator(_listed)
by_column: Final = BeforeValidator(_by_column)
