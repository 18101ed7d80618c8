"""The secret that a ledger is written under: one file for each user, kept apart from every ledger."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from epsilometer.errors import BadLedger, BadOutput, OutputExists
from epsilometer.report.files import write_atomically

KEY_VARIABLE: Final = "EPSILOMETER_LEDGER_KEY"  # environment variable that names another file
BYTES: Final = 32
WRITTEN: Final = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")
CHAIN: Final = "chain"  # purposes of the keys that are derived for a ledger
FINGERPRINTS: Final = "fingerprints"
NAME: Final = "name"


def key_file() -> Path:
    """Return where the key lies: the file that the environment names, or one in the user's own settings."""
    if named := os.environ.get(KEY_VARIABLE):
        return Path(named)
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "epsilometer" / "ledger.key"


def read_key() -> bytes | None:
    """Return the key; ``None`` if there is no such file."""
    path = key_file()
    try:
        written = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadLedger(
            f"The key of ledgers in {path} cannot be read. Allow that, or name another file with {KEY_VARIABLE}."
        ) from error
    if not WRITTEN.fullmatch(written):
        raise BadLedger(f"{path} is not the key of ledgers: it holds {2 * BYTES} hexadecimal digits. Restore it.")
    return bytes.fromhex(written)


def key_or_new() -> bytes:
    """Return the key, and make one if there is none: whole, for its owner only, and one for all who ask at once."""
    if (key := read_key()) is not None:
        return key
    path = key_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OutputExists):  # another process was faster, and its key is the one
            write_atomically(path, f"{secrets.token_hex(BYTES)}\n".encode(), overwrite=False)
    except OSError as error:
        reason = error if isinstance(error, BadOutput) else error.strerror
        raise BadLedger(
            f"Cannot keep the key of ledgers in {path}: {reason} Name another file with {KEY_VARIABLE}."
        ) from error
    made = read_key()
    if made is None:
        raise BadLedger(f"The key of ledgers in {path} has disappeared. Try again.")
    return made


def derived(key: bytes, ledger_id: str, purpose: str) -> bytes:
    """Return the key of one ledger for one purpose; none of them tells another.

    >>> derived(b"secret", "a", CHAIN) == derived(b"secret", "b", CHAIN)
    False
    """
    return hmac.digest(key, f"epsilometer ledger {ledger_id}: {purpose}".encode(), hashlib.sha256)


def key_name(key: bytes, ledger_id: str) -> str:
    """Return what a ledger calls the key that it is written under, so that another one is told apart."""
    return derived(key, ledger_id, NAME).hex()[:16]
