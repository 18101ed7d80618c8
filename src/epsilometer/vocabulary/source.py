"""Where a formula comes from: a key of ``docs/references.bib`` and the place in that work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Source:
    """A work and a place in it."""

    key: str
    locator: str

    def __str__(self) -> str:
        return f"{self.key}, {self.locator}"


def source(key: str, locator: str) -> Callable[[Callable[_Parameters, _Result]], Callable[_Parameters, _Result]]:
    """Mark a formula with the result it implements; ``sources_of`` reads the mark back.

    A formula that rests on several results carries several marks.
    """

    def mark(formula: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
        formula.sources = (Source(key, locator), *sources_of(formula))  # type: ignore[attr-defined]
        return formula

    return mark


def sources_of(formula: Callable[..., object]) -> tuple[Source, ...]:
    """Return the results a formula implements, first mark first."""
    return getattr(formula, "sources", ())


def listed(sources: tuple[Source, ...]) -> list[dict[str, str]]:
    """Return sources ready for JSON."""
    return [{"key": source.key, "locator": source.locator} for source in sources]
