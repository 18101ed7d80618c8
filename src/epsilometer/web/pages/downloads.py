"""Everything that can be taken away: plan, chart and report at the setting of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from epsilometer.charts.export import to_json, to_png, to_svg
from epsilometer.charts.live import COUNTS, SAMPLE, counts_data, filled, live_frame, sample_data
from epsilometer.errors import UnknownChoice
from epsilometer.plans.files import plan_text
from epsilometer.plans.release_kinds import Counts, Sample
from epsilometer.vocabulary.language import LANGUAGES
from epsilometer.web.dependencies import TheForm, TheJobs, TheSettings, TheTable
from epsilometer.web.desk import EXAMPLE, Opened
from epsilometer.web.jobs import Job
from epsilometer.web.pages.counts import work_out_losses
from epsilometer.web.pages.sample import explorer_for
from epsilometer.web.questions import AskedOfCounts, AskedOfSample, CountsQuestion, SampleQuestion
from epsilometer.web.rendering import page
from epsilometer.web.sending import SeeOther, attached, file_name, packed
from epsilometer.web.settings import Settings
from epsilometer.web.shown_counts import counts_view, shown_counts
from epsilometer.web.shown_sample import sample_view, shown_sample
from epsilometer.web.work import ReportOrder, written_report

if TYPE_CHECKING:
    from epsilometer.charts.theme import AnyChart

PICTURES: Final[Mapping[str, Callable[[AnyChart], bytes]]] = {
    "svg": lambda chart: to_svg(chart).encode(),
    "png": to_png,
    "json": lambda chart: to_json(chart).encode(),
}
FORMS: Final = {
    "html": "Web page: opens and prints anywhere, offline",
    "md": "Markdown, with its charts",
    "json": "JSON, for programs",
}
TONGUES: Final = {"en": "English", "de": "Deutsch"}
QUESTIONS: Final[Mapping[str, type[CountsQuestion | SampleQuestion]]] = {
    Counts.kind: CountsQuestion,
    Sample.kind: SampleQuestion,
}
EXAMPLE_FILE: Final = "example.csv"
SENT: Final = "# The table was sent to the page, which cannot know where it is: set its path after 'table:'.\n"
NOT_MADE: Final = "This report has not been made, or not of this table. Start it again."

router = APIRouter()


@router.get("/tables/{table_id}/download/plan.yaml")
def plan(request: Request, table: TheTable, settings: TheSettings) -> Response:
    """Send the plan of the setting, for the command line."""
    asked = _asked(request.query_params, table)
    location, comment = _location(table, settings)
    text = plan_text(replace(asked.plan(table), table=location))
    return attached(f"{comment}{text}".encode(), f"{file_name(table.name)}-plan.yaml")


@router.get("/tables/{table_id}/download/chart.{form}")
def counts_chart(table: TheTable, asked: AskedOfCounts, form: str) -> Response:
    """Send the chart of noisy counts as it is on the page, with its losses."""
    explorer = table.explorer(asked.sensitive)
    work_out_losses(explorer, asked)
    view = counts_view(explorer, asked)
    texts = shown_counts(view, asked, table.chosen())["texts"]
    epsilons = view.curves.epsilons.tolist()
    chart = filled(
        live_frame(COUNTS, epsilons[0], epsilons[-1]),
        counts_data(view, near=asked.near),
        title=f"{texts['this_table']} of the people are disclosed at {texts['position']}, at a loss of {texts['loss']}",
        subtitle=texts["baseline"],
    )
    return _picture(chart, f"{file_name(table.name)}-counts", form)


@router.get("/tables/{table_id}/download/sample.{form}")
def sample_chart(table: TheTable, asked: AskedOfSample, form: str) -> Response:
    """Send the chart of a sample as it is on the page."""
    view = sample_view(explorer_for(table, asked), asked)
    texts = shown_sample(view, asked)["texts"]
    sizes = view.curves.sizes.tolist()
    chart = filled(
        live_frame(SAMPLE, float(sizes[0]), float(sizes[-1])),
        sample_data(view),
        title=(
            f"With {texts['position']} the model expects a value to be named right with {texts['model_this_sample']}, "
            f"and shares to be off by {texts['model_loss']}"
        ),
        subtitle=f"Without a release it is {texts['model_no_release']}. {texts['model_attacker']}",
    )
    return _picture(chart, f"{file_name(table.name)}-sample", form)


@router.get("/tables/{table_id}/report")
def ask(request: Request, table: TheTable) -> Response:
    """Ask in which form and language the report is wanted."""
    asked = _asked(request.query_params, table)
    return page(request, "report.html.j2", opened=table, asked=asked, forms=FORMS, tongues=TONGUES)


@router.post("/tables/{table_id}/report")
def begin(table: TheTable, form: TheForm, jobs: TheJobs) -> Response:
    """Begin to make the report, which takes some seconds."""
    given = {name: str(value) for name, value in form.items()}
    asked = _asked(given, table)
    ending, language = given.get("form", "html"), given.get("language", "en")
    if ending not in FORMS:
        raise UnknownChoice("form", ending, FORMS)
    if language not in LANGUAGES:
        raise UnknownChoice("language", language, LANGUAGES)
    order = ReportOrder(
        plan=asked.plan(table),
        table_name=table.name,
        file=f"{file_name(table.name)}-report.{ending}",
        language=language,
        adversary=getattr(asked, "adversary", "unknown"),
    )
    here = f"/tables/{table.id}"
    job = jobs.start(
        "report",
        written_report,
        order,
        opened=table,
        title="Making the report",
        back=f"{here}/report?{asked.address}",
        then=f"{here}/report/{{id}}",
    )
    return SeeOther(f"/jobs/{job.id}")


@router.get("/tables/{table_id}/report/{job_id}")
def ready(request: Request, table: TheTable, job_id: str, jobs: TheJobs) -> Response:
    """Say that the report is ready."""
    job = jobs.about(table, job_id)
    name, content = _one_file(_files(job))
    return page(request, "report_ready.html.j2", opened=table, job=job, name=name, size=len(content))


@router.get("/tables/{table_id}/report/{job_id}/download")
def report(table: TheTable, job_id: str, jobs: TheJobs) -> Response:
    """Send the report."""
    name, content = _one_file(_files(jobs.about(table, job_id)))
    return attached(content, name)


def _asked(given: Mapping[str, str], table: Opened) -> CountsQuestion | SampleQuestion:
    kind = given.get("kind") or Counts.kind
    if kind not in QUESTIONS:
        raise UnknownChoice("kind", kind, QUESTIONS)
    return QUESTIONS[kind].read(given, table)


def _picture(chart: AnyChart, name: str, form: str) -> Response:
    if form not in PICTURES:
        raise UnknownChoice("ending of the picture's name", form, PICTURES)
    return attached(PICTURES[form](chart), f"{name}.{form}")


def _location(table: Opened, settings: Settings) -> tuple[str, str]:
    """Return where a plan finds the table, wherever the plan is kept, and what else its reader has to know."""
    file, stroke, part = table.source.partition("::")
    if not Path(file).is_relative_to(settings.folder):
        return f"{Path(file).absolute()}{stroke}{part}", ""
    if table.name == EXAMPLE:
        return EXAMPLE_FILE, f"# Write the example beside this plan first: epsilometer demo --save {EXAMPLE_FILE}\n"
    return table.name, SENT


def _files(job: Job) -> Mapping[str, bytes]:
    if job.kind != "report" or job.result is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, NOT_MADE)
    files: Mapping[str, bytes] = job.result
    return files


def _one_file(files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return the report as one file: several become an archive."""
    first = min(files, key=lambda name: name.count("/"))
    return (first, files[first]) if len(files) == 1 else (f"{Path(first).stem}.zip", packed(files))
