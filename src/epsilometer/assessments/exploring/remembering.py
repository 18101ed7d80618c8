"""A bounded memory for many threads."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Key = TypeVar("Key", bound="Hashable")
Value = TypeVar("Value")


class Remembered(Generic[Key, Value]):
    """Compute something for a key once, and remember the latest of them.

    Threads that ask for the same at the same time wait for one of them to compute it. An error is not remembered.

    >>> square = Remembered(lambda x: x * x, most=2)
    >>> square(3), square.known(3), square.known(4)
    (9, 9, None)
    """

    def __init__(self, compute: Callable[[Key], Value], *, most: int) -> None:
        self._compute = compute
        self._most = most
        self._found: OrderedDict[Key, Future[Value]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, key: Key) -> Value:
        """Return the value of a key, computed if need be."""
        with self._lock:
            found, ours = self._found.get(key), False
            if found is None:
                found, ours = self._found.setdefault(key, Future()), True
                if len(self._found) > self._most:
                    self._found.popitem(last=False)
            self._found.move_to_end(key)
        if ours:
            self._fulfil(key, found)
        return found.result()

    def known(self, key: Key) -> Value | None:
        """Return the value of a key if it is there, without waiting or computing."""
        with self._lock:
            found = self._found.get(key)
            return found.result() if found is not None and found.done() else None

    def _fulfil(self, key: Key, promise: Future[Value]) -> None:
        try:
            promise.set_result(self._compute(key))
        except BaseException as error:
            with self._lock:
                if self._found.get(key) is promise:
                    del self._found[key]
            promise.set_exception(error)
            raise
