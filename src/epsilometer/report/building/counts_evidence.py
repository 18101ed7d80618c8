"""The evidence on counts with noise: charts and tables of one sensitive attribute."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.charts.cell_sizes import draw_cell_sizes
from epsilometer.charts.risk_and_loss import climbs_from_knee, draw_risk_and_loss
from epsilometer.charts.risk_curve import draw_risk_at
from epsilometer.charts.thresholds import draw_thresholds
from epsilometer.report.building.framing import how_known
from epsilometer.report.model import Details, Heading, Picture, Section, Table, Text
from epsilometer.report.odds.crowd import first
from epsilometer.report.templating import rounded
from epsilometer.vocabulary.wording import rounded_down

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from epsilometer.assessments.assess import AttributeAssessment
    from epsilometer.charts.theme import AnyChart
    from epsilometer.report.model import Block
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.raw_risk import RawRisk

FOR_EVERYONE: Final = (
    "diversity.homogeneous_records",
    "diversity.homogeneous_share",
    "reidentification.unique_records",
    "anonymity.k",
)
SHARES: Final = frozenset(
    {
        "alpha",
        "homogeneous_share",
        "unique_share",
        "prosecutor_largest",
        "prosecutor_mean",
        "share_above_threshold",
        "journalist_largest",
        "marketer",
        "prior",
        "posterior",
    }
)
ONE_IN_A_HUNDRED: Final = 0.01


class _Measure(NamedTuple):
    """One measure of the table as it is."""

    group: str
    name: str
    value: str
    meaning: str
    direction: str


def evidence_section(words: Language, number: int, attribute: AttributeAssessment, curves: Curves) -> Section:
    """Return the evidence for one attribute; the risk of the first one is drawn on the first page."""
    knee = f" {words.text('report.caption.knee')}" if climbs_from_knee(curves) else ""
    epsilons = curves.people.mechanism["epsilon"]

    def picture(name: str, draw: Callable[[int], AnyChart], more: str = "") -> Picture:
        return Picture(name=name, draw=draw, caption=words.text(f"report.caption.{name}") + more)

    return Section(
        name="evidence" if number == 1 else f"evidence-{number}",
        heading=words.text("report.evidence_for", about=attribute.sensitive),
        blocks=(
            picture("risk_and_loss", lambda width: draw_risk_and_loss(curves, width=width, language=words), knee),
            *_at_each_epsilon(words, attribute, curves),
            *_riskiest(words, attribute),
            *([] if number == 1 else [risk_picture(words, attribute, curves)]),
            picture("cell_sizes", lambda width: draw_cell_sizes(curves, width=width, language=words)),
            picture(
                "thresholds",
                lambda width: draw_thresholds(epsilons, curves.people_by_threshold, width=width, language=words),
            ),
            *_raw(words, attribute.raw),
        ),
    )


def risk_picture(words: Language, attribute: AttributeAssessment, curves: Curves) -> Picture:
    """Return the risk next to what it must be compared with, marked at the epsilon that is spoken of."""
    here = first(attribute.people.mechanism["epsilon"]), first(attribute.people.value)
    return Picture(
        name="risk",
        draw=lambda width: draw_risk_at(curves.people, here, width=width, language=words),
        caption=words.text("report.caption.risk"),
    )


def _at_each_epsilon(words: Language, attribute: AttributeAssessment, curves: Curves) -> Iterator[Block]:
    asked, rows = first(attribute.people.mechanism["epsilon"]), _rows(words, attribute, curves)
    table = [words.text(f"report.table.{name}") for name in ("epsilon", "people_disclosed", "cells_disclosed")]
    table += [words.text(f"report.table.{name}") for name in ("worst_of_any", "own_record", "accuracy_lost")]
    yield Heading(words.text("report.table.at_each_epsilon"))
    yield Table(
        columns=tuple(table),
        rows=tuple(rows.values()),
        numeric=frozenset(range(len(table))),
        asked=list(rows).index(asked) if len(rows) > 1 else None,
    )
    notes = [
        words.text("report.table.epsilon_note", known=how_known(words, attribute.people.evidence)),
        words.text("report.table.loss_note", known=how_known(words, curves.loss.evidence), repeats=curves.loss.repeats),
        words.text("report.rounding"),
    ]
    if len(rows) > 1:
        notes.append(words.text("report.table.asked_note"))
    yield Text(" ".join(notes), quiet=True)


def _rows(words: Language, attribute: AttributeAssessment, curves: Curves) -> dict[float, tuple[str, ...]]:
    """Return what the release comes to, by epsilon; the loss is known only at those of the curves."""
    people, loss = attribute.people, curves.loss
    columns = (people.value, attribute.cells.value, people.any_table, attribute.own_record.value_advantage)
    losses = dict(zip(np.atleast_1d(loss.mechanism["epsilon"]), np.atleast_1d(loss.value), strict=True))
    numbers = zip(*(np.atleast_1d(column) for column in columns), strict=True)
    found = zip(np.atleast_1d(people.mechanism["epsilon"]).tolist(), numbers, strict=True)
    return {
        epsilon: (
            words.number(epsilon),
            *(words.percent_under_noise(float(risk)) for risk in risks),
            words.percent(float(losses[epsilon])) if epsilon in losses else words.text("report.not_computed"),
        )
        for epsilon, risks in sorted(found)
    }


def _riskiest(words: Language, attribute: AttributeAssessment) -> Iterator[Block]:
    if not attribute.riskiest:
        return
    names = tuple(attribute.riskiest[0].cell)
    told = ("records_by_value", "any_value", "own_value", "people_disclosed")
    epsilon = words.number(first(attribute.people.mechanism["epsilon"]))
    yield Heading(words.text("report.table.riskiest", epsilon=epsilon))
    yield Table(
        columns=(*names, *(words.text(f"report.table.{name}") for name in told)),
        rows=tuple(
            (
                *cell.cell.values(),
                ", ".join(f"{words.number(records)} {value}" for value, records in cell.counts.items()),
                words.percent_under_noise(cell.any_value),
                words.percent_under_noise(cell.own_value),
                words.number(rounded(cell.people, up=True)),
            )
            for cell in attribute.riskiest
        ),
        numeric=frozenset(range(len(names) + 1, len(names) + len(told))),
        caption=words.text("report.table.riskiest_note"),
    )


def _raw(words: Language, raw: RawRisk) -> Iterator[Block]:
    measures = _measures(words, raw)
    shown = {label: measure for label, measure in measures.items() if label in FOR_EVERYONE}
    rest = {label: measure for label, measure in measures.items() if label not in FOR_EVERYONE}
    columns = tuple(words.text(f"report.table.{name}") for name in ("measure", "value", "meaning", "reading"))
    yield Heading(words.text("report.table.raw"))
    yield Table(
        columns=columns,
        rows=tuple(shown[label][1:] for label in FOR_EVERYONE),
        numeric=frozenset({1}),
        caption=words.text("report.table.raw_caption"),
    )
    grouped = (
        block
        for group in dict.fromkeys(measure.group for measure in rest.values())
        for block in (
            Heading(words.text(f"report.measures.{group}")),
            Table(
                columns=columns, rows=tuple(m[1:] for m in rest.values() if m.group == group), numeric=frozenset({1})
            ),
        )
    )
    yield Details(
        words.text("report.experts"), (Text(words.text("report.table.experts_caption"), quiet=True), *grouped)
    )


def _measures(words: Language, raw: RawRisk) -> dict[str, _Measure]:
    """Return the measures as text, rounded towards more risk; a prior is what risks are held against."""
    found = {}
    for label, value, meaning, direction in raw.to_frame().itertuples(index=False):
        group, name = label.split(".")
        reading = words.text(f"report.table.{direction.replace(' ', '_')}")
        number = _share(words, name, value) if name in SHARES else _number(words, value, direction)
        found[label] = _Measure(group, words.text(f"report.measure.{name}"), number, words.line(meaning), reading)
    return found


def _share(words: Language, name: str, share: float) -> str:
    """Write a share as a percentage: a risk rounded up; a prior down, with two digits where it is small."""
    if name != "prior":
        return words.percent(share)
    if share >= ONE_IN_A_HUNDRED:
        return words.percent_at_least(share)
    return words.text("writing.percent", number=words.number(f"{rounded_down(100 * share, 2):g}"))


def _number(words: Language, value: float, direction: str) -> str:
    if math.isinf(value):
        return words.text("report.measure.unbounded")
    return words.number(rounded(value, up=direction == "larger is riskier"))
