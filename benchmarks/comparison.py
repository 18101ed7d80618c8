"""What is compared. This module and those of the questions load in the environments of the peers too: no imports."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Work = Callable[[], list[float]]

DEFAULT_TURNS = 3


@dataclass(frozen=True, slots=True)
class Way:
    """A way to do the work.

    Attributes:
        tool: whose it is, for people.
        prepare: takes the arguments of the comparison, loads what is needed, and returns the work: a function whose
            numbers are the result. Only the work is timed.
        package: the distribution whose version is recorded.
        needs: pinned requirements of an environment of its own; without any it runs in the project's.
    """

    tool: str
    prepare: Callable[..., Work]
    package: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """What the machine needs at least.

    Attributes:
        what: the limit, for people.
        prepare: as that of a way, but the result of the work is one number: the seconds that it takes at least.
    """

    what: str
    prepare: Callable[..., Work]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The same work, done by us and by others.

    Attributes:
        work: what is done, for people.
        size: how much of it.
        same: in what sense it is the same work.
        ours: how we do it.
        peers: how others do it.
        limits: what the machine needs at least.
        arguments: what every way is given, ready for JSON.
        tolerance: by how much results may differ, relative to the larger, and absolute below one.
        turns: how often each way has its turn.
    """

    work: str
    size: str
    same: str
    ours: Callable[..., Work]
    peers: tuple[Way, ...] = ()
    limits: tuple[Limit, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-9
    turns: int = DEFAULT_TURNS


def seconds(action: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started
