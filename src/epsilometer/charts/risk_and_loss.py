"""What does more or less noise cost: in people disclosed, and in accuracy lost?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, Line, band_of, panel
from epsilometer.charts.targets import run_rows, shading, target_line, target_rows
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    import numpy.typing as npt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.evidence import Answer, Heuristic

RISK_TITLE: Final = "Risk: people and cells disclosed (%)"
LOSS_TITLE: Final = "Loss: accuracy lost (%; 0 perfect, 100 useless)"
RISK_HEIGHT: Final = 210
LOSS_HEIGHT: Final = 160
GAP: Final = 34  # between the panels: the note on the knee, then the title of the lower one
HAIR: Final = 1e-3  # of the largest risk: a rise that is smaller than this does not show


class Targets(NamedTuple):
    """The largest risk and loss that are acceptable, where they were given."""

    max_risk: float | None
    max_loss: float | None


def draw_risk_and_loss(
    curves: Curves, *, max_risk: float | None = None, max_loss: float | None = None, width: int = WIDE
) -> alt.VConcatChart:
    """Draw risk and loss in two panels over one axis of epsilon, with the targets and where they are met."""
    epsilons, targets = np.asarray(curves.people.mechanism["epsilon"]), Targets(max_risk, max_loss)
    runs = _feasible(curves, targets)
    shaded = [shading(alt.InlineData(values=run_rows(runs)))] if runs else []
    risk = panel(
        epsilons,
        [
            Line("cells", np.asarray(curves.cells.value), QUIET, DASHED, band_of(curves.cells.answer)),
            Line("people", np.asarray(curves.people.value), BLUE, band=band_of(curves.people.answer)),
        ],
        title=RISK_TITLE,
        width=width,
        height=RISK_HEIGHT,
        reach=max_risk or 0.0,
        labels=False,
    )
    loss = panel(
        epsilons,
        [Line("loss", np.asarray(curves.loss.value), VERMILLION, band=band_of(curves.loss.answer))],
        title=LOSS_TITLE,
        width=width,
        height=LOSS_HEIGHT,
        reach=max_loss or 0.0,
    )
    knee, note = _knee(curves)
    # Risk climbs with epsilon and loss falls: at these ends the name of a target stands clear of the line.
    upper = alt.layer(*shaded, risk, *_target(max_risk, epsilons.min(), "left"), *knee, *note)
    lower = alt.layer(*shaded, loss, *_target(max_loss, epsilons.max(), "right"), *knee)
    chart = alt.vconcat(upper, lower, spacing=GAP)
    return dressed(chart, title=_finding(curves, targets), subtitle=_reading(curves), width=width)


def climbs_from_knee(curves: Curves) -> bool:
    """Say whether the risk of people is about to rise at the knee, rather than to fall or to stay."""
    epsilons, people, _ = _in_order(curves)
    later, hair = people[_nearest(curves.knee, epsilons) :], HAIR * people.max()
    return bool(later[-1] > later[0] + hair and later.min() >= later[0] - hair)


def feasible_runs(epsilons: FloatArray, met: npt.NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Return the first and last epsilon of every unbroken run of points at which the targets are met.

    >>> feasible_runs(np.array([0.1, 1.0, 2.0, 5.0]), np.array([True, False, True, True]))
    [(0.1, 0.1), (2.0, 5.0)]
    """
    order = np.argsort(epsilons)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], met[order], [False]]).astype(np.int8)))
    ascending = epsilons[order]
    return [(float(ascending[i]), float(ascending[j - 1])) for i, j in zip(edges[::2], edges[1::2], strict=True)]


def _feasible(curves: Curves, targets: Targets) -> list[tuple[float, float]]:
    """Where both targets are met; of an interval, the worse end must meet them."""
    if targets == (None, None):
        return []
    pairs = ((curves.people.answer, targets.max_risk), (curves.loss.answer, targets.max_loss))
    met = [_worse_end(answer) <= target for answer, target in pairs if target is not None]
    return feasible_runs(np.asarray(curves.people.mechanism["epsilon"]), np.all(met, axis=0))


def _worse_end(answer: Answer) -> FloatArray:
    band = band_of(answer)
    return np.asarray(answer.value) if band is None else band[1]


def _finding(curves: Curves, targets: Targets) -> str:
    if targets == (None, None):
        return _course(curves)
    goals = [
        f"{name} of at most {percent_at_least(target)}"
        for name, target in (("a risk", targets.max_risk), ("a loss", targets.max_loss))
        if target is not None
    ]
    goal, runs = " and ".join(goals), _feasible(curves, targets)
    if not runs:
        return f"No ε on this chart has {goal}"
    places = [f"{low:.2g}" if low == high else f"{low:.2g} to {high:.2g}" for low, high in runs]
    return f"{goal[0].upper()}{goal[1:]}: met at about ε = {', '.join(places)}"


def _course(curves: Curves) -> str:
    """Say what more epsilon does to the risk of people."""
    if climbs_from_knee(curves):
        return f"From about ε = {float(curves.knee.value):.2g}, the risk to people starts to climb"
    epsilons, people, _ = _in_order(curves)
    rise = np.max(people - np.minimum.accumulate(people))
    if rise <= HAIR * people.max():
        return "More ε does not raise the risk in this table"
    return f"The risk to people is largest at about ε = {epsilons[np.argmax(people)]:.2g}"


def _reading(curves: Curves) -> str:
    """Say the numbers at the point of the grid nearest to the knee or, without a climb, at the largest risk."""
    epsilons, people, losses = _in_order(curves)
    at = _nearest(curves.knee, epsilons) if climbs_from_knee(curves) else int(np.argmax(people))
    risk, loss = float(people[at]), float(losses[at])
    return (
        f"At ε = {epsilons[at]:.2g}, publishing noisy counts of {short(curves.sensitive)} discloses "
        f"{percent(risk)} of the people and costs {percent(loss)} of the accuracy."
    )


def _in_order(curves: Curves) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return epsilon, the risk of people and the loss, by ascending epsilon."""
    epsilons = np.asarray(curves.people.mechanism["epsilon"])
    order = np.argsort(epsilons)
    return epsilons[order], np.asarray(curves.people.value)[order], np.asarray(curves.loss.value)[order]


def _nearest(knee: Heuristic, epsilons: FloatArray) -> int:
    return int(np.argmin(np.abs(np.log(epsilons) - np.log(float(knee.value)))))


def _target(target: float | None, epsilon: float, align: Literal["left", "right"]) -> list[alt.Chart]:
    if target is None:
        return []
    return target_line(alt.InlineData(values=target_rows(target, epsilon)), align)


def _knee(curves: Curves) -> tuple[list[alt.Chart], list[alt.Chart]]:
    """Return a vertical line where the risk starts to climb, if it does, and a note for the foot of it."""
    if not climbs_from_knee(curves):
        return [], []
    knee = float(curves.knee.value)
    base = alt.Chart(alt.InlineData(values=[{"x": knee, "name": f"climbs from ε ≈ {knee:.2g} ({curves.knee.kind})"}]))
    line = base.mark_rule(color=QUIET.light, strokeDash=[2, 3]).encode(x="x:Q")
    note = base.mark_text(color=QUIET.light, baseline="top").encode(
        x="x:Q", y=alt.value(RISK_HEIGHT + 6), text="name:N"
    )
    return [line], [note]
