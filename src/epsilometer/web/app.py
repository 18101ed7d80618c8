"""The application: the pages, the guard before them, and what a person sees when something is wrong."""

from __future__ import annotations

from http import HTTPStatus
from importlib import resources
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from epsilometer.errors import EpsilometerError
from epsilometer.web import vega_bundle
from epsilometer.web.confirming import Confirmations
from epsilometer.web.desk import Desk, NeedsRoles
from epsilometer.web.door import Door
from epsilometer.web.guard import HEADERS, Guard
from epsilometer.web.jobs import Jobs
from epsilometer.web.pages import cells, compare, counts, downloads, jobs, release, roles, sample, start
from epsilometer.web.rendering import page
from epsilometer.web.sending import SeeOther

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi.telemetry import TelemetryConfig
    from starlette.requests import Request

    from epsilometer.web.settings import Settings

# Whatever the environment says: what is asked of a confidential table is told to nobody.
NO_TELEMETRY: Final[TelemetryConfig] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
DEFECT: Final = "Something went wrong that should not have: a defect in epsilometer. Nothing was published by it."


def create_app(settings: Settings, say: Callable[[str], None] = print) -> FastAPI:
    """Return the application of one start of the server; ``say`` tells the person at the terminal something."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, telemetry=NO_TELEMETRY)
    app.state.settings = settings
    app.state.door = Door(settings, say)
    app.state.desk = Desk(settings)
    app.state.jobs = Jobs(settings.folder)
    app.state.confirmations = Confirmations()
    for each in (start, roles, counts, sample, compare, cells, downloads, release, jobs, vega_bundle):
        app.include_router(each.router)
    app.mount("/static", StaticFiles(directory=str(resources.files("epsilometer.web") / "static")))
    app.add_middleware(Guard, settings=settings, door=app.state.door)
    for kind, handler in ANSWERS.items():
        app.add_exception_handler(kind, handler)
    return app


def _refused(request: Request, error: Exception) -> Response:
    """Show an error on purpose: its text is one line that a person can act on."""
    message = request.app.state.desk.in_words(str(error))
    return page(
        request, "error.html.j2", status=HTTPStatus.UNPROCESSABLE_ENTITY, title="That does not work", message=message
    )


def _answered(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    title = {404: "There is nothing here", 413: "That is too large"}.get(error.status_code, "That does not work")
    return page(request, "error.html.j2", status=error.status_code, title=title, message=error.detail)


def _misread(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    wrong = error.errors()[0]
    message = f"{wrong['loc'][-1]}: {wrong['msg']}."
    return page(
        request, "error.html.j2", status=HTTPStatus.UNPROCESSABLE_ENTITY, title="That does not work", message=message
    )


def _unassigned(_request: Request, error: Exception) -> Response:
    """Lead whoever asks for numbers too early to the page where columns get their roles."""
    assert isinstance(error, NeedsRoles)  # noqa: S101
    return SeeOther(f"/tables/{error.table_id}?first=roles")


def _defect(request: Request, _error: Exception) -> Response:
    """Say that there is a defect, and nothing of what the program was doing; this answer passes no guard on its way."""
    response = page(request, "error.html.j2", status=HTTPStatus.INTERNAL_SERVER_ERROR, title="A defect", message=DEFECT)
    response.headers.update({**HEADERS, "Cache-Control": "no-store"})
    return response


ANSWERS: Final = {
    EpsilometerError: _refused,
    HTTPException: _answered,
    RequestValidationError: _misread,
    NeedsRoles: _unassigned,
    Exception: _defect,
}
