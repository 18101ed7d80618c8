"""From joint counts to the profile, inside the engine: only distinct count vectors are fetched."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import ibis
import numpy as np

from epsilometer.errors import BadTable
from epsilometer.tables.engine import fetch
from epsilometer.vocabulary.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa
    from ibis.expr.types import BooleanValue, IntegerScalar
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.bins import Bins
    from epsilometer.vocabulary.arrays import IntArray

Scalar: TypeAlias = Any  # what a column holds, as Python sees it
MISSING = "(missing)"
_MOST_PACKED_VALUES = 64  # beyond this many a signature of the non-zero counts is faster
_MOST_COMPARED_VALUES = 2_000  # to look for count vectors among 3,000 columns, an engine needs gigabytes
_MOST_VALUES = 1_000_000
_BITS = 62  # of a whole number that every engine adds up exactly
_MOST_PROFILE_ENTRIES = 2**28  # two gigabytes of counts


@dataclass(frozen=True, slots=True)
class Domain:
    """The sensitive values that occur, in their natural order with missing last."""

    keys: tuple[str, ...]
    values: tuple[tuple[Scalar, ...], ...]
    labels: tuple[str, ...]


def domain_of(counts: Expression, keys: Mapping[str, Bins | None]) -> Domain:
    """Fetch the values of some keys, each with its bins, that occur, and put them in order."""
    found = fetch(counts.select(*keys).distinct().limit(_MOST_VALUES + 1))
    if found.num_rows > _MOST_VALUES:
        raise BadTable(
            f"There are more than {_MOST_VALUES} different sensitive values. If they are numbers, put them into "
            "bins; if they identify people, choose another column."
        )
    values = sorted(
        zip(*(found[key].to_pylist() for key in keys), strict=True),
        key=lambda value: tuple((part is None, part) for part in value),
    )
    return Domain(tuple(keys), tuple(values), tuple(labels_of(values, keys.values())))


def labels_of(values: Iterable[tuple[Scalar, ...]], bins: Collection[Bins | None]) -> Iterator[str]:
    """Say in words what combinations of keys stand for."""
    return (" | ".join(map(label_of, value, bins)) for value in values)


def profile_of(counts: Expression, cell: Sequence[str], domain: Domain) -> Profile:
    """Count the cells that have each count vector."""
    if len(domain.values) <= _MOST_PACKED_VALUES:
        vectors, n_cells = _packed_profile(counts, cell, domain)
    else:
        vectors, n_cells = _sparse_profile(counts, cell, domain)
    return Profile(vectors, n_cells, domain.labels)


def check_comparable(domain: Domain, sensitive: Sequence[str]) -> None:
    """Refuse to look for cells by their counts where there are more values than an engine can compare."""
    if (n_values := len(domain.values)) > _MOST_COMPARED_VALUES:
        raise BadTable(
            f"{' | '.join(sensitive)} has {n_values:,} different values, too many to list its cells: at most "
            f"{_MOST_COMPARED_VALUES:,}. Put numbers into bins."
        )


def cells_of(
    counts: Expression,
    cell_bins: Mapping[str, Bins | None],
    domain: Domain,
    *,
    limit: int | None,
    having: IntArray | None,
) -> pa.Table:
    """Fetch the cells in order, with labels for keys and one column of counts per sensitive value.

    ``having`` keeps the cells with one of these count vectors.
    """
    import pyarrow as pa

    cell = [f"q{i}" for i in range(len(cell_bins))]
    packed = _packed(counts, cell, domain)
    rows = packed.rows if having is None else packed.having(having)
    ordered = rows.order_by([ibis.asc(key, nulls_first=False) for key in cell])
    found = fetch(ordered if limit is None else ordered.limit(limit))
    labels = [labelled(found[key], bins) for key, bins in zip(cell, cell_bins.values(), strict=True)]
    numbers = [pa.array(column) for column in packed.vectors(found).T]
    return pa.Table.from_arrays([*labels, *numbers], [*cell_bins, *domain.labels])


def _joined(operation: Callable[..., BooleanValue], conditions: list[BooleanValue]) -> BooleanValue:
    """Join conditions in pairs of pairs: one after the other, a thousand would nest deeper than Python goes."""
    while len(conditions) > 1:
        conditions = [operation(*conditions[i : i + 2]) for i in range(0, len(conditions), 2)]
    return conditions[0]


def _is_value(counts: Expression, keys: Sequence[str], value: tuple[Scalar, ...]) -> BooleanValue:
    parts = [
        counts[key].isnull() if part is None else counts[key] == ibis.literal(part, counts[key].type())
        for key, part in zip(keys, value, strict=True)
    ]
    return ibis.and_(*parts)


class _Packed(NamedTuple):
    """The cells, with their count vectors written as few large numbers, the counts being the digits.

    One sum for many values keeps what an engine holds of a cell small: a hundred million cells then need not be moved
    to disk and back once for each value.

    Attributes:
        rows: one row per cell: its keys, and the numbers ``w0, w1, ...``.
        words: which values are the digits of each number, lowest first.
        base: larger than every count.
    """

    rows: Expression
    words: list[range]
    base: int

    def vectors(self, found: pa.Table) -> IntArray:
        """Read the count vectors of some rows."""
        vectors = np.empty((found.num_rows, self.words[-1].stop), np.int64)
        for i, word in enumerate(self.words):
            number = _integers(found[f"w{i}"])
            for k in word:
                number, vectors[:, k] = np.divmod(number, self.base)
        return vectors

    def having(self, vectors: IntArray) -> Expression:
        """Return the rows with one of these count vectors."""
        possible = vectors[(vectors < self.base).all(axis=1)]
        if not len(possible):
            return self.rows.limit(0)
        numbers = [
            possible[:, list(word)] @ np.array([self.base ** (k - word.start) for k in word]) for word in self.words
        ]
        conditions = [
            _joined(ibis.and_, [self.rows[f"w{i}"] == int(number) for i, number in enumerate(vector)])
            for vector in zip(*numbers, strict=True)
        ]
        return self.rows.filter(_joined(ibis.or_, conditions))


def _packed(counts: Expression, cell: Sequence[str], domain: Domain) -> _Packed:
    if {*counts.columns} > {*cell, *domain.keys, "n"}:  # the counts tell further sensitive columns apart
        counts = counts.group_by([*cell, *domain.keys]).agg(n=counts.n.sum().cast("int64"))
    base = int(fetch(counts.agg(most=counts.n.max()))["most"][0].as_py()) + 1
    words = _words(len(domain.values), base)
    numbers = {f"w{i}": _written(counts, domain, word, base) for i, word in enumerate(words)}
    return _Packed(counts.group_by(list(cell)).agg(**numbers), words, base)


def _packed_profile(counts: Expression, cell: Sequence[str], domain: Domain) -> tuple[IntArray, IntArray]:
    packed = _packed(counts, cell, domain)
    numbers = [f"w{i}" for i in range(len(packed.words))]
    found = _limited(packed.rows.group_by(numbers).agg(n_cells=packed.rows.count()), len(domain.values))
    return packed.vectors(found), _integers(found["n_cells"])


def _words(n_values: int, base: int) -> list[range]:
    """Which values are digits of the same number, such that none is too large to be added up.

    >>> _words(3, base=2**31)
    [range(0, 2), range(2, 3)]
    """
    n_digits = max(1, math.floor(_BITS / math.log2(base)))
    return [range(first, min(first + n_digits, n_values)) for first in range(0, n_values, n_digits)]


def _written(counts: Expression, domain: Domain, word: range, base: int) -> IntegerScalar:
    """Add up what the counts of some values are worth as digits."""
    worth = [
        (_is_value(counts, domain.keys, domain.values[k]), ibis.literal(base ** (k - word.start), "int64"))
        for k in word
    ]
    return (counts.n.cast("int64") * ibis.cases(*worth, else_=ibis.literal(0, "int64"))).sum().cast("int64")


def _sparse_profile(counts: Expression, cell: Sequence[str], domain: Domain) -> tuple[IntArray, IntArray]:
    code = ibis.dense_rank().over(order_by=[ibis.asc(key, nulls_first=False) for key in domain.keys])
    # one row per cell and value: the counts may tell further sensitive columns apart
    per_value = counts.group_by([*cell, *domain.keys]).agg(n=counts.n.sum())
    per_cell = _signatures(per_value.mutate(code=code), list(cell))
    found = _limited(per_cell.group_by("signature").agg(n_cells=per_cell.count()), len(domain.values))
    vectors = _dense(found["signature"].to_pylist(), len(domain.values))
    # Engines sort text by rules of their own, so their codes are put in the order of the domain.
    coded = fetch(counts.select(*domain.keys).distinct().mutate(code=code))
    values = zip(*(coded[key].to_pylist() for key in domain.keys), strict=True)
    code_of = dict(zip(values, coded["code"].to_pylist(), strict=True))
    return vectors[:, [code_of[value] for value in domain.values]], _integers(found["n_cells"])


def _signatures(coded: Expression, cell: list[str]) -> Expression:
    """One row per cell with a text such as ``3:1,17:2``: value 3 once and value 17 twice."""
    pair = coded.code.cast("string") + ":" + coded.n.cast("string")
    engine = coded.get_backend().name
    if engine == "pyspark":  # cannot order what it concatenates, but can sort it
        return coded.group_by(cell).agg(signature=pair.collect().sort().join(","))
    if engine == "sqlite":  # orders only within windows
        whole_cell = ibis.window(group_by=cell, order_by="code", preceding=None, following=None)
        rows = coded.mutate(signature=pair.group_concat(",").over(whole_cell), place=ibis.row_number().over(whole_cell))
        return rows.filter(rows.place == 0).select("signature")
    return coded.group_by(cell).agg(signature=pair.group_concat(",", order_by=coded.code))


def _limited(profile: Expression, n_values: int) -> pa.Table:
    most = _MOST_PROFILE_ENTRIES // n_values
    found = fetch(profile.limit(most + 1))
    if found.num_rows > most:
        raise BadTable(
            f"The {n_values} sensitive values make more than {most} different count vectors. "
            "Put the sensitive column into bins, or use fewer quasi-identifiers."
        )
    return found


def _dense(signatures: list[str], n_values: int) -> IntArray:
    n_pairs = np.array([signature.count(",") + 1 for signature in signatures])
    numbers = np.array(",".join(signatures).replace(":", ",").split(","), dtype=np.int64)
    vectors = np.zeros((len(signatures), n_values), dtype=np.int64)
    vectors[np.repeat(np.arange(len(signatures)), n_pairs), numbers[0::2]] = numbers[1::2]
    return vectors


def _integers(column: pa.ChunkedArray) -> IntArray:
    # Arrow's own to_numpy loads pandas, which takes longer than counting a small table.
    chunks = [np.from_dlpack(chunk) for chunk in column.cast("int64").chunks]
    return np.concatenate([np.empty(0, np.int64), *chunks])


def labelled(column: pa.ChunkedArray, bins: Bins | None) -> pa.Array:
    """Turn a column of keys into labels."""
    import pyarrow as pa

    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    labels = pa.array([label_of(value, bins) for value in encoded.dictionary.to_pylist()], pa.string())
    return labels.take(encoded.indices)


def label_of(value: Scalar, bins: Bins | None) -> str:
    """Say in words what a key stands for."""
    if value is None:
        return MISSING
    if bins is not None:
        return bins.label(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)
