"""The report of epsilon and the guessing advantage that it allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.charts.guess import draw_guess
from epsilometer.report.building.framing import audience, baseline, closing, evidence, first_chart
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, KeyNumber, Report, Table
from epsilometer.report.odds import said
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.wording import shown_down

if TYPE_CHECKING:
    from epsilometer.vocabulary.guess import Guess
    from epsilometer.vocabulary.language import Language

MOST_SHOWN: Final = 20  # fields


def guess_report(guess: Guess, *, of_table: bool = False, language: str = "en") -> Report:
    """Report which epsilon keeps a guess from getting better than it may.

    Args:
        guess: epsilon and the advantage it allows.
        of_table: whether the groups were counted in a table; makes the report confidential.
        language: of the texts.
    """
    words = spoken(language)
    return Report(
        title=words.text("report.title.guess"),
        audience=audience(words, confidential=of_table),
        confidential=of_table,
        scope=words.text("report.guess.scope", n=len(guess.fields)),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.guess"),
                sentences=said(guess, language=language).sentences,
                numbers=_numbers(words, guess),
                chart=first_chart(words, "guess", lambda width: draw_guess(guess, width=width, language=words)),
            ),
        ),
        recommendation=_recommendation(words, guess),
        decision=decision(words, words.text("report.guess.decide", epsilon=_down(words, _advised(guess)))),
        sections=(
            evidence(words, _fields(words, guess)),
            *closing(
                words,
                assumptions=guess.assumptions,
                caveats=guess.caveats,
                methods={words.text("report.shared.how"): guess.source},
                asked=_asked(words, guess),
            ),
        ),
        language=language,
    )


def _numbers(words: Language, guess: Guess) -> tuple[KeyNumber, ...]:
    event, advantage = words.text(f"report.guess.{guess.event}"), words.points(guess.advantage)
    this = "this_no_noise" if guess.no_noise else "this_printed" if guess.method == "published" else "this"
    return (
        baseline(words, guess.no_release, words.text("report.guess.before", event=event)),
        KeyNumber(
            value=_written(words, guess.value),
            name=words.text("report.guess.this_name"),
            meaning=words.text(f"report.guess.{this}", advantage=advantage),
            place="this",
        ),
        KeyNumber(
            value=_written(words, guess.prior_free),
            name=words.text("report.guess.worst_name"),
            meaning=words.text("report.guess.worst"),
            place="worst",
        ),
    )


def _recommendation(words: Language, guess: Guess) -> str:
    free = _down(words, guess.prior_free)
    if _advised(guess) == guess.prior_free:
        return words.text("report.guess.recommend_free", free=free)
    return words.text("report.guess.recommend", epsilon=_down(words, guess.value), free=free)


def _advised(guess: Guess) -> float:
    """Return the epsilon to use: a printed formula, or one that leaves no noise, is nothing to rely on."""
    return guess.prior_free if guess.no_noise or guess.method == "published" else guess.value


def _fields(words: Language, guess: Guess) -> Table:
    more = len(guess.fields) - MOST_SHOWN
    title = words.text("report.guess.fields_title")
    return Table(
        columns=(
            *(words.text(f"report.guess.{name}") for name in ("field", "k", "n")),
            words.text("report.table.without_release"),
            words.text("report.guess.range"),
        ),
        rows=tuple(
            (
                field.name,
                _count(words, field.k),
                _count(words, field.n),
                words.percent_at_least(field.prior),
                words.number(field.sensitivity),
            )
            for field in guess.fields[:MOST_SHOWN]
        ),
        numeric=frozenset({1, 2, 3, 4}),
        caption=f"{title}. {words.text('report.guess.more', n=more)}" if more > 0 else f"{title}.",
    )


def _asked(words: Language, guess: Guess) -> dict[str, str]:
    return {
        words.text("report.guess.event"): words.text(f"report.guess.{guess.event}"),
        words.text("report.guess.advantage"): words.points(guess.advantage),
        words.text("report.guess.method"): words.text(f"report.guess.method_{guess.method}"),
        words.text("report.guess.released"): words.text(f"report.guess.{guess.released}"),
    }


def _written(words: Language, epsilon: float) -> str:
    if math.isinf(epsilon):
        return words.text("report.guess.no_noise")
    return words.text("report.shared.point_epsilon", value=_down(words, epsilon))


def _down(words: Language, epsilon: float) -> str:
    """Write epsilon, rounded down; a printed formula can come out as zero or a rounding error below it."""
    return words.number(shown_down(max(epsilon, 0.0)))


def _count(words: Language, number: int | None) -> str:
    return "–" if number is None else words.number(number)
