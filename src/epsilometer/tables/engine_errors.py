"""What engines say when they fail, turned into one line a person can act on."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadTable, EpsilometerError, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENGINES = {"duckdb", "_duckdb", "sqlite3", "psycopg", "pyspark", "py4j", "ibis", "pyarrow", "python_calamine"}
MOST_SHOWN: Final = 200  # characters of a name
_FIELD_COUNT = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
_JAVA_CALL = re.compile(r"^An error occurred while calling \S+\s*: (?:[\w.$]+: )?")
_CSV_FILE = re.compile(r"^\s*file = (.+)$", re.MULTILINE)


def is_engine_error(error: BaseException) -> bool:
    """Whether an exception comes from a data engine rather than from a mistake in this package.

    >>> is_engine_error(ZeroDivisionError())
    False
    """
    kinds = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    return not isinstance(error, EpsilometerError) and bool(kinds & _ENGINES)


@contextmanager
def reported_as(name: str) -> Iterator[None]:
    """Turn a complaint of an engine or of the system about the table called ``name`` into an error of this package."""
    try:
        yield
    except EpsilometerError:
        raise
    except OSError as error:  # a name that is too long, a file or folder that may not be read
        shown = name if len(name) <= MOST_SHOWN else f"{name[:MOST_SHOWN]}…"
        reason = error.strerror or first_line(error)
        raise UnreadableFile(f"{shown} could not be read: {reason}.") from error
    except Exception as error:
        if not is_engine_error(error):
            raise
        raise explained(name, error) from error


def explained(name: str, error: Exception) -> BadTable:
    """Say in one line what an engine's complaint about the table called ``name`` means."""
    text = str(error)
    if line := _CSV_LINE.search(text):
        file = _CSV_FILE.search(text)
        place = f"{file.group(1).strip() if file else name}, line {line.group(1)}"
        return UnreadableFile(f"{place}: {_csv_problem(text)} No row was dropped; correct the file and try again.")
    if "CSV Parser state machine" in text:
        return UnreadableFile(f"{name} mixes line endings or quotes in a way no row can be told from the next.")
    if type(error).__name__ == "OutOfMemoryException":
        return BadTable(
            f"{name} takes more than the memory that may be used, even with the disk: give more, such as --memory 8GB "
            "before the command, or put columns into bins."
        )
    return BadTable(f"{name} could not be read: {first_line(error)}.")


def first_line(error: Exception) -> str:
    r"""First line of what an engine says, without the full stop.

    >>> first_line(ValueError("No such column. \n LINE 1: ..."))
    'No such column'
    """
    text = _JAVA_CALL.sub("", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__


def _csv_problem(text: str) -> str:
    if fields := _FIELD_COUNT.search(text):
        expected, found = map(int, fields.groups())
        # The engine stops counting at the first field too many.
        return f"the header has {expected} fields, this row {found if found < expected else 'more'}."
    if "quote" in text.partition("Possible")[0]:
        return "a quoted value does not end."
    if "unicode" in text:
        return "the text is not UTF-8."
    return "the row cannot be read."
