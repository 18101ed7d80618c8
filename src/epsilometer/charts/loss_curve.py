"""How far off is an analyst who works with the release?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, SOLID, Line, band_of, panel
from epsilometer.charts.rows import Row, bars, up_to_longest
from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, QUIET, WIDE, dressed, size_axis
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import hundredths_up, percent, percent_at_least

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.loss import Loss
    from epsilometer.vocabulary.sample_loss import SampleLoss

HEIGHT: Final = 240
LOOKS: Final = ((BLUE, DASHED), (GREEN, DOTTED), (INK, DASHED))
AXIS: Final = "accuracy lost (%; 0 perfect, 100 useless)"
READING: Final = "Distance of the shares read off the release from the true ones. Thin lines and bands: intervals."


def draw_loss(loss: Loss, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the loss of shares of one, two and three columns: bars for one epsilon, lines for a curve."""
    epsilons, values = np.atleast_1d(loss.mechanism["epsilon"]), np.atleast_1d(loss.value)
    ways = {f"{way} column{'s' if way > 1 else ''}": estimate for way, estimate in loss.by_way.items()}
    if len(epsilons) == 1:
        rows = [_row(f"Shares of {name} at a time", estimate) for name, estimate in ways.items()]
        rows += [_row("On average", loss.answer)] * (len(ways) > 1)
        chart = bars(rows, up_to_longest(rows, AXIS), width=width)
        title = f"At ε = {epsilons[0]:.3g}, shares are off by {_points(values)} on average"
    else:
        drawn = [
            Line(name, np.asarray(estimate.value), *look, band_of(estimate))
            for (name, estimate), look in zip(ways.items(), LOOKS, strict=False)
        ]
        drawn += [Line("average", values, PURPLE, SOLID, band_of(loss.answer))] * (len(ways) > 1)
        chart = panel(epsilons, drawn, title=AXIS, width=width, height=HEIGHT)
        title = (
            f"Between ε = {epsilons.min():.3g} and ε = {epsilons.max():.3g}, shares are off by "
            f"{_points(values)} on average"
        )
    return dressed(chart, title=title, subtitle=READING, width=width)


def draw_sample_loss(loss: SampleLoss, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the loss of an analyst who has a sample, next to that of one who has nothing."""
    sizes, values = loss.release.sizes.astype(np.float64), np.atleast_1d(loss.value)
    title = (
        f"Shares read off the sample are off by {_points(values)}, against "
        f"{ENGLISH.points_at_least(loss.no_release)} without a release"
    )
    if len(sizes) == 1:
        without = Row("Without a release", loss.no_release, percent_at_least(loss.no_release), QUIET)
        rows = [without, _row(f"With a sample of {int(sizes[0]):,} people", loss.answer)]
        chart = bars(rows, up_to_longest(rows, "expected error of the shares (%)"), width=width)
    else:
        drawn = [
            Line("no release", np.full(values.shape, loss.no_release), QUIET, DOTTED),
            Line("sample", values, PURPLE, band=band_of(loss.answer)),
        ]
        title_of_axis = "expected error of the shares (%)"
        chart = panel(sizes, drawn, title=title_of_axis, width=width, height=HEIGHT, axis=size_axis)
    return dressed(chart, title=title, subtitle=loss.question, width=width)


def _points(values: FloatArray) -> str:
    """Write the least and the largest of losses, or the only one."""
    low, high = hundredths_up(float(values.min())), hundredths_up(float(values.max()))
    return f"{'' if low == high else f'{low} to '}{ENGLISH.points(float(values.max()))}"


def _row(name: str, answer: Answer) -> Row:
    value, band = float(np.max(answer.value)), band_of(answer)
    ends = None if band is None else (float(band[0][0]), float(band[1][0]))
    return Row(name, value, percent(value), PURPLE, ends)
