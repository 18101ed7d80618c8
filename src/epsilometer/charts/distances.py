"""How near do the records of a synthetic table come to those of real people?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.rows import Row, bars, up_to_longest
from epsilometer.charts.strangers import draw_strangers
from epsilometer.charts.theme import BLUE, PURPLE, WIDE, dressed
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import shown_down

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.assessments.synthetic.audit import Audit
    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.language import Language


def draw_proximity(near: Proximity, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw how far the synthetic records are from the nearest original one."""
    nearest = near.nearest
    rows = [
        _row(language.text("chart.proximity.smallest"), nearest.minimum, BLUE, language),
        *(
            _row(language.text("chart.proximity.quantile", share=f"{100 * share:.0f}"), each, BLUE, language)
            for share, each in nearest.quantiles.items()
        ),
        _row(language.text("chart.proximity.median"), nearest.median, BLUE, language),
        _row(language.text("chart.proximity.mean"), nearest.mean, PURPLE, language),
    ]
    chart = bars(rows, up_to_longest(rows, language.text("chart.proximity.axis"), format="~g"), width=width)
    median = language.number(shown_down(nearest.median))
    title = language.text("chart.proximity.finding", equal=language.percent(near.hitting_rate), median=median)
    subtitle = language.text(
        "chart.proximity.reading",
        synthetic=near.n_synthetic,
        original=near.n_original,
        metric=language.line(near.metric),
    )
    subtitle = f"{subtitle} {language.text('chart.proximity.no_holdout')}"
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def draw_audit(audit: Audit, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw the distances next to those of people who were held out, or alone where nobody was."""
    if audit.frame is None:
        return draw_proximity(audit.proximity, width=width, language=language)
    return draw_strangers(audit.frame, width=width, language=language)


def _row(name: str, distance: float, shade: Shade, language: Language) -> Row:
    return Row(name, distance, language.number(shown_down(distance)), shade)
