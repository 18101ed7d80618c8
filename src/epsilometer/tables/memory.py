"""How much memory the embedded engine may take before it moves what it holds to disk."""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST: Final = 200 * 10**6  # less is not enough for the columns of some files
_UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([MGT]B)", re.IGNORECASE)
_BYTES: ContextVar[int | None] = ContextVar("bytes", default=None)


@contextmanager
def memory_limit(amount: str) -> Iterator[None]:
    """Let tables that are opened meanwhile take so much memory; by default it is a quarter of this computer's.

    Files, frames and DuckDB databases are counted by an engine within this program: what it holds beyond the limit
    goes to a folder for temporary files that nobody else can read, and is deleted at the end.

    >>> with memory_limit("8GB"):
    ...     memory_allowed()
    8000000000
    """
    before = _BYTES.set(_parsed(amount))
    try:
        yield
    finally:
        _BYTES.reset(before)


def memory_allowed() -> int | None:
    """Return the limit, in bytes; ``None`` if nobody has set one."""
    return _BYTES.get()


def _parsed(amount: str) -> int:
    found = _AMOUNT.fullmatch(amount.strip())
    n_bytes = int(float(found[1]) * _UNITS[found[2].upper()]) if found else 0
    if n_bytes < LEAST:
        raise BadQuestion(
            f"memory must be at least {LEAST // 10**6}MB, with its unit (MB, GB or TB), such as 4GB, got {amount!r}."
        )
    return n_bytes
