"""The evidence on counts with noise: charts and tables of one sensitive attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.charts.cell_sizes import draw_cell_sizes
from epsilometer.charts.heat_map import draw_heat_map
from epsilometer.charts.risk_and_loss import climbs_from_knee, draw_risk_and_loss
from epsilometer.charts.risk_curve import draw_risk
from epsilometer.charts.risk_spread import draw_risk_spread
from epsilometer.charts.thresholds import draw_thresholds
from epsilometer.report.building.framing import how_known
from epsilometer.report.model import Details, Heading, Picture, Section, Table, Text
from epsilometer.report.odds.crowd import first
from epsilometer.report.templating import rounded
from epsilometer.vocabulary.risk_spread import LEVELS, PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from epsilometer.assessments.assess import AttributeAssessment
    from epsilometer.charts.theme import AnyChart
    from epsilometer.report.model import Block
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.raw_risk import RawRisk
    from epsilometer.vocabulary.risk_grid import RiskGrid
    from epsilometer.vocabulary.risk_spread import RiskSpread

FOR_EVERYONE: Final = (
    "diversity.homogeneous_records",
    "diversity.homogeneous_share",
    "reidentification.unique_records",
    "anonymity.k",
)


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
            *([] if number == 1 else [risk_picture(words, curves)]),
            picture("cell_sizes", lambda width: draw_cell_sizes(curves, width=width, language=words)),
            picture(
                "thresholds",
                lambda width: draw_thresholds(epsilons, curves.people_by_threshold, width=width, language=words),
            ),
            *_raw(words, attribute.raw),
        ),
    )


def risk_picture(words: Language, curves: Curves) -> Picture:
    """Return the risk next to what it must be compared with."""
    return Picture(
        name="risk",
        draw=lambda width: draw_risk(curves.people, width=width, language=words),
        caption=words.text("report.caption.risk"),
    )


def spread_sections(words: Language, spread: RiskSpread | None, grids: Sequence[RiskGrid]) -> Iterator[Section]:
    """Return how the risk is spread over people, and over the settings of the release, where that was computed."""
    if spread is not None:
        picture = Picture(
            name="risk_spread",
            draw=lambda width: draw_risk_spread(spread, width=width, language=words),
            caption=words.text("report.spread.caption"),
        )
        blocks = (picture, *_spread_tables(words, spread))
        yield Section(name="spread", heading=words.text("report.spread.heading"), blocks=blocks)
    for number, grid in enumerate(grids, start=1):
        heading = words.text(f"report.spread.grid_{grid.parameter}")
        yield Section(name=f"grid-{number}", heading=heading, blocks=(_grid_picture(words, grid),))


def _grid_picture(words: Language, grid: RiskGrid) -> Picture:
    return Picture(
        name=f"risk_by_{grid.parameter}",
        draw=lambda width: draw_heat_map(grid, width=width, language=words),
        caption=words.text("report.spread.grid_caption"),
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
            *(words.percent(float(risk)) for risk in risks),
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
                words.percent(cell.any_value),
                words.percent(cell.own_value),
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
            Heading(group.capitalize()),
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
        up = direction == "larger is riskier" and name != "prior"
        reading = words.text(f"report.table.{direction.replace(' ', '_')}")
        number = words.number(rounded(value, up=up))
        found[label] = _Measure(group, name.replace("_", " "), number, words.line(meaning), reading)
    return found


def _spread_tables(words: Language, spread: RiskSpread) -> Iterator[Block]:
    people = spread.people
    epsilon = words.number(first(spread.mechanism["epsilon"]))
    yield Text(words.text("report.spread.note", epsilon=epsilon), quiet=True)
    yield Table(
        columns=(words.text("report.spread.part"), words.text("report.spread.risk")),
        rows=tuple(
            (
                words.text("report.spread.everybody") if part == 1 else words.percent_at_least(part),
                words.percent(people.not_exceeded_by(part)),
            )
            for part in PARTS
        ),
        numeric=frozenset({0, 1}),
    )
    yield Table(
        columns=(words.text("report.spread.least"), words.text("report.spread.number")),
        rows=tuple((words.percent_at_least(risk), words.number(people.number_at_least(risk))) for risk in LEVELS),
        numeric=frozenset({0, 1}),
    )
