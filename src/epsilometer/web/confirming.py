"""Releases that were shown and wait for a yes: what is confirmed is what was shown, and it happens once."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.plans.plan import Plan
    from epsilometer.releases.preview import Preview
    from epsilometer.web.desk import Opened
    from epsilometer.web.jobs import Job
    from epsilometer.web.release_form import Asked

MOST_WAITING: Final = 100
GONE: Final = "This release was shown too long ago. Look at it again: what it costs may have changed."


@dataclass(eq=False, kw_only=True)
class Waiting:
    """A release that was shown.

    Attributes:
        table_id: the table that it is about.
        plan: what would be published.
        preview: what it would cost.
        asked: what stood in the form.
        notes: what has happened since, for people.
        job: the work that makes it, once it was confirmed.
    """

    table_id: str
    plan: Plan
    preview: Preview
    asked: Asked
    notes: tuple[str, ...] = ()
    job: Job | None = None


class Confirmations:
    """Every release that was shown, by a word that only the page which shows it knows."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, Waiting] = OrderedDict()
        self._lock = threading.Lock()

    def wait_for(self, shown: Waiting) -> str:
        """Keep a release that is being shown, and return its word."""
        word = secrets.token_urlsafe(24)
        with self._lock:
            self._waiting[word] = shown
            while len(self._waiting) > MOST_WAITING:
                self._waiting.popitem(last=False)
        return word

    def about(self, opened: Opened, word: str) -> Waiting:
        """Return what was shown of this table."""
        with self._lock:
            waiting = self._waiting.get(word)
        if waiting is None or waiting.table_id != opened.id:
            raise HTTPException(HTTPStatus.GONE, GONE)
        return waiting

    def confirm(self, waiting: Waiting, start: Callable[[], Job]) -> Job:
        """Start what was shown; if that was done before, return the work that goes on already."""
        with self._lock:
            if waiting.job is None:
                waiting.job = start()
            return waiting.job
