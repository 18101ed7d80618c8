"""The first page: choose a table that is at hand, send one, or take the example."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from epsilometer.errors import EpsilometerError
from epsilometer.web.dependencies import TheDesk, TheForm, TheSettings
from epsilometer.web.desk import Desk, Offer
from epsilometer.web.guard import UPLOAD_PATH
from epsilometer.web.rendering import page
from epsilometer.web.sending import SeeOther
from epsilometer.web.uploads import ENDINGS, sheets_of

router = APIRouter()


@router.get("/")
def show(request: Request, desk: TheDesk, settings: TheSettings) -> Response:
    """Show what can be opened; who has just started the server with a file is led to its columns."""
    if (given := desk.given_at_first()) is not None:
        return _opened(request, desk, given, "")
    return page(
        request,
        "start.html.j2",
        offers=desk.offers(),
        opened_tables=desk.opened(),
        endings=ENDINGS,
        max_upload=settings.max_upload,
    )


@router.post("/tables")
def open_offer(request: Request, desk: TheDesk, form: TheForm) -> Response:
    """Open a table that is at hand."""
    return _opened(request, desk, desk.offer(str(form.get("offer", ""))), str(form.get("sheet", "")))


@router.post("/example")
def open_example(desk: TheDesk) -> Response:
    """Open the built-in example."""
    return SeeOther(f"/tables/{desk.open_example().id}")


@router.post(UPLOAD_PATH)
def upload(request: Request, desk: TheDesk, form: TheForm) -> Response:
    """Keep a table that was sent, and open it; one that cannot be read is not kept."""
    sent = form.get("file")
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, "No file was chosen. Go back and choose one.")
    offer = desk.take(sent.filename, sent.file)
    try:
        return _opened(request, desk, offer, "")
    except EpsilometerError:
        desk.drop(offer)
        raise


def _opened(request: Request, desk: Desk, offer: Offer, sheet: str) -> Response:
    """Open a table and go to its columns; of a workbook with several sheets, ask for one first."""
    if not sheet and len(sheets := sheets_of(offer.path)) > 1:
        return page(request, "sheets.html.j2", offer=offer, sheets=sheets)
    return SeeOther(f"/tables/{desk.open(offer, sheet).id}")
