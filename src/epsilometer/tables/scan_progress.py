"""How far the embedded engine is with a query, told to whoever listens."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final

from epsilometer.tables.watching import watched
from epsilometer.vocabulary.telling import listener, silent

if TYPE_CHECKING:
    from threading import Event

    from epsilometer.tables.engine import Engine
    from epsilometer.vocabulary.telling import Tell

PAUSE: Final = 0.25  # seconds between two looks
COUNTING: Final = "counting rows"


def told_of(engine: Engine) -> AbstractContextManager[None]:
    """Tell how far the queries of a DuckDB engine are that run meanwhile."""
    tell = listener()
    if tell is silent or engine.name != "duckdb":
        return nullcontext()
    return watched(partial(_watch, engine, tell))


def _watch(engine: Engine, tell: Tell, done: Event) -> None:
    while not done.wait(PAUSE):
        percent = engine.con.query_progress()
        if percent >= 0:  # below that the engine does not know
            tell(COUNTING, percent / 100)
