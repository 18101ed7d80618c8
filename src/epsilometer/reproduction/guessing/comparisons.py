"""The numbers that Paper 003 prints, next to ours.

There is one: the 23 people of the birthday problem. Beyond that its formulas promise an advantage, and what a release
at the epsilon that they give can really add to the chance of a guess is compared with the promise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas import guessing
from epsilometer.reproduction.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.arrays import ArrayLike

PEOPLE, DAYS = 23, 365
PROMISED: Final = 0.1
PROMISE: Final = "0.1000"
HALVES, TENTHS = (0.5, 0.5), (0.1, 0.1)


def all_comparisons() -> tuple[Comparison, ...]:
    """Return the printed numbers in the order of the paper."""
    return (*_birthdays(), *_promises())


def _row(place: str, quantity: str, printed: str, ours: ArrayLike, why_not: str = "") -> Comparison:
    return Comparison(
        paper="003", place=place, quantity=quantity, printed=printed, ours=np.asarray(ours).item(), why_not=why_not
    )


def _birthdays() -> Iterator[Comparison]:
    people = np.arange(1, DAYS + 1)
    shared = 1 - guessing.uniqueness_probability(people, DAYS)
    yield _row("K-anonymity", f"chance of a shared birthday, {PEOPLE} people", "> 50%", shared[PEOPLE - 1])
    yield _row("K-anonymity", "fewest people for that", str(PEOPLE), people[shared >= 1 / 2][0])


def _promises() -> Iterator[Comparison]:
    printed = guessing.published
    prior = guessing.uniqueness_probability(PEOPLE, DAYS)
    one = guessing.advantage_single(printed.epsilon_single(PROMISED, prior, 1.0), prior, 1.0)
    yield _row("univariate case", f"advantage δ reached, p = π({PEOPLE}, {DAYS})", PROMISE, one)
    every = printed.epsilon_all(PROMISED, HALVES, 1.0)
    jointly = guessing.advantage_all_joint(every, HALVES, 1.0)
    yield _row("AND-events", f"advantage δ reached, p = {HALVES}, one release", PROMISE, jointly)
    one_by_one = guessing.advantage_all_independent(every, HALVES, 1.0)
    yield _row("AND-events", f"advantage δ reached, p = {HALVES}, one release each", PROMISE, one_by_one, "B6.")
    some = guessing.advantage_any(printed.epsilon_any(PROMISED, TENTHS, 1.0), TENTHS, 1.0)
    yield _row("OR-events", f"advantage δ reached, p = {TENTHS}", PROMISE, some, "B5.")
