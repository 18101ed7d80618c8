"""The reports of a local release as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from epsilometer.vocabulary.local_release import LocalRelease

MATRIX = 2  # dimensions of reports that are rows of bits


def reports_table(made: LocalRelease) -> pa.Table:
    """Return the reports as rows, one for each person; values by name, bits in a column for each value."""
    import pyarrow as pa

    reports = made.reports
    if reports.ndim == MATRIX:
        columns = {_heading(label): pa.array(bits) for label, bits in zip(made.labels, reports.T, strict=True)}
    elif made.labels:
        names = pa.array(made.labels)
        columns = {"report": pa.DictionaryArray.from_arrays(pa.array(reports, pa.int32()), names).cast(pa.string())}
    else:
        columns = {"report": pa.array(reports)}
    return pa.table(columns)


def _heading(label: str) -> str:
    return f"report: {label}"
