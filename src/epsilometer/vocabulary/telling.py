"""How long work says where it is, to whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Tell = Callable[[str, float], None]
"""Called with what is being done, and which share of the work is behind it, from 0 to 1."""


def silent(_what: str, _done: float) -> None:
    """Tell nobody."""


_LISTENER: ContextVar[Tell] = ContextVar("listener", default=silent)


@contextmanager
def heard_by(tell: Tell) -> Iterator[None]:
    """Let whoever scans a table meanwhile, however deep below, tell this one how far it is."""
    before = _LISTENER.set(tell)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def listener() -> Tell:
    """Return the one to tell how far a scan is."""
    return _LISTENER.get()


def within(tell: Tell, start: float, end: float) -> Tell:
    """Return a teller for a part of the work that goes from one share of the whole to another.

    >>> within(lambda what, done: print(what, done), 0.5, 1.0)("drawing", 0.5)
    drawing 0.75
    """
    return lambda what, done: tell(what, start + done * (end - start))
