"""A view of noisy counts as the page shows it: every number written, every sentence said."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.charts.live import counts_data
from epsilometer.mechanisms.naming import WITH_DELTA
from epsilometer.report.odds import said
from epsilometer.report.odds.crowd import Crowd
from epsilometer.report.odds.noise import noise
from epsilometer.report.templating import unbroken
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.stretch import not_looked_at
from epsilometer.vocabulary.wording import joined, percent, percent_at_least, percent_under_noise, rounded_up
from epsilometer.web.questions import written
from epsilometer.web.rendering import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.exploring.counts_explorer import CountsExplorer
    from epsilometer.assessments.exploring.counts_view import CountsTargets, CountsView
    from epsilometer.vocabulary.arrays import ArrayLike
    from epsilometer.vocabulary.stretch import Stretch
    from epsilometer.web.desk import Roles
    from epsilometer.web.questions import CountsQuestion

WORKING: Final = "working it out …"
NO_TARGET: Final = "Say what risk and what loss are acceptable, and the chart shades where both are kept."
NEXT: Final = (
    "A narrow stretch between two positions may: “Make a report” looks there as well, and otherwise for the smallest "
    "change that would do; so does, with the plan below, epsilometer choose --plan PLAN.yaml."
)
DRAWN: Final = {  # what a release draws instead of noise with decimals
    "laplace": "geometric noise at the same ε",
    "gaussian": "discrete Gaussian noise at the same ε and δ",
}
BETWEEN: Final = "Each position of the slider was computed; a report also certifies what lies between them."


def counts_view(explorer: CountsExplorer, question: CountsQuestion) -> CountsView:
    """Work out what is asked."""
    return explorer.at(question.setting, max_risk=question.targets.max_risk, max_loss=question.targets.max_loss)


def shown_counts(view: CountsView, question: CountsQuestion, roles: Roles) -> dict[str, Any]:
    """Return everything that moves on the page, ready for JSON."""
    targets = view.targets
    return {
        "address": question.address,
        "position": nearest(view.curves.epsilons, view.setting.epsilon),
        "complete": view.curves.loss is not None and view.loss is not None,
        "recommended": None if targets.recommended is None else written(targets.recommended),
        "texts": unbroken_texts(
            **_sentences(view),
            **_about_people(view, question.sensitive, roles.quasi_identifiers),
            **_numbers(view),
            **_about_loss(view),
            drawn=_drawn(view.setting.mechanism),
            band=band_in_words(targets),
            use="" if targets.recommended is None else f"Use ε = {written(targets.recommended)}",
        ),
        "lists": {"assumptions": view.people.assumptions, "caveats": view.people.caveats},
        "present": {
            "delta": view.setting.mechanism in WITH_DELTA,
            "drawn": view.setting.mechanism in DRAWN,
            "recommended": targets.recommended not in (None, view.setting.epsilon),
        },
        "chart": _chart(view, near=question.near),
    }


def unbroken_texts(**texts: str) -> dict[str, str]:
    """Return texts in which every number stays on one line with its sign."""
    return {name: unbroken(text) for name, text in texts.items()}


def nearest(positions: ArrayLike, value: float) -> int:
    """Return the position of the slider nearest to a value.

    >>> nearest([0.1, 1.0, 10.0], 2.0)
    1
    """
    return int(np.argmin(np.abs(np.log(np.asarray(positions)) - math.log(value))))


def _chart(view: CountsView, *, near: bool) -> dict[str, Any]:
    data = counts_data(view, near=near)
    return {"rows": data.rows, "tops": data.tops}


def _sentences(view: CountsView) -> dict[str, str]:
    spoken, promise, epsilon = said(view.people), said(view.own_record), written(view.setting.epsilon)
    return {
        "position": f"ε = {epsilon}",
        "attacker": spoken.attacker,
        "known": spoken.known,
        "noise": (
            f"At ε = {epsilon} a published count is off by {_about(view.mean_error)} on average, and 95 of 100 counts "
            f"are off by no more than {view.error_95:,}."
        ),
        "promise": f"{promise.finding} {promise.baseline} {promise.attacker}",
    }


def _about_people(view: CountsView, sensitive: str, known: Sequence[str]) -> dict[str, str]:
    """Say what becomes of how many people, always of equally many."""
    words, people, wanted = ENGLISH, view.people, short(sensitive, 40)
    crowd = Crowd.of(float(np.asarray(people.value)), words, view.n_people)
    certain = crowd.up(view.raw_certain)
    finding = words.text(
        "odds.risk.homogeneity.local.records",
        noise=noise(people.mechanism, words),
        n=crowd.answered(people.answer),
        base=crowd.size,
    )
    worst = words.text("odds.any_table.records", n=crowd.about(view.any_table), base=crowd.size)
    return {
        "finding": f"{finding} {worst}",
        "raw": words.text(
            "odds.assessment.certain" if certain else "odds.assessment.certain_of_nobody",
            crowd=crowd.opening,
            known=joined(short(column, 40) for column in known),
            sensitive=wanted,
            n=certain,
        ),
        "baseline": words.text(
            "odds.assessment.baseline", sensitive=wanted, n=crowd.down(view.no_release), base=f"{crowd.size:,} people"
        ),
        "likely": likely_in_words(view.likely, view.n_people),
    }


def likely_in_words(likely: int, n_people: int) -> str:
    """Say who bears the risk: a mean hides that it may be a few.

    >>> likely_in_words(1, 8_000)
    'At this setting 1 of the 8,000 people has a risk of one half or more: it is more likely than not that their cell \
shows their value alone.'
    """
    if not likely:
        return "At this setting nobody has a risk of one half or more."
    return (
        f"At this setting {likely:,} of the {n_people:,} people {'has' if likely == 1 else 'have'} a risk of one half "
        "or more: it is more likely than not that their cell shows their value alone."
    )


def _drawn(mechanism: str) -> str:
    if mechanism not in DRAWN:
        return ""
    return f"A release publishes whole numbers: it draws {DRAWN[mechanism]}. Choose it to see what will be published."


def _numbers(view: CountsView) -> dict[str, str]:
    return {
        "no_release": percent_at_least(view.no_release),
        "this_table": percent_under_noise(float(np.asarray(view.people.value))),
        "any_table": percent(view.any_table),
        "cells": percent_under_noise(float(np.asarray(view.cells.value))),
        "raw_certain": percent(view.raw_certain),
        "precision": "no cell is published so" if math.isnan(view.precision) else percent(view.precision),
        "mean_error": _about(view.mean_error),
        "error_95": f"{view.error_95:,}",
        "scale": _about(float(np.asarray(view.mechanism.scale))),
    }


def _about_loss(view: CountsView) -> dict[str, str]:
    if view.loss is None:
        return {"loss": WORKING, "loss_interval": ""}
    interval = view.loss.interval
    lowest, highest = ENGLISH.percent_between(float(np.asarray(interval.low)), float(np.asarray(interval.high)))
    return {
        "loss": percent(float(np.asarray(view.loss.value))),
        "loss_interval": f"Estimated from simulated releases: between {lowest} and {highest}.",
    }


def band_in_words(targets: CountsTargets) -> str:
    """Say where the targets are met."""
    if targets.max_risk is None and targets.max_loss is None:
        return NO_TARGET
    if targets.max_loss is not None and targets.loss is None:
        return f"Whether the loss is small enough is not known yet: {WORKING}"
    if targets.max_risk is None or targets.max_loss is None:
        what, where = ("risk", targets.risk) if targets.max_loss is None else ("loss", targets.loss)
        return _sentences_of(f"The {what} is small enough {_where(where or ())}.", not_looked_at(where or (), ENGLISH))
    if targets.recommended is None:
        return (
            f"No position of the slider meets both: the risk is small enough {_where(targets.risk or ())}, "
            f"the loss {_where(targets.loss or ())}. {NEXT} Fewer or coarser columns may help, or another threshold."
        )
    return _sentences_of(
        f"Risk and loss are both small enough {_where(targets.both or ())}.",
        f"ε = {written(targets.recommended)} has the strongest guarantee of these.",
        not_looked_at(targets.both or (), ENGLISH),
        BETWEEN,
    )


def _sentences_of(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _where(stretches: Sequence[Stretch]) -> str:
    """Say stretches of epsilon.

    >>> from epsilometer.vocabulary.stretch import Stretch
    >>> _where([Stretch(0.1, 0.5, True, True), Stretch(2.0, 2.0, True, True)])
    'from ε = 0.1 to 0.5 and at ε = 2'
    >>> _where([])
    'at no position of the slider'
    """
    parts = [
        f"at ε = {written(each.low)}"
        if each.low == each.high
        else f"from ε = {written(each.low)} to {written(each.high)}"
        for each in stretches
    ]
    return joined(parts) or "at no position of the slider"


def _about(number: float) -> str:
    """Write an error or a scale with three digits, rounded up."""
    return f"{rounded_up(number, 3):,g}" if number > 0 else "0"
