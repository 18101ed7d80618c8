"""A printed number next to ours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from epsilometer.errors import EpsilometerError

PRINTED: Final = re.compile(
    r"(?P<relation>[<>≈]?) ?(?P<low>-?[\d,.]+(?P<over>/\d+)?)(?: to (?P<high>[\d,.]+))?(?P<percent>%?)"
)
ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What a paper prints, and what comes out.

    Attributes:
        paper: its number, such as ``"001"``.
        place: where in the paper.
        quantity: what the number is.
        printed: the number as printed: ``"5,974"``, ``"25%"``, ``"-0.4"``, ``"2/27"``, ``"< 0.05"``,
            ``"≈ 100%"``, ``"0.1 to 10"``.
        ours: the same quantity computed from the data.
        why_not: what explains a difference, should there be one.
    """

    paper: str
    place: str
    quantity: str
    printed: str
    ours: float
    why_not: str = ""

    @property
    def agrees(self) -> bool:
        """Whether ours, rounded as the paper rounds, is what is printed; ≈ allows one unit of the last digit.

        >>> Comparison(paper="001", place="", quantity="", printed="31%", ours=24 / 78).agrees
        True
        >>> Comparison(paper="001", place="", quantity="", printed="< 0.05", ours=0.06).agrees
        False
        """
        found = PRINTED.fullmatch(self.printed)
        if found is None:
            raise EpsilometerError(f"{self.printed!r} is no number as papers print it.")
        unit = 0.01 if found["percent"] else 1.0
        low = unit * _number(found["low"])
        last_digit = 0.0 if found["over"] else unit * 10.0 ** -len(found["low"].partition(".")[2])
        if found["high"]:
            return low <= self.ours <= unit * _number(found["high"])
        return {
            "<": self.ours < low,
            ">": self.ours > low,
            "≈": abs(self.ours - low) <= last_digit + ROUNDING,
            "": abs(self.ours - low) <= last_digit / 2 + ROUNDING,
        }[found["relation"]]

    @property
    def note(self) -> str:
        """What explains the difference; empty where there is none."""
        return "" if self.agrees else self.why_not

    @property
    def ours_in_words(self) -> str:
        """Ours in the notation of the printed number, with more digits.

        >>> Comparison(paper="001", place="", quantity="", printed="31%", ours=24 / 78).ours_in_words
        '30.769%'
        """
        if self.printed.endswith("%"):
            return f"{100 * self.ours:.5g}%"
        n_digits = max(6, 1 + sum(map(str.isdigit, self.printed)))
        return f"{self.ours:,.0f}" if self.ours == int(self.ours) else f"{self.ours:.{n_digits}g}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "paper": self.paper,
            "place": self.place,
            "quantity": self.quantity,
            "printed": self.printed,
            "ours": self.ours,
            "agrees": self.agrees,
            "note": self.note,
        }


def _number(text: str) -> float:
    return float(Fraction(text.replace(",", "")))
