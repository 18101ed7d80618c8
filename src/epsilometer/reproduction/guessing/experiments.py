"""The ages of the Adult table by group: from the raw file, or from their counts, which come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from epsilometer.formulas import guessing

if TYPE_CHECKING:
    from pathlib import Path

    from epsilometer.vocabulary.arrays import IntArray

AGES: Final = np.arange(101)  # declared: the range is not read off the table, which would tell of its oldest person
GROUPINGS: Final = ("education", "sex")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """People who agree in one column.

    Attributes:
        name: what they agree in.
        people: how many there are of each age from 0 to 100.
    """

    name: str
    people: IntArray

    @property
    def n_people(self) -> int:
        """The paper's N: the size of the group."""
        return int(self.people.sum())

    @property
    def n_ages(self) -> int:
        """The paper's k: the number of different ages."""
        return int(np.count_nonzero(self.people))

    @property
    def uniqueness(self) -> float:
        """The paper's chance of a right guess without a release: pi(k, N)."""
        return float(guessing.uniqueness_probability(self.n_ages, self.n_people))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Experiments:
    """The groups of the case study, each grouping from the smallest group to the largest.

    Attributes:
        education: one group for each of the sixteen degrees.
        sex: one group for each sex.
        source: where the counts come from, in words.
    """

    education: tuple[Group, ...]
    sex: tuple[Group, ...]
    source: str

    def group(self, education: str) -> Group:
        """Return the people of one degree."""
        return next(group for group in self.education if group.name == education)


def from_counts() -> Experiments:
    """Take the counts that come with the package."""
    file = resources.files("epsilometer.reproduction.guessing").joinpath("adult_ages.csv")
    with file.open(encoding="utf-8") as rows:
        return _grouped(pd.read_csv(rows), "from the counts in the package")


def from_files(directory: Path) -> Experiments:
    """Count ``adult.csv``."""
    from epsilometer.tables.counting import frequency_table

    freq = frequency_table(directory / "adult.csv", quasi_identifiers=GROUPINGS, sensitive="age")
    counts = freq.cells().to_pandas().melt(list(GROUPINGS), var_name="age", value_name="n")
    return _grouped(counts.astype({"age": int}), "counted from the raw table")


def _grouped(counts: pd.DataFrame, source: str) -> Experiments:
    education, sex = (_groups(counts, by) for by in GROUPINGS)
    return Experiments(education=education, sex=sex, source=source)


def _groups(counts: pd.DataFrame, by: str) -> tuple[Group, ...]:
    ages = counts["age"].clip(AGES[0], AGES[-1])
    table = counts.assign(age=ages).pivot_table(index=by, columns="age", values="n", aggfunc="sum", fill_value=0)
    people = table.reindex(columns=AGES, fill_value=0).to_numpy(dtype=np.int64)
    ascending = np.argsort(people.sum(axis=1), kind="stable")
    return tuple(Group(name=str(table.index[row]), people=people[row]) for row in ascending)
