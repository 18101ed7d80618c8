"""Files that differ by one person: a row less, a row more that nobody expects, a row in place of another."""

from __future__ import annotations

import csv
import gzip
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.tables.records import read_records
from epsilometer.tables.release_rows import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyarrow as pa

STRANGE_TEXTS: Final = (
    *("", " ", "x", "0", "-1", "1.0", "007", "1e5", "9" * 21, "9" * 400, "nan", "inf", "2026-02-30", 'ä, "ö"\n'),
    *("NA", "?", "true", "(missing)", "other", "=1+1", "\u202e"),
)
STRANGE_NUMBERS: Final = (0, -1, 1, 2**31, -(2**62), 10**15)
STRANGE_FLOATS: Final = (
    0.0,
    -0.5,
    1e16,
    1e50,
    1e308,
    -1e308,
    5e-324,
    float("inf"),
    float("-inf"),
    float("nan"),
    LARGEST * 10,
)


@dataclass(frozen=True)
class Source:
    """The rows of a table, and how to write them in the format that they came in.

    Attributes:
        suffix: of the files that are written.
        rows: a mapping from column to value for each row.
        write: writes rows to a file.
        strange: a value that nobody expects in a column, by a number that chance has drawn.
    """

    suffix: str
    rows: Sequence[dict[str, Any]]
    write: Callable[[Path, Sequence[dict[str, Any]]], None]
    strange: Callable[[str, int], Any]


def source_of(table: object, missing: Sequence[str] = ()) -> Source:
    """Read the rows of a table; those of other sources than text files and Parquet are tested as Parquet."""
    path = Path(str(table)) if isinstance(table, str | Path) else None
    if path is not None and path.is_file():
        name = path.name.lower()
        if name.endswith((".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz")):
            return _delimited(path)
        if name.endswith((".jsonl", ".ndjson")):
            return _json_lines(path)
    return _parquet(read_records(table, missing=missing).rows)


def neighbours(source: Source, seed: int, *, replaced: bool) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Make up tables that differ by one person, without end; with ``replaced`` all have as many rows."""
    rng = np.random.default_rng(seed)
    rows = list(source.rows)
    while True:
        place = int(rng.integers(len(rows))) if rows else 0
        way = "replaced" if replaced else ("removed", "added", "copied")[int(rng.integers(3))]
        if way == "removed" and rows:
            yield way, rows[:place] + rows[place + 1 :]
        elif way == "copied" and rows:
            yield way, [*rows, dict(rows[int(rng.integers(len(rows)))])]
        else:
            like = dict(rows[int(rng.integers(len(rows)))]) if rows else {}
            for column in like:
                if rng.random() < 0.5:  # noqa: PLR2004
                    like[column] = source.strange(column, int(rng.integers(2**31)))
            if way == "replaced" and rows:
                yield way, [*rows[:place], like, *rows[place + 1 :]]
            else:
                yield way, [*rows[:place], like, *rows[place:]]


def _delimited(path: Path) -> Source:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        text = file.read()
    header = text.partition("\n")[0]
    delimiter = max(",;\t|", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns, rows = list(reader.fieldnames or []), list(reader)

    def write(target: Path, some: Sequence[dict[str, Any]]) -> None:
        with opened(target, "wt", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(some)

    return Source("".join(path.suffixes[-2:]) if path.suffix == ".gz" else path.suffix, rows, write, _strange_text)


def _json_lines(path: Path) -> Source:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]

    def write(target: Path, some: Sequence[dict[str, Any]]) -> None:
        target.write_text("".join(f"{json.dumps(row)}\n" for row in some) or "\n", encoding="utf-8")

    def strange(column: str, number: int) -> Any:  # noqa: ANN401
        kinds = (_strange_text(column, number), number % 97, number / 7, None, number % 2 == 0, {"a": 1}, "12:00:00")
        return kinds[number % len(kinds)]

    return Source(path.suffix, rows, write, strange)


def _parquet(table: pa.Table) -> Source:
    import pyarrow as pa
    from pyarrow import parquet

    plain = table.cast(
        pa.schema(
            [
                pa.field(each.name, each.type.value_type if pa.types.is_dictionary(each.type) else each.type)
                for each in table.schema
            ]
        )
    )

    def write(target: Path, some: Sequence[dict[str, Any]]) -> None:
        parquet.write_table(pa.Table.from_pylist(list(some), plain.schema), target)

    def strange(column: str, number: int) -> Any:  # noqa: ANN401
        kind = plain.schema.field(column).type
        if number % 5 == 0:
            return None
        if pa.types.is_floating(kind):
            return STRANGE_FLOATS[number % len(STRANGE_FLOATS)]
        if pa.types.is_integer(kind):
            least, most = -(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1
            return max(least, min(most, STRANGE_NUMBERS[number % len(STRANGE_NUMBERS)]))
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            return _strange_text(column, number)
        return plain.column(column)[number % plain.num_rows].as_py()

    return Source(".parquet", plain.to_pylist(), write, strange)


def _strange_text(_column: str, number: int) -> str:
    return STRANGE_TEXTS[number % len(STRANGE_TEXTS)]
