"""The labels a published column may have, from what the plan declares of it, and where counted values stand in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from epsilometer.errors import BadQuestion
from epsilometer.synthesizers.domain import Range, declared
from epsilometer.tables.people_counted import bin_codes
from epsilometer.tables.profiling import MISSING, label_of
from epsilometer.tables.release_rows import Within

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.synthesizers.domain import Categories, ColumnDomain
    from epsilometer.tables.bins import Bins
    from epsilometer.tables.roles import Roles
    from epsilometer.vocabulary.arrays import IntArray

MOST_COMBINATIONS: Final = 5 * 10**7
MOST_VALUES: Final = 10**6  # of one column


@dataclass(frozen=True, slots=True)
class Labels:
    """What a published column may say.

    Attributes:
        column: its name.
        values: a label for each value or bin, in order.
        missing: whether a value may be missing; its label then comes last.
        bins: the bins that values are counted in, if any.
    """

    column: str
    values: tuple[str, ...]
    missing: bool
    bins: Bins | None

    @property
    def all(self) -> tuple[str, ...]:
        """All labels, with that for missing values."""
        return (*self.values, MISSING) if self.missing else self.values

    def positions(self, counted: pa.ChunkedArray) -> IntArray:
        """Where each of the counted keys stands in the labels; -1 for one that is not declared."""
        keys = counted.combine_chunks().dictionary_encode(null_encoding="encode")
        known = {label: position for position, label in enumerate(self.values)}
        where = [self._position(key, known) for key in keys.dictionary.to_pylist()]
        return np.array(where, dtype=np.int64)[np.asarray(keys.indices)]

    def outside(self, counted: pa.ChunkedArray) -> tuple[str, ...]:
        """Return the labels of keys that are not among those declared, in order; missing values aside."""
        known = set(self.values)
        labels = {label_of(key, self.bins) for key in counted.drop_null().to_pylist()}
        return tuple(sorted(labels - known))

    def _position(self, key: Any, known: dict[str, int]) -> int:  # noqa: ANN401
        if key is None:
            return len(self.values) if self.missing else -1
        return known.get(label_of(key, self.bins), -1)


def check_declared(plan: Plan, columns: Iterable[str]) -> None:
    """Refuse published columns without a declared domain, all of them at once."""
    if lacking := [name for name in dict.fromkeys(columns) if name not in plan.domain]:
        first, names = lacking[0], ", ".join(map(repr, lacking))
        have = f"Column {names} has" if len(lacking) == 1 else f"Columns {names} have"
        raise BadQuestion(
            f"{have} no declared domain, and which values occur is a secret. Declare them all, in a plan as domain: "
            f"{{{first}: [a, b]}} or {{{first}: {{low: 0, high: 99}}}}, on the command line as --domain {first}=a,b or "
            f"{first}=0..99, or use thresholded support."
        )


def declared_labels(plan: Plan, roles: Roles, schema: pa.Schema, columns: Sequence[str]) -> tuple[Labels, ...]:
    """Read the plan's domain of these columns, of which :func:`check_declared` has seen that each has one."""
    return tuple(_labels(plan, roles.bins.get(name), schema.field(name)) for name in columns)


def within_domains(plan: Plan, schema: pa.Schema, columns: Iterable[str]) -> dict[str, Within]:
    """Return what the values of columns are brought within before they are counted."""
    within = {}
    for name in columns:
        domain = declared(name, schema.field(name).type, plan.domain[name], n_bins=1)
        if isinstance(domain, Range):
            within[name] = Within(low=domain.low, high=domain.high)
        elif domain.other is not None:
            within[name] = Within(values=domain.values, other=domain.other)
    return within


def n_combinations(columns: Sequence[Labels]) -> int:
    """Number of combinations of the labels of some columns."""
    return math.prod(len(labels.all) for labels in columns)


def check_size(columns: Sequence[Labels]) -> None:
    """Refuse a table with more combinations than can be given noise one by one."""
    if (size := n_combinations(columns)) > MOST_COMBINATIONS:
        product = " x ".join(f"{labels.column} {len(labels.all):,}" for labels in columns)
        raise BadQuestion(
            f"The domain has {size:,} combinations ({product}), more than {MOST_COMBINATIONS:,}. "
            "Use fewer columns or wider bins, or thresholded support."
        )


def _labels(plan: Plan, bins: Bins | None, field: pa.Field) -> Labels:
    name = field.name
    domain = declared(name, field.type, plan.domain[name], n_bins=1)
    if bins is not None:
        values = _of_bins(name, bins, domain)
    elif isinstance(domain, Range):
        values = _of_numbers(name, domain, field.type)
    else:
        values = tuple(label_of(value, None) for value in domain.values)
    if domain.missing and MISSING in values:
        raise BadQuestion(f"Column {name!r} has a value {MISSING}, which stands for missing ones. Call it otherwise.")
    return Labels(name, values, domain.missing, bins)


def _of_bins(name: str, bins: Bins, domain: ColumnDomain) -> tuple[str, ...]:
    """Label every bin between the ends of a range, or those of listed numbers."""
    if isinstance(domain, Range):
        first, last = bin_codes(bins, [domain.low, domain.high])
        _check_listed(name, last - first + 1)
        return tuple(bins.label(code) for code in range(first, last + 1))
    return tuple(bins.label(code) for code in sorted(set(bin_codes(bins, _numbers(name, domain)))))


def _numbers(name: str, domain: Categories) -> list[float]:
    try:
        numbers = [float(value) for value in domain.values]  # type: ignore[arg-type]
    except (TypeError, ValueError):
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise BadQuestion(f"Column {name!r} has bins, and declared values that are no numbers. Drop the bins.")
    return numbers


def _of_numbers(name: str, domain: Range, kind: pa.DataType) -> tuple[str, ...]:
    if not pa.types.is_integer(kind):
        raise BadQuestion(f"Column {name!r} holds {kind}: a range of it is no list. Give it bins, or list its values.")
    _check_listed(name, domain.high - domain.low + 1)
    return tuple(map(str, range(int(domain.low), int(domain.high) + 1)))


def _check_listed(name: str, n_values: float) -> None:
    if n_values > MOST_VALUES:
        raise BadQuestion(
            f"The domain of column {name!r} has {n_values:,.0f} values, more than {MOST_VALUES:,}. "
            "Declare a smaller range, or wider bins."
        )
