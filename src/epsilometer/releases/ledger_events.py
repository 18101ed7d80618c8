"""What happens in a ledger: events that are appended, chained under a key, and never changed."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from epsilometer.errors import BadPassport, EpsilometerError
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.privacy_loss import UNITS, PrivacyLoss
from epsilometer.vocabulary.strict_reading import (
    Reader,
    mapping,
    matching,
    maybe,
    number,
    one_of,
    record,
    several,
    text,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST_PREVIOUS: Final = "0" * 64  # what the first event is chained to
LARGEST: Final = 2**53


class UnreadableEvent(EpsilometerError, ValueError):
    """An event whose content is none that this program writes."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it is stored.

    Attributes:
        number: its place, from 1.
        time: when, in universal time.
        kind: what happened.
        body: what is known of it, as JSON.
        mac: keyed hash of all of the above and of the event before.
    """

    number: int
    time: str
    kind: str
    body: str
    mac: str

    @property
    def written(self) -> bytes:
        """What the keyed hash covers, besides the event before."""
        return as_text([self.number, self.time, self.kind, self.body]).encode()


def mac_of(event: Event, key: bytes, previous: str) -> str:
    """Return the keyed hash that an event should have after the one before."""
    return hmac.digest(key, previous.encode("utf-8", "surrogatepass") + event.written, hashlib.sha256).hex()


def as_text(document: object) -> str:
    """Return JSON that is the same for the same content, in plain ASCII: names of files may be no text at all."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A ledger begins: its name, the version of its form, and the name of the key it is written under."""

    ledger: str
    version: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSet:
    """Somebody says what all releases of a data set may cost together, and why."""

    dataset: str
    epsilon: float
    delta: float
    who: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What a ledger knows the rows of a table again by; keyed, and never shown.

    Attributes:
        file: keyed hash of the bytes, where the table is one file.
        sketch: keyed hashes of some of its rows with how often they occur, in an order that all tables share; ``None``
            where it could not be taken.
    """

    file: str | None = None
    sketch: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A release is paid for; from now on it is spent, whatever happens.

    Attributes:
        release: a name that no other release has.
        dataset: the data it is about.
        also: older names of the same rows, whose budgets it is charged to as well.
        kind: what is released.
        plan: the plan it follows.
        looks: each look at the data.
        output: the file that is published.
        fingerprint: what the rows are known again by.
        salt: what makes the public commitment to the table another one for each release.
        versions: the software that makes it.
    """

    release: str
    dataset: str
    also: tuple[str, ...]
    kind: str
    plan: Mapping[str, Any]
    looks: tuple[PrivacyLoss, ...]
    output: Path
    fingerprint: Fingerprint
    salt: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingFile:
    """A file of a release before it appears.

    Attributes:
        target: where it is to stand.
        partial: where its content waits.
        sha256: hash of the content.
    """

    target: Path
    partial: Path
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """The files of a release are complete and may appear; ``internal`` is what this very table gives away."""

    release: str
    files: tuple[PendingFile, ...]
    internal: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """All files of a release stand where they belong."""

    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A release will never appear; it stays spent."""

    release: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekeyed:
    """A ledger goes on under another key; ``before`` is the plain hash of everything up to here."""

    key: str
    before: str
    who: str
    why: str


Body: TypeAlias = Started | BudgetSet | Entered | Sealed | Done | Failed | Rekeyed
KINDS: Final[Mapping[type[Body], str]] = {
    Started: "started",
    BudgetSet: "budget",
    Entered: "entered",
    Sealed: "sealed",
    Done: "done",
    Failed: "failed",
    Rekeyed: "rekeyed",
}
STOPPED, REPLACED, LOST, ERROR = CODES = ("stopped", "replaced", "lost", "error")
"""Why a release failed: it was stopped, another one to its file began, its files are gone, it could not be made."""


def _words(given: object, place: str) -> str:
    """Read a text, which may be empty."""
    return "" if given == "" else text(given, place)


def _path(given: object, place: str) -> Path:
    return Path(text(given, place))


def _pair(given: object, place: str) -> tuple[str, int]:
    if not isinstance(given, list) or len(given) != 2:  # noqa: PLR2004
        raise BadPassport(f"{place} must be a hash and a number.")
    return HEX(given[0], place), whole(1, LARGEST)(given[1], place)


HEX: Final = matching(re.compile("[0-9a-f]{1,64}"), "hexadecimal digits")
EPSILON: Final = number(0, math.inf)
DELTA: Final = number(0, 1)
LOOK: Final = record(
    PrivacyLoss,
    {
        "what": text,
        "noise": text,
        "epsilon": EPSILON,
        "delta": DELTA,
        "scale": maybe(EPSILON),
        "moved_counts": maybe(whole(1, LARGEST)),
        "adjacency": one_of(*(member.value for member in Adjacency)),
        "unit": one_of(*UNITS),
        "rows_per_person": maybe(whole(1, LARGEST)),
    },
)
READERS: Final[Mapping[str, Reader[Body]]] = {
    "started": record(Started, {"ledger": HEX, "version": whole(1, LARGEST), "key": HEX}),
    "budget": record(BudgetSet, {"dataset": text, "epsilon": EPSILON, "delta": DELTA, "who": _words, "why": _words}),
    "entered": record(
        Entered,
        {
            "release": HEX,
            "dataset": text,
            "also": several(text, least=0),
            "kind": text,
            "plan": mapping,
            "looks": several(LOOK, least=1),
            "output": _path,
            "fingerprint": record(Fingerprint, {"file": maybe(HEX), "sketch": maybe(several(_pair, least=0))}),
            "salt": HEX,
            "versions": mapping,
        },
    ),
    "sealed": record(
        Sealed,
        {
            "release": HEX,
            "files": several(record(PendingFile, {"target": _path, "partial": _path, "sha256": HEX}), least=0),
            "internal": mapping,
        },
    ),
    "done": record(Done, {"release": HEX}),
    "failed": record(Failed, {"release": HEX, "code": one_of(*CODES)}),
    "rekeyed": record(Rekeyed, {"key": HEX, "before": HEX, "who": _words, "why": _words}),
}


def read_body(event: Event) -> Body:
    """Return what an event says, or an error if it is nothing that this program writes."""
    if event.kind not in READERS:
        raise UnreadableEvent("its kind is unknown")
    try:
        return READERS[event.kind](json.loads(event.body), "it")
    except EpsilometerError as error:
        raise UnreadableEvent(str(error).removesuffix(".")) from error
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise UnreadableEvent("its content is not JSON") from error


def written(body: Body) -> str:
    """Return the JSON of what an event says."""
    return as_text(_plain(body))


def _plain(value: object) -> object:
    match value:
        case PrivacyLoss():
            return value.to_dict()
        case Path():
            return str(value)
        case tuple() | list():
            return [_plain(each) for each in value]
        case dict():
            return value
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value
