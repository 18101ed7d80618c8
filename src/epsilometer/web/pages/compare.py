"""Kinds of release side by side."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from epsilometer.plans.release_kinds import Raw
from epsilometer.report.building.frontier import frontier_report
from epsilometer.report.figures import figure
from epsilometer.report.model import Report, Table
from epsilometer.report.rendering.document import as_document
from epsilometer.report.rendering.html import as_html
from epsilometer.vocabulary.frontier import Frontier
from epsilometer.web.dependencies import TheForm, TheJobs, TheTable
from epsilometer.web.jobs import Job
from epsilometer.web.questions import Targets, checked_roles
from epsilometer.web.rendering import page
from epsilometer.web.sending import SeeOther, attached, file_name
from epsilometer.web.work import compared

RELEASES: Final = {
    "counts": "Noisy counts: how many people there are of each kind, with noise",
    "sample": "A sample: the rows of some people, as they are",
    "synthetic": "A synthetic table: invented people, alike as a whole",
    "local": "Local reports: each person's answer with noise of its own",
    "raw": "The table as it is, to compare with",
}
HOW_KNOWN: Final = (
    "What a guess gets right without a release, and what the table itself gives away, are exact. Of the releases the "
    "column “how it is known” says it of each risk: an exact one is computed, an estimate comes from simulated "
    "releases. Estimates, those of losses as well, stand here at the worse end of their interval."
)
NONE_CHOSEN: Final = "Choose at least one kind of release to compare."
NOT_DONE: Final = "This comparison has not been made, or not on this table. Start it again."

router = APIRouter()


@router.get("/tables/{table_id}/compare")
def show(request: Request, table: TheTable) -> Response:
    """Ask what to compare."""
    targets = Targets.read(request.query_params)
    return page(
        request, "compare.html.j2", opened=table, roles=table.chosen(), releases=RELEASES, targets=targets.written
    )


@router.post("/tables/{table_id}/compare")
def begin(table: TheTable, form: TheForm, jobs: TheJobs) -> Response:
    """Begin the work, which takes a while."""
    kinds = [kind for kind in RELEASES if kind in form.getlist("kinds")]
    if not kinds:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, NONE_CHOSEN)
    given = {name: str(value) for name, value in form.items()}
    checked_roles(given, table)
    plan = Targets.read(given).of(table.plan(Raw()))
    here = f"/tables/{table.id}"
    job = jobs.start(
        "compare",
        compared,
        plan,
        kinds,
        opened=table,
        title="Comparing kinds of release",
        back=f"{here}/compare",
        then=f"{here}/compared/{{id}}",
    )
    return SeeOther(f"/jobs/{job.id}")


@router.get("/tables/{table_id}/compared/{job_id}")
def done(request: Request, table: TheTable, job_id: str, jobs: TheJobs) -> Response:
    """Show what the kinds of release come to."""
    found = _frontier(jobs.about(table, job_id))
    report = frontier_report(found)
    answer = report.answers[0]
    assert answer.chart is not None  # noqa: S101  (a comparison always has one)
    return page(
        request,
        "compared.html.j2",
        opened=table,
        job_id=job_id,
        report=report,
        answer=answer,
        figure=figure(answer.chart.draw),
        listing=_listing(report),
        how_known=HOW_KNOWN,
        found=found,
        assumptions=(*found.assumptions, *(line for curve in found.curves for line in curve.assumptions)),
    )


@router.get("/tables/{table_id}/compared/{job_id}/report.html")
def as_page(table: TheTable, job_id: str, jobs: TheJobs) -> Response:
    """Send the comparison as a report to keep."""
    report = frontier_report(_frontier(jobs.about(table, job_id)))
    return attached(as_html(report).encode(errors="replace"), f"{file_name(table.name)}-comparison.html")


@router.get("/tables/{table_id}/compared/{job_id}/report.json")
def as_data(table: TheTable, job_id: str, jobs: TheJobs) -> Response:
    """Send the comparison as data."""
    report = frontier_report(_frontier(jobs.about(table, job_id)))
    return attached(as_document(report).encode(errors="replace"), f"{file_name(table.name)}-comparison.json")


def _frontier(job: Job) -> Frontier:
    if not isinstance(job.result, Frontier):
        raise HTTPException(HTTPStatus.NOT_FOUND, NOT_DONE)
    return job.result


def _listing(report: Report) -> Table:
    """Return the table of the releases, which is the first one among the evidence."""
    return next(block for section in report.sections for block in section.blocks if isinstance(block, Table))
