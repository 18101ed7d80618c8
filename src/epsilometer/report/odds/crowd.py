"""So many people, of whom a sentence speaks: risks become whole numbers of them, rounded up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.evidence import Estimate, UpperBound
from epsilometer.vocabulary.wording import rounded_down

if TYPE_CHECKING:
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.language import Language

PEOPLE: Final = 1_000
RARE: Final = 100_000  # people to speak of when a risk is below one in a thousand
VERY_RARE: Final = 1_000_000
MANY: Final = 10_000  # people, of whom a guess by luck need not be counted to the last one
ROUNDING: Final = 1e-9  # of a number of people, which is no person


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people of a sentence.

    Attributes:
        size: how many they are.
        words: the language of the sentence.
        people: how many there really are, if that is known.
    """

    size: int
    words: Language
    people: int | None = None

    @classmethod
    def of(cls, risk: float, words: Language, people: int | None = None) -> Crowd:
        """Choose so many people that a risk comes to one or more of them, if a million are enough.

        >>> from epsilometer.vocabulary.language import language
        >>> [Crowd.of(risk, language(), 2_400).size for risk in (0.3, 0.0003, 0.000003)]
        [1000, 100000, 1000000]
        """
        if risk * PEOPLE >= 1 or risk <= 0:
            return cls(PEOPLE if people is None else min(PEOPLE, people), words, people)
        return cls(RARE if risk * RARE >= 1 else VERY_RARE, words, people)

    @property
    def opening(self) -> str:
        """The beginning of a sentence about the people of a table."""
        if self.people is None or self.people < self.size:
            return self.words.text("odds.alike", n=self.size)
        return self.words.text("odds.everybody" if self.people == self.size else "odds.some", n=self.size)

    def up(self, share: float) -> int:
        """Return so many people that a share is not understated."""
        return math.ceil(share * self.size - ROUNDING)

    def down(self, share: float) -> int:
        """Return so many people that a share is not overstated; of very many, three digits say enough."""
        people = math.floor(share * self.size + ROUNDING)
        return people if self.size <= MANY else int(rounded_down(people, 3))

    def about(self, share: float) -> str:
        """Say how many people a risk comes to."""
        return self._said("odds.about", share)

    def at_most(self, share: float) -> str:
        """Say how many people a bound comes to."""
        return self._said("odds.at_most", share)

    def answered(self, answer: Answer) -> str:
        """Say how many people a risk comes to, as it is known: the first of a curve."""
        share = first(answer.value)
        return self.at_most(share) if isinstance(answer, UpperBound) else self.about(share)

    def _said(self, key: str, share: float) -> str:
        if share * self.size < 1 - ROUNDING:
            return self.words.text("odds.fewer_than_one")
        return self.words.text(key, n=self.up(share))

    def known(self, answer: Answer, what: str = "odds.known.risk", **values: str) -> str:
        """Say how a number is known."""
        subject = self.words.text(what, **values)
        if not isinstance(answer, Estimate):
            return self.words.text(f"odds.known.{answer.kind.replace(' ', '-')}", what=subject)
        interval = answer.interval
        return self.words.text(
            "odds.known.enclosed" if interval.confidence == 1 else "odds.known.estimate",
            what=subject,
            low=self.down(first(interval.low)),
            high=self.up(first(interval.high)),
            base=self.size,
            confidence=confidence(interval.confidence, self.words),
        )


def first(value: object) -> float:
    """Return the number, or the first of a curve."""
    return float(np.atleast_1d(np.asarray(value, dtype=np.float64))[0])


def one_of(answer: Answer, position: int) -> Answer:
    """Return one of the answers of a curve, known as all of them are."""
    value = float(np.atleast_1d(answer.value)[position])
    if not isinstance(answer, Estimate):
        return replace(answer, value=value)
    low, high = (float(np.atleast_1d(end)[position]) for end in (answer.interval.low, answer.interval.high))
    return replace(answer, value=value, interval=replace(answer.interval, low=low, high=high))


def confidence(share: float, words: Language) -> str:
    """Write a confidence, which is not rounded."""
    return words.text("writing.percent", number=words.number(100 * share))
