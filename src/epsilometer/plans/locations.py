"""Where tables and files of values are, as seen from a plan file and as seen from here."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Final

from epsilometer.errors import BadQuestion

PASSWORD: Final = re.compile(r"://[^/@]*:[^@]*@|[?&]password=")


def seen_from_here(location: str, folder: Path) -> str:
    """Return where a location in a plan of that folder leads; addresses and whole paths are as they are.

    >>> seen_from_here("people.db::persons", Path("plans")), seen_from_here("postgres://host/db::t", Path("plans"))
    ('plans/people.db::persons', 'postgres://host/db::t')
    """
    if _is_fixed(location) or folder == Path():
        return location
    beside = folder / location
    if glob.has_magic(location) and not beside.exists():
        beside = Path(glob.escape(str(folder))) / location
    return str(beside)


def seen_from(folder: Path, location: str) -> str:
    """Return how a plan in that folder names a location; no password is ever written.

    >>> seen_from(Path("plans"), "data/*.parquet")
    '../data/*.parquet'
    """
    if PASSWORD.search(location):
        raise BadQuestion("A plan is not written with a password in it. Leave the password out of the address.")
    if _is_fixed(location) or folder == Path():
        return location
    return os.path.relpath(location, folder)


def _is_fixed(location: str) -> bool:
    return "://" in location or Path(location).is_absolute()
