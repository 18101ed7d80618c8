"""What a column may hold, as a plan says it."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from epsilometer.errors import BadQuestion, BadTable, OutOfRange
from epsilometer.plans.values import MUST_BE, Number, Section, Text, Truth, Whole, as_list

if TYPE_CHECKING:
    from collections.abc import Mapping


class DomainSection(Section):
    """A range of numbers, a list of values, or a file with a value on each line; exactly one of them.

    Values are texts as they were written, and nothing in a list is a missing value; the type of the column decides
    what they mean.
    """

    low: Number | None = None
    high: Number | None = None
    values: Annotated[tuple[Text | None, ...], as_list] | None = None
    file: Text | None = None
    bins: Whole | None = None
    missing: Truth = False
    other: Text | None = None

    @model_validator(mode="after")
    def _is_one_domain(self) -> Self:
        ways = {"low", "values", "file"} & self.model_fields_set
        if len(ways) != 1 or (self.low is None) != (self.high is None):
            raise BadQuestion("A domain has low and high, or values, or a file; exactly one of these.")
        if self.low is None or self.high is None:
            if self.bins is not None:
                raise BadQuestion("The bins of a domain go with low and high.")
            return self
        if self.other is not None:
            raise BadQuestion("A range has no other value: what lies outside counts as its nearer end.")
        if not math.isfinite(self.low):
            raise OutOfRange("low", self.low, "(-inf, inf)")
        if not self.low <= self.high < math.inf:
            raise OutOfRange("high", self.high, f"[{self.low:g}, inf)", hint="It is the largest value there may be.")
        if self.bins is not None and self.bins < 1:
            raise OutOfRange("bins", self.bins, "[1, inf)", hint="It is a number of bins.")
        return self

    def declared(self, column: str) -> object:
        """Return the domain as a plan in Python has it: a list, a pair of numbers, or a mapping with more to say."""
        if self.low is not None and self.high is not None:
            ends = {"low": self.low, "high": self.high}
            return {**ends, **self._more} if self._more else (self.low, self.high)
        values = values_in(Path(self.file), column) if self.file is not None else list(self.values or ())
        return {"values": values, **self._more} if self._more else values

    @property
    def _more(self) -> Mapping[str, object]:
        bins = {} if self.bins is None else {"bins": self.bins}
        other = {} if self.other is None else {"other": self.other}
        return {**bins, **other, **({"missing": True} if self.missing else {})}


def _values_listed(given: object) -> object:
    if isinstance(given, list | tuple):
        return {"values": given}
    if isinstance(given, str):
        raise PydanticCustomError(MUST_BE, "a list of values, or a mapping with low and high, values or file")
    return given


Domain = Annotated[DomainSection, BeforeValidator(_values_listed)]


def values_in(path: Path, column: str) -> list[str | None]:
    """Read the values of a column from a file: one on each line, or a CSV file with a single column.

    Empty lines are left out, and so is the first line of a CSV file if it is the name of the column.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise BadTable(f"The values in {path} cannot be read: {reason}.") from None
    if path.suffix.lower() == ".csv":
        lines = _only_column(path, lines, column)
    values: list[str | None] = [line for line in lines if line]
    if not values:
        raise BadTable(f"There is no value in {path}. List every value that may occur.")
    return values


def _only_column(path: Path, lines: list[str], column: str) -> list[str]:
    rows = list(csv.reader(lines))
    for number, row in enumerate(rows, start=1):
        if len(row) > 1:
            raise BadTable(f"{path}, line {number} has {len(row)} columns; a file of values has one.")
    values = [row[0] for row in rows if row]
    return values[1:] if values[:1] == [column] else values
