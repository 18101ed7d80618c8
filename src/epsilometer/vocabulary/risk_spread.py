"""The result of asking how unevenly a risk falls on the people and cells of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.evidence import Exact
    from epsilometer.vocabulary.source import Source

PARTS: Final = (0.5, 0.9, 0.99, 1.0)
LEVELS: Final = (0.01, 0.1, 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How many have each risk.

    Attributes:
        risks: distinct risks, ascending.
        numbers: how many have each of them; none is zero.
    """

    risks: FloatArray
    numbers: IntArray

    @classmethod
    def gathered(cls, risks: FloatArray, numbers: IntArray) -> Spread:
        """Gather risks that occur repeatedly.

        >>> Spread.gathered(np.array([0.5, 0.1, 0.5]), np.array([1, 4, 2])).numbers
        array([4, 3])
        """
        # the numbers are sorted along with the risks: following sorted places through millions of them is slow
        ascending = np.empty(len(risks), dtype=np.complex128)
        ascending.real, ascending.imag = risks, numbers
        ascending.sort()
        first = np.flatnonzero(np.diff(ascending.real, prepend=-1.0))
        return cls(ascending.real[first], np.add.reduceat(ascending.imag.astype(np.int64), first))

    @property
    def total(self) -> int:
        """How many there are."""
        return int(self.numbers.sum())

    @property
    def mean(self) -> float:
        """The mean risk."""
        return float(self.risks @ self.numbers / self.total)

    def not_exceeded_by(self, part: float) -> float:
        """Return the smallest risk that at least this part of them does not exceed; rounds towards more risk.

        >>> Spread(np.array([0.1, 0.5]), np.array([9, 1])).not_exceeded_by(0.9)
        0.1
        """
        return float(self.risks[np.searchsorted(np.cumsum(self.numbers), part * self.total)])

    def number_at_least(self, risk: float) -> int:
        """Return how many have a risk of at least this.

        >>> Spread(np.array([0.1, 0.5]), np.array([9, 1])).number_at_least(0.5)
        1
        """
        return int(self.numbers[np.searchsorted(self.risks, risk) :].sum())

    def to_dict(self) -> dict[str, Any]:
        """Return the spread in short: who is where, rather than every risk."""
        return {
            "total": self.total,
            "mean": self.mean,
            "not_exceeded_by": [{"part": part, "risk": self.not_exceeded_by(part)} for part in PARTS],
            "at_least": [{"risk": risk, "number": self.number_at_least(risk)} for risk in LEVELS],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskSpread(Answered, Confidential):
    """How the risk at one epsilon is spread over people and over cells. Exact, and confidential.

    A mean hides that most people may be safe and a few nearly certain to be disclosed.

    Attributes:
        question: what was asked, in words.
        answer: the mean over people: the share of people disclosed.
        people: for each person, the probability that their own value is the only one published for their cell.
        cells: for each cell, the probability that it is published with a single value that a member has.
        no_release: share of people whose value an attacker names right without any table, knowing only the
            overall shares.
        any_table: the most that the risk of one person can come to, whatever the table.
        mechanism: the noise, as :meth:`Mechanism.describe` gives it.
        assumptions: what the numbers take for granted.
        caveats: what to keep in mind when using them.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "risk-spread"

    question: str
    answer: Exact
    people: Spread
    cells: Spread
    no_release: float
    any_table: float
    mechanism: Mapping[str, Any]
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; every risk there is comes with :meth:`to_frame`."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "evidence": self.evidence,
            "value": plain(self.value),
            "people": self.people.to_dict(),
            "cells": self.cells.to_dict(),
            "no_release": self.no_release,
            "any_table": self.any_table,
            "mechanism": plain(self.mechanism),
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per distinct risk, of people and of cells."""
        import pandas as pd

        spreads = {"people": self.people, "cells": self.cells}
        return pd.DataFrame(
            {
                "of": np.repeat(list(spreads), [len(spread.risks) for spread in spreads.values()]),
                "risk": np.concatenate([spread.risks for spread in spreads.values()]),
                "number": np.concatenate([spread.numbers for spread in spreads.values()]),
            }
        )

    def plot(self) -> alt.VConcatChart:
        """Draw how many people and cells have a risk of each size."""
        from epsilometer.charts.risk_spread import draw_risk_spread

        return draw_risk_spread(self)
