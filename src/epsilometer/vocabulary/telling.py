"""How long work says where it is, to whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str, float], None]
"""Called with what is being done, and which share of the work is behind it, from 0 to 1."""


def silent(_what: str, _done: float) -> None:
    """Tell nobody."""


def within(tell: Tell, start: float, end: float) -> Tell:
    """Return a teller for a part of the work that goes from one share of the whole to another.

    >>> within(lambda what, done: print(what, done), 0.5, 1.0)("drawing", 0.5)
    drawing 0.75
    """
    return lambda what, done: tell(what, start + done * (end - start))
