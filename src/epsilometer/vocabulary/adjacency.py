"""When two tables count as neighbours, and how far one person can move a table of counts."""

from __future__ import annotations

import math
from enum import StrEnum

from epsilometer.errors import UnknownChoice


class Adjacency(StrEnum):
    """What one person may change between two neighbouring tables.

    Adding or removing a person moves one count by one. Replacing a person's value moves two counts by
    one each. Paper 001 admits both in Definition 4 and calibrates for the first only (erratum E17).

    >>> Adjacency("replace").l1_sensitivity
    2.0
    """

    ADD_REMOVE = "add-remove"
    REPLACE = "replace"

    @classmethod
    def _missing_(cls, value: object) -> Adjacency:
        raise UnknownChoice("adjacency", value, [member.value for member in cls])

    @property
    def moved_counts(self) -> int:
        """How many counts one person can move by one."""
        return 1 if self is Adjacency.ADD_REMOVE else 2

    @property
    def l1_sensitivity(self) -> float:
        """Largest L1 distance between neighbouring tables of counts."""
        return float(self.moved_counts)

    @property
    def l2_sensitivity(self) -> float:
        """Largest L2 distance between neighbouring tables of counts."""
        return math.sqrt(self.moved_counts)
