"""What does the table give away as it is: how many people stand out, and of how many is the value certain?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.wording import percent, percent_at_least, shown_down, shown_up

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.raw_risk import RawRisk


def draw_raw_risk(raw: RawRisk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the shares of people by what an attacker who knows the quasi-identifiers finds out about them."""
    alone, certain = raw.reidentification, raw.diversity.homogeneous_share
    guessed = raw.inference.prior
    rows = [
        Row(
            "Value named right without the table: the most common one", guessed, percent_at_least(guessed), QUIET
        ),  # what the others are held against
        _row("Value named right with the table", raw.inference.posterior, BLUE),
        _row("Value certain: everyone in the cell has the same", certain, VERMILLION),
        _row("Alone in their cell: their record is found for certain", alone.unique_share, VERMILLION),
        _row(
            f"Record found with more than {percent_at_least(alone.threshold)}", alone.share_above_threshold, VERMILLION
        ),
        _row("Record found, on average over all people", alone.marketer, BLUE),
    ]
    subtitle = (
        f"{raw.n_records:,} records in {raw.n_cells:,} cells. The smallest cell holds k = {raw.anonymity.k:,}, the "
        f"poorest has l = {raw.diversity.distinct_l:,} values ({shown_down(raw.diversity.entropy_l)} by entropy), and "
        f"a cell is up to t = {shown_up(raw.closeness.equal_distance)} from the table."
    )
    chart = bars(rows, Scale("share of the people (%)"), width=width)
    return dressed(chart, title=_finding(raw), subtitle=subtitle, width=width)


def _row(name: str, share: float, shade: Shade) -> Row:
    return Row(name, share, percent(share), shade)


def _finding(raw: RawRisk) -> str:
    certain, alone = raw.diversity.homogeneous_share, raw.reidentification.unique_share
    known = f"the value of {percent(certain)} of the people" if certain else "nobody's value"
    found = f"{percent(alone)} are" if alone else "nobody is"
    return f"Published as it is, the table gives {known} away for certain, and {found} alone in a cell"
