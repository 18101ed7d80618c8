"""A release: what it would cost is shown first; only an explicit yes makes it, once."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from epsilometer.errors import EpsilometerError
from epsilometer.plans.in_words import plan_in_words
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import RANDOMIZERS, SUPPORTS
from epsilometer.releases.preview import preview
from epsilometer.releases.release import APPEARING, Released, carry_out
from epsilometer.report.passport_page import limits, protects, published
from epsilometer.synthesizers.registry import BUILT_IN
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.telling import Tell
from epsilometer.vocabulary.wording import readable
from epsilometer.web.confirming import Waiting
from epsilometer.web.dependencies import TheConfirmations, TheDesk, TheForm, TheJobs, TheSettings, TheTable
from epsilometer.web.desk import Opened
from epsilometer.web.jobs import Job, Jobs, finish_anyway
from epsilometer.web.release_form import KINDS, Asked, asked_from, plan_asked
from epsilometer.web.rendering import page
from epsilometer.web.sending import attached, file_name, packed
from epsilometer.web.settings import Settings

NOT_CONFIRMED: Final = "That is not the name of the data set. Nothing was published. Type the name to confirm."
CHOICES: Final = {
    "mechanism": ("geometric", "discrete-gaussian", "laplace", "gaussian"),
    "adjacency": tuple(Adjacency),
    "support": SUPPORTS,
    "method": tuple(BUILT_IN),
    "randomizer": RANDOMIZERS,
}

router = APIRouter()


@router.get("/tables/{table_id}/release")
def show(request: Request, opened: TheTable) -> Response:
    """Show the form, filled in from the address: the pages that explore lead here with what was found."""
    return _form(request, opened, asked_from(request.query_params, opened, opened.chosen()))


@router.post("/tables/{table_id}/release")
def look(
    request: Request,
    *,
    opened: TheTable,
    desk: TheDesk,
    form: TheForm,
    settings: TheSettings,
    confirmations: TheConfirmations,
) -> Response:
    """Work out what the release would cost; nothing is spent."""
    asked = asked_from(form, opened, opened.chosen())
    try:
        plan = plan_asked(asked, opened, opened.chosen())
        found = preview(plan, ledger=settings.ledger)
    except EpsilometerError as error:
        return _form(request, opened, asked, problem=desk.in_words(str(error)))
    word = confirmations.wait_for(Waiting(plan=plan, preview=found, file=asked.file))
    return RedirectResponse(f"/tables/{opened.id}/release/{word}", HTTPStatus.SEE_OTHER)


@router.get("/tables/{table_id}/release/{word}")
def ask(request: Request, opened: TheTable, word: str, confirmations: TheConfirmations) -> Response:
    """Show what would be spent, and ask for a yes."""
    return _question(request, opened, word, confirmations[word])


@router.post("/tables/{table_id}/release/{word}")
def confirm(
    request: Request,
    *,
    opened: TheTable,
    word: str,
    form: TheForm,
    settings: TheSettings,
    jobs: TheJobs,
    confirmations: TheConfirmations,
) -> Response:
    """Make the release, if its name was typed; a second yes leads to the work of the first."""
    waiting = confirmations[word]
    if _as_typed(str(form.get("confirmation", ""))) != _as_typed(waiting.preview.dataset):
        return _question(request, opened, word, waiting, problem=NOT_CONFIRMED)
    job = confirmations.confirm(word, lambda shown: _started(shown, opened, jobs, settings))
    return RedirectResponse(f"/jobs/{job.id}", HTTPStatus.SEE_OTHER)


@router.get("/tables/{table_id}/released/{job_id}")
def done(request: Request, opened: TheTable, job_id: str, jobs: TheJobs, settings: TheSettings) -> Response:
    """Show what was published."""
    released = _released(jobs[job_id])
    return page(
        request,
        "released.html.j2",
        opened=opened,
        job_id=job_id,
        released=released,
        lines=(published(released.passport), protects(released.passport)),
        limits=limits(released.passport),
        folder=str(released.entry.output.parent) if settings.out is not None else None,
    )


@router.get("/tables/{table_id}/released/{job_id}/download")
def download(opened: TheTable, job_id: str, jobs: TheJobs) -> Response:  # noqa: ARG001  (it must be open)
    """Send everything that was published as one file."""
    released = _released(jobs[job_id])
    files = {file.target.name: file.target.read_bytes() for file in released.entry.sealed}
    return attached(packed(files), f"{file_name(released.entry.output.name)}.zip")


def _form(request: Request, opened: Opened, asked: Asked, problem: str = "") -> Response:
    return page(
        request,
        "release.html.j2",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        opened=opened,
        asked=asked,
        problem=problem,
        kinds=KINDS,
        choices=CHOICES,
    )


def _question(request: Request, opened: Opened, word: str, waiting: Waiting, problem: str = "") -> Response:
    desk, settings = request.app.state.desk, request.app.state.settings
    return page(
        request,
        "release_question.html.j2",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        opened=opened,
        word=word,
        waiting=waiting,
        preview=waiting.preview,
        plan=[desk.in_words(line) for line in plan_in_words(waiting.plan)],
        out=settings.out,
        problem=problem,
    )


def _as_typed(name: str) -> str:
    """Return a name as a person can type it after what the page shows."""
    return " ".join(readable(name).split())


def _started(shown: Waiting, opened: Opened, jobs: Jobs, settings: Settings) -> Job:
    """Start the work in a process of its own, into the folder for releases or into one to download from."""
    folder = settings.out
    if folder is None:
        folder = settings.folder / f"release-{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700)
    return jobs.start(
        "release",
        make_release,
        shown.plan,
        out=folder / shown.file,
        ledger=settings.ledger,
        title=f"Release of {shown.preview.dataset}",
        back=f"/tables/{opened.id}/release",
        then=f"/tables/{opened.id}/released/{{id}}",
    )


def make_release(plan: Plan, *, out: Path, ledger: Path, tell: Tell) -> Released:
    """Make a release in a process of its own, which cannot be cancelled once the files begin to appear."""

    def until_it_appears(step: str, share: float) -> None:
        if step == APPEARING:
            finish_anyway()
        tell(step, share)

    return carry_out(plan, out=out, ledger=ledger, overwrite=False, tell=until_it_appears)


def _released(job: Job) -> Released:
    if isinstance(job.result, Released):
        return job.result
    raise HTTPException(HTTPStatus.NOT_FOUND, "There is no such release here.")
