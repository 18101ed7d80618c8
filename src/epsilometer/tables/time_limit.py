"""A limit to how long a row filter may keep the engine busy, for those who answer requests."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Final

from epsilometer.tables.watching import watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

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


def interrupted_in_time(engine: Engine) -> AbstractContextManager[None]:
    """Interrupt an embedded engine as soon as it has been busy for longer than is allowed."""
    seconds = seconds_allowed()
    if seconds is None or engine.name != "duckdb":
        return nullcontext()
    return watched(partial(_watch, engine, seconds))


def was_interrupted(error: BaseException) -> bool:
    """Whether an engine complains that it was interrupted."""
    return type(error).__name__ == "InterruptException"


def _watch(engine: Engine, seconds: float, done: Event) -> None:
    pause = seconds
    while not done.wait(pause):
        engine.con.interrupt()
        pause = AGAIN
