"""How well a released table keeps what pairs of columns have to do with each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.neighbors.dependency import association
from epsilometer.utility.compared import compared_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.tables.records import Records
    from epsilometer.utility.compared import Compared
    from epsilometer.vocabulary.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class AssociationError:
    """Association of all pairs of columns, before and after.

    Attributes:
        pairs: the two columns of each pair.
        original: bias-corrected Cramer's V of each in the original table, from 0 to 1.
        released: the same in the released one.
    """

    pairs: tuple[tuple[str, str], ...]
    original: FloatArray
    released: FloatArray

    @classmethod
    def of(cls, compared: Compared) -> AssociationError:
        """Compare all pairs of columns of two tables: see :func:`association_error`."""
        if len(compared.columns) == 1:
            raise BadTable(f"{compared.original} has a single column to compare; an association is that of two.")
        pairs = tuple(combinations(compared.columns, 2))
        before, after = (
            np.array([association(one.codes[rows], other.codes[rows]) for one, other in pairs])
            for rows in (slice(None, compared.n_original), slice(compared.n_original, None))
        )
        return cls(tuple((one.name, other.name) for one, other in pairs), before, after)

    @property
    def errors(self) -> FloatArray:
        """Size of the difference for each pair."""
        return np.abs(self.released - self.original)

    @property
    def mean(self) -> float:
        """Mean error over the pairs."""
        return float(self.errors.mean())

    @property
    def worst(self) -> float:
        """The largest error."""
        return float(self.errors.max())

    @property
    def worst_pair(self) -> tuple[str, str]:
        """The pair with the largest error."""
        return self.pairs[int(self.errors.argmax())]

    def to_dict(self) -> dict[str, Any]:
        """Return what sums the errors up, ready for JSON."""
        return {"mean": self.mean, "worst": self.worst, "worst_pair": list(self.worst_pair)}


def association_error(
    original: Records, released: Records, *, edges: Mapping[str, Sequence[float]] | None = None
) -> AssociationError:
    """How far off is the association of each pair of columns? Differences of bias-corrected Cramer's V. Exact.

    Numbers are compared by bins, as in :func:`epsilometer.utility.marginal_distances.marginal_distance`.

    >>> import pyarrow as pa
    >>> from epsilometer.tables.records import read_records
    >>> one = read_records(pa.table({"sex": ["f", "f", "m", "m"], "smokes": ["yes", "yes", "no", "no"]}))
    >>> other = read_records(pa.table({"sex": ["f", "f", "m", "m"], "smokes": ["no", "yes", "no", "yes"]}))
    >>> association_error(one, other).worst
    1.0
    """
    return AssociationError.of(compared_codes(original, released, edges))
