"""Somebody who looks at an engine from time to time, while it is busy."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def watched(watch: Callable[[threading.Event], None]) -> Iterator[None]:
    """Let ``watch`` run beside what is done meanwhile; it is told when that is done, and then waited for."""
    done = threading.Event()
    watching = threading.Thread(target=watch, args=(done,), daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()
