"""Does the risk fall on everybody alike, or on a few?"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from epsilometer.charts.tally import Bar, room_for_names, stacked, tally
from epsilometer.charts.theme import BLUE, QUIET, WIDE, dressed, how_known
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.risk_spread import LEVELS, PARTS

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.risk_spread import RiskSpread, Spread

CLASSES: Final = {"half": 0.5, "tenth": 0.1, "hundredth": 0.01, "thousandth": 0.001, "less": 0.0}
WHO: Final = ("by_half", "by_90", "by_99", "by_all")


def draw_risk_spread(spread: RiskSpread, *, width: int = WIDE, language: Language = ENGLISH) -> alt.VConcatChart:
    """Draw how many people, and how many cells, have a risk of each size."""
    people, cells = _bars(spread.people, BLUE, language), _bars(spread.cells, QUIET, language)
    names = room_for_names(people, width=width)
    chart = stacked(
        tally(people, title=language.text("chart.spread.people"), names=names, width=width),
        tally(cells, title=language.text("chart.spread.cells"), names=names, width=width),
    )
    title, subtitle = _finding(spread, language), _reading(spread, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _bars(spread: Spread, shade: Shade, language: Language) -> list[Bar]:
    """Return a bar for each class of risks, the highest first."""
    reached = [0, *map(spread.number_at_least, CLASSES.values())]
    numbers = [later - earlier for earlier, later in pairwise(reached)]
    return [
        Bar(
            language.text(f"chart.spread.{name}"),
            number,
            f"{language.number(number)} ({language.percent(number / spread.total)})",
            shade,
        )
        for name, number in zip(CLASSES, numbers, strict=True)
    ]


def _finding(spread: RiskSpread, language: Language) -> str:
    """Say how many people have a high risk, at the highest level that somebody reaches."""
    epsilon, people = language.number(spread.mechanism["epsilon"], ".3g"), spread.people
    level = max((level for level in LEVELS if people.number_at_least(level)), default=None)
    if level is None:
        return language.text("chart.spread.nobody", epsilon=epsilon, level=language.number(LEVELS[0] * 100, "g"))
    return language.text(
        "chart.spread.reached",
        epsilon=epsilon,
        n=people.number_at_least(level),
        total=people.total,
        level=language.number(level * 100, "g"),
    )


def _reading(spread: RiskSpread, language: Language) -> str:
    risks = (language.percent_under_noise(spread.people.not_exceeded_by(part)) for part in PARTS)
    parts = "; ".join(language.text(f"chart.spread.{who}", risk=risk) for who, risk in zip(WHO, risks, strict=True))
    mean, known = language.percent_under_noise(float(spread.value)), how_known(spread.evidence, language)
    luck = language.text("chart.luck", guess=language.percent_at_least(spread.no_release))
    return f"{language.text('chart.spread.reading', parts=parts, mean=mean, known=known)} {luck}"
