"""Does the risk fall on everybody alike, or on a few?"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from epsilometer.charts.tally import Bar, room_for_names, stacked, tally
from epsilometer.charts.theme import BLUE, QUIET, WIDE, dressed
from epsilometer.vocabulary.risk_spread import LEVELS, PARTS
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.risk_spread import RiskSpread, Spread

LEAST: Final = sys.float_info.min  # noise without bound leaves nobody a risk of zero, only one below every double
CLASSES: Final = {"50 % or more": 0.5, "10 to 50 %": 0.1, "1 to 10 %": 0.01, "0.1 to 1 %": 0.001, "below 0.1 %": 0.0}


def draw_risk_spread(spread: RiskSpread, *, width: int = WIDE) -> alt.VConcatChart:
    """Draw how many people, and how many cells, have a risk of each size."""
    people, cells = _bars(spread.people, BLUE), _bars(spread.cells, QUIET)
    names = room_for_names(people, width=width)
    chart = stacked(
        tally(people, title="People, by their risk", names=names, width=width),
        tally(cells, title="Cells, by their risk", names=names, width=width),
    )
    return dressed(chart, title=_finding(spread), subtitle=_reading(spread), width=width)


def _bars(spread: Spread, shade: Shade) -> list[Bar]:
    """Return a bar for each class of risks, the highest first."""
    reached = [0, *map(spread.number_at_least, CLASSES.values())]
    numbers = [later - earlier for earlier, later in pairwise(reached)]
    return [
        Bar(name, number, f"{number:,} ({percent(number / spread.total)})", shade)
        for name, number in zip(CLASSES, numbers, strict=True)
    ]


def _finding(spread: RiskSpread) -> str:
    """Say how many people have a high risk, at the highest level that somebody reaches."""
    start, people = f"At ε = {spread.mechanism['epsilon']:.3g}", spread.people
    level = max((level for level in LEVELS if people.number_at_least(level)), default=None)
    if level is None:
        return f"{start}, nobody's risk reaches {LEVELS[0] * 100:g} %"
    number = people.number_at_least(level)
    verb = "has" if number == 1 else "have"
    return f"{start}, {number:,} of {people.total:,} people {verb} a risk of at least {level * 100:g} %"


def _reading(spread: RiskSpread) -> str:
    parts = zip(("half of the people", "90 in 100", "99 in 100", "anyone"), PARTS, strict=True)
    reached = "; ".join(f"by {who}: {percent(max(spread.people.not_exceeded_by(part), LEAST))}" for who, part in parts)
    return (
        f"Risk not exceeded {reached}. Mean: {percent(float(spread.value))} ({spread.evidence}). "
        f"A guess without a release is right for {percent_at_least(spread.no_release)}."
    )
