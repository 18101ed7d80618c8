"""Charts as part of a page: drawn for a desk and for a telephone, in colours that follow the reader's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from epsilometer.charts.export import to_svg
from epsilometer.charts.theme import NARROW, WIDE

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.charts.theme import AnyChart


class Figure(NamedTuple):
    """One chart at two widths, of which the page shows the one that fits, and its finding for those who listen."""

    finding: str
    wide: Markup
    narrow: Markup


def figure(draw: Callable[[int], AnyChart]) -> Figure:
    """Draw a chart, given its width in pixels, for both kinds of page."""
    wide, narrow = draw(WIDE), draw(NARROW)
    return Figure(str(wide.description), picture(wide), picture(narrow))


def picture(chart: AnyChart) -> Markup:
    """Return a chart as SVG to put into a page; its text, which may come from data, is escaped already."""
    return Markup(to_svg(chart))  # noqa: S704
