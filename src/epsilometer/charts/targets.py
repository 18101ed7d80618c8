"""What must be met, on top of lines of risk and loss: a line for each target, and a shade where all are met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import altair as alt

from epsilometer.charts.theme import INK, SKY, over_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.charts.lines import Rows


def run_rows(runs: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    """Return stretches of the axis as the rows of :func:`shading`."""
    return [{"x": low, "until": high} for low, high in runs]


def shading(rows: Rows) -> alt.Chart:
    """Shade stretches of the axis over the whole height of a panel; one of a single point is a line."""
    return alt.Chart(rows).mark_rect(color=SKY.light, stroke=SKY.light, opacity=0.25).encode(x="x:Q", x2="until:Q")


def as_asked(target: float) -> str:
    """Write a target as it was asked for: it is no finding, and rounded to no side.

    >>> as_asked(0.0005)
    '0.05 %'
    """
    return f"{100 * target:.4g} %"


def target_rows(target: float | None, place: float) -> list[dict[str, Any]]:
    """Return a target as the rows of :func:`target_line`, with its name at this place on the axis.

    >>> target_rows(0.05, 10.0)
    [{'x': 10.0, 'value': 0.05, 'name': 'target 5 %'}]
    >>> target_rows(None, 10.0)
    []
    """
    if target is None:
        return []
    return [{"x": float(place), "value": target, "name": f"target {as_asked(target)}"}]


def target_line(rows: Rows, align: Literal["left", "right"]) -> list[alt.Chart]:
    """Draw a target across a panel, with its name above it, readable where other lines pass behind it."""
    base = alt.Chart(rows).encode(y="value:Q")
    names = [mark.encode(x="x:Q", text="name:N") for mark in over_lines(base, {"align": align, "dy": -8})]
    return [base.mark_rule(color=INK.light, strokeWidth=1.5), *names]
