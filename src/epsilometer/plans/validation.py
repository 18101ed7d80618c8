"""Settings into a plan; what is wrong is said in one line that names the file, the line and the key."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from epsilometer.errors import BadQuestion, EpsilometerError, OutOfRange, UnknownChoice
from epsilometer.plans.document import PlanDocument
from epsilometer.plans.reading import ABSENT
from epsilometer.plans.release_kinds import Counts
from epsilometer.plans.values import UNKNOWN_KEY

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.plans.reading import Place, Source

NEEDED: Final = {
    "table": "the table that it is about",
    "quasi_identifiers": "the columns that an attacker knows",
    "sensitive": "the columns that an attacker wants to know",
    "size": "the number of rows of the sample",
    "columns": "the columns that are counted",
}


def plan_from(source: Source) -> Plan:
    """Return the plan that the settings describe."""
    try:
        return PlanDocument.model_validate(source.data).plan
    except ValidationError as error:
        details = error.errors(include_url=False)
        # What is missing may be there under a misspelt key, so that the misspelling is what to speak of.
        first = next((detail for detail in details if detail["type"] != "missing"), details[0])
        raise _refusal(first, source) from None


def _refusal(detail: Mapping[str, Any], source: Source) -> EpsilometerError:
    context = detail.get("ctx", {})
    cause = context.get("error")
    place = _place(detail["loc"], source) + context.get("path", ())
    if detail["type"] == "missing":
        place = (*place, detail["loc"][-1])
    key = context.get("key", getattr(cause, "name", None))
    if key is not None:
        place = (*place, str(key).replace("-", "_"))
    words = _words(detail, cause, place, source)
    decided_by = source.decided_by(place)
    if source.name and (decided_by in source.lines or not decided_by):
        return source.complaint(place, words)
    # A flag: the error speaks of it by its own name.
    if detail["type"] == UNKNOWN_KEY and place[0] == "release":
        kind = source.data["release"].get("kind", Counts.kind)
        return BadQuestion(f"{key} plays no part for a release of {kind}. Leave it out, or choose another kind.")
    return cause if isinstance(cause, EpsilometerError) else BadQuestion(words)


def _place(location: tuple[str | int, ...], source: Source) -> Place:
    """Return the place in the settings; a location also has steps of the model, such as the kind of a release."""
    place: Place = ()
    for part in location:
        if source.at((*place, part)) is not ABSENT:
            place = (*place, part)
    return place


def _words(detail: Mapping[str, Any], cause: Exception | None, place: Place, source: Source) -> str:
    key, given = ".".join(map(str, place)), source.at(place)
    if detail["type"] == UNKNOWN_KEY:
        return _unknown(key, detail["ctx"]["known"])
    if detail["type"] == "missing":
        return f"{key} is missing: {NEEDED[str(place[-1])]}."
    if isinstance(cause, OutOfRange | UnknownChoice) and isinstance(given, list | tuple):
        given = cause.value  # the one of them that is wrong
    hint = f" {cause.hint}" if isinstance(cause, OutOfRange | UnknownChoice) and cause.hint else ""
    if isinstance(cause, OutOfRange):
        return f"{key} must be in {cause.allowed}, got {_shown(given)}.{hint}"
    if isinstance(cause, UnknownChoice):
        return f"{key} must be one of {', '.join(cause.allowed)}; got {_shown(given)}.{hint}"
    return f"{key} must be {detail['msg']}, got {_shown(given)}." if cause is None else str(cause)


def _unknown(key: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(key.rpartition(".")[2], known, n=1)
    allowed = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
    return f"there is no key {key}. {allowed}"


def _shown(given: object) -> str:
    """Write a value as it was written; a word in quotes, a number without."""
    if given is ABSENT or given is None:
        return "nothing"
    if isinstance(given, list | tuple):
        return "a list"
    if isinstance(given, Mapping):
        return "a mapping"
    if not isinstance(given, str):
        return f"{given:g}" if isinstance(given, float) else repr(given)
    try:
        float(given)
    except ValueError:
        return repr(given)
    return given
