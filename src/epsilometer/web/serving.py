"""One run of the server: from a free port to the last temporary file."""

from __future__ import annotations

import errno
import signal
import socket
import tempfile
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn

from epsilometer.errors import BadQuestion
from epsilometer.web.app import create_app
from epsilometer.web.door import FOR_A_PROGRAM
from epsilometer.web.settings import HOST, MEBIBYTE, Settings
from epsilometer.web.vega_bundle import begun

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from fastapi import FastAPI

GRACE: Final = 3  # seconds that requests have to end
ENDINGS: Final = ("SIGTERM", "SIGHUP")  # what ends the server besides Ctrl-C; not every system has both
FOR_ONE_BROWSER: Final = (
    "It is for you alone, on this computer: the address lets one browser in, within ten minutes. "
    "Open it again, and a new one is printed here. Ctrl-C ends the page."
)


def serve_page(
    *,
    source: Path | None,
    port: int,
    max_upload: int,
    ledger: Path,
    out: Path | None,
    browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serve the page until somebody ends it, and leave nothing behind but what was published.

    Args:
        source: the table or the folder of tables that it is about, if any.
        port: where to listen, on this computer only; 0 for a free port.
        max_upload: largest file that can be sent, in MiB.
        ledger: file in which releases are entered.
        out: folder for releases; ``None`` if they are only to be downloaded.
        browser: whether to open the page.
        say: called with what the person at the terminal should read.
    """
    for name in ENDINGS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _stop)
    with _listening(port) as listening, tempfile.TemporaryDirectory(prefix="epsilometer-page-") as folder:
        settings = Settings(
            port=listening.getsockname()[1],
            folder=Path(folder),
            source=source,
            ledger=ledger,
            out=out,
            max_upload=max_upload * MEBIBYTE,
        )
        app = create_app(settings, say)
        say(f"The page is at {app.state.door.address()}\n{FOR_ONE_BROWSER}")
        if browser:
            address = app.state.door.address(FOR_A_PROGRAM)
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        _run(app, listening)


def _listening(port: int) -> socket.socket:
    """Return a socket that only programs of this computer can reach."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        reason = "another program listens there" if error.errno == errno.EADDRINUSE else str(error.strerror).lower()
        raise BadQuestion(f"Port {port} cannot be used: {reason}. Choose another, or none for a free one.") from None
    listening.listen()
    return listening


def _run(app: FastAPI, listening: socket.socket) -> None:
    begun()
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=GRACE,
        )
    )
    if hasattr(signal, "SIGHUP"):  # an exception from a signal may be lost in a running loop, where a flag is not
        signal.signal(signal.SIGHUP, server.handle_exit)
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        app.state.jobs.close()


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
