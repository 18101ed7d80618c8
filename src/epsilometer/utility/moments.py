"""How far the mean, the spread and the missing values of each numeric column are from those of the original."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.tables.records import check_alike
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class MomentError:
    """How far a number of a synthetic column is from the original one.

    Attributes:
        original: the number of the original column.
        difference: the original number less the synthetic one; infinite if the synthetic column has no value at all.
    """

    original: float
    difference: float

    @property
    def signed_percent(self) -> float:
        """Equation (11) as printed, in percent of the original; of an original of zero, infinite unless equal."""
        if self.original == 0 and self.difference != 0:
            return math.copysign(math.inf, self.difference)
        return 100 * self.difference / (self.original or 1.0)

    @property
    def percent(self) -> float:
        """Its size."""
        return abs(self.signed_percent)


@dataclass(frozen=True, slots=True)
class ColumnMoments:
    """The errors of a column.

    Attributes:
        name: its name.
        mean: error of the mean of what is not missing.
        standard_deviation: error of its standard deviation.
        variance: error of its variance, the mean square about the mean.
        missing: error of the share of records in which it is missing; its difference is a share too.
    """

    name: str
    mean: MomentError
    standard_deviation: MomentError
    variance: MomentError
    missing: MomentError


@dataclass(frozen=True, slots=True)
class MomentErrors:
    """The errors of all numeric columns, and their means over the columns.

    Attributes:
        columns: column by column.
        mean: mean size of the errors of the means, in percent of the original ones.
        standard_deviation: that of the standard deviations.
        variance: that of the variances.
        missing: mean size of the differences in the share of missing values.
    """

    columns: tuple[ColumnMoments, ...]
    mean: float
    standard_deviation: float
    variance: float
    missing: float


@source("chen-2021", "Eqs. (11) and (12), with sizes of errors, averaged over columns")
def moment_errors(original: Records, synthetic: Records) -> MomentErrors:
    r"""How far off are mean, standard deviation and variance of each numeric column? Exact.

    .. math:: \frac1n \sum_i \left| \frac{v(O_i) - v(D_i)}{v(O_i)} \right| \cdot 100\,\%

    with O = ``original`` and D = ``synthetic``, i over the n numeric columns and v the mean, the standard deviation or
    the variance. The sign of (11) lets errors of different columns cancel in (12), and a sum over records is meant
    to be one over columns (erratum R6). Missing values are left out and reported by themselves. An original
    of zero makes the error zero if the synthetic number is zero as well, and infinite if not; look at its difference.

    >>> import pyarrow as pa
    >>> from epsilometer.tables.records import read_records
    >>> heights, others = (read_records(pa.table({"height": h})) for h in ([150, 170], [155, 165]))
    >>> moment_errors(heights, others).standard_deviation
    50.0
    """
    check_alike(original, synthetic)
    names = [name for name in original.columns if original.is_numeric(name)]
    if not names:
        raise BadTable(f"{original.name} has no numeric column; moments are those of numbers.")
    columns = tuple(_column_errors(name, original, synthetic) for name in names)
    return MomentErrors(
        columns=columns,
        mean=_mean(column.mean.percent for column in columns),
        standard_deviation=_mean(column.standard_deviation.percent for column in columns),
        variance=_mean(column.variance.percent for column in columns),
        missing=_mean(abs(column.missing.difference) for column in columns),
    )


def _column_errors(name: str, original: Records, synthetic: Records) -> ColumnMoments:
    before, missing_before = _moments(original.numbers(name))
    after, missing_after = _moments(synthetic.numbers(name))
    if missing_before == 1:
        raise BadTable(f"Column {name!r} of {original.name} has no value. Leave it out of the comparison.")
    mean, deviation, variance = (
        MomentError(one, math.inf if missing_after == 1 else one - other)
        for one, other in zip(before, after, strict=True)
    )
    return ColumnMoments(name, mean, deviation, variance, MomentError(missing_before, missing_before - missing_after))


def _moments(numbers: FloatArray) -> tuple[tuple[float, float, float], float]:
    """Mean, standard deviation and variance of what is not missing, zeros if nothing is; and the share missing."""
    missing = np.isnan(numbers)
    if missing.all():
        return (0.0, 0.0, 0.0), 1.0
    first = numbers[~missing][0]
    apart = numbers[~missing] - first  # so that a column of one value has no spread, not even by rounding
    return (float(first + apart.mean()), float(apart.std()), float(apart.var())), float(missing.mean())


def _mean(errors: Iterable[float]) -> float:
    return float(np.mean(list(errors)))
