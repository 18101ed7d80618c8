"""A sample under a slider."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from epsilometer.assessments.exploring.sample_explorer import SampleExplorer
from epsilometer.charts.live import MARGINS, SAMPLE, live_frame
from epsilometer.plans.release_kinds import Sample
from epsilometer.web.dependencies import TheTable
from epsilometer.web.desk import Opened
from epsilometer.web.live_route import LiveRoute
from epsilometer.web.questions import AskedOfSample, SampleQuestion, or_remembered, up_to_date
from epsilometer.web.rendering import page
from epsilometer.web.shown_sample import explorer_of, sample_view, shown_sample
from epsilometer.web.vega_bundle import VERSIONED

ATTACKERS: Final = {
    "unknown": "does not know whether the person was drawn",
    "in": "knows that the person was drawn",
    "out": "knows that the person was not drawn",
}

live = APIRouter(route_class=LiveRoute)
router = APIRouter()


@router.get("/tables/{table_id}/sample")
def show(request: Request, table: TheTable, complete: str = "") -> Response:
    """Show one size; ``complete`` waits for what the cells give away, for a browser without our script."""
    given = or_remembered(request.query_params, table, Sample.kind)
    asked = SampleQuestion.read(up_to_date(given, table), table)
    explorer = explorer_for(table, asked)
    if complete:
        explorer.of_cells(asked.setting)
    shown = shown_sample(sample_view(explorer, asked), asked)
    table.remember(asked.fields)
    grid = explorer.grid.tolist()
    begin = {
        "view": shown,
        "positions": [str(size) for size in grid],
        "frame": live_frame(SAMPLE, float(grid[0]), float(grid[-1])).to_dict(),
        "margins": MARGINS,
    }
    return page(
        request,
        "sample.html.j2",
        opened=table,
        asked=asked,
        attackers=ATTACKERS,
        roles=table.chosen(),
        shown=shown,
        begin=begin,
        vega=VERSIONED,
    )


@live.get("/tables/{table_id}/sample/view")
def view(table: TheTable, asked: AskedOfSample) -> Response:
    """Return what a movement of the controls changes."""
    shown = shown_sample(sample_view(explorer_for(table, asked), asked), asked)
    table.remember(asked.fields)
    return JSONResponse(shown)


@live.get("/tables/{table_id}/sample/cells")
def of_cells(table: TheTable, asked: AskedOfSample) -> Response:
    """Return the same with what the sample tells of each cell, which takes seconds where there are many."""
    explorer = explorer_for(table, asked)
    explorer.of_cells(asked.setting)
    return JSONResponse(shown_sample(sample_view(explorer, asked), asked))


def explorer_for(table: Opened, asked: SampleQuestion) -> SampleExplorer:
    """Return what answers the question."""
    place = table.chosen().sensitive.index(asked.sensitive)
    return explorer_of(table.counted().tables[place])


router.include_router(live)
