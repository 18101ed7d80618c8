"""What does more or less noise cost: in people disclosed, and in accuracy lost?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, Line, band_of, panel
from epsilometer.charts.targets import as_asked, run_rows, shading, target_line, target_rows
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed, how_known, short
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import rounded_down

if TYPE_CHECKING:
    import numpy.typing as npt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.evidence import Answer, Heuristic
    from epsilometer.vocabulary.language import Language

RISK_TITLE: Final = ENGLISH.text("chart.risk_and_loss.risk_axis")
LOSS_TITLE: Final = ENGLISH.text("chart.risk_and_loss.loss_axis")
RISK_HEIGHT: Final = 210
LOSS_HEIGHT: Final = 160
GAP: Final = 34  # between the panels: the note on the knee, then the title of the lower one
HAIR: Final = 1e-3  # of a risk: a rise that is smaller than this does not show
UNSEEN: Final = 1e-6  # a rise that no number shows


class Targets(NamedTuple):
    """The largest risk and loss that are acceptable, where they were given."""

    max_risk: float | None
    max_loss: float | None


def draw_risk_and_loss(
    curves: Curves,
    *,
    max_risk: float | None = None,
    max_loss: float | None = None,
    width: int = WIDE,
    language: Language = ENGLISH,
) -> alt.VConcatChart:
    """Draw risk and loss in two panels over one axis of epsilon, with the targets and where they are met."""
    epsilons, targets = np.asarray(curves.people.mechanism["epsilon"]), Targets(max_risk, max_loss)
    runs = _feasible(curves, targets)
    shaded = [shading(alt.InlineData(values=run_rows(runs)))] if runs else []
    risk = panel(
        epsilons,
        _risks(curves, language),
        title=_name("risk_axis", language),
        width=width,
        height=RISK_HEIGHT,
        reach=max_risk or 0.0,
        labels=False,
        language=language,
    )
    loss = panel(
        epsilons,
        [Line(_name("loss", language), np.asarray(curves.loss.value), VERMILLION, band=band_of(curves.loss.answer))],
        title=_name("loss_axis", language),
        width=width,
        height=LOSS_HEIGHT,
        reach=max_loss or 0.0,
        language=language,
    )
    knee, note = _knee(curves, language)
    # Risk climbs with epsilon and loss falls: at these ends the name of a target stands clear of the line.
    upper = alt.layer(*shaded, risk, *target_mark(max_risk, epsilons.min(), "left", language), *knee, *note)
    lower = alt.layer(*shaded, loss, *target_mark(max_loss, epsilons.max(), "right", language), *knee)
    chart = alt.vconcat(upper, lower, spacing=GAP)
    title, subtitle = _finding(curves, targets, language), _reading(curves, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def target_mark(
    target: float | None, place: float, align: Literal["left", "right"], language: Language
) -> list[alt.Chart]:
    """Draw a target across a panel, named at this place on the axis; there may be none."""
    if target is None:
        return []
    name = language.text("chart.target", target=language.number(as_asked(target)))
    rows = [{**row, "name": name} for row in target_rows(target, place)]
    return target_line(alt.InlineData(values=rows), align)


def _risks(curves: Curves, language: Language) -> list[Line]:
    cells, people = curves.cells, curves.people
    return [
        Line(_name("cells", language), np.asarray(cells.value), QUIET, DASHED, band_of(cells.answer)),
        Line(_name("people", language), np.asarray(people.value), BLUE, band=band_of(people.answer)),
    ]


def _name(part: str, language: Language) -> str:
    return language.text(f"chart.risk_and_loss.{part}")


def climbs_from_knee(curves: Curves) -> bool:
    """Say whether the risk of people is about to rise at the knee, rather than to fall or to stay."""
    epsilons, people, _ = _in_order(curves)
    later, hair = people[_nearest(curves.knee, epsilons) :], HAIR * people.max()
    return bool(later[-1] > later[0] + hair and later.min() >= later[0] - hair)


def course(curves: Curves) -> tuple[Literal["climbs", "flat", "largest"], str]:
    """Say what more epsilon does to the risk of people, and an epsilon: it climbs from there, or is largest there.

    A rise is one that shows next to the risk it starts from, however small both are next to the largest.
    """
    if climbs_from_knee(curves):
        return "climbs", f"{rounded_down(float(curves.knee.value), 2):g}"
    epsilons, people, _ = _in_order(curves)
    lowest = np.minimum.accumulate(people)
    flat = (people - lowest <= HAIR * lowest + UNSEEN).all()
    return "flat" if flat else "largest", f"{epsilons[np.argmax(people)]:.2g}"


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


def _finding(curves: Curves, targets: Targets, language: Language) -> str:
    if targets == (None, None):
        return _course(curves, language)
    goal = language.joined(
        language.text(f"chart.risk_and_loss.{name}_goal", target=language.number(as_asked(target)))
        for name, target in (("risk", targets.max_risk), ("loss", targets.max_loss))
        if target is not None
    )
    runs = _feasible(curves, targets)
    if not runs:
        return language.text("chart.risk_and_loss.none", goal=goal)
    to = f" {language.text('chart.to')} "
    places = [to.join(dict.fromkeys(language.number(end, ".2g") for end in run)) for run in runs]
    places_in_words = f"{language.text('chart.separator')} ".join(places)
    return language.text("chart.risk_and_loss.met", goal=f"{goal[0].upper()}{goal[1:]}", places=places_in_words)


def _course(curves: Curves, language: Language) -> str:
    what, epsilon = course(curves)
    return language.text(f"chart.risk_and_loss.{what}", epsilon=language.number(epsilon))


def _reading(curves: Curves, language: Language) -> str:
    """Say the numbers at the point of the grid nearest to the knee or, without a climb, at the largest risk."""
    epsilons, people, losses = _in_order(curves)
    at = _nearest(curves.knee, epsilons) if climbs_from_knee(curves) else int(np.argmax(people))
    return language.text(
        "chart.risk_and_loss.reading",
        epsilon=language.number(epsilons[at], ".2g"),
        sensitive=short(curves.sensitive),
        risk=language.percent_under_noise(float(people[at])),
        loss=language.percent(float(losses[at])),
    )


def _in_order(curves: Curves) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return epsilon, the risk of people and the loss, by ascending epsilon."""
    epsilons = np.asarray(curves.people.mechanism["epsilon"])
    order = np.argsort(epsilons)
    return epsilons[order], np.asarray(curves.people.value)[order], np.asarray(curves.loss.value)[order]


def _nearest(knee: Heuristic, epsilons: FloatArray) -> int:
    return int(np.argmin(np.abs(np.log(epsilons) - np.log(float(knee.value)))))


def _knee(curves: Curves, language: Language) -> tuple[list[alt.Chart], list[alt.Chart]]:
    """Return a vertical line where the risk starts to climb, if it does, and a note for the foot of it."""
    what, epsilon = course(curves)
    if what != "climbs":
        return [], []
    known = how_known(curves.knee.kind, language)
    name = language.text("chart.risk_and_loss.knee", epsilon=language.number(epsilon), known=known)
    base = alt.Chart(alt.InlineData(values=[{"x": float(curves.knee.value), "name": name}]))
    line = base.mark_rule(color=QUIET.light, strokeDash=[2, 3]).encode(x="x:Q")
    note = base.mark_text(color=QUIET.light, baseline="top").encode(
        x="x:Q", y=alt.value(RISK_HEIGHT + 6), text="name:N"
    )
    return [line], [note]
