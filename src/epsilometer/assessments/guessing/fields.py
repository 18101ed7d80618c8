"""The fields that an attacker guesses, checked once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.errors import OutOfRange, UnknownChoice
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
    if (groups is None) == (priors is None):
        raise OutOfRange("groups", groups, "(k, n) pairs", hint="Give groups or priors; not both.")
    sizes = [(None, None)] * len(priors or ()) if groups is None else [_group(pair) for pair in groups]
    chances = [_prior(p) for p in priors] if priors is not None else [_uniqueness(*size) for size in sizes]
    if not chances:
        raise OutOfRange("groups", groups, "at least one (k, n) pair")
    if event == "single" and len(chances) > 1:
        raise UnknownChoice("event", event, ("all", "any"), hint=f"There are {len(chances)} fields.")
    ranges = [sensitivity] * len(chances) if isinstance(sensitivity, int | float) else list(sensitivity)
    if len(ranges) != len(chances):
        raise OutOfRange("sensitivity", sensitivity, f"one number or {len(chances)}, one for each field")
    for each in ranges:
        if not 0 < each < math.inf:
            raise OutOfRange("sensitivity", each, "(0, inf)", hint="It is the range of a field.")
    labels = list(names) if names is not None else [f"field {i + 1}" for i in range(len(chances))]
    return tuple(
        Field(name=label, k=k, n=n, prior=chance, sensitivity=float(each))
        for label, (k, n), chance, each in zip(labels, sizes, chances, ranges, strict=True)
    )


def _group(pair: Sequence[int]) -> tuple[int, int]:
    try:
        k, n = (int(number) for number in pair)
        whole = all(int(number) == number for number in pair)
    except (TypeError, ValueError):
        whole, k, n = False, 0, 0
    if not whole or k < 0 or n < 1:
        raise OutOfRange("group", pair, "(k, n) with whole k >= 0 and n >= 1", hint="Such as (23, 365).")
    return k, n


def _prior(p: float) -> float:
    if not 0 <= p <= 1:
        raise OutOfRange("prior", p, "[0, 1]", hint="It is a probability.")
    return float(p)


def _uniqueness(k: int | None, n: int | None) -> float:
    return float(guessing.uniqueness_probability(k, n))  # type: ignore[arg-type]
