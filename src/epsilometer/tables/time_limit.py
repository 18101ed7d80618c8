"""A limit to how long a row filter may keep the engine busy, for those who answer requests."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.tables.engine import Engine

AGAIN: Final = 0.05  # seconds between interrupts: one that meets the engine between two queries is lost
_SECONDS: ContextVar[float | None] = ContextVar("seconds", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let no scan with a filter that is begun meanwhile take longer than this; without it there is no limit."""
    before = _SECONDS.set(seconds)
    try:
        yield
    finally:
        _SECONDS.reset(before)


def seconds_allowed() -> float | None:
    """Return how long a scan may take; ``None`` if there is no limit."""
    return _SECONDS.get()


@contextmanager
def interrupted_in_time(engine: Engine) -> Iterator[None]:
    """Interrupt an embedded engine as soon as it has been busy for longer than is allowed."""
    seconds = seconds_allowed()
    if seconds is None or engine.name != "duckdb":
        yield
        return
    done = threading.Event()
    watching = threading.Thread(target=_watch, args=(engine, seconds, done), daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def was_interrupted(error: BaseException) -> bool:
    """Whether an engine complains that it was interrupted."""
    return type(error).__name__ == "InterruptException"


def _watch(engine: Engine, seconds: float, done: threading.Event) -> None:
    pause = seconds
    while not done.wait(pause):
        engine.con.interrupt()
        pause = AGAIN
