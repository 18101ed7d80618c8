"""What do all releases of a data set give away together, and what each by itself?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.rows import Row, bars, up_to_longest
from epsilometer.charts.theme import BLUE, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.joint_risk import JointRisk


def draw_joint_risk(risk: JointRisk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the share of people that each release discloses, and at least one of them."""
    names = ["This release alone", *(f"Earlier release {number} alone" for number in range(1, len(risk.each)))]
    rows = [Row(name, share, percent(share), BLUE) for name, share in zip(names, risk.each, strict=True)]
    rows += [Row("At least one of them", risk.value, percent(risk.value), VERMILLION)]
    chart = bars(rows, up_to_longest(rows, "share of the people disclosed (%)"), width=width)
    title = f"Taken together, the releases disclose {percent(risk.value)} of the people"
    left_out = f" Left out: {'; '.join(risk.left_out)}." if risk.left_out else ""
    subtitle = f"Disclosed: the cell of a person shows their value and no other.{left_out}"
    return dressed(chart, title=title, subtitle=subtitle, width=width)
