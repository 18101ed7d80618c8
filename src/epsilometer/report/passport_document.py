"""Passports as files, and the schema they follow."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any, NoReturn

from epsilometer.errors import BadPassport
from epsilometer.vocabulary.passport import Passport
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from pathlib import Path


def passport_text(passport: Passport) -> str:
    """Return a passport as the text of its file."""
    return json.dumps(passport.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def read_passport(path: Path) -> Passport:
    """Read the file of a passport; what is not one is refused in one line."""
    try:
        document = json.loads(path.read_bytes(), parse_constant=_no_number, object_pairs_hook=_once)
    except OSError as error:
        raise BadPassport(f"Cannot read {path}: {error.strerror}. Name the JSON file of a passport.") from None
    except (ValueError, RecursionError) as error:
        hint = "Name the passport, such as counts.csv.passport.json."
        raise BadPassport(f"{path} is not JSON: {error}. {hint}") from None
    try:
        return Passport.from_dict(document)
    except BadPassport as error:
        raise BadPassport(f"{path}: {error}") from None


def passport_schema() -> str:
    """Return the JSON Schema that every passport follows."""
    return resources.files("epsilometer.report").joinpath("passport.schema.json").read_text(encoding="utf-8")


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that is there twice: two readers could take it for two different things."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise ValueError(f"{readable(twice)!r} is there twice")
    return made
