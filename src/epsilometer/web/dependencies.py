"""What handlers ask for: the desk, the table of the address, the form that was sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import FormData

from epsilometer.web.confirming import Confirmations
from epsilometer.web.desk import Desk, Opened
from epsilometer.web.jobs import Jobs
from epsilometer.web.settings import Settings

MOST_FIELDS = 20_000  # a table of some thousand columns has a few fields for each


def settings_of(request: Request) -> Settings:
    """Return what this server was started with."""
    return request.app.state.settings


def desk_of(request: Request) -> Desk:
    """Return what this server has open."""
    return request.app.state.desk


def jobs_of(request: Request) -> Jobs:
    """Return the work that goes on in the background."""
    return request.app.state.jobs


def confirmations_of(request: Request) -> Confirmations:
    """Return the releases that wait for a yes."""
    return request.app.state.confirmations


def opened_table(table_id: str, desk: Annotated[Desk, Depends(desk_of)]) -> Opened:
    """Return the open table that the address names."""
    return desk[table_id]


async def sent_form(request: Request) -> AsyncIterator[FormData]:
    """Return the form that was sent; its file is gone when the answer is."""
    async with request.form(max_files=1, max_fields=MOST_FIELDS) as form:
        yield form


TheSettings = Annotated[Settings, Depends(settings_of)]
TheDesk = Annotated[Desk, Depends(desk_of)]
TheJobs = Annotated[Jobs, Depends(jobs_of)]
TheConfirmations = Annotated[Confirmations, Depends(confirmations_of)]
TheTable = Annotated[Opened, Depends(opened_table)]
TheForm = Annotated[FormData, Depends(sent_form)]
