"""Documents read strictly: each value is what it should be, or an error says in one line what is wrong and where.

A reader takes a value and its place in the document, and returns the value in Python's own types. Whole numbers may be
written as ``2.0``, as JSON Schema allows; true and false are no numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, TypeVar

from epsilometer.errors import BadPassport

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

T = TypeVar("T")
Value_co = TypeVar("Value_co", covariant=True)
LONGEST_SHOWN = 60  # characters of a wrong value


class Reader(Protocol[Value_co]):
    """What turns a value of a document into one of Python, given its place for messages."""

    def __call__(self, given: object, place: str) -> Value_co: ...


def text(given: object, place: str) -> str:
    """Read a text that is not empty."""
    if not isinstance(given, str) or not given:
        raise _wrong(place, "a text", given)
    return given


def number(low: float, high: float) -> Reader[float]:
    """Make a reader of numbers between two, both allowed."""

    def read(given: object, place: str) -> float:
        if not _is_number(given) or not low <= given <= high:
            raise _wrong(place, f"a number from {low:g} to {high:g}", given)
        return float(given)

    return read


def whole(low: int, high: int) -> Reader[int]:
    """Make a reader of whole numbers between two, both allowed."""

    def read(given: object, place: str) -> int:
        if not _is_number(given) or not low <= given <= high or given != int(given):
            raise _wrong(place, f"a whole number from {low:,} to {high:,}", given)
        return int(given)

    return read


def one_of(*allowed: str) -> Reader[str]:
    """Make a reader of words from a list."""

    def read(given: object, place: str) -> str:
        if not isinstance(given, str) or given not in allowed:
            raise _wrong(place, f"one of {', '.join(allowed)}", given)
        return given

    return read


def matching(pattern: re.Pattern[str], what: str) -> Reader[str]:
    """Make a reader of texts that are wholly of a form."""

    def read(given: object, place: str) -> str:
        if not isinstance(given, str) or not pattern.fullmatch(given):
            raise _wrong(place, what, given)
        return given

    return read


def maybe(reader: Reader[T]) -> Reader[T | None]:
    """Make a reader that also takes nothing."""

    def read(given: object, place: str) -> T | None:
        return None if given is None else reader(given, place)

    return read


def several(reader: Reader[T], *, least: int) -> Reader[tuple[T, ...]]:
    """Make a reader of lists."""

    def read(given: object, place: str) -> tuple[T, ...]:
        if not isinstance(given, list) or len(given) < least:
            raise _wrong(place, f"a list of {least} or more", given)
        return tuple(reader(item, f"{place}[{i}]") for i, item in enumerate(given))

    return read


def mapping(given: object, place: str) -> Mapping[str, Any]:
    """Read an object of whatever content."""
    if not isinstance(given, Mapping):
        raise _wrong(place, "an object", given)
    return given


def record(make: Callable[..., T], fields: Mapping[str, Reader[object]]) -> Reader[T]:
    """Make a reader of objects with exactly these fields."""

    def read(given: object, place: str) -> T:
        held = mapping(given, place)
        _refuse(place, "lacks", (name for name in fields if name not in held))
        _refuse(place, "has an unknown field", (name for name in held if name not in fields))
        return make(**{name: reader(held[name], f"{place}.{name}") for name, reader in fields.items()})

    return read


def _is_number(given: object) -> TypeGuard[int | float]:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _refuse(place: str, what: str, names: Iterable[str]) -> None:
    for name in names:
        raise BadPassport(f"{place} {what} {_shown(name)}.")


def _wrong(place: str, allowed: str, given: object) -> BadPassport:
    return BadPassport(f"{place} must be {allowed}, got {_shown(given)}.")


def _shown(given: object) -> str:
    shown = ascii(given)  # in one line, whatever it holds
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
