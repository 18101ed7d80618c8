"""Turn what a user writes into arrays of one kind of numbers, or say what is wrong with it.

Floats come out as float arrays, whole numbers and fractions as object arrays of ``Fraction``, sparse channels in
compressed columns. Every measure then runs the same code on all three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from epsilometer.errors import BadChannel, MixedNumbers

Number: TypeAlias = float | Fraction
VectorLike: TypeAlias = ArrayLike | Sequence[Number]
MatrixLike: TypeAlias = ArrayLike | Sequence[Sequence[Number]] | sparse.sparray | sparse.spmatrix
Matrix: TypeAlias = Any  # a float array, an object array of fractions or a csc_array: no type has what they share

ROW_SUM_TOLERANCE = 1e-9  # of floats; fractions must sum to one exactly

_LAYOUTS = {
    "probability": (0, "one number"),
    "prior": (1, "one number for each secret"),
    "gain": (2, "actions x secrets"),
    "loss": (2, "actions x secrets"),
}
_CHANNEL_LAYOUT = (2, "secrets x outputs")


def read(**given: object) -> tuple[Matrix, ...]:
    """Return the arrays in one kind of numbers, each with its right number of dimensions, probabilities unchecked."""
    arrays = {name.replace("_", " "): values for name, values in given.items()}
    arrays = {name: _array(name, values) for name, values in arrays.items()}
    kinds = {name: _kind(name, array) for name, array in arrays.items()}
    floats = [name for name, kind in kinds.items() if kind == "floats"]
    fractions = [name for name, kind in kinds.items() if kind == "fractions"]
    if floats and fractions:
        always = ", as every sparse channel does" if is_sparse(arrays[floats[0]]) else ""
        raise MixedNumbers(
            f"The {fractions[0]} holds fractions and the {floats[0]} holds floats{always}. Use one kind: write "
            "fractions with exact(...), or turn them into floats with .astype(float)."
        )
    return tuple(_floats(array) if floats else _fractions(array) for array in arrays.values())


def read_prior(prior: VectorLike) -> Matrix:
    """Return a prior that is a probability distribution."""
    (checked,) = read(prior=prior)
    check_rows("prior", checked[None, :])
    return checked


def read_channel(channel: MatrixLike) -> Matrix:
    """Return a channel whose rows are probability distributions."""
    (checked,) = read(channel=channel)
    check_rows("channel", checked)
    return checked


def read_prior_and_rows(prior: VectorLike, channel: MatrixLike) -> tuple[Matrix, Matrix]:
    """Return a prior and a channel that fit, for a caller that checks the rows of the channel itself."""
    weights, rows = read(prior=prior, channel=channel)
    check_rows("prior", weights[None, :])
    check_secrets(weights, rows)
    return weights, rows


def read_prior_and_channel(prior: VectorLike, channel: MatrixLike) -> tuple[Matrix, Matrix]:
    """Return a prior and a channel that fit, both checked."""
    weights, rows = read_prior_and_rows(prior, channel)
    check_rows("channel", rows)
    return weights, rows


def check_rows(name: str, rows: Matrix) -> None:
    """Raise unless every row is a probability distribution."""
    if not rows.min() >= 0:  # also true of NaN
        row, column, value = _first_cell_where(rows, lambda values: ~(values >= 0))
        place = f"at position {column}" if name == "prior" else f"in row {row}, column {column}"
        raise BadChannel(f"The {name} holds {value} {place} (counted from 0); a probability is a number from 0 to 1.")
    sums = rows.sum(axis=1)
    tolerance = 0 if rows.dtype == object else ROW_SUM_TOLERANCE
    wrong = np.abs(sums - 1) > tolerance
    if wrong.any():
        row = int(wrong.argmax())
        what = "The prior" if name == "prior" else f"Row {row} (counted from 0) of the {name}"
        raise BadChannel(f"{what} sums to {sums[row]}; it must sum to 1. Weights must be divided by their sum.")


def check_finite(name: str, values: Matrix) -> None:
    """Raise if a gain or a loss is infinite or missing."""
    if values.dtype != object and not np.isfinite(values).all():
        row, column, value = _first_cell_where(values, lambda cells: ~np.isfinite(cells))
        raise BadChannel(
            f"The {name} holds {value} in row {row}, column {column} (counted from 0); use finite numbers."
        )


def check_secrets(prior: Matrix, channel: Matrix) -> None:
    """Raise unless the prior and the channel are about equally many secrets."""
    if len(prior) != channel.shape[0]:
        raise BadChannel(
            f"The prior is about {len(prior)} secrets and the channel about {channel.shape[0]}; "
            "a channel has one row for each secret."
        )


def check_columns(name: str, values: Matrix, n_secrets: int) -> None:
    """Raise unless a gain or a loss has a column for each secret."""
    if values.shape[1] != n_secrets:
        raise BadChannel(
            f"The {name} is about {values.shape[1]} secrets and the prior about {n_secrets}; "
            f"a {name} has one row for each action and one column for each secret."
        )


def is_sparse(matrix: object) -> bool:
    """Return whether a matrix is sparse."""
    return sparse.issparse(matrix)


def dense(matrix: Matrix) -> Matrix:
    """Return a matrix that is not sparse."""
    return matrix.toarray() if is_sparse(matrix) else matrix


def as_floats(matrix: Matrix) -> Matrix:
    """Return a matrix of floats whatever numbers it held."""
    return matrix.astype(np.float64) if matrix.dtype == object else matrix


def cells(matrix: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Return rows, columns and values of all entries that are not zero."""
    if is_sparse(matrix):
        entries = matrix.tocoo()
        return entries.row, entries.col, entries.data
    rows, columns = np.nonzero(matrix)
    return rows, columns, matrix[rows, columns]


def python_fraction(number: Any) -> Fraction:  # noqa: ANN401  (any whole number or fraction, numpy's among them)
    """Return a fraction of Python's whole numbers, which do not overflow as numpy's would."""
    return Fraction(int(number.numerator), int(number.denominator))


def plain(number: Any) -> Any:  # noqa: ANN401  (a numpy float, a Fraction, or the whole number an empty sum is)
    """Return a Python float or a Fraction."""
    return number.item() if isinstance(number, np.generic) else Fraction(number)


def _array(name: str, values: object) -> Matrix:
    if is_sparse(values) and name in _LAYOUTS:
        raise BadChannel(f"The {name} is sparse; only channels may be. Make it dense with .toarray().")
    try:
        array: Matrix = values if is_sparse(values) else np.asarray(values)
    except ValueError as error:
        raise BadChannel(f"The {name} is not rectangular: its rows have different lengths.") from error
    n_dimensions, layout = _LAYOUTS.get(name, _CHANNEL_LAYOUT)
    if array.ndim != n_dimensions:
        raise BadChannel(f"The {name} must be {layout}, of dimension {n_dimensions}; got dimension {array.ndim}.")
    if 0 in array.shape:
        raise BadChannel(f"The {name} is empty: its shape is {array.shape}.")
    return array


def _kind(name: str, array: Matrix) -> str:
    if array.dtype.kind in "fiub":
        return "floats" if array.dtype.kind == "f" or is_sparse(array) else "whole numbers"
    if is_sparse(array):
        raise BadChannel(f"The {name} is sparse with {array.dtype} entries; sparse channels hold floats.")
    types = {type(value) for value in array.flat}
    for unknown in (kind for kind in types if not issubclass(kind, (Rational, float, np.floating))):
        raise BadChannel(
            f"The {name} holds a {unknown.__name__}; use floats, or whole numbers and fractions. "
            "Text such as '1/4' becomes a fraction with exact(...)."
        )
    with_floats = any(issubclass(kind, (float, np.floating)) for kind in types)
    with_fractions = any(issubclass(kind, Rational) and not issubclass(kind, Integral) for kind in types)
    if with_floats and with_fractions:
        raise MixedNumbers(f"The {name} holds both fractions and floats. Use one kind.")
    return "floats" if with_floats else "fractions" if with_fractions else "whole numbers"


def _floats(array: Matrix) -> Matrix:
    if not is_sparse(array):
        return array.astype(np.float64, copy=False)
    matrix = sparse.csc_array(array, dtype=np.float64)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()  # summing up the parts of an entry happens in place, and they are the user's
        matrix.sum_duplicates()
    return matrix


def _fractions(array: Matrix) -> Matrix:
    with np.errstate(all="ignore"):  # what Python does in between, such as collecting garbage, may leave flags behind
        return np.frompyfunc(python_fraction, 1, 1)(array.astype(object))


def _first_cell_where(matrix: Matrix, is_wrong: Callable[[Matrix], Matrix]) -> tuple[int, int, Number]:
    rows, columns, values = cells(matrix)
    found = int(is_wrong(values).argmax())
    return int(rows[found]), int(columns[found]), values[found]
