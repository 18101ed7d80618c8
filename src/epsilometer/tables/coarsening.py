"""Coarser tables from counts: wider bins, or a column less, by regrouping the counts that the engine keeps.

The rows are not read again. What comes out is what counting them with the coarser bins would give, as long as no
person counts in several cells: two of a person's cells may become one, and the counts no longer say whose they are.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

import ibis

from epsilometer.tables.bins import Bins, EdgeBins, WidthBins
from epsilometer.tables.engine import fetch, keep
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.kept_counts import KeptCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ibis.expr.types import NumericColumn, NumericValue, Value

    from epsilometer.tables.counting import JointCounts

MOST_FIRST_BINS: Final = 100  # of a column that has none yet


class ColumnInBins(NamedTuple):
    """A column, and coarser bins for it."""

    column: str
    bins: Bins


def coarser_bins(counts: JointCounts) -> tuple[ColumnInBins, ...]:
    """Return coarser bins for each numeric quasi-identifier, finest first: twice, 5, 10, 20, ... times as wide.

    Bins given by their edges lose every second edge, then more. A column without bins gets its first ones: 1, 2 or 5
    times a power of ten wide, with at most half as many bins as it has values. Bins that leave a single value are
    left out: that is dropping the column.
    """
    keys = {f"q{i}": name for i, name in enumerate(counts.roles.quasi_identifiers)}
    numeric = {key: name for key, name in keys.items() if counts.rows[key].type().is_numeric()}
    figures: dict[str, Value] = {}
    for key in numeric:
        column = counts.rows[key]
        figures |= {f"low_{key}": column.min(), f"high_{key}": column.max(), f"n_{key}": column.nunique()}
    if not figures:
        return ()
    with reported_as(counts.name):
        found = fetch(counts.rows.agg(**figures)).to_pylist()[0]
    return tuple(
        ColumnInBins(name, bins)
        for key, name in numeric.items()
        for bins in _ladder(counts.roles.bins.get(name), *(found[f"{figure}_{key}"] for figure in ("low", "high", "n")))
    )


def in_coarser_bins(counts: JointCounts, column: str, bins: Bins) -> JointCounts:
    """Regroup counts by coarser bins of one quasi-identifier, one of those that :func:`coarser_bins` offers."""
    key = f"q{counts.roles.quasi_identifiers.index(column)}"
    code = _recoded(counts.rows[key], counts.roles.bins.get(column), bins)
    roles = replace(counts.roles, bins={**counts.roles.bins, column: bins})
    return _regrouped(
        replace(counts, combinations=KeptCounts(counts.rows.mutate(**{key: code})), roles=roles), counts.rows.columns
    )


def without_column(counts: JointCounts, column: str) -> JointCounts:
    """Regroup counts without one of several quasi-identifiers."""
    known = counts.roles.quasi_identifiers
    kept = [i for i, name in enumerate(known) if name != column]
    renamed = {f"q{new}": f"q{old}" for new, old in enumerate(kept)}
    others = [name for name in counts.rows.columns if not name.startswith("q")]
    bins = {name: bins for name, bins in counts.roles.bins.items() if name != column}
    roles = replace(counts.roles, quasi_identifiers=tuple(known[i] for i in kept), bins=bins)
    rows = counts.rows.select(*others, **{new: counts.rows[old] for new, old in renamed.items()})
    return _regrouped(replace(counts, combinations=KeptCounts(rows), roles=roles), (*renamed, *others))


def as_option(column: str, bins: Bins) -> str:
    """Write bins as the command line takes them.

    >>> as_option("age", WidthBins(Fraction(5), origin=Fraction(15), closed="right"))
    'age:width=5,origin=15,closed=right'
    """
    if isinstance(bins, EdgeBins):
        return f"{column}:edges={'/'.join(f'{float(edge):.15g}' for edge in bins.edges)},closed={bins.closed}"
    numbers = {"width": bins.width, "origin": bins.origin, "bottom": bins.bottom, "top": bins.top}
    given = ",".join(f"{name}={float(number):.15g}" for name, number in numbers.items() if number is not None)
    return f"{column}:{given},closed={bins.closed}"


def _regrouped(counts: JointCounts, columns: Iterable[str]) -> JointCounts:
    keys = [name for name in columns if name != "n"]
    with reported_as(counts.name):
        rows = keep(counts.rows.group_by(keys).agg(n=counts.rows.n.sum().cast("int64")))
    return replace(counts, combinations=KeptCounts(rows))


def _ladder(bins: Bins | None, low: float, high: float, n_values: int) -> Iterator[Bins]:
    match bins:
        case WidthBins():
            factors = takewhile(lambda factor: factor < high - low + 1, _one_two_five(Fraction(2)))
            yield from (replace(bins, width=bins.width * factor) for factor in factors)
        case EdgeBins():
            steps = takewhile(lambda step: step < len(bins.edges), (2**i for i in count(1)))
            yield from (replace(bins, edges=bins.edges[::step]) for step in steps)
        case None:
            spread = Fraction(high) - Fraction(low)
            most = min(Fraction(n_values, 2), Fraction(MOST_FIRST_BINS))
            if most >= 2:  # noqa: PLR2004  (two bins at least)
                widths = takewhile(lambda width: width < spread, _one_two_five(spread / most))
                yield from map(WidthBins, widths)


def _one_two_five(start: Fraction) -> Iterator[Fraction]:
    """Yield 1, 2 and 5 times the powers of ten, from a positive number on."""
    power = Fraction(1)
    while power > start:
        power /= 10
    while power * 10 <= start:
        power *= 10
    for exponent in count():
        yield from (n for digit in (1, 2, 5) if (n := digit * power * 10**exponent) >= start)


def _recoded(key: NumericColumn, fine: Bins | None, coarse: Bins) -> NumericValue:
    """Return the code of the coarser bin, from that of the finer one or from the number itself."""
    if isinstance(fine, EdgeBins) and isinstance(coarse, EdgeBins):
        step = fine.edges.index(coarse.edges[1])
        return ((key + float(step - 1)) / float(step)).floor()
    if not isinstance(fine, WidthBins) or not isinstance(coarse, WidthBins):
        return coarse.code(key)
    code = (key / float(coarse.width / fine.width)).floor()
    if fine.bottom is not None:
        code = ibis.ifelse(key == float(fine._bottom_code), float(coarse._bottom_code), code)  # noqa: SLF001
    if fine.top is not None:
        code = ibis.ifelse(key == float(fine._top_code), float(coarse._top_code), code)  # noqa: SLF001
    return code
