"""How far the embedded engine is with a query, told to whoever listens."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from epsilometer.vocabulary.telling import listener, silent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.tables.engine import Engine
    from epsilometer.vocabulary.telling import Tell

PAUSE: Final = 0.25  # seconds between two looks
COUNTING: Final = "counting rows"


@contextmanager
def told_of(engine: Engine) -> Iterator[None]:
    """Tell how far the queries of a DuckDB engine are that run meanwhile."""
    tell = listener()
    if tell is silent or engine.name != "duckdb":
        yield
        return
    done = threading.Event()
    watching = threading.Thread(target=_watch, args=(engine, tell, done), daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _watch(engine: Engine, tell: Tell, done: threading.Event) -> None:
    while not done.wait(PAUSE):
        percent = engine.con.query_progress()
        if percent >= 0:  # below that the engine does not know
            tell(COUNTING, percent / 100)
