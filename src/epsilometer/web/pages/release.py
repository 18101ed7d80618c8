"""A release: what it would cost is shown first; only an explicit yes makes it, once."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from epsilometer.errors import BadOutput, BadQuestion, EpsilometerError, OutputExists
from epsilometer.plans.in_words import plan_in_words
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import RANDOMIZERS, SUPPORTS, Counts
from epsilometer.releases.appearing import APPEARING
from epsilometer.releases.budgets import set_budget
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.preview import preview
from epsilometer.releases.release import Released, carry_out, check_output
from epsilometer.releases.this_table import this_table_risk
from epsilometer.releases.undeclared import undeclared
from epsilometer.report.odds import said
from epsilometer.report.passport_page import limits, protects, published
from epsilometer.synthesizers.registry import BUILT_IN
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.joint_risk import JointRisk
from epsilometer.vocabulary.risk import Risk
from epsilometer.vocabulary.wording import readable
from epsilometer.web.confirming import Waiting
from epsilometer.web.dependencies import TheConfirmations, TheDesk, TheForm, TheJobs, TheSettings, TheTable
from epsilometer.web.desk import Opened
from epsilometer.web.jobs import Job, Jobs, Line
from epsilometer.web.numbers_given import number_from
from epsilometer.web.questions import checked_roles, or_remembered
from epsilometer.web.release_form import KINDS, LABELS, Asked, asked_from, known_as, plan_asked
from epsilometer.web.release_refusals import OWN_VALUE, REPLACE, not_declared, refused
from epsilometer.web.rendering import page
from epsilometer.web.sending import SeeOther, attached, file_name, packed
from epsilometer.web.settings import Settings

NOT_CONFIRMED: Final = "That is not the name of the data set. Nothing was published. Type the name to confirm."
NOT_TICKED: Final = "The budget is as it was. Tick the box to change it."
TAKEN: Final = "A file of this name has appeared meanwhile, and is kept. Choose another name."
REMAINS: Final = "The ledger says whether it was published, and what it cost: epsilometer ledger show --ledger {ledger}"
CHOICES: Final = {
    "mechanism": ("geometric", "discrete-gaussian"),
    "adjacency": tuple(Adjacency),
    "support": SUPPORTS,
    "method": tuple(BUILT_IN),
    "randomizer": RANDOMIZERS,
}

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Publication:
    """A release that was made from the page, and the share of people that it discloses, where that is known."""

    released: Released
    risk: Risk | None


@router.get("/tables/{table_id}/release")
def show(request: Request, opened: TheTable, settings: TheSettings) -> Response:
    """Show the form, filled in from the address: the pages that explore lead here with what was found."""
    checked_roles(request.query_params, opened)
    given = or_remembered(request.query_params, opened, request.query_params.get("kind", Counts.kind))
    return _form(request, opened, asked_from(given, opened, ledger=settings.ledger, out=settings.out))


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
    given = {name: str(value) for name, value in form.items()}
    checked_roles(given, opened)
    asked = asked_from(given, opened, ledger=settings.ledger, out=settings.out)
    try:
        with opened.reading():
            plan = plan_asked(asked, opened)
            _check_place(plan, asked, settings)
            lacking = undeclared(plan)
            found = None if lacking else preview(plan, ledger=settings.ledger)
    except EpsilometerError as error:
        return _form(request, opened, asked, problems=[desk.in_words(refused(error, asked, settings.out))])
    if found is None:
        return _form(request, opened, asked, problems=[not_declared(each) for each in lacking])
    word = confirmations.wait_for(Waiting(table_id=opened.id, plan=plan, preview=found, asked=asked))
    return SeeOther(f"/tables/{opened.id}/release/{word}")


@router.get("/tables/{table_id}/release/{word}")
def ask(request: Request, opened: TheTable, word: str, confirmations: TheConfirmations) -> Response:
    """Show what would be spent, and ask for a yes."""
    return _question(request, opened, word, confirmations.about(opened, word))


@router.get("/tables/{table_id}/release/{word}/form")
def change(request: Request, opened: TheTable, word: str, confirmations: TheConfirmations) -> Response:
    """Show the form again, with everything that was entered."""
    return _form(request, opened, confirmations.about(opened, word).asked.with_columns_of(opened.chosen()))


@router.post("/tables/{table_id}/release/{word}/budget")
def allow(
    request: Request,
    *,
    opened: TheTable,
    word: str,
    form: TheForm,
    settings: TheSettings,
    confirmations: TheConfirmations,
) -> Response:
    """Set what all releases of the data set may cost together, and show the release again."""
    waiting = confirmations.about(opened, word)
    dataset = waiting.preview.dataset
    try:
        epsilon = number_from("Epsilon", str(form.get("epsilon", "")).strip())
        delta = number_from("Delta", str(form.get("delta", "")).strip() or "0")
        if "change" not in form and _has_budget(settings.ledger, dataset):
            raise BadQuestion(NOT_TICKED)
        notes = set_budget(settings.ledger, dataset, epsilon=epsilon, delta=delta)
    except EpsilometerError as error:
        return _question(request, opened, word, waiting, budget_problem=str(error))
    with opened.reading():
        found = preview(waiting.plan, ledger=settings.ledger)
    again = confirmations.wait_for(replace(waiting, preview=found, notes=notes, job=None))
    return SeeOther(f"/tables/{opened.id}/release/{again}")


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
    waiting = confirmations.about(opened, word)
    if _as_typed(str(form.get("confirmation", ""))) != _as_typed(waiting.preview.dataset):
        return _question(request, opened, word, waiting, problem=NOT_CONFIRMED)
    job = confirmations.confirm(waiting, lambda: _started(waiting, word, opened, jobs, settings))
    return SeeOther(f"/jobs/{job.id}")


@router.get("/tables/{table_id}/released/{job_id}")
def done(request: Request, opened: TheTable, job_id: str, jobs: TheJobs, settings: TheSettings) -> Response:
    """Show what was published."""
    publication = _published(jobs.about(opened, job_id))
    released, risk = publication.released, publication.risk
    joint = released.entry.internal.get("joint")
    return page(
        request,
        "released.html.j2",
        opened=opened,
        job_id=job_id,
        released=released,
        risk=None if risk is None else said(risk),
        joint=_together(None if joint is None else JointRisk.from_dict(joint)),
        lines=(published(released.passport), protects(released.passport)),
        limits=limits(released.passport),
        folder=str(released.entry.output.parent) if settings.out is not None else None,
    )


@router.get("/tables/{table_id}/released/{job_id}/download")
def download(opened: TheTable, job_id: str, jobs: TheJobs) -> Response:
    """Send everything that was published as one file."""
    released = _published(jobs.about(opened, job_id)).released
    files = {file.target.name: file.target.read_bytes() for file in released.entry.sealed}
    return attached(packed(files), f"{file_name(released.entry.output.name)}.zip")


def _form(request: Request, opened: Opened, asked: Asked, problems: Sequence[str] = ()) -> Response:
    settings = request.app.state.settings
    return page(
        request,
        "release.html.j2",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK,
        opened=opened,
        asked=asked,
        problems=problems,
        kinds=KINDS,
        labels=LABELS[asked.kind],
        choices=CHOICES,
        own_value=OWN_VALUE,
        replace=REPLACE,
        out=settings.out,
        known_as=known_as(opened, settings.ledger),
    )


def _question(
    request: Request, opened: Opened, word: str, waiting: Waiting, *, problem: str = "", budget_problem: str = ""
) -> Response:
    desk, settings = request.app.state.desk, request.app.state.settings
    plan, risk = waiting.plan, waiting.preview.risk
    return page(
        request,
        "release_question.html.j2",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem or budget_problem else HTTPStatus.OK,
        opened=opened,
        word=word,
        waiting=waiting,
        preview=waiting.preview,
        kind=plan.release.kind,
        columns=(*plan.quasi_identifiers, *plan.sensitive),
        risk=None if risk is None else said(risk),
        joint=_together(waiting.preview.joint),
        plan=[desk.in_words(line) for line in plan_in_words(plan)],
        out=settings.out,
        problem=problem,
        budget_problem=budget_problem,
    )


def _check_place(plan: Plan, asked: Asked, settings: Settings) -> None:
    """Say what stands in the way of the files; a release to them that waits to be finished may still be."""
    if settings.out is None:
        return
    out = settings.out / asked.file
    if settings.ledger.exists():
        with open_ledger(settings.ledger, must_exist=True) as ledger:
            if ledger.unfinished(out):
                return
    check_output(plan, out, overwrite=asked.replace)


def _has_budget(path: Path, dataset: str) -> bool:
    """Whether a budget is set now; one may have been since the page was shown."""
    if not path.exists():
        return False
    with open_ledger(path, must_exist=True) as ledger:
        return ledger.budget(dataset) is not None


def _together(joint: JointRisk | None) -> str:
    """Say what all releases of the data set give away together, if there are several."""
    return said(joint).finding if joint is not None and len(joint.each) > 1 else ""


def _as_typed(name: str) -> str:
    """Return a name as a person can type it after what the page shows."""
    return " ".join(readable(name).split())


def _started(shown: Waiting, word: str, opened: Opened, jobs: Jobs, settings: Settings) -> Job:
    """Start the work in a process of its own, into the folder for releases or into one to download from."""
    folder = settings.out
    if folder is None:
        folder = settings.folder / f"release-{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700)
    return jobs.start(
        "release",
        make_release,
        shown.plan,
        out=folder / shown.asked.file,
        ledger=settings.ledger,
        overwrite=shown.asked.replace,
        opened=opened,
        remains=REMAINS.format(ledger=settings.ledger),
        title=f"Release of {shown.preview.dataset}",
        back=f"/tables/{opened.id}/release/{word}/form",
        then=f"/tables/{opened.id}/released/{{id}}",
    )


def make_release(plan: Plan, *, out: Path, ledger: Path, overwrite: bool, tell: Line) -> Publication:
    """Make a release in a process of its own, which cannot be cancelled once the files begin to appear."""

    def until_it_appears(step: str, share: float) -> None:
        tell(step, share)
        if step == APPEARING:
            tell.no_way_back()

    tell("working out what it gives away", 0.0)
    risk = None
    with suppress(EpsilometerError):  # for the owner's eyes; it must not decide over the release
        risk = this_table_risk(plan)
    try:
        released = carry_out(plan, out=out, ledger=ledger, overwrite=overwrite, tell=until_it_appears)
    except OutputExists:
        raise BadOutput(TAKEN) from None
    return Publication(released=released, risk=risk)


def _published(job: Job) -> Publication:
    if isinstance(job.result, Publication):
        return job.result
    raise HTTPException(HTTPStatus.NOT_FOUND, "There is no such release here.")
