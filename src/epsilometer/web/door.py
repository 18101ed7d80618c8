"""The door: addresses that let one browser in, once and not for long.

How programs are started can be seen by everybody on this computer, and what a terminal shows is copied to other places.
So the address that is handed out holds neither the path of the page nor the word of its cookie, but a ticket for them.
"""

from __future__ import annotations

import math
import secrets
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException

from epsilometer.web.guard import nothing_here, same
from epsilometer.web.settings import HOST

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.web.settings import Settings

FOR_A_PERSON: Final = 600  # seconds that a ticket is good for if somebody copies it
FOR_A_PROGRAM: Final = 60  # seconds if a browser is started with it
USED: Final = -math.inf  # what comes in place of the time until which a ticket is good
SPENT: Final = (
    "This address lets a browser in once, and not for long: it was used already, or it is too old.\n\n"
    "Open the new address that stands in the terminal where `epsilometer serve` runs.\n"
    "If the page is still open in this browser, you can go on there.\n"
)
USED_AGAIN: Final = (
    "Warning: the address of the page was opened a second time; it lets in only once.\n"
    "If it was you, open {address}\n"
    "If not, somebody else knows it, and may have been the first: press Ctrl-C, and start again."
)
TOO_LATE: Final = "Warning: the address of the page was opened too late. If it was you, open {address}"


class Door:
    """Hands out tickets, and takes them back.

    Args:
        settings: of the server whose door it is.
        say: called with what the person at the terminal should read.
        clock: says the time, in seconds.
    """

    def __init__(
        self, settings: Settings, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings, self._say, self._clock = settings, say, clock
        self._good_until: dict[str, float] = {}
        self._replaced: set[str] = set()

    def address(self, seconds: float = FOR_A_PERSON) -> str:
        """Return a new address that lets one browser in."""
        ticket = secrets.token_urlsafe(32)
        self._good_until[ticket] = self._clock() + seconds
        return f"http://{HOST}:{self._settings.port}/?ticket={ticket}"

    def take(self, given: str) -> None:
        """Take a ticket; one that is no longer good is refused, and replaced once, where only its owner sees it."""
        ticket = next((known for known in self._good_until if same(given, known)), None)
        if ticket is None:
            raise nothing_here()
        until, self._good_until[ticket] = self._good_until[ticket], USED
        if self._clock() < until:
            return
        if ticket not in self._replaced:
            self._replaced.add(ticket)
            self._say((USED_AGAIN if until == USED else TOO_LATE).format(address=self.address()))
        raise HTTPException(HTTPStatus.FORBIDDEN, SPENT)
