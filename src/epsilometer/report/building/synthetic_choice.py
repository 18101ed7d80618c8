"""The report of an epsilon that was chosen for synthetic tables from a few that were made and measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.measured_curves import draw_measured_curves
from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.risk_curves import choose_curve
from epsilometer.report.building.choice import point_in_words
from epsilometer.report.building.framing import as_given, audience, baseline, cited, closing, evidence, first_chart
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, Heading, KeyNumber, Lines, Report, Table
from epsilometer.report.odds import said
from epsilometer.report.odds.choices import DISTANCE, around
from epsilometer.solvers.measured_targets import feasible_epsilons, largest_epsilon_within
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.wording import shown_down

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice
READ_OFF: Final = (largest_epsilon_within, feasible_epsilons)


def synthetic_choice_report(choice: SyntheticChoice, *, language: str = "en") -> Report:
    """Report which epsilon keeps a synthetic table within its limits, as far as a few measured ones can say."""
    words = spoken(language)
    at = None if choice.recommended is None else point_in_words(words, "epsilon", choice.recommended)
    return Report(
        title=words.text("report.title.synthetic_choice"),
        audience=audience(words, confidential=True),
        confidential=True,
        scope=words.text(
            "report.synthetic_choice.scope",
            method=choice.method,
            epsilons=len(np.unique(choice.risk.epsilons)),
            runs=words.text("report.synthetic_choice.runs", n=choice.n_runs),
        ),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.synthetic_choice"),
                sentences=said(choice, language=language).sentences,
                numbers=tuple(_numbers(words, choice)),
                chart=first_chart(
                    words, "synthetic_choice", lambda width: draw_measured_curves(choice, width=width, language=words)
                ),
            ),
        ),
        recommendation=_recommendation(words, choice),
        decision=() if at is None else decision(words, words.text("report.choice.decide", point=at)),
        sections=(
            evidence(
                words,
                _runs(words, choice),
                Heading(words.text("report.synthetic_choice.support_title")),
                Lines(tuple(map(words.line, choice.support or (choice.binding,)))),
            ),
            *closing(
                words,
                caveats=choice.caveats,
                methods={words.text("report.shared.how"): cited(choose_curve, band_of_runs, *READ_OFF)},
                asked=_asked(words, choice),
                seeds={words.text("report.synthetic_choice.seed"): str(choice.seed)},
            ),
        ),
        language=language,
    )


def _recommendation(words: Language, choice: SyntheticChoice) -> str:
    if choice.recommended is None:
        return words.text("report.synthetic_choice.none")
    return words.text(
        "report.synthetic_choice.publish",
        epsilon=words.number(choice.recommended),
        tables=words.text("report.synthetic_choice.tables", n=choice.n_runs),
    )


def _numbers(words: Language, choice: SyntheticChoice) -> Iterator[KeyNumber]:
    if choice.no_release is not None:
        yield baseline(words, choice.no_release, words.text("report.synthetic_choice.no_release"))
    if choice.recommended is not None:
        yield KeyNumber(
            value=_level(words, choice, _worse_end(choice, choice.recommended)),
            name=words.text("report.this_release"),
            meaning=words.text(
                f"report.synthetic_choice.{choice.measure.replace('-', '_')}", epsilon=words.number(choice.recommended)
            ),
            place="this",
        )
    yield KeyNumber(
        value=_level(words, choice, choice.raw),
        name=words.text("report.frontier.raw_name"),
        meaning=words.text("report.synthetic_choice.raw"),
        place="worst",
    )


def _worse_end(choice: SyntheticChoice, epsilon: float) -> float:
    """Return the riskier end of the band of the risk at an epsilon; of a distance, less is riskier."""
    if choice.measure == DISTANCE:
        return float(around(choice.risk, epsilon, "low").min())
    return float(around(choice.risk, epsilon).max())


def _level(words: Language, choice: SyntheticChoice, value: float) -> str:
    """Write a risk: a share rounded up, a distance, of which less is riskier, rounded down."""
    return words.number(shown_down(value)) if choice.measure == DISTANCE else words.percent(value)


def _target(words: Language, choice: SyntheticChoice, value: float) -> str:
    return words.number(value) if choice.measure == DISTANCE else as_given(words, value)


def _runs(words: Language, choice: SyntheticChoice) -> Table:
    """What the tables at each epsilon came to."""
    return Table(
        columns=(
            words.text("report.table.epsilon"),
            words.text("report.synthetic_choice.risk_seen"),
            words.text("report.synthetic_choice.loss_seen"),
        ),
        rows=tuple(
            (
                words.number(float(epsilon)),
                _seen(words, choice.risk, float(epsilon), distance=choice.measure == DISTANCE),
                _seen(words, choice.loss, float(epsilon)),
            )
            for epsilon in np.unique(choice.risk.epsilons)
        ),
        numeric=frozenset({0, 1, 2}),
        caption=words.text("report.synthetic_choice.runs_title", method=choice.method),
    )


def _seen(words: Language, curve: MeasuredCurve, epsilon: float, *, distance: bool = False) -> str:
    """Write what the tables at an epsilon came to: shares, or distances."""
    values = curve.values[curve.epsilons == epsilon]
    low, high = float(values.min()), float(values.max())
    if distance:
        return words.text("report.shared.both_ends", low=words.number(low, ".4g"), high=words.number(high, ".4g"))
    lowest, highest = words.percent_between(low, high)
    return words.text("report.shared.both_ends", low=lowest, high=highest)


def _asked(words: Language, choice: SyntheticChoice) -> dict[str, str]:
    asked = {
        words.text("report.synthetic_choice.method"): choice.method,
        words.text("report.synthetic_choice.measure"): words.text(
            f"report.synthetic_choice.measure_{choice.measure.replace('-', '_')}"
        ),
    }
    if choice.target_risk is not None:
        side = "at_least" if choice.measure == DISTANCE else "at_most"
        asked[words.text("report.synthetic_choice.limit_risk")] = words.text(
            f"report.synthetic_choice.{side}", value=_target(words, choice, choice.target_risk)
        )
    if choice.max_loss is not None:
        asked[words.text("report.synthetic_choice.limit_loss")] = words.text(
            "report.synthetic_choice.at_most", value=as_given(words, choice.max_loss)
        )
    return asked
