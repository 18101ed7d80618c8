"""Numbers as they stand in addresses and forms: the one place where text from outside becomes a number."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from epsilometer.errors import BadQuestion, OutOfRange

NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
WHOLE: Final = re.compile(r"[+-]?[0-9]+")
LONGEST: Final = 40  # characters of a number that somebody means
LARGEST: Final = 1e15  # beyond it doubles no longer tell one person from the next

Number = TypeVar("Number", int, float)


def number_from(name: str, text: str) -> float:
    """Read a number, or say that what stands there is none.

    >>> number_from("epsilon", "2.5e-1")
    0.25
    """
    if len(text) > LONGEST or not NUMBER.fullmatch(text):
        raise BadQuestion(f"{name} must be a number, written with digits and a point as in 0.5; got {_shown(text)}.")
    return _checked(name, float(text))


def whole_number_from(name: str, text: str) -> int:
    """Read a whole number, or say that what stands there is none.

    >>> whole_number_from("size", "24")
    24
    """
    if len(text) > LONGEST or not WHOLE.fullmatch(text):
        raise BadQuestion(f"{name} must be a whole number, written with digits alone; got {_shown(text)}.")
    return _checked(name, int(text))


def _checked(name: str, value: Number) -> Number:
    if abs(value) > LARGEST:
        raise OutOfRange(name, value, f"[-{LARGEST:g}, {LARGEST:g}]", hint="No number of people is larger.")
    return value


def _shown(text: str) -> str:
    """Show what was given, or how it begins.

    >>> _shown("9" * 5_000)
    "'9999999999999999999999999999999999999999' and more"
    """
    return repr(text) if len(text) <= LONGEST else f"{text[:LONGEST]!r} and more"
