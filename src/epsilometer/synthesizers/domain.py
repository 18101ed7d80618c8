"""What values a column may hold, known before or apart from the records: declared, or found privately."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from epsilometer.errors import BadTable, OutOfRange
from epsilometer.synthesizers.coded import CodedColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import FloatArray

MOST_BINS: Final = 4096
KEYS: Final = frozenset({"low", "high", "bins", "missing", "values", "other"})
MOST_VALUES_BESIDES: Final = 10_000  # each is compared with every value of the column


@dataclass(frozen=True, slots=True)
class Categories:
    """A list of values.

    Attributes:
        values: the values, of the column's type; ``other`` is the last of them, if there is one.
        missing: whether a value may be missing.
        other: what a value that is not listed counts as; without it the rows that hold one are left out.
    """

    values: tuple[object, ...]
    missing: bool = False
    other: str | None = None

    def column(self, name: str) -> CodedColumn:
        """Return the coded column: one code for each value, and one for missing."""
        return CodedColumn(name, len(self.values) + self.missing, ordered=False, missing=self.missing)

    def __str__(self) -> str:
        if not self.values:
            return "always missing"
        return f"{len(self.values)} {'values' if len(self.values) > 1 else 'value'}{' or missing' * self.missing}"


@dataclass(frozen=True, slots=True)
class Range:
    """An interval of numbers in bins of one width; what lies outside counts as its nearer end.

    Attributes:
        low, high: the ends, both included.
        n_bins: number of bins; of whole numbers there are never more bins than numbers.
        whole: whether only whole numbers occur.
        missing: whether a value may be missing.
    """

    low: float
    high: float
    n_bins: int
    whole: bool
    missing: bool = False

    @property
    def edges(self) -> FloatArray:
        """Where bins begin, and where the last ends; a whole number belongs to the bin that begins at or below it."""
        if not self.whole:
            return np.linspace(self.low, self.high, self.n_bins + 1)
        steps = np.linspace(0.0, self.high - self.low + 1, min(self.n_bins, int(self.high - self.low) + 1) + 1)
        return self.low + np.round(steps)

    def column(self, name: str) -> CodedColumn:
        """Return the coded column: one code for each bin, and one for missing."""
        return CodedColumn(name, len(self.edges) - 1 + self.missing, ordered=True, missing=self.missing)

    def __str__(self) -> str:
        n_bins = len(self.edges) - 1
        return (
            f"{self.low:g} to {self.high:g} in {n_bins} {'bins' if n_bins > 1 else 'bin'}{' or missing' * self.missing}"
        )


ColumnDomain: TypeAlias = Categories | Range


def declared(name: str, kind: pa.DataType, given: object, *, n_bins: int) -> ColumnDomain:
    """Read what was declared of a column of this type.

    ``given`` is a pair of numbers for a range, a list for values (``None`` among them: a value may be missing), or a
    mapping with ``low`` and ``high`` or ``values``, and perhaps ``bins`` and ``missing``.

    >>> declared("age", pa.int64(), (17, 90), n_bins=20)
    Range(low=17.0, high=90.0, n_bins=20, whole=True, missing=False)
    >>> declared("sex", pa.string(), ["female", "male", None], n_bins=20)
    Categories(values=('female', 'male'), missing=True, other=None)
    """
    if isinstance(given, Categories | Range):
        return given
    parts = _parts(name, given)
    missing = bool(parts.get("missing", False))
    if "values" in parts:
        return _categories(name, kind, parts["values"], missing=missing, other=parts.get("other"))
    if "other" in parts:
        raise BadTable(
            f"The domain of column {name!r} is a range: what lies outside counts as its ends. Leave out other."
        )
    return bounded(name, kind, parts["low"], parts["high"], n_bins=int(parts.get("bins", n_bins)), missing=missing)


def _parts(name: str, given: object) -> Mapping[str, Any]:
    """Return a declaration as a mapping, whatever way it was written."""
    if isinstance(given, Mapping):
        if not set(given) <= KEYS or not ({"low", "high"} <= set(given) or "values" in given):
            raise BadTable(
                f"The domain of column {name!r} must have low and high, or values, and may have bins, missing, other;"
                f" got {', '.join(map(str, given))}."
            )
        return given
    if isinstance(given, tuple) and len(given) == 2 and all(isinstance(end, int | float) for end in given):  # noqa: PLR2004
        return {"low": given[0], "high": given[1]}
    if isinstance(given, Iterable) and not isinstance(given, str):
        return {"values": given}
    raise BadTable(f"The domain of column {name!r} must be (low, high) or a list of values, got {given!r}.")


def _categories(name: str, kind: pa.DataType, values: object, *, missing: bool, other: str | None) -> Categories:
    listed = list(values) if isinstance(values, Iterable) else [values]
    if other is not None:
        _check_other(name, kind, listed, other)
        listed = [*listed, other]
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    try:
        typed = pa.array([value for value in listed if value is not None])
        typed = typed.cast(plain) if len(typed) else pa.array([], plain)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        raise BadTable(f"The values declared for column {name!r} do not fit its type, {kind}.") from None
    different = tuple(dict.fromkeys(typed.to_pylist()))
    if not different and not (missing or None in listed):
        raise BadTable(f"The domain of column {name!r} has no value. List every value that may occur.")
    return Categories(different, missing=missing or None in listed, other=other)


def _check_other(name: str, kind: pa.DataType, listed: Sequence[object], other: str) -> None:
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind)):
        raise BadTable(f"Column {name!r} holds {kind}; only text can count as other. Declare its type as text.")
    if other in listed:
        raise BadTable(
            f"The domain of column {name!r} lists {other!r}, which is to stand for all others. Choose another word."
        )
    if len(listed) > MOST_VALUES_BESIDES:
        raise BadTable(
            f"The domain of column {name!r} lists {len(listed):,} values; with other, {MOST_VALUES_BESIDES:,} may."
        )


def bounded(name: str, kind: pa.DataType, low: object, high: object, *, n_bins: int, missing: bool) -> Range:
    """Return a range for a column of this type, or say what is wrong with its ends."""
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or is_other_number(kind)):
        raise BadTable(f"Column {name!r} holds {kind}, not numbers, so that it has no range. List its values.")
    try:
        start, end = float(low), float(high)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise BadTable(f"The range of column {name!r} must be two numbers, got {low!r} and {high!r}.") from None
    if not (math.isfinite(start) and math.isfinite(end) and start <= end):
        raise OutOfRange(f"range of {name}", (start, end), "low <= high", hint="Both ends must be finite.")
    if not 1 <= n_bins <= MOST_BINS:
        raise OutOfRange(f"bins of {name}", n_bins, f"[1, {MOST_BINS}]", hint="More bins mean more noise in each.")
    whole = not (pa.types.is_floating(kind) or pa.types.is_decimal(kind))
    if whole:
        start, end = math.floor(start), math.ceil(end)
    return Range(float(start), float(end), n_bins, whole=whole, missing=missing)


def is_other_number(kind: pa.DataType) -> bool:
    """Whether a type is numeric without being a plain whole number or float: decimals, dates and times."""
    return pa.types.is_decimal(kind) or pa.types.is_temporal(kind)


def is_range(declared: object) -> bool:
    """Whether a declared domain is a range of numbers.

    >>> is_range((0, 99)), is_range({"low": 0, "high": 99}), is_range(["a", "b"])
    (True, True, False)
    """
    match declared:
        case {"low": _, "high": _} | (int() | float(), int() | float()):
            return True
    return False
