"""Published files held against what their passport says of them."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, NamedTuple

from epsilometer.releases.passports import file_hash
from epsilometer.vocabulary.passport_check import FAILED, Finding, compared, not_possible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from epsilometer.vocabulary.passport import Output


class Shape(NamedTuple):
    """How many rows a file has, and what its columns are called."""

    rows: int
    columns: tuple[str, ...]


def check_output(folder: Path, output: Output) -> Iterator[Finding]:
    """Check that a published file lies beside its passport, and is what the passport says."""
    file = folder / output.file
    try:
        size, digest = file.stat().st_size, file_hash(file).hex()
    except OSError as error:
        yield Finding(what=f"{output.file} is there", outcome=FAILED, expected="a file", found=str(error.strerror))
        return
    yield compared(f"{output.file}: bytes", f"{output.bytes:,}", f"{size:,}")
    yield compared(f"{output.file}: SHA-256", output.sha256, digest)
    readers = {".csv": _shape_of_csv, ".parquet": _shape_of_parquet}
    if file.suffix.lower() not in readers:
        yield not_possible(f"{output.file}: rows and columns", f"a file that ends in {' or '.join(readers)}")
        return
    try:
        shape = readers[file.suffix.lower()](file)
    except ValueError as error:  # Arrow's errors about content are such, and so are those of a wrong encoding
        yield Finding(what=f"{output.file} is a table", outcome=FAILED, expected="a table", found=_line(error))
        return
    yield compared(f"{output.file}: rows", f"{output.rows:,}", f"{shape.rows:,}")
    yield compared(f"{output.file}: columns", ", ".join(output.columns), ", ".join(shape.columns))


def _shape_of_csv(file: Path) -> Shape:
    """Every column is read as text: what a value means does not matter here."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    with file.open(encoding="utf-8", newline="") as opened:
        columns = next(csv.reader(opened), [])
    batches = arrow_csv.open_csv(
        file,
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(columns, pa.string())),
    )
    return Shape(sum(batch.num_rows for batch in batches), tuple(columns))


def _shape_of_parquet(file: Path) -> Shape:
    from pyarrow import parquet

    opened = parquet.ParquetFile(file)
    return Shape(opened.metadata.num_rows, tuple(opened.schema_arrow.names))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
