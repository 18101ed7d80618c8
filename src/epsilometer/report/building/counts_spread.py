"""How the risk of noisy counts is spread over people, and over the settings of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.heat_map import draw_heat_map
from epsilometer.charts.risk_spread import draw_risk_spread
from epsilometer.report.building.framing import as_given
from epsilometer.report.model import KeyNumber, Picture, Section, Table, Text
from epsilometer.report.odds.crowd import first
from epsilometer.vocabulary.risk_spread import LEVELS, PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from epsilometer.report.model import Block
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.risk_grid import RiskGrid
    from epsilometer.vocabulary.risk_spread import RiskSpread


def first_words(words: Language, spread: RiskSpread) -> str:
    """Say the mean risk, and right after it how many people bear the highest level that anybody reaches."""
    level = _highest_level(spread)
    return words.text(
        "report.spread.first" if level else "report.spread.first_nobody",
        epsilon=words.number(first(spread.mechanism["epsilon"])),
        mean=words.percent_under_noise(float(spread.value)),
        n=spread.people.number_at_least(level),
        total=spread.people.total,
        level=as_given(words, level or LEVELS[0]),
    )


def most_at_risk(words: Language, spread: RiskSpread) -> Iterator[KeyNumber]:
    """Return how many people bear a high risk, if anybody does."""
    if level := _highest_level(spread):
        n = spread.people.number_at_least(level)
        total = words.number(spread.people.total)
        yield KeyNumber(
            value=words.number(n),
            name=words.text("report.spread.most_name"),
            meaning=words.text("report.spread.most", n=n, total=total, level=as_given(words, level)),
            place="worst",
        )


def _highest_level(spread: RiskSpread) -> float:
    """Return the highest of some levels of risk that anybody reaches; zero if nobody reaches one."""
    return max((level for level in LEVELS if spread.people.number_at_least(level)), default=0.0)


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


def _spread_tables(words: Language, spread: RiskSpread) -> Iterator[Block]:
    people = spread.people
    epsilon = words.number(first(spread.mechanism["epsilon"]))
    yield Text(words.text("report.spread.note", epsilon=epsilon), quiet=True)
    yield Table(
        columns=(words.text("report.spread.part"), words.text("report.spread.risk")),
        rows=tuple(
            (
                words.text("report.spread.everybody") if part == 1 else words.percent_at_least(part),
                words.percent_under_noise(people.not_exceeded_by(part)),
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
