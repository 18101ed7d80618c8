"""An assessment as one HTML file: the decision first, then the evidence. It opens offline and prints on A4."""

from __future__ import annotations

import platform
from dataclasses import replace
from importlib import metadata
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.charts.cell_sizes import draw_cell_sizes
from epsilometer.charts.risk_and_loss import climbs_from_knee, draw_risk_and_loss
from epsilometer.charts.risk_curve import draw_risk
from epsilometer.charts.theme import SHADES
from epsilometer.charts.thresholds import draw_thresholds
from epsilometer.report.bibliography import works
from epsilometer.report.figures import figure
from epsilometer.report.sentences import answer
from epsilometer.report.templating import environment, rounded
from epsilometer.vocabulary.wording import CONFIDENTIAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.assessments.assess import Assessment, AttributeAssessment
    from epsilometer.report.bibliography import Work
    from epsilometer.report.figures import Figure
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.raw_risk import RawRisk

LIBRARIES: Final = ("epsilometer", "numpy", "scipy")
FOR_EVERYONE: Final = (
    "diversity.homogeneous_records",
    "diversity.homogeneous_share",
    "reidentification.unique_records",
    "anonymity.k",
)


class Row(NamedTuple):
    """What the release comes to at one epsilon; the loss is missing where it was not computed."""

    epsilon: float
    people: float
    cells: float
    any_table: float
    own_record: float
    loss: float | None


class Measure(NamedTuple):
    """One measure of the table as it is."""

    group: str
    name: str
    value: str
    meaning: str
    direction: str


class Section(NamedTuple):
    """What the page shows of one sensitive attribute."""

    result: AttributeAssessment
    curves: Curves
    answer: str
    rows: list[Row]
    measures: list[Measure]
    expert_measures: list[Measure]
    climbs: bool
    risk_and_loss: Figure
    risk: Figure
    cell_sizes: Figure
    thresholds: Figure
    methods: dict[str, list[Work]]


def assessment_report(assessment: Assessment, curves: Sequence[Curves]) -> str:
    """Return an assessment as a self-contained HTML document.

    Args:
        assessment: what the plan comes to, at the epsilons asked for.
        curves: risk and loss on a grid of epsilon, for each sensitive attribute in the order of the assessment.
            The table of the report gives the loss at the epsilons that are on the grid.
    """
    sections = [
        _section(assessment, attribute, curve) for attribute, curve in zip(assessment.attributes, curves, strict=True)
    ]
    assumptions = _assumptions(assessment, curves)
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            confidential=CONFIDENTIAL,
            assessment=assessment,
            sections=sections,
            mechanism=sections[0].result.people.mechanism,
            assumptions=assumptions,
            caveats=[line for line in _caveats(assessment, curves) if line not in assumptions],
            versions={**{name: metadata.version(name) for name in LIBRARIES}, "Python": platform.python_version()},
            shades=SHADES,
        )
    )


def _section(assessment: Assessment, attribute: AttributeAssessment, curves: Curves) -> Section:
    measures = _measures(attribute.raw)
    return Section(
        result=attribute,
        curves=curves,
        answer=answer(replace(assessment, attributes=(attribute,))),
        rows=_rows(attribute, curves),
        measures=[measures[label] for label in FOR_EVERYONE],
        expert_measures=[measure for label, measure in measures.items() if label not in FOR_EVERYONE],
        climbs=climbs_from_knee(curves),
        risk_and_loss=figure(lambda width: draw_risk_and_loss(curves, width=width)),
        risk=figure(lambda width: draw_risk(curves.people, width=width)),
        cell_sizes=figure(lambda width: draw_cell_sizes(curves, width=width)),
        thresholds=figure(
            lambda width: draw_thresholds(curves.people.mechanism["epsilon"], curves.people_by_threshold, width=width)
        ),
        methods={
            "Risk of the noisy counts": works(attribute.people.source),
            "Loss of accuracy": works(curves.loss.source),
            "The table as it is": works(attribute.raw.source),
        },
    )


def _rows(attribute: AttributeAssessment, curves: Curves) -> list[Row]:
    columns = (
        attribute.people.mechanism["epsilon"],
        attribute.people.value,
        attribute.cells.value,
        attribute.people.any_table,
        attribute.own_record.value_advantage,
    )
    losses = dict(zip(np.atleast_1d(curves.loss.mechanism["epsilon"]), np.atleast_1d(curves.loss.value), strict=True))
    rows = zip(*(np.atleast_1d(column) for column in columns), strict=True)
    return sorted(Row._make([*map(float, row), losses.get(row[0])]) for row in rows)


def _measures(raw: RawRisk) -> dict[str, Measure]:
    """Return the measures as text, rounded towards more risk; a prior is what risks are held against."""
    found = {}
    for label, value, meaning, direction in raw.to_frame().itertuples(index=False):
        group, name = label.split(".")
        up = direction == "larger is riskier" and name != "prior"
        found[label] = Measure(group, name.replace("_", " "), rounded(value, up=up), meaning, direction)
    return found


def _assumptions(assessment: Assessment, curves: Sequence[Curves]) -> list[str]:
    pairs = zip(assessment.attributes, curves, strict=True)
    return _once(
        line for attribute, curve in pairs for line in (*attribute.people.assumptions, *curve.loss.assumptions)
    )


def _caveats(assessment: Assessment, curves: Sequence[Curves]) -> list[str]:
    pairs = zip(assessment.attributes, curves, strict=True)
    found = (
        line
        for attribute, curve in pairs
        for line in (*attribute.people.caveats, *curve.loss.caveats, *attribute.raw.caveats)
    )
    return _once((*found, *assessment.notes))


def _once(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))
