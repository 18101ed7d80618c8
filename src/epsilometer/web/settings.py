"""What a start of the server is given, and its secrets."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

HOST: Final = "127.0.0.1"
MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is fixed while a server runs.

    Attributes:
        port: where it listens, on this computer only.
        folder: where it keeps uploads and unfinished work; only its owner may look into it, and it is gone at the end.
        source: the table or the folder of tables that it was given, if any.
        ledger: where releases are entered.
        out: where releases are published; ``None`` if they are only to be downloaded.
        max_upload: most bytes of an uploaded file.
        token: what a browser must know; new at every start.
        ticket: another such word, good for one visit: the browser is started with it, and who is on this computer may
            see how programs are started.
        csrf: what every form carries, so that no other page can send one.
    """

    port: int
    folder: Path
    ledger: Path
    source: Path | None = None
    out: Path | None = None
    max_upload: int = 512 * MEBIBYTE
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def address(self, token: str) -> str:
        """Return where a browser finds the page, with the word that lets it in."""
        return f"http://{HOST}:{self.port}/?token={token}"
