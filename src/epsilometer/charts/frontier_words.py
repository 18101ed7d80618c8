"""What the chart of kinds of release says: the names of its curves and points, its finding, and how to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.targets import as_asked
from epsilometer.charts.theme import short

if TYPE_CHECKING:
    from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint
    from epsilometer.vocabulary.language import Language


def kind_name(curve: FrontierCurve, language: Language) -> str:
    """Name the kind of release that a curve is of."""
    return language.text(f"chart.frontier.{curve.kind}")


def curve_name(curve: FrontierCurve, language: Language) -> str:
    """Name a curve: its kind and, of synthetic tables, how they were made."""
    if curve.kind != "synthetic":
        return kind_name(curve, language)
    return language.text("chart.frontier.made_by", method=short(curve.name.partition(", ")[2]))


def point_name(curve: FrontierCurve, point: FrontierPoint, language: Language) -> str:
    """Say what tells a point from the others of its curve: ``ε = 0.5``, ``800 rows``, or nothing."""
    if point.parameter is None:
        return ""
    if curve.parameter == "rows":
        return language.text("chart.frontier.rows", n=language.number(point.parameter, ",.0f"))
    return f"ε = {language.number(point.parameter, '.3g')}"


def finding(frontier: Frontier, language: Language) -> str:
    """Say which release to take or, without targets, which ones nothing beats."""
    if frontier.recommended is not None:
        return _best(frontier, *frontier.at(frontier.recommended), language)
    if frontier.has_targets:
        return language.text("chart.frontier.none", goal=_goals(frontier, language))
    curves = (curve for curve, _ in map(frontier.at, frontier.pareto) if curve.kind != "raw")
    unbeaten = list(dict.fromkeys(curve_name(curve, language) for curve in curves))
    if len(unbeaten) > 1:
        return language.text("chart.frontier.several", names=language.joined(unbeaten))
    return language.text("chart.frontier.unbeaten", name=(*unbeaten, language.text("chart.frontier.unbeaten_raw"))[0])


def reading(frontier: Frontier, language: Language) -> str:
    """Say the numbers of the release to take, what the attacker knows, and what the marks mean."""
    told = language.text(
        "chart.frontier.reading",
        people=frontier.n_people,
        known=", ".join(map(short, frontier.quasi_identifiers)),
        sensitive=short(frontier.sensitive),
    )
    if frontier.recommended is None:
        return told
    _, point = frontier.at(frontier.recommended)
    risk, loss = language.percent(point.risk_at_most), language.points(point.loss_at_most)
    return f"{language.text('chart.frontier.there', risk=risk, loss=loss)} {told}"


def _best(frontier: Frontier, curve: FrontierCurve, point: FrontierPoint, language: Language) -> str:
    least = language.text(f"chart.frontier.{'loss' if frontier.max_loss is None else 'risk'}")
    at = point_name(curve, point, language)
    if curve.kind == "sample":
        return language.text("chart.frontier.best_sample", at=at, least=least)
    name = curve_name(curve, language)
    name = f"{name[0].upper()}{name[1:]}"
    return language.text(f"chart.frontier.best_{curve.kind}", name=name, at=at, least=least)


def _goals(frontier: Frontier, language: Language) -> str:
    goals = {"risk_goal": frontier.max_risk, "loss_goal": frontier.max_loss}
    return language.joined(
        language.text(f"chart.risk_and_loss.{name}", target=language.number(as_asked(goal)))
        for name, goal in goals.items()
        if goal is not None
    )
