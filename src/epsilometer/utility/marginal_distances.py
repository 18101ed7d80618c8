"""How far the marginals of a released table are from those of the original, record by record rather than cell by cell.

For tables of counts with noise see :mod:`epsilometer.utility.marginals`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.utility.compared import compared_codes
from epsilometer.vocabulary.long_arrays import ranked
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

    from epsilometer.tables.records import Records
    from epsilometer.utility.compared import Compared, ComparedCodes
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

MOST_WAYS: Final = 3
CELLS_COUNTED: Final = 2**20  # of a marginal; with more, only those that occur are numbered


@dataclass(frozen=True, slots=True, eq=False)
class MarginalDistance(Confidential):
    """Total variation distances of marginals.

    Attributes:
        ways: number of columns of each marginal.
        columns: the columns of each.
        distances: the distance of each, from 0 for the same shares to 1 for no combination in common.
    """

    ways: int
    columns: tuple[tuple[str, ...], ...]
    distances: FloatArray

    @classmethod
    def of(cls, compared: Compared, ways: int) -> MarginalDistance:
        """Compare all sets of ``ways`` columns of two tables: see :func:`marginal_distance`."""
        most = min(MOST_WAYS, len(compared.columns))
        if ways not in range(1, most + 1):
            raise OutOfRange("ways", ways, f"[1, {most}]", hint="It is a number of columns, and three at most.")
        chosen = tuple(combinations(compared.columns, ways))
        return cls(
            ways=ways,
            columns=tuple(tuple(column.name for column in columns) for columns in chosen),
            distances=np.array([_total_variation(columns, compared.n_original) for columns in chosen]),
        )

    @property
    def mean(self) -> float:
        """Mean over the marginals."""
        return float(self.distances.mean())

    @property
    def worst(self) -> float:
        """The largest."""
        return float(self.distances.max())

    @property
    def worst_columns(self) -> tuple[str, ...]:
        """The columns of the marginal with the largest distance."""
        return self.columns[int(self.distances.argmax())]

    def to_dict(self) -> dict[str, Any]:
        """Return what sums the distances up, ready for JSON."""
        columns = list(self.worst_columns)
        return {"ways": self.ways, "mean": self.mean, "worst": self.worst, "worst_columns": columns}

    def plot(self) -> alt.LayerChart:
        """Draw the distance for each set of columns, the largest first."""
        from epsilometer.charts.marginals import draw_marginals

        return draw_marginals(self)


def marginal_distance(
    original: Records, released: Records, ways: int = 2, *, edges: Mapping[str, Sequence[float]] | None = None
) -> MarginalDistance:
    r"""How far are the shares of all combinations of values of ``ways`` columns at a time? Exact.

    .. math:: \mathrm{TV} = \frac12 \sum_v \left| \frac{n_O(v)}{|O|} - \frac{n_D(v)}{|D|} \right|

    with O = ``original`` and D = ``released`` and v over the combinations of values; missing is a value. Numbers are
    compared by bins: those between the ``edges`` given for a column, or else at most ten by quantiles of the original.
    Records that are drawn anew from the original are at a distance above zero too, the more so the more ways.

    >>> import pyarrow as pa
    >>> from epsilometer.tables.records import read_records
    >>> one = read_records(pa.table({"sex": ["f", "f", "m", "m"], "smokes": ["yes", "yes", "no", "no"]}))
    >>> other = read_records(pa.table({"sex": ["f", "f", "m", "m"], "smokes": ["no", "yes", "no", "yes"]}))
    >>> marginal_distance(one, other, ways=1).mean, marginal_distance(one, other).worst
    (0.0, 0.5)
    """
    return MarginalDistance.of(compared_codes(original, released, edges), ways)


def _total_variation(columns: Sequence[ComparedCodes], n_original: int) -> float:
    cells, n_cells = columns[0].codes, columns[0].size
    for column in columns[1:]:
        cells, n_cells = _few(cells * column.size + column.codes, n_cells * column.size)
    before, after = (np.bincount(part, minlength=n_cells) / len(part) for part in np.split(cells, [n_original]))
    return float(np.abs(after - before).sum() / 2)


def _few(cells: IntArray, n_cells: int) -> tuple[IntArray, int]:
    """Number those cells anew that occur, if there are too many to count all of them."""
    if n_cells <= CELLS_COUNTED:
        return cells, n_cells
    return ranked(cells)
