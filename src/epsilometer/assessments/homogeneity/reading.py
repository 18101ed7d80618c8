"""What each way of knowing a measure hands over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.source import Source


class Reading(NamedTuple):
    """An answer with where it comes from and what it takes for granted beyond the measure itself."""

    answer: Answer
    source: tuple[Source, ...]
    assumptions: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
