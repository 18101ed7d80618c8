"""How much better does a release make an attacker's guess?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.charts.rows import MOST, Row, Scale, bars
from epsilometer.charts.theme import BLUE, QUIET, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent, percent_at_least, shown_down

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.guess import Guess

EVENTS: Final = {"single": "The field", "all": "All fields", "any": "At least one field"}


def draw_guess(guess: Guess, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the chance of the guess without a release and with it, and that of each field where there are several."""
    event, after = EVENTS[guess.event], min(1.0, guess.no_release + guess.advantage)
    fields = guess.fields[:MOST] if len(guess.fields) > 1 else ()
    rows = [
        Row(f"{short(field.name)} guessed right without a release", field.prior, percent_at_least(field.prior), QUIET)
        for field in fields
    ]
    rows += [
        Row(f"{event} guessed right without a release", guess.no_release, percent_at_least(guess.no_release), QUIET),
        Row(f"{event} guessed right with a release, at most", after, percent(after), BLUE),
    ]
    chart = bars(rows, Scale("chance of a right guess (%)"), width=width)
    return dressed(chart, title=_finding(guess, after), subtitle=_reading(guess), width=width)


def _finding(guess: Guess, after: float) -> str:
    if guess.no_noise:
        return "The bound asks for no noise to speak of: that does not make the records safe"
    against = f"against {percent_at_least(guess.no_release)} without a release"
    return f"At ε = {shown_down(guess.value)} per unit, a guess is right with at most {percent(after)}, {against}"


def _reading(guess: Guess) -> str:
    known = "as printed in the paper" if guess.evidence == "as printed" else guess.evidence
    held = "No noise" if math.isinf(guess.prior_free) else f"ε = {shown_down(guess.prior_free)}"
    more = f"a gain of at most {percent(guess.advantage)}"
    return f"How the bound is known: {known}. {held} keeps {more}, whatever the attacker knew before."
