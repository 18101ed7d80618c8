"""A view of a sample as the page shows it: every number written, every sentence said."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.assessments.exploring.sample_explorer import SampleExplorer
from epsilometer.charts.live import sample_data
from epsilometer.report.building.framing import noting_no_gain
from epsilometer.report.odds import said
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import joined, percent, percent_at_least
from epsilometer.web.shown_counts import WORKING, nearest, unbroken_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.exploring.sample_view import SampleTargets, SampleView
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.sample_risk import SampleRisk
    from epsilometer.vocabulary.stretch import Stretch
    from epsilometer.vocabulary.table_sample import GroupSample, TableSample
    from epsilometer.web.questions import SampleQuestion

PUBLISHED: Final = "are named right by the same attacker once it is published."
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
    risk, table = asked_risk(view), view.table
    own = view.own_shares
    assert own is not None  # noqa: S101  (a page is about a counted table, without noise)
    return {
        "address": question.address,
        "position": nearest(view.curves.sizes, view.setting.sample),
        "complete": table is not None,
        "recommended": None if recommended is None else str(recommended),
        "texts": unbroken_texts(
            **_of_table(table),
            **_of_model(view, risk),
            **_numbers(view, risk),
            **_own_numbers(own, question.adversary),
            position=f"{view.setting.sample:,} people",
            noise=(
                f"{own.sampled:,} of {own.people:,} people: each is drawn with a chance of "
                f"{percent(own.sampled / own.people)}, and the shares of the sample are off from those of this table "
                f"by {ENGLISH.points(own.loss or 0.0)} on average."
            ),
            band=band_in_words(view.targets),
            use="" if recommended is None else f"Use {recommended:,} people",
        ),
        "lists": {
            "table_assumptions": () if table is None else table.assumptions,
            "caveats": () if table is None else table.caveats,
            "assumptions": risk.assumptions,
            "model_caveats": risk.caveats,
        },
        "present": {"recommended": recommended not in (None, view.setting.sample)},
        "chart": {"rows": data.rows, "tops": data.tops},
    }


def asked_risk(view: SampleView) -> SampleRisk:
    """Return the risk that is asked about; where everybody is in the sample, there is only that of being in it."""
    found = {"unknown": view.unknown, "in": view.inside, "out": view.outside}[view.targets.adversary]
    return view.inside if found is None else found


def _of_table(table: TableSample | None) -> dict[str, str]:
    """Say what a sample of this very table tells, in the words of the command line."""
    if table is None:
        return {"finding": WORKING, "baseline": "", "attacker": "", "known": ""}
    spoken = said(table)
    return {
        "finding": spoken.finding,
        "baseline": spoken.baseline,
        "attacker": spoken.attacker,
        "known": spoken.known,
    }


def _of_model(view: SampleView, risk: SampleRisk) -> dict[str, str]:
    """Say what the model expects, which knows the number of people and values and nothing else of the table."""
    spoken = said(risk)
    return {
        "model": f"{spoken.finding} {spoken.baseline}",
        "model_attacker": spoken.attacker,
        "model_known": spoken.known,
        "model_loss": ENGLISH.points(_number(view.loss.value)),
        "model_loss_before": ENGLISH.points_at_least(view.loss.no_release),
    }


def _numbers(view: SampleView, risk: SampleRisk) -> dict[str, str]:
    """Write the numbers of the model."""
    return {
        "model_no_release": percent_at_least(view.no_release),
        "model_this_sample": percent(_number(risk.value)),
        "any_table": percent(_number(risk.any_table)),
        "unknown": percent(_number(view.unknown.value)),
        "inside": percent(_number(view.inside.value)),
        "outside": _or_nobody(None if view.outside is None else _number(view.outside.value)),
    }


def _own_numbers(own: GroupSample, adversary: str) -> dict[str, str]:
    """Write the numbers of this very table, for an attacker who knows its shares."""
    # To that attacker a sample tells nothing of a person of whom it is not known whether they were drawn.
    after = {"unknown": own.no_release, "in": own.inside, "out": own.outside}[adversary]
    after = own.inside if after is None else after
    assert after is not None  # noqa: S101  (somebody is in every sample)
    return {
        "no_release": percent_at_least(own.no_release),
        "this_sample": percent(after),
        "this_meaning": noting_no_gain(ENGLISH, PUBLISHED, after, own.no_release),
        "own_inside": _or_nobody(own.inside),
        "own_outside": _or_nobody(own.outside),
        "loss": ENGLISH.points(own.loss or 0.0),
    }


def _or_nobody(chance: float | None) -> str:
    """Write a chance of people of whom there may be none.

    >>> _or_nobody(0.3329), _or_nobody(None)
    ('33.3 %', 'nobody is')
    """
    return "nobody is" if chance is None else percent(chance)


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
        return f"No size will do: {joined(parts)}. “Compare” shows whether another kind of release would."
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
