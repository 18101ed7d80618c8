"""Whether the events of a ledger are those that were written, in that order, under the keys they say."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from epsilometer.releases.ledger_events import (
    FIRST_PREVIOUS,
    Rekeyed,
    Started,
    UnreadableEvent,
    mac_of,
    read_body,
)
from epsilometer.releases.ledger_key import CHAIN, derived, key_name

if TYPE_CHECKING:
    from epsilometer.releases.ledger_events import Event


class Chain:
    """Follows the events of a ledger from the first one on.

    Attributes:
        ledger: the name of the ledger, from its first event.
        last: number of the event that was followed last.
        mac: its keyed hash.
        faults: what does not fit, one line each.
        unchecked: numbers of the events that were written under a key which is not at hand.
        key_is_here: whether the key is at hand that the last events were written under.
        rekeyed_at: number of the event from which on the present key is in use.
    """

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._chain_key: bytes | None = None
        self._before = hashlib.sha256()
        self.ledger = ""
        self.last, self.mac = 0, FIRST_PREVIOUS
        self.faults: list[str] = []
        self.unchecked: list[int] = []
        self.rekeyed_at = 1

    @property
    def key_is_here(self) -> bool:
        """Whether the key is at hand that the last events were written under."""
        return self._chain_key is not None

    @property
    def digest(self) -> str:
        """Plain hash of everything up to here: what another key goes on from."""
        return self._before.hexdigest()

    def follow(self, event: Event) -> None:
        """Take the next event, and note what is wrong with it."""
        if event.number != self.last + 1:
            self.faults.append(f"Event {event.number} follows event {self.last}: events were removed or renumbered.")
        if (event.kind == "started") != (self.last == 0):
            self.faults.append(f"Event {event.number} cannot stand there: a ledger starts once, with its first event.")
        if event.kind in ("started", "rekeyed"):
            self._take_key(event)
        if self._chain_key is None:
            self.unchecked.append(event.number)
        elif not _same(event.mac, mac_of(event, self._chain_key, self.mac)):
            self.faults.append(
                f"Event {event.number} was changed, or what stood before it was: its keyed hash is wrong."
            )
        self.last, self.mac = event.number, event.mac
        self._before.update(event.written + event.mac.encode("utf-8", "surrogatepass"))

    def _take_key(self, event: Event) -> None:
        """Take up the key that events are written under from here on, if it is at hand."""
        self._chain_key = None
        try:
            body = read_body(event)
        except UnreadableEvent as error:
            self.faults.append(f"Event {event.number} cannot be read: {error}.")
            return
        if isinstance(body, Started):
            self.ledger = body.ledger
        if isinstance(body, Rekeyed):
            self.rekeyed_at = event.number
            if not _same(body.before, self.digest):
                self.faults.append(
                    f"Something before event {event.number}, from which on there is another key, was changed since."
                )
        if (
            self._key is not None
            and isinstance(body, Started | Rekeyed)
            and _same(body.key, key_name(self._key, self.ledger))
        ):
            self._chain_key = derived(self._key, self.ledger, CHAIN)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
