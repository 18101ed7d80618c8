"""The report of a search for the attacker who needs to know least."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.attackers import draw_attackers
from epsilometer.formulas.homogeneity.named_right import named_right
from epsilometer.formulas.vulnerability import attribute_posterior, attribute_prior
from epsilometer.report.building.framing import (
    as_given,
    audience,
    baseline,
    cited,
    closing,
    evidence,
    first_chart,
)
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, KeyNumber, Report, Table
from epsilometer.report.odds import said
from epsilometer.report.odds.saying import noting_no_gain
from epsilometer.vocabulary.language import language as spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.attackers import Attackers, Knowledge
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.source import Source


def attackers_report(found: Attackers, *, language: str = "en") -> Report:
    """Report who breaks the limit knowing least, and which column helps most."""
    words = spoken(language)
    return Report(
        title=words.text("report.title.attackers"),
        audience=audience(words, confidential=True),
        confidential=True,
        scope=words.text(
            "report.attackers.scope", n=len(found.costs), sensitive=found.sensitive, what=_attacked(words, found)
        ),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.attackers"),
                sentences=said(found, language=language).sentences,
                numbers=tuple(_numbers(words, found)),
                chart=first_chart(words, "attackers", lambda width: draw_attackers(found, width=width, language=words)),
            ),
        ),
        recommendation=_recommendation(words, found),
        decision=decision(words, words.text(f"report.attackers.{_decide(found)}", what=_attacked(words, found))),
        sections=(
            evidence(
                words,
                _breaking(words, found) if found.attackers else None,
                _contributions(words, found) if found.contributions else None,
                _levels(words, found) if found.levels else None,
            ),
            *closing(
                words,
                assumptions=found.assumptions,
                caveats=found.caveats,
                methods={words.text("report.shared.how"): _sources(found)},
                asked=_asked(words, found),
            ),
        ),
        language=language,
    )


def _sources(found: Attackers) -> tuple[Source, ...]:
    raw = cited(attribute_prior, attribute_posterior)
    return raw if found.mechanism is None else (*raw, *cited(named_right))


def _decide(found: Attackers) -> str:
    broken = found.breaking or found.no_release > found.max_risk
    return "decide_anyway" if broken else "decide"


def _recommendation(words: Language, found: Attackers) -> str:
    limit = as_given(words, found.max_risk)
    if found.no_release > found.max_risk:
        no_release = words.percent_at_least(found.no_release)
        return words.text("report.attackers.impossible", no_release=no_release, limit=limit)
    if found.breaking:
        cheapest = found.breaking[0]
        key = "report.attackers.publish_not_raw" if found.mechanism is None else "report.attackers.publish_not_noisy"
        return words.text(
            key,
            known=_known(words, cheapest),
            sensitive=found.sensitive,
            risk=words.percent(cheapest.at_most),
            limit=limit,
            epsilon="" if found.mechanism is None else words.number(float(found.mechanism["epsilon"])),
        )
    if found.all_known <= found.max_risk:
        return words.text(
            "report.attackers.holds_whole",
            limit=limit,
            sensitive=found.sensitive,
            risk=words.percent(found.all_known),
        )
    return words.text(
        "report.attackers.holds",
        limit=limit,
        budget=_budget(words, found),
        sensitive=found.sensitive,
        risk=words.percent(_strongest(found).at_most),
    )


def _numbers(words: Language, found: Attackers) -> Iterator[KeyNumber]:
    yield baseline(words, found.no_release, words.text("report.attackers.before"))
    if found.evaluated:
        one, name = (found.breaking[0], "this_name") if found.breaking else (_strongest(found), "strongest_name")
        yield KeyNumber(
            value=words.percent(one.at_most),
            name=words.text(f"report.attackers.{name}"),
            meaning=noting_no_gain(
                words, words.text("report.attackers.this", known=_known(words, one)), one.at_most, found.no_release
            ),
            place="this",
        )
    yield KeyNumber(
        value=words.percent(found.all_known),
        name=words.text("report.attackers.all_name"),
        meaning=noting_no_gain(words, words.text("report.attackers.all"), found.all_known, found.no_release),
        place="worst",
    )


def _strongest(found: Attackers) -> Knowledge:
    return max(found.evaluated, key=lambda one: one.at_most)


def _breaking(words: Language, found: Attackers) -> Table:
    """The smallest sets that break the limit, cheapest first."""
    noisy = found.mechanism is not None
    n_shown, n_breaking = len(found.attackers), len(found.breaking)
    key = "title" if n_shown == n_breaking else "title_part"
    return Table(
        columns=tuple(
            words.text(f"report.attackers.{name}")
            for name in ("known_column", "cost_column", "raw", *["released"] * noisy, "disclosed", "cells", "alone")
        ),
        rows=tuple(
            (
                _known(words, attacker.knowledge),
                words.number(attacker.knowledge.cost),
                words.percent(attacker.knowledge.raw),
                *[words.percent(attacker.knowledge.at_most)] * noisy,
                words.percent(attacker.disclosed),
                words.number(attacker.n_cells),
                words.number(attacker.n_alone),
            )
            for attacker in found.attackers
        ),
        numeric=frozenset(range(1, 6 + noisy)),
        caption=f"{words.text(f'report.attackers.{key}', shown=n_shown, n=n_breaking)}. "
        + words.text("report.attackers.caption"),
    )


def _contributions(words: Language, found: Attackers) -> Table:
    return Table(
        columns=tuple(
            words.text(f"report.attackers.{name}") for name in ("column", "increase", "pairs", "in_breaking")
        ),
        rows=tuple(
            (one.column, words.points(one.increase), words.number(one.n_pairs), words.number(one.n_breaking))
            for one in found.contributions
        ),
        numeric=frozenset({1, 2, 3}),
        caption=words.text("report.attackers.adds_title"),
    )


def _levels(words: Language, found: Attackers) -> Table:
    return Table(
        columns=tuple(
            words.text(f"report.attackers.{name}") for name in ("n_columns", "sets", "evaluated", "breaking")
        ),
        rows=tuple(
            tuple(map(words.number, (level.n_columns, level.n_sets, level.n_evaluated, level.n_breaking)))
            for level in found.levels
        ),
        numeric=frozenset(range(4)),
        caption=words.text("report.attackers.search_title"),
    )


def _known(words: Language, knowledge: Knowledge) -> str:
    return words.joined(knowledge.columns) if knowledge.columns else words.text("report.attackers.nothing")


def _budget(words: Language, found: Attackers) -> str:
    if set(found.costs.values()) == {1.0}:
        return words.text("report.attackers.columns", n=int(found.max_known))
    return words.text("report.attackers.cost", cost=words.number(found.max_known))


def _attacked(words: Language, found: Attackers) -> str:
    if found.mechanism is None:
        return words.text("report.attackers.from_raw")
    return words.text("report.attackers.from_noisy", epsilon=words.number(float(found.mechanism["epsilon"])))


def _asked(words: Language, found: Attackers) -> dict[str, str]:
    return {
        words.text("report.attackers.what"): _attacked(words, found),
        words.text("report.attackers.secret"): found.sensitive,
        words.text("report.attackers.limit"): as_given(words, found.max_risk),
        words.text("report.attackers.budget"): _budget(words, found),
        words.text("report.attackers.candidates"): "; ".join(
            f"{column}: {words.number(cost)}" for column, cost in found.costs.items()
        ),
    }
