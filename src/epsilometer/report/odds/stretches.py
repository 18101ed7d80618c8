"""Stretches of a parameter in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.vocabulary.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.stretch import Stretch


def stretches_in_words(stretches: Iterable[Stretch], words: Language) -> str:
    """Write stretches, their ends rounded inwards."""
    return joined((_between(stretch, words) for stretch in stretches), words.text("odds.stretch.or"))


def _between(stretch: Stretch, words: Language) -> str:
    low, high = map(words.number, stretch.shown())
    return words.text("odds.stretch.between", low=low, high=high)
