"""The report on counts with noise: what this very table gives away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.drawn_noise import OPENING
from epsilometer.charts.risk_and_loss import course
from epsilometer.report.building import parts
from epsilometer.report.building.counts_evidence import evidence_section, risk_picture
from epsilometer.report.building.counts_spread import first_words, most_at_risk, spread_sections
from epsilometer.report.building.framing import whole_numbers
from epsilometer.report.model import BLANK, Answer, KeyNumber, Report, Text
from epsilometer.report.odds import said, said_of_each
from epsilometer.report.odds.crowd import first
from epsilometer.report.odds.noise import noise
from epsilometer.vocabulary.language import language as language_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.assess import Assessment, AttributeAssessment
    from epsilometer.report.model import Section
    from epsilometer.vocabulary.choice import Choice
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.loss import Loss
    from epsilometer.vocabulary.raw_risk import RawRisk
    from epsilometer.vocabulary.risk import Risk
    from epsilometer.vocabulary.risk_grid import RiskGrid
    from epsilometer.vocabulary.risk_spread import RiskSpread

PROMISES: Final = ("probability", "known", "between", "certain", "guarantee", "confidential")
LIMITS: Final = ("attack", "cells", "knowledge", "values", "rows", "population")


def counts_report(
    assessment: Assessment,
    curves: Sequence[Curves],
    *,
    choice: Choice | None = None,
    spread: RiskSpread | None = None,
    grids: Sequence[RiskGrid] = (),
    language: str = "en",
) -> Report:
    """Return the report on an assessment.

    Args:
        assessment: what the plan comes to, at the epsilons asked for.
        curves: risk and loss on a grid of epsilon, for each sensitive attribute in the order of the assessment.
            The table of the report gives the loss at the epsilons that are on the grid.
        choice: the epsilon that meets targets, if any were given.
        spread: how the risk of the first attribute is spread over people.
        grids: the risk of the first attribute at every epsilon and level of another parameter.
        language: of the texts.
    """
    words = language_named(language)
    assessment, curves = _named(assessment, words), _named_alike(curves, assessment, words)
    pairs = list(zip(assessment.attributes, curves, strict=True))
    return Report(
        title=words.text("report.title.counts"),
        audience=words.text("report.confidential"),
        confidential=True,
        scope=_scope(assessment, words),
        answers=_answers(assessment, curves, spread, words),
        recommendation=_recommendation(curves, choice, words),
        decision=parts.decision(words, words.text("report.publish_with_noise", epsilon=_decided(assessment, words))),
        sections=(
            *(evidence_section(words, number, *pair) for number, pair in enumerate(pairs, start=1)),
            *spread_sections(words, spread, grids),
            *_last_sections(assessment, curves, choice, words),
        ),
        language=language,
    )


def _named(assessment: Assessment, words: Language) -> Assessment:
    """Return an assessment in which all attributes together are named as the language joins names."""
    *first_ones, together = assessment.attributes
    if not first_ones:
        return assessment
    names = words.joined(attribute.sensitive for attribute in first_ones)
    return replace(
        assessment,
        attributes=(*first_ones, replace(together, sensitive=names)),
        notes=tuple(line.replace(together.sensitive, names) for line in assessment.notes),
    )


def _named_alike(curves: Sequence[Curves], assessment: Assessment, words: Language) -> list[Curves]:
    named = _named(assessment, words).attributes
    return [replace(curve, sensitive=attribute.sensitive) for curve, attribute in zip(curves, named, strict=True)]


def _decided(assessment: Assessment, words: Language) -> str:
    """Return the epsilon that the report is about; of several, whoever decides names one."""
    epsilons = np.atleast_1d(assessment.attributes[0].people.mechanism["epsilon"])
    return words.number(float(epsilons[0])) if len(epsilons) == 1 else BLANK


def _scope(assessment: Assessment, words: Language) -> str:
    people, raw = assessment.attributes[0].people, assessment.attributes[0].raw
    return words.text(
        "report.scope.counts",
        sensitive=words.joined(_by_themselves(assessment)),
        known=words.joined(assessment.quasi_identifiers),
        noise=noise(people.mechanism, words),
        people=words.text("report.scope.people", n=raw.n_records),
        cells=words.text("report.scope.cells", n=raw.n_cells),
    )


def _by_themselves(assessment: Assessment) -> list[str]:
    """Return the sensitive attributes; of several, all of them together come last and are no further one."""
    names = [attribute.sensitive for attribute in assessment.attributes]
    return names[:-1] or names


def _answers(
    assessment: Assessment, curves: Sequence[Curves], spread: RiskSpread | None, words: Language
) -> tuple[Answer, ...]:
    """Return an answer for each attribute; spread and chart of the first page are about the first of them."""
    drawn = _drawn(assessment, words)
    answers = [
        Answer(
            about=attribute.sensitive,
            question=words.line(attribute.people.question),
            sentences=(*answer.sentences, *drawn),
            numbers=_numbers(attribute, words),
        )
        for attribute, answer in zip(assessment.attributes, said_of_each(assessment, words), strict=True)
    ]
    answers[0] = replace(answers[0], chart=risk_picture(words, assessment.attributes[0], curves[0]))
    if spread is not None:
        finding, *backing = answers[0].sentences
        before, this, worst = answers[0].numbers
        answers[0] = replace(
            answers[0],
            sentences=(f"{first_words(words, spread)} {finding}", *backing),
            numbers=(before, this, *most_at_risk(words, spread), worst),
        )
    return tuple(answers)


def _drawn(assessment: Assessment, words: Language) -> tuple[str, ...]:
    """Say that a release draws other noise than the one assessed, where it does, and where its risk stands."""
    drawn = whole_numbers(words, assessment.attributes[0].people.mechanism)
    if not drawn or not any(note.startswith(OPENING) for note in assessment.notes):
        return (drawn,) if drawn else ()
    return drawn, words.text("report.whole_numbers.risk", heading=words.text("report.caveats"))


def _numbers(attribute: AttributeAssessment, words: Language) -> tuple[KeyNumber, KeyNumber, KeyNumber]:
    people = attribute.people
    values = words.text("report.scope.values", n=attribute.raw.n_values)
    return (
        KeyNumber(
            value=words.percent_at_least(people.no_release),
            name=words.text("report.without_release"),
            meaning=words.text("report.number.without_release"),
            place="before",
        ),
        KeyNumber(
            value=words.percent_under_noise(first(people.value)),
            name=words.text("report.this_table_at", epsilon=words.number(first(people.mechanism["epsilon"]))),
            meaning=words.text("report.number.disclosed"),
            place="this",
        ),
        KeyNumber(
            value=words.percent(first(people.any_table)),
            name=words.text("report.any_table"),
            meaning=words.text("report.number.any_table", values=values),
            place="worst",
        ),
    )


def _recommendation(curves: Sequence[Curves], choice: Choice | None, words: Language) -> str:
    """Say which noise meets the targets; without targets, only what the curves show."""
    if choice is not None:
        return said(choice, words).finding
    courses = ((curve.sensitive, *course(curve)) for curve in curves)
    shown = (
        words.text(f"report.recommend.{what}", about=about, epsilon=words.number(epsilon))
        for about, what, epsilon in courses
    )
    return " ".join((words.text("report.recommend.no_limits"), *shown))


def _last_sections(
    assessment: Assessment, curves: Sequence[Curves], choice: Choice | None, words: Language
) -> tuple[Section, ...]:
    results = [result for pair in zip(assessment.attributes, curves, strict=True) for result in _results(*pair)]
    caveats = [line for result in results for line in result.caveats]
    attribute, loss = assessment.attributes[0], curves[0].loss
    simulated = words.text("report.methods.simulated_meaning", repeats=words.number(loss.repeats), seed=str(loss.seed))
    hint = () if choice is not None else (Text(words.text("report.recommend.how_to_set"), quiet=True),)
    method = parts.method_section(
        words,
        {
            words.text("report.methods.risk"): attribute.people.source,
            words.text("report.methods.loss"): loss.source,
            words.text("report.methods.raw"): attribute.raw.source,
        },
    )
    return (
        parts.assumptions_section(
            words,
            assumptions=(line for result in results for line in getattr(result, "assumptions", ())),
            caveats=(*caveats, *(choice.caveats if choice is not None else ()), *assessment.notes),
        ),
        replace(method, blocks=(*hint, *method.blocks)),
        parts.plan_section(words, parts.plan_facts(words, assessment.plan), _noise_facts(attribute, words)),
        parts.versions_section(words, seeds={words.text("report.methods.simulated"): simulated}),
        parts.promises_section(words, *PROMISES),
        parts.limits_section(words, *LIMITS),
    )


def _results(attribute: AttributeAssessment, curve: Curves) -> tuple[Risk | Loss | RawRisk, ...]:
    return attribute.people, curve.loss, attribute.raw


def _noise_facts(attribute: AttributeAssessment, words: Language) -> dict[str, str]:
    mechanism = attribute.people.mechanism
    threshold = words.number(mechanism["threshold"])
    return {
        words.text("report.methods.noise"): noise(mechanism, words),
        words.text("report.methods.scale"): words.number(first(mechanism["scale"]), ".4g"),
        words.text("report.methods.adjacency"): words.text(f"report.asked.{mechanism['adjacency']}"),
        words.text("report.methods.threshold"): words.text("report.methods.threshold_meaning", threshold=threshold),
    }
