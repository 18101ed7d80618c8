"""The papers' tables, counted: from the raw files, or from their profiles, which come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.tables.counting import frequency_table
from epsilometer.tables.frequency_table import FrequencyTable

if TYPE_CHECKING:
    from pathlib import Path

ADULT_QUASI_IDENTIFIERS: Final = ("age", "relationship", "education", "race", "sex", "hours_per_week")
SUBSET_QUASI_IDENTIFIERS: Final = (
    "industrial_risk",
    "management_risk",
    "credibility",
    "competitiveness",
    "operating_risk",
)
ADULT_BINS: Final = {
    "age": {"width": 5, "origin": 15, "closed": "right"},
    "hours_per_week": {"width": 10, "origin": 0, "closed": "right"},
}
ADULT_ROWS: Final = (
    "split = 'train' and native_country = 'United-States' and workclass is not null and occupation is not null"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Experiments:
    """The four tables of the papers.

    Attributes:
        adult: the cells of the six quasi-identifiers, as the papers describe them.
        adult_pieces: the combinations of quasi-identifiers and income, as the papers counted them.
        bankruptcy: all six ratings as quasi-identifiers.
        subset: the Bankruptcy subset: five ratings as quasi-identifiers, the sixth sensitive.
        has_labels: whether the cells have their labels, which marginals need.
    """

    adult: FrequencyTable
    adult_pieces: FrequencyTable
    bankruptcy: FrequencyTable
    subset: FrequencyTable
    has_labels: bool


def from_profiles() -> Experiments:
    """Return the tables from the profiles in the package."""
    adult = _from_profile("adult")
    return Experiments(
        adult=adult,
        adult_pieces=pieces_of(adult),
        bankruptcy=_from_profile("bankruptcy"),
        subset=_from_profile("bankruptcy_subset"),
        has_labels=False,
    )


def from_files(directory: Path) -> Experiments:
    """Count the tables from ``adult.csv`` and ``bankruptcy.csv``."""
    adult = frequency_table(
        directory / "adult.csv",
        quasi_identifiers=ADULT_QUASI_IDENTIFIERS,
        sensitive="income",
        bins=ADULT_BINS,
        where=ADULT_ROWS,
        missing=["?"],
    )
    ratings = directory / "bankruptcy.csv"
    everything = (*SUBSET_QUASI_IDENTIFIERS, "financial_flexibility")
    return Experiments(
        adult=adult,
        adult_pieces=pieces_of(adult),
        bankruptcy=frequency_table(ratings, quasi_identifiers=everything, sensitive="class"),
        subset=frequency_table(ratings, quasi_identifiers=SUBSET_QUASI_IDENTIFIERS, sensitive="financial_flexibility"),
        has_labels=True,
    )


def pieces_of(freq: FrequencyTable) -> FrequencyTable:
    """Make a cell of its own of every value of every cell.

    >>> pieces_of(FrequencyTable.from_counts([[3, 0], [2, 1]])).profile.counts.tolist()
    [[0, 1], [2, 0], [3, 0]]
    """
    counts, n_cells = freq.profile.counts, freq.profile.n_cells
    cell, value = np.nonzero(counts)
    pieces = np.zeros((len(cell), counts.shape[1]), dtype=np.int64)
    pieces[np.arange(len(cell)), value] = counts[cell, value]
    return FrequencyTable.from_counts(np.repeat(pieces, n_cells[cell], axis=0))


def homogeneous_cells(freq: FrequencyTable) -> int:
    """Return the number of cells with a single value.

    >>> homogeneous_cells(FrequencyTable.from_counts([[3, 0], [2, 1]]))
    1
    """
    return int(freq.profile.n_cells[(freq.profile.counts > 0).sum(axis=1) == 1].sum())


def _from_profile(name: str) -> FrequencyTable:
    file = resources.files("epsilometer.reproduction.homogeneity").joinpath("profiles", f"{name}.csv")
    rows = np.loadtxt(file.read_text(encoding="utf-8").splitlines(), delimiter=",", skiprows=1, dtype=np.int64)
    return FrequencyTable.from_counts(np.repeat(rows[:, :-1], rows[:, -1], axis=0))
