"""Domains as they are written on a command line: age=17..90, sex=female,male, income=@codes.txt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadQuestion, BadTable

if TYPE_CHECKING:
    from collections.abc import Sequence

RANGE: Final = re.compile(r"(?P<low>[^.,]+(\.\d+)?)\.\.(?P<high>[^.,]+(\.\d+)?)")
MISSING: Final = "+missing"
OTHER: Final = "+other"


def domain_from(declarations: Sequence[str]) -> dict[str, object]:
    """Read what was declared of each column.

    >>> domain_from(["age=17..90+missing", "sex=female,male"])
    {'age': {'missing': True, 'low': 17.0, 'high': 90.0}, 'sex': {'missing': False, 'values': ('female', 'male')}}
    """
    domain: dict[str, object] = {}
    for declaration in declarations:
        name, equals, given = declaration.partition("=")
        if not equals or not name or not given:
            raise BadQuestion(
                f"A domain is COLUMN=LOW..HIGH, COLUMN=A,B,… or COLUMN=@FILE, with {OTHER} behind it for values"
                f" that are not listed and {MISSING} at its end if values may be missing; got {declaration!r}."
            )
        if name in domain:
            raise BadQuestion(f"The domain of {name!r} was given twice. Give it once.")
        missing = given.endswith(MISSING)
        listed = given.removesuffix(MISSING)
        other = {"other": OTHER[1:]} if listed.endswith(OTHER) else {}
        domain[name] = {"missing": missing, **other, **_range_or_values(listed.removesuffix(OTHER))}
    return domain


def _range_or_values(given: str) -> dict[str, object]:
    if not given:
        return {"values": ()}
    if (ends := RANGE.fullmatch(given)) is not None:
        try:
            return {end: float(ends[end]) for end in ("low", "high")}
        except ValueError:
            raise BadQuestion(f"The ends of a range must be numbers, such as 17..90; got {given!r}.") from None
    return {"values": values_from(given)}


def _each_named_once(values: tuple[str, ...], given: str) -> tuple[str, ...]:
    if "" in values:
        raise BadQuestion(f"A value between commas has no name in {given!r}. Leave the extra comma out.")
    twice = next((value for i, value in enumerate(values) if value in values[:i]), None)
    if twice is not None:
        raise BadQuestion(f"The value {twice!r} was given twice in {given!r}. Give it once.")
    return values


def values_from(given: str) -> tuple[str, ...]:
    """Read values between commas, or from a file with one on each line: ``@codes.txt``.

    Blanks around commas do not count; a value that begins or ends with one goes into a file.

    >>> values_from("female, male")
    ('female', 'male')
    """
    if not given.startswith("@"):
        return _each_named_once(tuple(value.strip() for value in given.split(",")), given)
    try:
        lines = Path(given[1:]).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadTable(f"The domain cannot be read from {given[1:]}: {error}.") from None
    return tuple(line for line in lines if line)
