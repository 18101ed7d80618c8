"""The report of kinds of release side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.frontier import draw_frontier
from epsilometer.charts.frontier_words import curve_name, point_name
from epsilometer.report.building.framing import (
    as_given,
    audience,
    baseline,
    closing,
    evidence,
    first_chart,
    how_known,
)
from epsilometer.report.building.frontier_points import RECOMMENDED, worth_a_line
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, KeyNumber, Report, Table
from epsilometer.report.odds import said
from epsilometer.report.odds.comparisons import release_in_words
from epsilometer.report.odds.saying import noting_no_gain
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.wording import has_grown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.frontier import Frontier
    from epsilometer.vocabulary.language import Language


def frontier_report(frontier: Frontier, *, language: str = "en") -> Report:
    """Report which kind of release costs the least accuracy at the same risk."""
    words = spoken(language)
    best = frontier.recommended
    chosen = None if best is None else release_in_words(frontier.at(best), words)
    return Report(
        title=words.text("report.title.frontier"),
        audience=audience(words, confidential=True),
        confidential=True,
        scope=words.text(
            "report.scope.frontier",
            sensitive=frontier.sensitive,
            people=words.people(frontier.n_people),
            known=words.joined(frontier.quasi_identifiers),
        ),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.frontier"),
                sentences=said(frontier, language=language).sentences,
                numbers=tuple(_numbers(words, frontier, chosen)),
                chart=first_chart(
                    words, "frontier", lambda width: draw_frontier(frontier, width=width, language=words)
                ),
            ),
        ),
        recommendation=_recommendation(words, frontier, chosen),
        decision=() if chosen is None else decision(words, words.text("report.frontier.decide", release=chosen)),
        sections=(
            evidence(words, _points(words, frontier)),
            *closing(
                words,
                assumptions=(
                    *frontier.assumptions,
                    *(line for curve in frontier.curves for line in curve.assumptions),
                ),
                caveats=frontier.caveats,
                methods={words.text("report.shared.how"): frontier.source},
                asked=_asked(words, frontier),
                seeds={words.text("report.seed"): str(frontier.seed)},
            ),
        ),
        language=language,
    )


def _recommendation(words: Language, frontier: Frontier, chosen: str | None) -> str:
    if frontier.recommended is not None and chosen is not None:
        _, point = frontier.at(frontier.recommended)
        gained = has_grown(point.risk_at_most, frontier.no_release)
        return words.text(
            "report.frontier.recommend" if gained else "report.frontier.recommend_no_gain",
            release=chosen,
            risk=words.percent(point.risk_at_most),
            loss=words.points(point.loss_at_most),
        )
    if frontier.has_targets:
        limits = {"risk": frontier.max_risk, "loss": frontier.max_loss}
        given = (
            words.text(f"report.frontier.limits_{name}", value=as_given(words, limit))
            for name, limit in limits.items()
            if limit is not None
        )
        return words.text("report.frontier.none", limits=words.joined(given))
    raw = any(frontier.at(place)[0].kind == "raw" for place in frontier.pareto)
    warning = [words.text("report.frontier.raw_warning")] if raw else []
    return " ".join((words.text("report.recommend.no_limits"), *warning))


def _numbers(words: Language, frontier: Frontier, chosen: str | None) -> Iterator[KeyNumber]:
    yield baseline(words, frontier.no_release, words.text("report.frontier.before"))
    if frontier.recommended is not None and chosen is not None:
        _, point = frontier.at(frontier.recommended)
        yield KeyNumber(
            value=words.percent(point.risk_at_most),
            name=words.text("report.frontier.this_name"),
            meaning=noting_no_gain(
                words,
                words.text("report.frontier.this", release=chosen),
                point.risk_at_most,
                frontier.no_release,
            ),
            place="this",
        )
    yield KeyNumber(
        value=words.percent(frontier.raw),
        name=words.text("report.frontier.raw_name"),
        meaning=noting_no_gain(words, words.text("report.frontier.raw"), frontier.raw, frontier.no_release),
        place="worst",
    )


def _points(words: Language, frontier: Frontier) -> Table:
    shown = worth_a_line(frontier)
    told = any(point.stronger is not None for _, point, _ in shown)
    asked = [row for row, (_, _, marks) in enumerate(shown) if RECOMMENDED in marks]
    return Table(
        columns=(
            words.text("report.table.release"),
            words.text("report.frontier.at"),
            words.text("report.table.risk"),
            words.text("report.table.known"),
            *[words.text("report.frontier.stronger")] * told,
            words.text("report.table.loss"),
            words.text("report.frontier.stands_out"),
        ),
        rows=tuple(
            (
                curve_name(curve, words),
                point_name(curve, point, words),
                words.percent(point.risk_at_most),
                how_known(words, point.risk.kind),
                *["" if point.stronger is None else words.percent(float(point.stronger.value))] * told,
                words.percent(point.loss_at_most),
                ", ".join(words.text(f"report.frontier.{mark}") for mark in marks),
            )
            for curve, point, marks in shown
        ),
        numeric=frozenset({1, 2, 4, 4 + told}),
        caption=f"{words.text('report.frontier.title')}. "
        + " ".join(
            (
                words.text(
                    "report.frontier.before_and_raw",
                    no_release=words.percent_at_least(frontier.no_release),
                    raw=words.percent(frontier.raw),
                ),
                *[words.text("report.frontier.stronger_is")] * told,
                words.text("report.frontier.shown"),
            )
        ),
        asked=asked[0] if asked else None,
    )


def _asked(words: Language, frontier: Frontier) -> dict[str, str]:
    limits = {"max_risk": frontier.max_risk, "max_loss": frontier.max_loss}
    return {
        **{
            words.text(f"report.choice.{name}"): as_given(words, limit)
            for name, limit in limits.items()
            if limit is not None
        },
        words.text("report.frontier.repeats"): words.number(frontier.repeats),
        words.text("report.frontier.runs"): words.number(frontier.runs),
    }
