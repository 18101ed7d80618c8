"""What was measured of the synthetic tables: anew, or as it comes with the package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from epsilometer.reproduction.synthetic.measure import Measurement, measure
from epsilometer.reproduction.synthetic.originals import adult, health

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from epsilometer.vocabulary.arrays import FloatArray

FILES: Final = ("health_curves.csv", "adult_curves.csv")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runs:
    """One quantity at several epsilons.

    Attributes:
        epsilons: the epsilons, ascending.
        values: what the runs at each of them gave; epsilons x runs.
    """

    epsilons: FloatArray
    values: FloatArray

    @property
    def means(self) -> FloatArray:
        """Mean of the runs at each epsilon."""
        return np.asarray(self.values.mean(axis=1))

    def at(self, epsilons: Sequence[float]) -> Runs:
        """Return the runs at some of the epsilons."""
        chosen = np.isin(self.epsilons, epsilons)
        return Runs(epsilons=self.epsilons[chosen], values=self.values[chosen])

    def mean_at(self, epsilon: float) -> float:
        """Mean of the runs at one of the epsilons."""
        return float(self.at([epsilon]).means.item())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Experiments:
    """All measurements.

    Attributes:
        measurements: one row for each, with the columns of a measurement.
        source: where they come from, in words.
    """

    measurements: pd.DataFrame
    source: str

    @classmethod
    def of(cls, measurements: Iterable[Measurement], source: str) -> Experiments:
        """Put measurements together."""
        return cls(measurements=pd.DataFrame(list(measurements), columns=Measurement._fields), source=source)

    @property
    def tables(self) -> list[str]:
        """What was synthesized."""
        return self.measurements["table"].unique().tolist()

    def columns(self, table: str) -> list[str]:
        """Columns of a table."""
        return self._rows(table, "variance error")["of"].unique().tolist()

    def n_rows(self, table: str) -> int:
        """Records of a table."""
        return int(self._rows(table, "p")["n_rows"].iloc[0])

    def runs(self, table: str, quantity: str, of: str | None = None) -> Runs:
        """Return a quantity, of a column or model; if none is named, its mean over all of them in each run."""
        rows = self._rows(table, quantity)
        rows = rows if of is None else rows[rows["of"] == of]
        by_seed = rows.groupby(["epsilon", "seed"])["value"].mean()
        by_epsilon = by_seed.groupby("epsilon")
        return Runs(
            epsilons=np.array(list(by_epsilon.groups)), values=np.array([each.to_numpy() for _, each in by_epsilon])
        )

    def _rows(self, table: str, quantity: str) -> pd.DataFrame:
        rows = self.measurements
        return rows[(rows["table"] == table) & (rows["quantity"] == quantity)]


def from_package() -> Experiments:
    """Take the measurements that come with the package."""
    folder = resources.files("epsilometer.reproduction.synthetic")
    parts = []
    for name in FILES:
        with folder.joinpath(name).open(encoding="utf-8") as rows:
            parts.append(pd.read_csv(rows, keep_default_na=False))
    return Experiments(measurements=pd.concat(parts, ignore_index=True), source="as measured for the package")


def from_files(directory: Path) -> Experiments:
    """Synthesize and measure the health table and ``adult.csv`` anew: minutes."""
    originals = (health(), adult(directory))
    return Experiments.of((each for original in originals for each in measure(original)), "measured anew")
