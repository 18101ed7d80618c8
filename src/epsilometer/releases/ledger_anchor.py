"""A line to keep elsewhere, by which anybody can tell later that a ledger still holds what it held."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadLedger

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.releases.ledger import Ledger

WRITTEN: Final = re.compile(
    r"epsilometer ledger (?P<ledger>[0-9a-f]{1,64}) "
    r"event (?P<number>[1-9][0-9]{0,15}) (?P<mac>[0-9a-f]{64}) (?P<time>\S+)"
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """The last event of a ledger at some time.

    Attributes:
        ledger: the name of the ledger.
        number: number of the event.
        mac: its keyed hash, which covers everything before it.
        time: when it was written.
    """

    ledger: str
    number: int
    mac: str
    time: str

    def __str__(self) -> str:
        return f"epsilometer ledger {self.ledger} event {self.number} {self.mac} {self.time}"


def anchor_of(ledger: Ledger) -> Anchor:
    """Return the anchor of a ledger as it is now; one that was changed by others has none."""
    ledger.check()
    books = ledger.books
    assert books.last is not None  # noqa: S101  (an empty ledger is refused)
    return Anchor(books.ledger, books.last.number, books.last.mac, books.last.time)


def read_anchors(given: str) -> tuple[Anchor, ...]:
    """Read anchors from a line, or from every line of a file that has one.

    >>> read_anchors(str(Anchor("ab", 3, "0" * 64, "2026-01-31T12:00:00+00:00")))[0].number
    3
    """
    line = WRITTEN.fullmatch(given.strip())
    text = given if line else _content(given)
    found = tuple(_anchors(text))
    if not found:
        raise BadLedger(
            f"There is no anchor in {given!a:.80}. Give a line that `epsilometer ledger anchor` printed, or a file."
        )
    return found


def anchor_faults(ledger: Ledger, anchor: Anchor) -> Iterator[str]:
    """Say what was removed from a ledger or rewritten in it since an anchor was taken."""
    when = f"the anchor of {anchor.time}"
    name = ledger.followed().ledger
    if name != anchor.ledger:
        yield f"This is not the ledger of {when}: its name is {name or 'unknown'}, not {anchor.ledger}."
    rows = ledger.file.read("SELECT mac FROM event WHERE number = ?", anchor.number)
    if not rows:
        yield f"Events were removed: {when} knows event {anchor.number}, which is not there any more."
    elif rows[0][0] != anchor.mac:
        yield f"Events were rewritten: event {anchor.number}, or one before it, is not that of {when}."


def _content(given: str) -> str:
    try:
        return Path(given).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return ""


def _anchors(text: str) -> Iterator[Anchor]:
    for found in WRITTEN.finditer(text):
        yield Anchor(found["ledger"], int(found["number"]), found["mac"], found["time"])
