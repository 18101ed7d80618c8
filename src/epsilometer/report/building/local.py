"""The report of reports that people randomised themselves: planned, or released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.local import draw_local_release, draw_local_risk
from epsilometer.report.building.framing import (
    audience,
    closing,
    evidence,
    first_chart,
    how_known,
    named_right,
)
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, Facts, Report, Table, Text
from epsilometer.report.odds import said
from epsilometer.report.odds.crowd import confidence, first
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.report.model import Block, KeyNumber, Section
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.local_release import LocalRelease
    from epsilometer.vocabulary.local_risk import LocalRisk


def local_risk_report(risk: LocalRisk, *, language: str = "en") -> Report:
    """Report what an attacker learns from reports that people are going to randomise."""
    words = spoken(language)
    return Report(
        title=words.text("report.title.local"),
        audience=audience(words, confidential=False),
        confidential=False,
        scope=words.text(
            "report.local.scope_risk",
            n=risk.n_people,
            randomizer=_name(words, risk.randomizer),
            epsilon=_epsilon(words, risk.randomizer),
        ),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.local"),
                sentences=said(risk, language=language).sentences,
                numbers=_numbers(words, risk, shuffled=True),
                chart=first_chart(
                    words, "local_risk", lambda width: draw_local_risk(risk, width=width, language=words)
                ),
            ),
        ),
        recommendation=None,
        decision=decision(words, words.text("report.local.decide")),
        sections=(
            evidence(words, _seen(words, risk), _guaranteed(words, risk)),
            *_closing(words, risk, _asked(words, risk.randomizer, risk.n_people)),
        ),
        language=language,
    )


def local_release_report(release: LocalRelease, *, language: str = "en") -> Report:
    """Report what was collected, and what can be read off it."""
    words = spoken(language)
    return Report(
        title=words.text("report.title.local"),
        audience=words.text("report.public_protected"),
        confidential=False,
        scope=_released(words, release),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.local"),
                sentences=said(release, language=language).sentences,
                numbers=() if release.risk is None else _numbers(words, release.risk, shuffled=release.shuffled),
                chart=first_chart(
                    words, "local_release", lambda width: draw_local_release(release, width=width, language=words)
                ),
            ),
        ),
        recommendation=None if release.shuffled else words.text("report.local.recommend_shuffle"),
        decision=decision(words, words.text("report.local.decide")),
        sections=(
            evidence(words, *local_blocks(words, release)),
            *_closing(
                words,
                release.risk,
                {
                    words.text("report.local.column"): release.column,
                    words.text("report.local.order"): _order(words, release),
                    **_asked(words, release.drawing, release.n_people),
                },
            ),
        ),
        language=language,
    )


def local_blocks(words: Language, release: LocalRelease) -> tuple[Block | None, ...]:
    """Return what an analyst and an attacker make of the reports, and what was drawn."""
    risk = release.risk
    return (
        _estimates(words, release),
        Text(words.text("report.local.numbers_only")) if risk is None else _seen(words, risk),
        None if risk is None else _guaranteed(words, risk),
        Facts(
            {
                words.text("report.local.drawn"): words.line(str(release.drawing["guarantee"])),
                words.text("report.local.law"): words.line(str(release.drawing["law"])),
                words.text("report.local.randomness"): words.text("report.local.operating_system"),
            }
        ),
    )


def _numbers(words: Language, risk: LocalRisk, *, shuffled: bool) -> tuple[KeyNumber, ...]:
    return named_right(
        words,
        before=risk.no_release,
        this=first(risk.shuffled.value) if shuffled else risk.value,
        worst=risk.any_table,
        meaning="report.local.this_shuffled" if shuffled else "report.local.this_own",
    )


def _seen(words: Language, risk: LocalRisk) -> Table:
    """What the attacker sees, and how often they are right."""
    shuffled = first(risk.shuffled.value)
    return Table(
        columns=(
            words.text("report.local.seen"),
            words.text("report.table.named_right"),
            words.text("report.table.known"),
        ),
        rows=(
            (words.text("report.local.no_report"), words.percent_at_least(risk.no_release), how_known(words, "exact")),
            (words.text("report.local.shuffled"), words.percent(shuffled), how_known(words, risk.shuffled.kind)),
            (words.text("report.local.own"), words.percent(risk.value), how_known(words, risk.evidence)),
        ),
        numeric=frozenset({1}),
        caption=words.text("report.local.seen_title"),
    )


def _estimates(words: Language, release: LocalRelease) -> Table:
    sure = confidence(release.statistics[0].interval.confidence, words)
    return Table(
        columns=(
            words.text("report.table.value"),
            words.text("report.local.estimate"),
            words.text("report.local.interval", confidence=sure),
        ),
        rows=tuple(
            (
                statistic.name,
                words.number(statistic.value, ".4g"),
                words.text(
                    "report.shared.both_ends",
                    low=words.number(float(statistic.interval.low), ".4g"),
                    high=words.number(float(statistic.interval.high), ".4g"),
                ),
            )
            for statistic in release.statistics
        ),
        numeric=frozenset({1, 2}),
        caption=words.text("report.local.estimates_title", column=release.column),
    )


def _guaranteed(words: Language, risk: LocalRisk) -> Text:
    epsilon = words.number(shown_up(risk.local_epsilon))
    if risk.shuffled_epsilon is None:
        return Text(words.text("report.local.guarantee", epsilon=epsilon))
    return Text(
        words.text(
            "report.local.guarantee_shuffled",
            epsilon=epsilon,
            shuffled=words.number(shown_up(risk.shuffled_epsilon)),
            delta=words.number(shown_up(risk.shuffled_delta)),
        )
    )


def _closing(words: Language, risk: LocalRisk | None, asked: Mapping[str, str]) -> tuple[Section, ...]:
    return closing(
        words,
        assumptions=() if risk is None else risk.assumptions,
        caveats=() if risk is None else risk.caveats,
        methods=None if risk is None else {words.text("report.shared.how"): risk.source},
        asked=asked,
    )


def _asked(words: Language, randomizer: Mapping[str, object], n_people: int) -> dict[str, str]:
    return {
        words.text("report.local.randomizer"): f"{_name(words, randomizer)}, ε = {_epsilon(words, randomizer)}",
        words.text("report.local.people"): words.number(n_people),
    }


def _released(words: Language, release: LocalRelease) -> str:
    return words.text(
        "report.local.scope_release",
        n=release.n_people,
        column=release.column,
        randomizer=_name(words, release.drawing),
        epsilon=_epsilon(words, release.drawing),
        order=_order(words, release),
    )


def _order(words: Language, release: LocalRelease) -> str:
    return words.text("odds.local.in_random_order" if release.shuffled else "odds.local.in_order")


def _name(words: Language, randomizer: Mapping[str, object]) -> str:
    return words.text(f"odds.randomizer.{randomizer['name']}")


def _epsilon(words: Language, randomizer: Mapping[str, object]) -> str:
    return words.number(float(str(randomizer["epsilon"])))
