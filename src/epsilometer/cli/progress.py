"""A sign of life on stderr for anything that takes longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from epsilometer.vocabulary.telling import heard_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.telling import Tell

PATIENCE: Final = 1.0
REMINDER: Final = 10.0
BAR: Final = 24  # characters


@contextmanager
def progress(doing: str, *, quiet: bool) -> Iterator[Tell]:
    """Say what is being done once it has taken a second: a running clock on a terminal, else a line at times.

    Whoever calls what is given with a step and the share done has both shown, the share as a bar.
    """
    finished, step = threading.Event(), [doing]

    def tell(what: str, done: float) -> None:
        filled = round(BAR * done)
        step[0] = f"{doing}: {what} {'█' * filled}{'░' * (BAR - filled)} {done:.0%}"

    teller = threading.Thread(target=_tell, args=(step, finished), daemon=True)
    if not quiet:
        teller.start()
    try:
        with heard_by(tell):
            yield tell
    finally:
        finished.set()
        if not quiet:
            teller.join()


def _tell(step: list[str], finished: threading.Event) -> None:
    started, live = time.monotonic(), sys.stderr.isatty()
    wait = PATIENCE
    while not finished.wait(wait):
        line = f"{step[0]} … {time.monotonic() - started:.0f} s"
        sys.stderr.write(f"\r{_end_of(line, get_terminal_size().columns - 1)}\x1b[K" if live else f"{line}\n")
        sys.stderr.flush()
        wait = PATIENCE if live else REMINDER
    if live:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _end_of(line: str, most: int) -> str:
    """Leave out the beginning of what is too long for a line: a terminal that breaks it cannot go back to its start.

    >>> _end_of("Counting the table: 35%", 12)
    '… table: 35%'
    """
    return line if len(line) <= most else f"…{line[len(line) - most + 1 :]}"
