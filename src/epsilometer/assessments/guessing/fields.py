"""The fields that an attacker guesses, checked once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.numbers import LARGEST_COUNT, is_number
from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice
from epsilometer.formulas import guessing
from epsilometer.vocabulary.guess import Field

if TYPE_CHECKING:
    from collections.abc import Sequence

EVENTS: Final = ("single", "all", "any")


def checked_fields(
    groups: Sequence[tuple[int, int]] | None,
    priors: Sequence[float] | None,
    sensitivity: float | Sequence[float],
    names: Sequence[str] | None,
    event: str,
) -> tuple[Field, ...]:
    """Return the fields, or say what is wrong with them."""
    if event not in EVENTS:
        raise UnknownChoice("event", event, EVENTS)
    sizes: Sequence[tuple[int, int] | tuple[None, None]]
    if groups is not None and priors is None:
        sizes = pairs = [_group(pair) for pair in groups]
        chances = [float(guessing.uniqueness_probability(*pair)) for pair in pairs]
    elif priors is not None and groups is None:
        sizes, chances = [(None, None)] * len(priors), [_prior(p) for p in priors]
    else:
        given = "neither was" if groups is None else "both were"
        raise BadQuestion(f"Give groups, as (k, n) pairs, or the priors themselves; {given} given.")
    if not chances:
        raise BadQuestion("There is nothing to guess: give at least one (k, n) pair or prior.")
    if event == "single" and len(chances) > 1:
        hint = f"There are {len(chances)} fields: does the attacker want all of them, or is any one enough?"
        raise UnknownChoice("event", event, ("all", "any"), hint=hint)
    ranges = list(sensitivity) if isinstance(sensitivity, Iterable) else [sensitivity] * len(chances)
    if len(ranges) != len(chances):
        n_given = len(ranges)
        raise BadQuestion(f"Give one sensitivity for all fields or one for each of {len(chances)}; got {n_given}.")
    for each in ranges:
        if not is_number(each) or not 0 < each < math.inf:
            raise OutOfRange("sensitivity", each, "(0, inf)", hint="It is the range of a field.")
    labels = list(names) if names is not None else [f"field {i + 1}" for i in range(len(chances))]
    if len(labels) != len(chances):
        raise OutOfRange("names", labels, f"{len(chances)}, one for each field")
    return tuple(
        Field(name=label, k=k, n=n, prior=chance, sensitivity=float(each))
        for label, (k, n), chance, each in zip(labels, sizes, chances, ranges, strict=True)
    )


def _group(pair: Sequence[int]) -> tuple[int, int]:
    try:
        k, n = (int(number) for number in pair)
        whole = all(int(number) == number for number in pair)
    except (TypeError, ValueError, OverflowError):
        whole, k, n = False, 0, 0
    if not whole or not 0 <= k <= LARGEST_COUNT or not 1 <= n <= LARGEST_COUNT:
        allowed = f"(k, n) with whole k >= 0 and n >= 1, up to {LARGEST_COUNT:.0e}"
        raise OutOfRange("group", pair, allowed, hint="Such as (23, 365).")
    return k, n


def _prior(p: float) -> float:
    if not is_number(p) or not 0 <= p <= 1:
        raise OutOfRange("prior", p, "[0, 1]", hint="It is a probability.")
    return float(p)
