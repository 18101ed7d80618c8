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
        filter_seconds: how long a row filter may keep the engine busy.
        prefix: the path below which every page is; new at every start, so that no other server on this computer has it.
            Browsers send cookies to all ports of a computer, but only below the path that they are for.
        cookie: what a browser must know to be answered; new at every start.
        csrf: what every form carries, so that no other page can send one.
    """

    port: int
    folder: Path
    ledger: Path
    source: Path | None = None
    out: Path | None = None
    max_upload: int = 512 * MEBIBYTE
    filter_seconds: float = 30.0
    prefix: str = field(default_factory=lambda: f"/{secrets.token_urlsafe(16)}", repr=False)
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
