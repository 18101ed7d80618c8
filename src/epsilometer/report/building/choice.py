"""The report of a parameter that was chosen for a risk target and an accuracy target."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.choice import draw_choice
from epsilometer.formulas.advantage import advantage_from_epsilon
from epsilometer.formulas.count_error import expected_absolute_error
from epsilometer.formulas.homogeneity import expected, local_records, shrinkage
from epsilometer.formulas.vulnerability import attribute_posterior, attribute_prior
from epsilometer.report.building.framing import (
    as_given,
    audience,
    baseline,
    cited,
    closing,
    evidence,
    first_chart,
    whole_numbers,
)
from epsilometer.report.building.parts import decision, plan_facts
from epsilometer.report.model import Answer, Heading, KeyNumber, Report, Table, Text
from epsilometer.report.odds import said
from epsilometer.report.odds.bins import coarser_bins
from epsilometer.report.odds.guarantees import told_right
from epsilometer.vocabulary.choice import Consequences
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.wording import rounded_up, shown_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from epsilometer.report.model import Block
    from epsilometer.vocabulary.choice import Choice, SampleConsequences, TradeOff
    from epsilometer.vocabulary.evidence import Interval
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.relaxation import Relaxation

EVERY: Final = 3  # so many points of the grid make one row
FORMULAS: Final[Mapping[str, tuple[Callable[..., object], ...]]] = {
    "named": (attribute_prior, attribute_posterior),
    "disclosed": (local_records, expected_absolute_error),
    "declared": (expected, shrinkage, expected_absolute_error),
    "any-table": (local_records, expected_absolute_error),
    "own-record": (advantage_from_epsilon, expected_absolute_error),
}

THIS: Final = {
    "named": "report.choice.this_named",
    "disclosed": "report.choice.this_disclosed",
    "declared": "report.choice.this_declared",
    "any-table": "report.choice.this_declared",
}


def choice_report(choice: Choice, *, language: str = "en") -> Report:
    """Report which parameter keeps both limits, or why none does and what would help."""
    words = spoken(language)
    key = "report.title.sample_choice" if choice.parameter == "size" else "report.title.choice"
    point = None if choice.recommended is None else point_in_words(words, choice.parameter, choice.recommended)
    return Report(
        title=words.text(key),
        audience=audience(words, confidential=choice.looked_at_the_data),
        confidential=choice.looked_at_the_data,
        scope=_scope(words, choice),
        answers=(
            Answer(
                about="",
                question=words.text(f"report.asks.{choice.parameter}"),
                sentences=_sentences(words, choice),
                numbers=tuple(_numbers(words, choice)),
                chart=first_chart(
                    words,
                    "choice" if choice.stretches else "choice_none",
                    lambda width: draw_choice(choice, width=width, language=words),
                ),
            ),
        ),
        recommendation=_recommendation(words, choice, point),
        decision=() if point is None else decision(words, words.text("report.choice.decide", point=point)),
        sections=(
            evidence(words, *_evidence(words, choice, point)),
            *closing(
                words,
                caveats=choice.caveats,
                methods={words.text("report.shared.how"): cited(*FORMULAS[choice.measure])},
                asked=_asked(words, choice),
            ),
        ),
        language=language,
    )


def _sentences(words: Language, choice: Choice) -> tuple[str, ...]:
    """Return the answer and, where noise of real numbers was chosen, what a release draws instead."""
    drawn = "" if choice.recommended is None else whole_numbers(words, choice.mechanism)
    return (*said(choice, words).sentences, *([drawn] if drawn else []))


def point_in_words(words: Language, parameter: str, point: float) -> str:
    """Name a point of a parameter: ``ε = 0.5``, ``800 rows``."""
    return words.text(f"report.shared.point_{parameter}", value=_point(words, point))


def _point(words: Language, point: float) -> str:
    return words.number(int(point)) if point == int(point) else words.number(point)


def _recommendation(words: Language, choice: Choice, point: str | None) -> str:
    limits = _limits(words, choice)
    if point is not None:
        return words.text("report.choice.publish", point=point, **limits)
    parameter = words.text(f"report.choice.{choice.parameter}")
    return f"{words.text('report.choice.none', parameter=parameter, **limits)} {_cheapest(words, choice)}"


def _cheapest(words: Language, choice: Choice) -> str:
    if not choice.relaxations:
        return words.text("report.choice.no_change")
    first = choice.relaxations[0]
    point = point_in_words(words, choice.parameter, first.recommended)
    return words.text("report.choice.cheapest", change=_change(words, first), point=point)


def _numbers(words: Language, choice: Choice) -> Iterator[KeyNumber]:
    found, at = choice.consequences, choice.recommended
    if found is None or at is None:
        return
    point = point_in_words(words, choice.parameter, at)
    yield baseline(words, min(curve.no_release for curve in choice.curves), _before(words, choice))
    yield _this(words, choice, found.risk, point)
    if isinstance(found, Consequences):
        worst, largest = "worst_disclosed", found.any_table
    else:
        worst, largest = "worst_raw", found.raw
    yield KeyNumber(
        value=words.percent(largest),
        name=words.text("report.any_table" if worst == "worst_disclosed" else "report.frontier.raw_name"),
        meaning=words.text(f"report.choice.{worst}"),
        place="worst",
    )


def _this(words: Language, choice: Choice, risk: float, point: str) -> KeyNumber:
    """Return the risk that the limit is about; an advantage over a coin as how often the answer is right."""
    measure = choice.measure
    own = measure == "own-record"
    return KeyNumber(
        value=words.percent_under_noise(told_right(risk) if own else risk),
        name=words.text("report.this_table" if choice.looked_at_the_data else "report.this_release"),
        meaning=words.text("report.promised.own_meaning" if own else THIS[measure], point=point),
        place="this",
    )


def _before(words: Language, choice: Choice) -> str:
    """Say what is right without a release; of several attributes, of whichever is guessed least often."""
    if choice.measure == "own-record":
        return words.text("report.promised.coin_meaning")
    exact = choice.looked_at_the_data and len(choice.curves) == 1
    return words.text("report.choice.before" if exact else "report.choice.before_at_least")


def _evidence(words: Language, choice: Choice, point: str | None) -> Iterator[Block]:
    if choice.consequences is not None:
        yield _meaning(words, choice.consequences, str(point))
    if choice.certificate:
        yield Heading(words.text("report.choice.certificate"))
        yield Text(choice.certificate)
    if choice.relaxations:
        yield _changes(words, choice)
    for curve in choice.curves:
        yield _tried(words, curve, choice)


def _meaning(words: Language, found: Consequences | SampleConsequences, point: str) -> Table:
    return Table(
        columns=(words.text("report.shared.what"), words.text("report.shared.number")),
        rows=tuple(
            (
                words.text(f"report.choice.{name}"),
                _number(words, name, number),
            )
            for name, number in asdict(found).items()
        ),
        numeric=frozenset({1}),
        caption=words.text("report.choice.at_the_point", point=point),
    )


def _number(words: Language, name: str, number: float) -> str:
    if name == "count_error":
        return words.number(shown_up(number))
    return words.percent_at_least(number) if name == "no_release" else words.percent(number)


def _changes(words: Language, choice: Choice) -> Table:
    return Table(
        columns=(
            words.text("report.choice.change"),
            words.text(f"report.choice.{choice.parameter}"),
            words.text("report.choice.gives_up"),
        ),
        rows=tuple(
            (_change(words, one), _point(words, one.recommended), _gives_up(words, one)) for one in choice.relaxations
        ),
        numeric=frozenset({1}),
        caption=words.text("report.choice.changes_title"),
    )


def _change(words: Language, one: Relaxation) -> str:
    (setting,) = one.setting.values()
    if isinstance(setting, str):
        written = coarser_bins(setting, words) if one.kind == "bins" else setting
    else:
        written = words.number(setting) if one.kind == "threshold" else as_given(words, setting)
    return words.text(f"report.choice.change_{one.kind}", value=written)


def _gives_up(words: Language, one: Relaxation) -> str:
    if one.kind == "threshold":
        return words.text("report.choice.gives_up_threshold")
    if one.kind in {"bins", "column"}:
        return words.text("report.choice.gives_up_bits", bits=words.number(rounded_up(one.cost, 3) if one.cost else 0))
    if math.isinf(one.cost):
        return words.text("report.choice.gives_up_zero")
    return words.text("report.choice.gives_up_target", more=words.percent(one.cost))


def _tried(words: Language, curve: TradeOff, choice: Choice) -> Table:
    """Risk and loss side by side on a part of the points, with what keeps the limits marked."""
    loss, simulated = np.asarray(curve.loss.value), curve.risk_interval is not None
    names = ("report.table.risk", *["report.choice.interval_of_risk"] * simulated, "report.table.loss")
    rows = [
        (
            _rounded(words, float(curve.points[i])),
            words.percent_under_noise(float(curve.risk[i])),
            *(_ends(words, interval, i) for interval in [curve.risk_interval] * simulated if interval is not None),
            words.percent(float(loss[i])),
            _ends(words, curve.loss.interval, i),
            words.text("report.choice.met") if _kept(curve, choice, i) else "",
        )
        for i in range(0, len(curve.points), EVERY)
    ]
    return Table(
        columns=(
            words.text(f"report.choice.{choice.parameter}"),
            *map(words.text, names),
            words.text("report.choice.interval"),
            words.text("report.choice.both"),
        ),
        rows=tuple(rows),
        numeric=frozenset(range(len(names) + 2)),
        caption=f"{words.text('report.choice.curves_title', about=curve.about)}. "
        + words.text("report.choice.curves_caption"),
    )


def _kept(curve: TradeOff, choice: Choice, i: int) -> bool:
    return any(stretch.low <= curve.points[i] <= stretch.high for stretch in choice.stretches)


def _ends(words: Language, interval: Interval, i: int) -> str:
    low, high = words.percent_between(*(float(np.asarray(end)[i]) for end in (interval.low, interval.high)))
    return words.text("report.shared.both_ends", low=low, high=high)


def _rounded(words: Language, point: float) -> str:
    """Write a point that was tried, which need not be written in full."""
    return words.number(int(point)) if point == int(point) else words.number(point, ".3g")


def _scope(words: Language, choice: Choice) -> str:
    limits = _limits(words, choice)
    if not choice.looked_at_the_data:
        return words.text("report.choice.scope_declared", **limits)
    return words.text(
        "report.choice.scope_table",
        parameter=words.text(f"report.choice.{choice.parameter}"),
        table=str(choice.based_on["table"]),
        **limits,
    )


def _asked(words: Language, choice: Choice) -> dict[str, str]:
    given = {str(name): str(value) for name, value in choice.based_on.items()}
    if choice.looked_at_the_data:
        based_on = plan_facts(words, given)
    else:
        based_on = {words.text(f"report.choice.{name.replace(' ', '_')}"): text for name, text in given.items()}
    return {
        **{words.text(f"report.choice.{name}"): limit for name, limit in _limits(words, choice).items()},
        **based_on,
    }


def _limits(words: Language, choice: Choice) -> dict[str, str]:
    return {"max_risk": as_given(words, choice.max_risk), "max_loss": as_given(words, choice.max_loss)}
