"""How near do the records of a synthetic table come to those of real people?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.charts.rows import Row, bars, up_to_longest
from epsilometer.charts.strangers import draw_strangers
from epsilometer.charts.theme import BLUE, PURPLE, WIDE, dressed
from epsilometer.vocabulary.wording import percent, shown_down

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.assessments.synthetic.audit import Audit
    from epsilometer.assessments.synthetic.proximity import Proximity

WITHOUT: Final = "Whether that is more than chance cannot be said without people who were held out."


def draw_proximity(near: Proximity, *, width: int = WIDE) -> alt.LayerChart:
    """Draw how far the synthetic records are from the nearest original one."""
    nearest = near.nearest
    distances = {
        "The nearest of all": nearest.minimum,
        **{f"The nearest {share:.0%} are at most this far": each for share, each in nearest.quantiles.items()},
        "Half are at most this far": nearest.median,
        "Mean": nearest.mean,
    }
    rows = [Row(name, each, shown_down(each), PURPLE if name == "Mean" else BLUE) for name, each in distances.items()]
    chart = bars(rows, up_to_longest(rows, "distance to the nearest original record", format="~g"), width=width)
    title = (
        f"{percent(near.hitting_rate)} of the synthetic records are equal to an original one; half are within "
        f"{shown_down(nearest.median)} of one"
    )
    subtitle = f"{near.n_synthetic:,} synthetic against {near.n_original:,} original records; {near.metric}. {WITHOUT}"
    return dressed(chart, title=title, subtitle=subtitle, width=width)


def draw_audit(audit: Audit, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the distances next to those of people who were held out, or alone where nobody was."""
    if audit.frame is None:
        return draw_proximity(audit.proximity, width=width)
    return draw_strangers(audit.frame, width=width)
