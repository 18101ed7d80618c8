"""Sheets of Excel workbooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epsilometer.errors import BadTable, UnreadableFile
from epsilometer.tables.frames import open_arrow_rows, text_column, unique_names
from epsilometer.tables.workbook_limits import check_workbook, not_a_workbook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from python_calamine import CalamineWorkbook

    from epsilometer.tables.table import Table


def open_sheet(paths: Sequence[Path], sheet: str) -> Table:
    """Open one sheet of a workbook; without a name, its only sheet.

    The first row names the columns, and rows without any value are left out. Cells are text, each as it is written.
    """
    import pyarrow as pa

    if len(paths) > 1:
        raise UnreadableFile(f"Workbooks are read one at a time, got {len(paths)}.")
    header, *rows = _rows(paths[0], sheet) or [[]]
    name = f"{paths[0]}::{sheet}" if sheet else str(paths[0])
    if not header:
        raise UnreadableFile(f"{name} has no header row. Its first row must name the columns.")
    names = unique_names(name, [str(cell).strip() or f"column{i}" for i, cell in enumerate(header, start=1)])
    filled = [row for row in rows if any(cell != "" for cell in row)]
    columns = [text_column([None if row[i] == "" else row[i] for row in filled]) for i in range(len(names))]
    return open_arrow_rows(pa.Table.from_arrays(columns, list(names)), name)


def sheet_names(path: Path) -> tuple[str, ...]:
    """Return the names of a workbook's sheets."""
    return tuple(_workbook(path).sheet_names)


def _rows(path: Path, sheet: str) -> list[list[Any]]:
    book = _workbook(path)
    names = ", ".join(book.sheet_names)
    if not sheet and len(book.sheet_names) > 1:
        raise BadTable(f"{path} has the sheets {names}. Name one, as in {path}::{book.sheet_names[0]}.")
    if sheet and sheet not in book.sheet_names:
        raise BadTable(f"{path} has no sheet {sheet!r}; it has {names}.")
    return book.get_sheet_by_name(sheet or book.sheet_names[0]).to_python(skip_empty_area=True)


def _workbook(path: Path) -> CalamineWorkbook:
    import python_calamine

    check_workbook(path)
    try:
        return python_calamine.CalamineWorkbook.from_path(str(path))
    except (python_calamine.CalamineError, OSError):
        raise not_a_workbook(path) from None
