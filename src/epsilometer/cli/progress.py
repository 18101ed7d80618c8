"""A sign of life on stderr for anything that takes longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE: Final = 1.0
REMINDER: Final = 10.0


@contextmanager
def progress(doing: str, *, quiet: bool) -> Iterator[None]:
    """Say what is being done once it has taken a second: a running clock on a terminal, else a line at times."""
    finished = threading.Event()
    teller = threading.Thread(target=_tell, args=(doing, finished), daemon=True)
    if not quiet:
        teller.start()
    try:
        yield
    finally:
        finished.set()
        if not quiet:
            teller.join()


def _tell(doing: str, finished: threading.Event) -> None:
    started, live = time.monotonic(), sys.stderr.isatty()
    line = "\r{} … {:.0f} s" if live else "{} … {:.0f} s\n"
    wait = PATIENCE
    while not finished.wait(wait):
        sys.stderr.write(line.format(doing, time.monotonic() - started))
        sys.stderr.flush()
        wait = PATIENCE if live else REMINDER
    if live:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
