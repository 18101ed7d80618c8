"""Work in the background: how far it is, what it came to, and a way to end it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from epsilometer.web.dependencies import TheDesk, TheJobs
from epsilometer.web.rendering import page
from epsilometer.web.sending import SeeOther

router = APIRouter()


@router.get("/jobs/{job_id}")
def show(request: Request, job_id: str, jobs: TheJobs, desk: TheDesk) -> Response:
    """Show how far the work is; once it is done, lead to what it came to."""
    job = jobs[job_id]
    if job.state == "done" and job.then != f"/jobs/{job.id}":
        return SeeOther(job.then)
    opened = None if job.table_id is None else desk[job.table_id]
    return page(request, "job.html.j2", opened=opened, job=job, error=desk.in_words(job.error))


@router.get("/jobs/{job_id}/state")
def state(job_id: str, jobs: TheJobs) -> Response:
    """Say how far the work is, to the script of the page."""
    return JSONResponse(jobs[job_id].to_dict())


@router.post("/jobs/{job_id}/cancel")
def cancel(job_id: str, jobs: TheJobs) -> Response:
    """End the work."""
    jobs.cancel(jobs[job_id])
    return SeeOther(f"/jobs/{job_id}")
