"""Bins: which numbers count as the same value, written so that engines agree at every edge.

A bin has a code, a whole number that grows with the values in it. The engine computes codes; Python turns
the few codes that occur into labels such as ``[15, 20)``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import ibis

from epsilometer.errors import BadBins
from epsilometer.tables.types import whole_part

if TYPE_CHECKING:
    from ibis.expr.types import NumericColumn, NumericValue

Closed = Literal["left", "right"]
_KEYS = {"width", "origin", "closed", "edges", "top", "bottom"}
_MOST_DIGITS = 100  # before or after the point: edges and codes, made of three such numbers, are doubles still
_EXPONENT = re.compile(r"[eE]([+-]?[0-9_]+)")
_HOW_TO = "Give width, origin, closed, top and bottom, or edges, closed, top and bottom."


@dataclass(frozen=True, slots=True)
class WidthBins:
    """Bins of one width: ``[origin + k width, origin + (k + 1) width)``, or open left and closed right.

    Numbers are kept as the decimals a person wrote: 3 bins of width 0.1 end at 0.3, not at 3 * 0.1.

    >>> WidthBins(Fraction(5), origin=Fraction(15), closed="right").label(0)
    '(15, 20]'
    """

    width: Fraction
    origin: Fraction = Fraction(0)
    closed: Closed = "left"
    top: Fraction | None = None
    bottom: Fraction | None = None

    def __str__(self) -> str:
        ends = {"bottom": self.bottom, "top": self.top}
        shown = "".join(f", {name} {_decimal(end)}" for name, end in ends.items() if end is not None)
        return f"width {_decimal(self.width)} from {_decimal(self.origin)}, closed {self.closed}{shown}"

    def code(self, column: NumericColumn) -> NumericValue:
        """Engine expression of the bin's code; missing stays missing and infinities stay infinite."""
        x = column.cast("float64")
        divisor = math.lcm(self.width.denominator, self.origin.denominator)
        start, step = int(self.origin * divisor), int(self.width * divisor)

        def edge(k: NumericValue) -> NumericValue:
            # One division of two whole numbers is the double nearest to the decimal edge.
            return (k * float(step) + float(start)) / float(divisor)

        guess = whole_part((x * float(divisor) - float(start)) / float(step))
        if self.closed == "left":
            too_high, too_low = x < edge(guess), x >= edge(guess + 1.0)
        else:
            too_high, too_low = x <= edge(guess), x > edge(guess + 1.0)
        code = ibis.cases((too_high, guess - 1.0), (too_low, guess + 1.0), else_=guess)
        if self.bottom is not None:
            code = ibis.ifelse(_beyond_bottom(x, self.bottom, self.closed), float(self._bottom_code), code)
        if self.top is not None:
            code = ibis.ifelse(_beyond_top(x, self.top, self.closed), float(self._top_code), code)
        return _infinities_stay(x, code)

    def label(self, code: float) -> str:
        """Interval of the bin with that code."""
        k = int(code)
        if self.top is not None and k == self._top_code:
            return _open_end(self.top, self.closed, top=True)
        if self.bottom is not None and k == self._bottom_code:
            return _open_end(self.bottom, self.closed, top=False)
        low, high = self.origin + k * self.width, self.origin + (k + 1) * self.width
        low = low if self.bottom is None else max(low, self.bottom)
        high = high if self.top is None else min(high, self.top)
        return _interval(low, high, self.closed)

    @property
    def _top_code(self) -> int:
        assert self.top is not None  # noqa: S101
        return math.ceil((self.top - self.origin) / self.width)

    @property
    def _bottom_code(self) -> int:
        assert self.bottom is not None  # noqa: S101
        return math.floor((self.bottom - self.origin) / self.width) - 1


@dataclass(frozen=True, slots=True)
class EdgeBins:
    """Bins between given edges, with an open bin at either end.

    >>> [EdgeBins((Fraction(0), Fraction(18))).label(code) for code in range(3)]
    ['< 0', '[0, 18)', '>= 18']
    """

    edges: tuple[Fraction, ...]
    closed: Closed = "left"

    def __str__(self) -> str:
        return f"edges {', '.join(map(_decimal, self.edges))}, closed {self.closed}"

    def code(self, column: NumericColumn) -> NumericValue:
        """Engine expression of the bin's code; missing stays missing and infinities stay infinite."""
        x = column.cast("float64")
        # The highest edge that x has passed decides.
        passed = [(_beyond_top(x, edge, self.closed), float(rank)) for rank, edge in enumerate(self.edges, start=1)]
        code = ibis.cases((x.isnull(), ibis.null("float64")), *reversed(passed), else_=0.0)
        return _infinities_stay(x, code)

    def label(self, code: float) -> str:
        """Interval of the bin with that code."""
        k = int(code)
        if k == 0:
            return _open_end(self.edges[0], self.closed, top=False)
        if k == len(self.edges):
            return _open_end(self.edges[-1], self.closed, top=True)
        return _interval(self.edges[k - 1], self.edges[k], self.closed)


Bins = WidthBins | EdgeBins


def as_bins(column: str, given: object) -> Bins:
    """Read what a caller may write for a column: a width, a mapping, or bins.

    >>> as_bins("age", 5).label(3)
    '[15, 20)'
    >>> as_bins("age", {"edges": [0, 18, 65], "closed": "right"}).label(1)
    '(0, 18]'
    """
    if isinstance(given, WidthBins | EdgeBins):
        return given
    if not isinstance(given, Mapping):
        return _width_bins(column, {"width": given})
    if unknown := set(given) - _KEYS:
        raise BadBins(f"bins of {column!r}: there is no {', '.join(sorted(map(str, unknown)))}. {_HOW_TO}")
    if ("width" in given) == ("edges" in given):
        raise BadBins(f"bins of {column!r} need either a width or edges. {_HOW_TO}")
    return _width_bins(column, given) if "width" in given else _edge_bins(column, given)


def parse_bin(text: str) -> tuple[str, Bins]:
    """Read bins as the command line writes them.

    >>> column, bins = parse_bin("age:width=5,origin=15,closed=right")
    >>> column, bins.label(0)
    ('age', '(15, 20]')
    >>> parse_bin("age=5")[1].label(0)
    '[0, 5)'
    """
    column, colon, options = text.rpartition(":")
    if not colon:
        column, equals, width = text.rpartition("=")
        if not equals or not column:
            raise BadBins(f"{text!r} is not of the form column=width or column:width=5,origin=15,closed=right.")
        return column, as_bins(column, width)
    given: dict[str, object] = {}
    for option in options.split(","):
        key, equals, value = option.partition("=")
        if not equals:
            raise BadBins(f"bins of {column!r}: {option!r} is not of the form name=value. {_HOW_TO}")
        given[key.strip()] = value.split("/") if key.strip() == "edges" else value.strip()
    return column, as_bins(column, given)


def _width_bins(column: str, given: Mapping[str, object]) -> WidthBins:
    width = _number(column, "width", given["width"])
    if width <= 0:
        raise BadBins(f"bins of {column!r}: width must be above 0, got {given['width']}.")
    origin = _number(column, "origin", given.get("origin", 0))
    return WidthBins(width, origin, _closed(column, given), *_ends(column, given))


def _edge_bins(column: str, given: Mapping[str, object]) -> EdgeBins:
    listed = given["edges"]
    if "origin" in given:
        raise BadBins(f"bins of {column!r}: an origin goes with a width, not with edges.")
    if isinstance(listed, str) or not hasattr(listed, "__iter__"):
        raise BadBins(f"bins of {column!r}: edges must be a list of numbers, got {listed!r}.")
    edges = tuple(_number(column, "edges", edge) for edge in listed)
    if not edges or any(low >= high for low, high in pairwise(edges)):
        raise BadBins(f"bins of {column!r}: edges must be one or more growing numbers, got {listed!r}.")
    top, bottom = _ends(column, given)
    if bottom is not None:
        edges = (bottom, *(edge for edge in edges if edge > bottom))
    if top is not None:
        edges = (*(edge for edge in edges if edge < top), top)
    return EdgeBins(edges, _closed(column, given))


def _ends(column: str, given: Mapping[str, object]) -> tuple[Fraction | None, Fraction | None]:
    top = None if given.get("top") is None else _number(column, "top", given["top"])
    bottom = None if given.get("bottom") is None else _number(column, "bottom", given["bottom"])
    if top is not None and bottom is not None and bottom >= top:
        raise BadBins(f"bins of {column!r}: bottom must be below top, got {bottom} and {top}.")
    return top, bottom


def _closed(column: str, given: Mapping[str, object]) -> Closed:
    closed = given.get("closed", "left")
    if closed not in {"left", "right"}:
        raise BadBins(f"bins of {column!r}: closed must be left or right, got {closed!r}.")
    return "left" if closed == "left" else "right"


def _number(column: str, name: str, given: object) -> Fraction:
    try:
        if isinstance(given, bool):
            raise TypeError  # noqa: TRY301
        number = _fraction(str(given))
    except (TypeError, ValueError, ZeroDivisionError):
        raise BadBins(f"bins of {column!r}: {name} must be a finite number, got {given!r}.") from None
    if number is None:
        raise BadBins(f"bins of {column!r}: {name} must have at most {_MOST_DIGITS} digits, got {str(given)[:40]!r}.")
    return number


def _fraction(text: str) -> Fraction | None:
    """Return the decimal as written, not the double next to it; nothing if it has too many digits for a double."""
    exponent = _EXPONENT.search(text)
    if exponent and abs(int(exponent[1])) > _MOST_DIGITS:  # a fraction writes all the zeros out
        return None
    number = Fraction(text)
    return None if max(abs(number.numerator), number.denominator) > 10**_MOST_DIGITS else number


def _beyond_top(x: NumericValue, edge: Fraction, closed: Closed) -> ibis.expr.types.BooleanValue:
    return x >= float(edge) if closed == "left" else x > float(edge)


def _beyond_bottom(x: NumericValue, edge: Fraction, closed: Closed) -> ibis.expr.types.BooleanValue:
    return x < float(edge) if closed == "left" else x <= float(edge)


def _infinities_stay(x: NumericValue, code: NumericValue) -> NumericValue:
    return ibis.ifelse(x.abs() == float("inf"), x, code)


def _open_end(edge: Fraction, closed: Closed, *, top: bool) -> str:
    if top:
        return f"{'>=' if closed == 'left' else '>'} {_decimal(edge)}"
    return f"{'<' if closed == 'left' else '<='} {_decimal(edge)}"


def _interval(low: Fraction, high: Fraction, closed: Closed) -> str:
    opening, closing = ("[", ")") if closed == "left" else ("(", "]")
    return f"{opening}{_decimal(low)}, {_decimal(high)}{closing}"


def _decimal(number: Fraction) -> str:
    return str(int(number)) if number.denominator == 1 else repr(float(number))
