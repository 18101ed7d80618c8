"""What one look at the data can cost one person."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_EXPONENT: Final = 700.0  # exp of more overflows
HAIR: Final = 2.0**-48  # more than the rounding of a handful of operations
PERSON, ROW = UNITS = ("person", "row")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyLoss:
    """One look at the data, with all that an accountant needs to know of it.

    Attributes:
        what: what was looked at, in words.
        noise: ``"geometric"`` or ``"discrete-gaussian"``, whose law is known; ``"any"`` where only the guarantee is.
        epsilon: what the look guarantees by itself.
        delta: chance that it fails.
        scale: scale of the noise on one count; ``None`` for ``"any"``.
        moved_counts: how many counts one person moves, each by one; ``None`` for ``"any"``.
        adjacency: what one person may change: ``"add-remove"`` or ``"replace"``.
        unit: whose part it is that the guarantee hides: ``"person"`` for all rows of a person, ``"row"`` for one row.
        rows_per_person: the most rows that a person has, as somebody declared; only for the unit ``"row"``, and
            ``None`` where nobody did.
    """

    what: str
    noise: str
    epsilon: float
    delta: float
    scale: float | None = None
    moved_counts: int | None = None
    adjacency: str = Adjacency.ADD_REMOVE.value
    unit: str = ROW
    rows_per_person: int | None = None

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise UnknownChoice("unit", self.unit, UNITS)
        if self.rows_per_person is not None and (self.unit == PERSON or not self.rows_per_person >= 1):
            allowed = "{None}" if self.unit == PERSON else "[1, inf)"
            raise OutOfRange("rows_per_person", self.rows_per_person, allowed, hint="It says how many rows one adds.")
        if not self.epsilon >= 0:
            raise OutOfRange("epsilon", self.epsilon, "[0, inf]", hint="A look never gives anything back.")
        if not 0 <= self.delta <= 1:
            raise OutOfRange("delta", self.delta, "[0, 1]", hint="It is the chance that epsilon fails.")

    def as_replacement(self) -> PrivacyLoss:
        """Return what the look costs when one person is replaced by another: removed, and somebody else added.

        >>> look = PrivacyLoss(what="counts", noise="any", epsilon=1.0, delta=0.0).as_replacement()
        >>> look.epsilon, look.adjacency
        (2.0, 'replace')
        """
        if self.adjacency == Adjacency.REPLACE.value:
            return self
        grown = math.exp(min(self.epsilon, LARGEST_EXPONENT))
        return replace(
            self,
            epsilon=2 * self.epsilon,
            delta=min(1.0, math.nextafter(self.delta * (1 + grown), 1.0)) if self.delta else 0.0,
            moved_counts=None if self.moved_counts is None else 2 * self.moved_counts,
            adjacency=Adjacency.REPLACE.value,
        )

    @source("DworkRoth2014", "Theorem 2.2, with delta")
    def per_person(self) -> PrivacyLoss | None:
        """Return what the look costs all rows of a person; ``None`` for a row of whose person nothing was declared.

        With at most k rows of a person that is k times epsilon; the deltas of the k steps grow on the way. The law of
        the noise holds for one row alone, since several may move the same count.

        >>> look = PrivacyLoss(what="counts", noise="any", epsilon=0.5, delta=0.0, rows_per_person=3).per_person()
        >>> look.epsilon, look.unit
        (1.5, 'person')
        """
        if self.unit == PERSON:
            return self
        if self.rows_per_person is None:
            return None
        k = self.rows_per_person
        if k == 1:
            return replace(self, unit=PERSON, rows_per_person=None)
        return replace(
            self,
            noise="any",
            scale=None,
            moved_counts=None,
            epsilon=_times(k, self.epsilon),
            delta=_group_delta(k, self.epsilon, self.delta),
            unit=PERSON,
            rows_per_person=None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> PrivacyLoss:
        """Read what :meth:`to_dict` wrote.

        >>> look = PrivacyLoss(what="counts", noise="any", epsilon=1.0, delta=0.0)
        >>> PrivacyLoss.from_dict(look.to_dict()) == look
        True
        """
        return cls(**given)


def _times(k: int, epsilon: float) -> float:
    """Multiply, and never round down."""
    product = k * epsilon
    if math.isfinite(product) and Fraction(product) < k * Fraction(epsilon):
        return math.nextafter(product, math.inf)
    return product


def _group_delta(k: int, epsilon: float, delta: float) -> float:
    """The delta of k steps, each with its own: delta times 1 + e^epsilon + … + e^((k - 1) epsilon), rounded up."""
    if not delta or delta == 1:
        return delta
    if k * epsilon > LARGEST_EXPONENT:
        return 1.0
    steps = math.expm1(k * epsilon) / math.expm1(epsilon) if epsilon else k
    return min(1.0, delta * steps * (1 + HAIR))
