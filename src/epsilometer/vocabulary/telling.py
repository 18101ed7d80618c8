"""How long work says where it is, to whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Item = TypeVar("Item")

Tell = Callable[[str, float], None]
"""Called with what is being done, and which share of the work is behind it, from 0 to 1."""


def silent(_what: str, _done: float) -> None:
    """Tell nobody."""


_LISTENER: ContextVar[Tell] = ContextVar("listener", default=silent)


@contextmanager
def heard_by(tell: Tell) -> Iterator[None]:
    """Let whoever works meanwhile, however deep below, tell this one how far it is."""
    before = _LISTENER.set(tell)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def listener() -> Tell:
    """Return the one to tell how far the work is."""
    return _LISTENER.get()


def one_by_one(what: str, items: Sequence[Item]) -> Iterator[Item]:
    """Go through what is to be done, and tell before each of it which share is behind.

    >>> with heard_by(lambda what, done: print(what, done)):
    ...     sum(one_by_one("adding", [3, 4]))
    adding 0.0
    adding 0.5
    7
    """
    for done, item in enumerate(items):
        listener()(what, done / len(items))
        yield item


@contextmanager
def under(heading: str) -> Iterator[None]:
    """Let what is told meanwhile be told under a heading.

    >>> with heard_by(lambda what, done: print(what, done)), under("sums"):
    ...     sum(one_by_one("adding", [3]))
    sums: adding 0.0
    3
    """
    tell = listener()
    with heard_by(lambda what, done: tell(f"{heading}: {what}", done)):
        yield


def within(tell: Tell, start: float, end: float) -> Tell:
    """Return a teller for a part of the work that goes from one share of the whole to another.

    >>> within(lambda what, done: print(what, done), 0.5, 1.0)("drawing", 0.5)
    drawing 0.75
    """
    return lambda what, done: tell(what, start + done * (end - start))
