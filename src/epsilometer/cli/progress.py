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
    finished, step = threading.Event(), [(doing, "")]

    def tell(what: str, done: float) -> None:
        filled = round(BAR * done)
        step[0] = f"{doing}: {what}", f" {'█' * filled}{'░' * (BAR - filled)} {done:.0%}"

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


def _tell(step: list[tuple[str, str]], finished: threading.Event) -> None:
    started, live = time.monotonic(), sys.stderr.isatty()
    wait = PATIENCE
    while not finished.wait(wait):
        words, bar = step[0]
        end = f"{bar} … {time.monotonic() - started:.0f} s"
        sys.stderr.write(f"\r{_in_one_line(words, end)}\x1b[K" if live else f"{words}{end}\n")
        sys.stderr.flush()
        wait = PATIENCE if live else REMINDER
    if live:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _in_one_line(words: str, end: str) -> str:
    """Shorten words that are too long for a line, which could not be written over: first by what is done in all."""
    room = get_terminal_size().columns - 1 - len(end)
    if len(words) > room:
        words = words.partition(": ")[2] or words
    return (words if len(words) <= room else f"{words[: max(0, room - 1)]}…") + end
