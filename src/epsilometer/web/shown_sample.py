"""A view of a sample as the page shows it: every number written, every sentence said."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.assessments.exploring.sample_explorer import SampleExplorer
from epsilometer.charts.live import sample_data
from epsilometer.report.odds import said
from epsilometer.report.odds.crowd import Crowd
from epsilometer.report.odds.saying import noting_no_gain
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

PUBLISHED: Final = "of the people {whom} are named right once it is published."
NAMED: Final = (
    "Of {base:,} people {whom}, whoever knows the shares of {sensitive} in this table then names the value of {n} "
    "right."
)
BEFORE: Final = "Without a release it is {n:,} of {base:,}."
NEXT: Final = (
    "A size between two positions may: “Make a report” looks at every size. “Compare” shows whether another kind of "
    "release would."
)
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
            **_of_table(table, asked_adversary(view)),
            **_of_model(view, risk),
            **_numbers(view, risk),
            **_own_numbers(own, asked_adversary(view)),
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
    """Return the risk that is asked about."""
    found = {"unknown": view.unknown, "in": view.inside, "out": view.outside}[asked_adversary(view)]
    assert found is not None  # noqa: S101  (nobody is outside of everybody, and then nobody is asked about)
    return found


def asked_adversary(view: SampleView) -> str:
    """Return whose risk is asked about; where everybody is in the sample, there is only that of being in it."""
    adversary = view.targets.adversary
    return "in" if adversary == "out" and view.outside is None else adversary


def _of_table(table: TableSample | None, adversary: str) -> dict[str, str]:
    """Say what a sample of this very table tells, in the words of the command line, which are about those in it."""
    if table is None:
        return {"finding": WORKING, "baseline": "", "attacker": "", "known": ""}
    spoken = said(table)
    return {
        **(
            {"finding": spoken.finding, "baseline": spoken.baseline} if adversary == "in" else _others(table, adversary)
        ),
        "attacker": spoken.attacker,
        "known": spoken.known,
    }


def _others(table: TableSample, adversary: str) -> dict[str, str]:
    """Say what the sample tells of people who are not known to be in it."""
    own, words = table.everybody, ENGLISH
    after = _own_chance(own, adversary)
    crowd = Crowd.of(own.no_release, words, own.people)
    published = words.text(
        "odds.table_sample.published", sampled=own.sampled, people=own.people, sensitive=table.sensitive
    )
    named = NAMED.format(
        base=crowd.size,
        whom=words.text(f"odds.sample.whom.{adversary}"),
        sensitive=table.sensitive,
        n=crowd.about(after),
    )
    return {
        "finding": f"{published} {noting_no_gain(words, named, after, own.no_release)}",
        "baseline": BEFORE.format(n=crowd.down(own.no_release), base=crowd.size),
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
        "unknown": _beside(_number(view.unknown.value), view.no_release),
        "inside": _beside(_number(view.inside.value), view.no_release),
        "outside": _beside(None if view.outside is None else _number(view.outside.value), view.no_release),
    }


def _own_numbers(own: GroupSample, adversary: str) -> dict[str, str]:
    """Write the numbers of this very table, for an attacker who knows its shares."""
    after = _own_chance(own, adversary)
    published = PUBLISHED.format(whom=ENGLISH.text(f"odds.sample.whom.{adversary}"))
    return {
        "no_release": percent_at_least(own.no_release),
        "this_sample": percent(after),
        "this_meaning": noting_no_gain(ENGLISH, published, after, own.no_release),
        "own_inside": _beside(own.inside, own.no_release),
        "own_outside": _beside(own.outside, own.no_release),
        "loss": ENGLISH.points(own.loss or 0.0),
    }


def _own_chance(own: GroupSample, adversary: str) -> float:
    """Return how often whoever knows the shares of this table is right."""
    # To that attacker a sample tells nothing of a person of whom it is not known whether they were drawn.
    after = {"unknown": own.no_release, "in": own.inside, "out": own.outside}[adversary]
    assert after is not None  # noqa: S101  (somebody is in every sample, and who is outside of all is not asked about)
    return after


def _beside(chance: float | None, before: float) -> str:
    """Write a chance of people of whom there may be none, beside that without a release.

    >>> _beside(0.3329, 0.25), _beside(1 / 3, 1 / 3), _beside(None, 0.25)
    ('33.3 %', 'no more', 'nobody is')
    """
    return "nobody is" if chance is None else ENGLISH.percent_beside(chance, before)


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
        return f"No position of the slider will do: {joined(parts)}. {NEXT}"
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
    return joined(parts) or "at no position of the slider"


def _number(value: object) -> float:
    return float(np.asarray(value))
