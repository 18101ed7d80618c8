"""What a workbook would take to read, found out without reading it.

A workbook is an archive that may unpack to a thousand times its size, and its reader lays out every cell of the
rectangle around the cells that are there: one kilobyte with a cell in the last corner takes half a terabyte. What
the file says about its own size is not believed; it is unpacked piece by piece, and forgotten.
"""

from __future__ import annotations

import re
import sys
import zipfile
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from epsilometer.errors import UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import IO

MOST_UNPACKED: Final = 2 * 2**30  # bytes
MOST_CELLS: Final = 50_000_000
_PIECE: Final = 2**20
_CELLS_FOLLOW: Final = b"sheetData"  # without this element the reader finds no cell in a part
_AS_CSV: Final = "Save the sheet as CSV, which is read piece by piece."


def check_workbook(path: Path) -> None:
    """Refuse a workbook that would fill the memory; only the newer format (.xlsx) is packed."""
    if path.suffix not in {".xlsx", ".xls"}:  # the reader would try formats that are not checked here
        raise UnreadableFile(f"{path}: write the end of the name in small letters, as in {path.suffix.lower()}.")
    if path.suffix == ".xlsx":
        state = path.stat()
        _check_once(path, state.st_mtime_ns, state.st_size)


def not_a_workbook(path: Path) -> UnreadableFile:
    """Return the refusal of a file that only its name makes a workbook."""
    return UnreadableFile(f"{path} is not an Excel workbook, though its name says so.")


@lru_cache(maxsize=64)
def _check_once(path: Path, _changed: int, _size: int) -> None:
    """Check a workbook as it is now; one that passed is not unpacked again until it changes."""
    try:
        with zipfile.ZipFile(path) as parts:
            unpacked = 0
            for part in parts.infolist():
                part.file_size = sys.maxsize  # unpack it to its end, wherever it says that is
                with parts.open(part) as content:
                    unpacked = _check_part(path, content, unpacked)
    # Of archives that are damaged, need a password or are packed in a rare way, and of parts that are no XML.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
        raise not_a_workbook(path) from None


def _check_part(path: Path, content: IO[bytes], unpacked: int) -> int:
    """Look at one part piece by piece; return the size of all parts up to the end of it."""
    extent = _Extent()
    for size in extent.sizes(content):
        unpacked += size
        if unpacked > MOST_UNPACKED:
            raise UnreadableFile(f"{path} unpacks to more than {MOST_UNPACKED / 2**30:,.1f} GiB. {_AS_CSV}")
        if extent.n_rows * extent.n_columns > MOST_CELLS:
            raise UnreadableFile(
                f"{path} has a sheet whose cells reach to row {extent.n_rows:,} and column {extent.n_columns:,}; "
                f"at most {MOST_CELLS:,} cells can be read, empty ones among them. {_AS_CSV}"
            )
    return unpacked


class _Extent:
    """How far the values in one part of a workbook reach, counted as its reader counts."""

    def __init__(self) -> None:
        self.n_rows = self.n_columns = self._row = self._row_of_cell = self._column = 0

    def sizes(self, content: IO[bytes]) -> Iterator[int]:
        """Look at a part piece by piece, and say how large each piece is."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._element
        parser.StartDoctypeDeclHandler = self._doctype
        is_xml, holds_cells, end = True, False, b""
        while piece := content.read(_PIECE):
            try:
                is_xml = is_xml and bool(parser.Parse(piece))
            except (expat.ExpatError, ValueError):
                is_xml = False
            holds_cells = holds_cells or _CELLS_FOLLOW in end + piece
            end = piece[-len(_CELLS_FOLLOW) :]
            if holds_cells and not is_xml:  # a picture is no XML either, but holds no cells
                raise zipfile.BadZipFile
            yield len(piece)

    def _doctype(self, *_: object) -> None:
        raise ValueError  # it may give cells a place that the reader does not know of

    def _element(self, tag: str, attributes: Mapping[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        if kind == "c":
            said = attributes.get("r")
            self._row_of_cell, self._column = _place(said) if said else (self._row, self._column + 1)
        elif kind == "row":
            self._row, self._column = int(attributes.get("r", self._row + 1)), 0
        elif kind in {"v", "is"}:  # a cell without a value may be as far away as it likes
            self.n_rows = max(self.n_rows, self._row_of_cell)
            self.n_columns = max(self.n_columns, self._column)


def _place(reference: str) -> tuple[int, int]:
    """Return row and column of a reference such as B7.

    >>> _place("B7"), _place("XFD1048576")
    ((7, 2), (1048576, 16384))
    """
    letters = reference.rstrip("0123456789")
    return int(reference[len(letters) :]), _column(letters)


@lru_cache(maxsize=2**15)
def _column(letters: str) -> int:
    if not re.fullmatch("[A-Z]{1,3}", letters):
        raise ValueError(letters)
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
