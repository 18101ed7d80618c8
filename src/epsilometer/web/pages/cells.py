"""The cells that give the most away: for those who may see the table, and nobody else."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from epsilometer.assessments.numbers import whole
from epsilometer.report.delimited import as_csv, without_formulas
from epsilometer.vocabulary.cell_risk import CellRisk
from epsilometer.vocabulary.wording import rounded_up
from epsilometer.web.dependencies import TheTable
from epsilometer.web.desk import Opened
from epsilometer.web.numbers_given import whole_number_from
from epsilometer.web.questions import AskedOfCounts, CountsQuestion
from epsilometer.web.rendering import page
from epsilometer.web.sending import attached, file_name

USUAL: Final = 25
MOST: Final = 10_000

router = APIRouter()


@router.get("/tables/{table_id}/cells")
def show(request: Request, table: TheTable, asked: AskedOfCounts, n: str = str(USUAL)) -> Response:
    """Show the cells with the most people disclosed."""
    return page(
        request,
        "cells.html.j2",
        opened=table,
        asked=asked,
        roles=table.chosen(),
        cells=riskiest(table, asked, n),
        n=n,
        in_words=counts_in_words,
        people_in_words=people_in_words,
        most=MOST,
    )


@router.get("/tables/{table_id}/download/cells.csv")
def download(table: TheTable, asked: AskedOfCounts, n: str = str(USUAL)) -> Response:
    """Send the same as a file that a spreadsheet can open without running anything."""
    import pyarrow as pa

    cells = riskiest(table, asked, n)
    rows = [
        {
            **cell.cell,
            "people disclosed": cell.people,
            "records": sum(cell.counts.values()),
            "records by value": counts_in_words(cell),
            "shows one value, a true one": cell.any_value,
            "shows a member's own value alone": cell.own_value,
        }
        for cell in cells
    ]
    return attached(as_csv(without_formulas(pa.Table.from_pylist(rows))), f"{file_name(table.name)}-riskiest-cells.csv")


def riskiest(table: Opened, asked: CountsQuestion, n: str) -> tuple[CellRisk, ...]:
    """Return the cells at the setting that is asked about."""
    limit = whole("n", whole_number_from("n", n.strip()), 1, MOST, hint="It is a number of cells.")
    return table.explorer(asked.sensitive).riskiest(asked.setting, limit)


def people_in_words(cell: CellRisk) -> str:
    """Write how many people of a cell are disclosed, with two digits and of how many."""
    return f"{rounded_up(cell.people, 2):g} of {sum(cell.counts.values()):,}"


def counts_in_words(cell: CellRisk) -> str:
    """Write how the records of a cell are spread over the values."""
    return "; ".join(f"{value}: {count:,}" for value, count in cell.counts.items())
