"""Noisy counts under sliders."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from epsilometer.assessments.exploring.counts_explorer import CountsExplorer
from epsilometer.charts.live import COUNTS, MARGINS, live_frame
from epsilometer.plans.release_kinds import Counts
from epsilometer.web import vega_bundle
from epsilometer.web.dependencies import TheTable
from epsilometer.web.live_route import LiveRoute
from epsilometer.web.questions import AskedOfCounts, CountsQuestion, or_remembered, up_to_date, written
from epsilometer.web.rendering import page
from epsilometer.web.role_warnings import warnings_about
from epsilometer.web.shown_counts import counts_view, shown_counts

MECHANISMS: Final = {
    "geometric": "Geometric: whole numbers",
    "laplace": "Laplace: numbers with decimals",
    "discrete-gaussian": "Discrete Gaussian: whole numbers, with δ",
    "gaussian": "Gaussian: numbers with decimals, with δ",
}
BESIDE: Final = {  # the positions of the smaller sliders
    "delta": [f"{step}e-{power}" for power in range(12, 2, -1) for step in (1, 2, 5)],
    "threshold": [written(half / 2) for half in range(1, 41)],
}

live = APIRouter(route_class=LiveRoute)
router = APIRouter()


@router.get("/tables/{table_id}/counts")
def show(request: Request, table: TheTable, complete: str = "") -> Response:
    """Show one setting; ``complete`` waits for the losses, for a browser without our script."""
    given = or_remembered(request.query_params, table, Counts.kind)
    asked = CountsQuestion.read(up_to_date(given, table), table)
    explorer = table.explorer(asked.sensitive)
    if complete:
        work_out_losses(explorer, asked)
    shown = shown_counts(counts_view(explorer, asked), asked, table.chosen())
    table.remember(asked.fields)
    grid = explorer.grid.tolist()
    begin = {
        "view": shown,
        "positions": [written(epsilon) for epsilon in grid],
        "beside": BESIDE,
        "frame": live_frame(COUNTS, grid[0], grid[-1]).to_dict(),
        "margins": MARGINS,
    }
    return page(
        request,
        "counts.html.j2",
        opened=table,
        asked=asked,
        mechanisms=MECHANISMS,
        roles=table.chosen(),
        warnings=warnings_about(table),
        shown=shown,
        begin=begin,
        vega=vega_bundle.VERSIONED,
    )


@live.get("/tables/{table_id}/counts/view")
def view(table: TheTable, asked: AskedOfCounts) -> Response:
    """Return what a movement of the controls changes, without simulating anything."""
    shown = shown_counts(counts_view(table.explorer(asked.sensitive), asked), asked, table.chosen())
    table.remember(asked.fields)
    return JSONResponse(shown)


@live.get("/tables/{table_id}/counts/losses")
def losses(table: TheTable, asked: AskedOfCounts) -> Response:
    """Return the same with the losses, which are simulated once for each kind of noise."""
    explorer = table.explorer(asked.sensitive)
    work_out_losses(explorer, asked)
    return JSONResponse(shown_counts(counts_view(explorer, asked), asked, table.chosen()))


def work_out_losses(explorer: CountsExplorer, asked: CountsQuestion) -> None:
    """Simulate the losses along the slider, and at an epsilon between its positions."""
    explorer.losses(asked.setting)
    if asked.setting.epsilon not in explorer.grid:
        explorer.loss(asked.setting)


router.include_router(live)
