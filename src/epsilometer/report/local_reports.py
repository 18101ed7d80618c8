"""Reports as a file, and a local release in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    import pyarrow as pa

    from epsilometer.vocabulary.local_release import LocalRelease

NAMES = {"local-laplace": "Laplace noise", "local-gaussian": "Gaussian noise"}
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


def local_answer(made: LocalRelease) -> str:
    """Say what was released, and what it tells an attacker."""
    drawing = made.drawing
    order = "in random order" if made.shuffled else "in the order of the table"
    said = (
        f"{made.n_people:,} people reported on {made.column} through {_name(drawing['name'])} at ε = "
        f"{drawing['epsilon']:g}, {order}."
    )
    if made.risk is None:
        return said
    risk, after = made.risk, float(np.asarray(made.risk.shuffled.value))
    own = f"From their own report a person's value is named right with {percent(risk.value)}"
    mixed = (
        f"; from the shuffled reports with {'at most ' if risk.shuffled.kind == 'upper bound' else ''}{percent(after)}"
    )
    before = f"against {percent_at_least(risk.no_release)} without a report, if the estimated shares are true"
    return f"{said} {own}{mixed if made.shuffled else ''}, {before}."


def _name(name: str) -> str:
    return NAMES.get(name, name.replace("-", " "))


def _heading(label: str) -> str:
    return f"report: {label}"
