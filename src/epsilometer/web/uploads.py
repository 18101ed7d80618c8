"""Files that a browser sends: kept under a random name where only their owner can read them, and checked."""

from __future__ import annotations

import io
import secrets
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException

from epsilometer.errors import UnreadableFile
from epsilometer.report.files import write_new

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

WORKBOOKS: Final = (".xlsx", ".xls")
PLAIN: Final = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson")
ENDINGS: Final = (
    *PLAIN,
    *(f"{ending}.gz" for ending in PLAIN),
    ".parquet",
    ".pq",
    ".arrow",
    ".feather",
    *WORKBOOKS,
)
CHUNK: Final = 2**20


def ending_of(name: str) -> str:
    """Return the ending that says what a file is; nothing if it is not a kind of table.

    >>> ending_of("People.CSV"), ending_of("people.csv.gz"), ending_of("people.exe")
    ('.csv', '.csv.gz', '')
    """
    return next((ending for ending in ENDINGS if name.lower().endswith(ending)), "")


def is_table(name: str) -> bool:
    """Whether a file is a table, by its name.

    >>> is_table("people.csv"), is_table("people.txt")
    (True, False)
    """
    return bool(ending_of(name))


def keep_upload(folder: Path, name: str, content: BinaryIO, *, limit: int) -> Path:
    """Write what was sent to a new file in a folder, or nothing if it is no table or too much."""
    if not is_table(name):
        raise UnreadableFile(f"{name} is not a kind of table that can be read. It must end in {', '.join(ENDINGS)}.")
    path = folder / f"{secrets.token_hex(16)}{ending_of(name)}"
    try:
        write_new(path, _limited(content, limit))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def too_large(limit: int) -> HTTPException:
    """Return the refusal of what is too much to be sent, with what to do instead."""
    return HTTPException(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"This is more than the {limit / 2**20:,.0f} MiB that can be sent. "
        "Start the page with the file itself, which has no limit: epsilometer serve FILE.",
    )


def _limited(content: BinaryIO, limit: int) -> Iterator[bytes]:
    size = 0
    while chunk := content.read(CHUNK):
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        yield chunk


def sheets_of(path: Path) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook; nothing of other files."""
    from epsilometer.tables.spreadsheets import sheet_names

    return sheet_names(path) if ending_of(path.name) in WORKBOOKS else ()


def write_example(path: Path) -> None:
    """Write the built-in example where it can be opened like any other table."""
    from pyarrow import parquet

    from epsilometer.tables.example import example_table

    content = io.BytesIO()
    parquet.write_table(example_table(), content)
    write_new(path, [content.getvalue()])
