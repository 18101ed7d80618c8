"""A view of a sample as the page shows it: every number written, every sentence said."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.assessments.exploring.sample_explorer import SampleExplorer
from epsilometer.charts.live import sample_data
from epsilometer.report.odds import said
from epsilometer.vocabulary.wording import joined, percent, percent_at_least
from epsilometer.web.shown_counts import nearest, unbroken_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.exploring.sample_view import SampleTargets, SampleView
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.sample_risk import SampleRisk
    from epsilometer.vocabulary.stretch import Stretch
    from epsilometer.vocabulary.table_sample import GroupSample
    from epsilometer.web.questions import SampleQuestion

NO_TARGET: Final = "Say what risk and what loss are acceptable, and the chart shades the sizes that keep to it."


@lru_cache(maxsize=4)
def explorer_of(freq: FrequencyTable) -> SampleExplorer:
    """Return what answers questions about samples of a counted table; it keeps what it has worked out."""
    return SampleExplorer.of_table(freq)


def sample_view(explorer: SampleExplorer, question: SampleQuestion) -> SampleView:
    """Work out what is asked."""
    return explorer.at(
        question.setting,
        max_risk=question.targets.max_risk,
        max_loss=question.targets.max_loss,
        adversary=question.adversary,
    )


def shown_sample(view: SampleView, question: SampleQuestion) -> dict[str, Any]:
    """Return everything that moves on the page, ready for JSON."""
    data, recommended = sample_data(view), view.targets.recommended
    risk = asked_risk(view)
    return {
        "address": question.address,
        "position": nearest(view.curves.sizes, view.setting.sample),
        "complete": True,
        "recommended": None if recommended is None else str(recommended),
        "texts": unbroken_texts(
            **_sentences(view, risk),
            **_numbers(view, risk),
            own="" if view.own_shares is None else own_in_words(view.own_shares),
            band=band_in_words(view.targets),
            use="" if recommended is None else f"Use {recommended:,} people",
        ),
        "lists": {"assumptions": risk.assumptions, "caveats": risk.caveats},
        "present": {"recommended": recommended not in (None, view.setting.sample)},
        "chart": {"rows": data.rows, "tops": data.tops},
    }


def asked_risk(view: SampleView) -> SampleRisk:
    """Return the risk that is asked about; where everybody is in the sample, there is only that of being in it."""
    found = {"unknown": view.unknown, "in": view.inside, "out": view.outside}[view.targets.adversary]
    return view.inside if found is None else found


def _sentences(view: SampleView, risk: SampleRisk) -> dict[str, str]:
    spoken = said(risk)
    size, population = view.setting.sample, risk.release.population
    return {
        "position": f"{size:,} people",
        "finding": spoken.finding,
        "baseline": spoken.baseline,
        "attacker": spoken.attacker,
        "known": spoken.known,
        "noise": (
            f"{size:,} of {population:,} people: each is drawn with a chance of {percent(size / population)}, and an "
            f"analyst's shares are off by {percent(_number(view.loss.value))} on average."
        ),
    }


def _numbers(view: SampleView, risk: SampleRisk) -> dict[str, str]:
    return {
        "no_release": percent_at_least(view.no_release),
        "this_sample": percent(_number(risk.value)),
        "any_table": percent(_number(risk.any_table)),
        "unknown": percent(_number(view.unknown.value)),
        "inside": percent(_number(view.inside.value)),
        "outside": "nobody is" if view.outside is None else percent(_number(view.outside.value)),
        "loss": percent(_number(view.loss.value)),
        "loss_before": percent(view.loss.no_release),
    }


def own_in_words(group: GroupSample) -> str:
    """Say what the sample adds for an attacker who knows how the values of this very table are spread."""
    before = f"An attacker who knows the shares of this table names {percent_at_least(group.no_release)} right anyway"
    if group.inside is None:
        return f"{before}."
    return f"{before}, and {percent(group.inside)} of those whom they know to be in the sample."


def band_in_words(targets: SampleTargets) -> str:
    """Say where the targets are met."""
    if targets.both is None:
        return NO_TARGET
    if targets.recommended is None:
        parts = [
            f"the {what} is small enough {_where(where)}"
            for what, where in (("risk", targets.risk), ("loss", targets.loss))
            if where is not None
        ]
        return f"No size will do: {joined(parts)}."
    return f"All that is asked for is kept {_where(targets.both)}."


def _where(stretches: Sequence[Stretch]) -> str:
    """Say stretches of the size.

    >>> from epsilometer.vocabulary.stretch import Stretch
    >>> _where([Stretch(10, 1_000, True, True)])
    'from 10 to 1,000 people'
    """
    parts = [
        f"with {each.low:,.0f} people" if each.low == each.high else f"from {each.low:,.0f} to {each.high:,.0f} people"
        for each in stretches
    ]
    return joined(parts) or "nowhere"


def _number(value: object) -> float:
    return float(np.asarray(value))
