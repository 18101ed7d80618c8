"""How much better does a release make an attacker's guess?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from epsilometer.charts.rows import MOST, Row, Scale, bars
from epsilometer.charts.theme import BLUE, QUIET, WIDE, dressed, short
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import shown_down

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.guess import Guess
    from epsilometer.vocabulary.language import Language


def draw_guess(guess: Guess, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw the chance of the guess without a release and with it, and that of each field where there are several."""
    event, after = language.text(f"chart.guess.{guess.event}"), min(1.0, guess.no_release + guess.advantage)
    fields = guess.fields[:MOST] if len(guess.fields) > 1 else ()
    rows = [
        *(_before(short(field.name), field.prior, language) for field in fields),
        _before(event, guess.no_release, language),
        Row(language.text("chart.guess.after", event=event), after, language.percent(after), BLUE),
    ]
    chart = bars(rows, Scale(language.text("chart.guess.axis")), width=width)
    title, subtitle = _finding(guess, after, language), _reading(guess, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _before(event: str, chance: float, language: Language) -> Row:
    return Row(language.text("chart.guess.before", event=event), chance, language.percent_at_least(chance), QUIET)


def _finding(guess: Guess, after: float, language: Language) -> str:
    if guess.no_noise:
        return language.text("chart.guess.no_noise")
    return language.text(
        "chart.guess.finding",
        epsilon=language.number(shown_down(guess.value)),
        after=language.percent(after),
        before=language.percent_at_least(guess.no_release),
    )


def _reading(guess: Guess, language: Language) -> str:
    known, gain = language.text(f"chart.guess.{guess.evidence.replace(' ', '_')}"), language.points(guess.advantage)
    if math.isinf(guess.prior_free):
        return language.text("chart.guess.reading_free", known=known, gain=gain)
    epsilon = language.number(shown_down(guess.prior_free))
    return language.text("chart.guess.reading", known=known, gain=gain, epsilon=epsilon)
