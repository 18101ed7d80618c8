"""The report of a synthetic table held against the table it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.attacks.permutation import moments, p_values
from epsilometer.charts.distances import draw_audit, draw_proximity
from epsilometer.neighbors.candidates import count_candidates
from epsilometer.neighbors.dependency import association, dependency_cliques
from epsilometer.neighbors.matching import coverage, matched_distance
from epsilometer.neighbors.nearest import hitting_rate, nearest_distances
from epsilometer.neighbors.voronoi import boundary_points, voronoi_distances
from epsilometer.report.building.audit_tables import guesses, leak, nearness, strangers, usefulness
from epsilometer.report.building.framing import audience, baseline, cited, closing, evidence, first_chart
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, KeyNumber, Report
from epsilometer.report.odds import said
from epsilometer.utility.models import model_accuracy
from epsilometer.utility.moments import moment_errors
from epsilometer.utility.propensity import propensity_error
from epsilometer.vocabulary.frontier import upper_end
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.share_intervals import clopper_pearson, difference, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from epsilometer.assessments.synthetic.audit import Audit
    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.attacks.inference import InferenceRisk
    from epsilometer.report.model import Block, Picture
    from epsilometer.vocabulary.language import Language

NEARNESS: Final = (
    hitting_rate,
    nearest_distances,
    coverage,
    matched_distance,
    voronoi_distances,
    boundary_points,
    dependency_cliques,
    count_candidates,
)
STRANGERS: Final = (moments, p_values, clopper_pearson, wilson, difference)
USEFULNESS: Final = (association, moment_errors, propensity_error, model_accuracy)


def audit_report(audit: Audit, *, language: str = "en") -> Report:
    """Report what a synthetic table gives away about the people it was made from, and what it is good for."""
    words = spoken(language)
    frame, inference, near = audit.frame, audit.inference, audit.proximity
    return _report(
        words,
        near,
        "audit",
        sentences=said(audit, language=language).sentences,
        numbers=_hits(words, near) if inference is None else _guessed(words, inference),
        chart=first_chart(
            words,
            "proximity" if frame is None else "audit",
            lambda width: draw_audit(audit, width=width, language=words),
        ),
        advice=_advice(audit),
        decision=decision(words, words.text("report.audit.decide")),
        found=(
            None if inference is None else guesses(words, inference),
            *(() if frame is None else (leak(words, frame), strangers(words, frame))),
            usefulness(words, audit.usefulness),
        ),
        caveats=(*audit.caveats, *near.notes, *audit.usefulness.notes),
        formulas={
            **({} if frame is None else {"strangers": STRANGERS}),
            "useful": USEFULNESS,
        },
        seeds=None if frame is None else {words.text("report.audit.seed"): str(frame.leak.seed)},
    )


def proximity_report(near: Proximity, *, language: str = "en") -> Report:
    """Report how near the records of a synthetic table come to the original ones."""
    words = spoken(language)
    return _report(
        words,
        near,
        "proximity",
        sentences=said(near, language=language).sentences,
        numbers=_hits(words, near),
        chart=first_chart(words, "proximity", lambda width: draw_proximity(near, width=width, language=words)),
        advice="holdout",
        caveats=near.caveats,
    )


def _report(
    words: Language,
    near: Proximity,
    kind: str,
    *,
    sentences: tuple[str, ...],
    numbers: tuple[KeyNumber, ...],
    chart: Picture,
    advice: str,
    decision: tuple[str, ...] = (),
    found: Sequence[Block | None] = (),
    caveats: Sequence[str],
    formulas: Mapping[str, Sequence[Callable[..., object]]] | None = None,
    seeds: Mapping[str, str] | None = None,
) -> Report:
    """Return the report of a table that is held against its original; how near they are is part of its evidence."""
    return Report(
        title=words.text(f"report.title.{kind}"),
        audience=audience(words, confidential=True),
        confidential=True,
        scope=words.text("report.scope.audit", synthetic=near.n_synthetic, original=near.n_original),
        answers=(
            Answer(
                about="",
                question=words.text(f"report.asks.{kind}"),
                sentences=sentences,
                numbers=numbers,
                chart=chart,
            ),
        ),
        recommendation=words.text(f"report.audit.recommend_{advice}"),
        decision=decision,
        sections=(
            evidence(words, *found, nearness(words, near)),
            *closing(
                words,
                caveats=caveats,
                methods={
                    words.text(f"report.audit.method_{name}"): cited(*used)
                    for name, used in {"nearness": NEARNESS, **(formulas or {})}.items()
                },
                asked=_asked(words, near),
                seeds=seeds,
            ),
        ),
        language=words.code,
    )


def _advice(audit: Audit) -> str:
    if audit.leak_found:
        return "not"
    return "holdout" if audit.frame is None else "careful"


def _guessed(words: Language, inference: InferenceRisk) -> tuple[KeyNumber, ...]:
    best = inference.best
    return (
        baseline(words, inference.no_release, words.text("report.audit.before")),
        KeyNumber(
            value=words.percent_at_least(float(best.control.value)),
            name=words.text("report.audit.control_name"),
            meaning=words.text("report.audit.control"),
            place="before",
        ),
        KeyNumber(
            value=words.percent(upper_end(best.training)),
            name=words.text("report.audit.this_inference_name"),
            meaning=words.text("report.audit.this_inference"),
            place="this",
        ),
    )


def _hits(words: Language, near: Proximity) -> tuple[KeyNumber, ...]:
    return (
        KeyNumber(
            value=words.percent(near.hitting_rate),
            name=words.text("report.audit.hitting_name"),
            meaning=words.text("report.audit.hitting"),
            place="this",
        ),
        KeyNumber(
            value=words.percent(1.0),
            name=words.text("report.audit.raw_equal_name"),
            meaning=words.text("report.audit.raw_equal"),
            place="worst",
        ),
    )


def _asked(words: Language, near: Proximity) -> dict[str, str]:
    return {
        words.text("report.audit.original"): words.number(near.n_original),
        words.text("report.audit.n_synthetic"): words.number(near.n_synthetic),
        words.text("report.audit.compared"): ", ".join(near.columns),
        words.text("report.audit.metric"): words.line(near.metric),
        words.text("report.audit.search"): words.line(near.search.in_words),
        words.text("report.audit.pairing"): words.line(near.coverage.how.in_words),
    }
