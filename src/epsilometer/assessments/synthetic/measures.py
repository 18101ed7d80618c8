"""What one synthetic table gives away, and what it loses: one number each, to be followed over epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.attacks.guessers import People, look_up
from epsilometer.neighbors.encoding import encode
from epsilometer.neighbors.nearest import nearest_distances
from epsilometer.tables.shared_bins import binned_codes
from epsilometer.utility.compared import compared_codes
from epsilometer.utility.marginal_distances import MarginalDistance
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from epsilometer.tables.records import Records


@dataclass(frozen=True, slots=True)
class Roles:
    """What the attacker knows of a person, and what the attacker wants."""

    quasi_identifiers: tuple[str, ...]
    sensitive: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A risk of a synthetic table.

    Attributes:
        title: what it is, for people.
        of: its value for an original, a synthetic table and the roles of their columns.
        larger_is_safer: whether it is a distance.
    """

    title: str
    of: Callable[[Records, Records, Roles], float]
    larger_is_safer: bool = False


def people(tables: Sequence[Records], roles: Roles) -> tuple[People, ...]:
    """Return the records of several tables as an attacker sees them, in codes that mean the same in all.

    Numbers are compared by bins of about as many people of the first table each, ten at most.
    """
    known = [binned_codes(name, tables)[0] for name in roles.quasi_identifiers]
    secret = binned_codes(roles.sensitive, tables)[0]
    return tuple(
        People(np.column_stack([codes[number] for codes in known]), secret[number]) for number in range(len(tables))
    )


def named_right(original: Records, synthetic: Records, roles: Roles) -> float:
    """Chance that the sensitive value of a random person of the table is named right with the synthetic table. Exact.

    The attacker looks up the records that agree with the person in all quasi-identifiers and names their most
    frequent value, of equally frequent ones any; without such a record the most frequent value of all.
    """
    targets, table = people((original, synthetic), roles)
    return float(look_up(table, targets).mean())


def guessed_without(original: Records, roles: Roles) -> float:
    """Chance to name the value right without any table: the share of the most frequent one."""
    (targets,) = people((original,), roles)
    return float(np.bincount(targets.secret).max() / len(targets))


@source("chen-2021", "Section 3.1: hitting rate")
def share_equal(original: Records, synthetic: Records, _: Roles) -> float:
    """Share of the synthetic records that are equal to an original one."""
    return float((_nearest(original, synthetic) == 0).mean())


@source("chen-2021", "Section 3.2.2: y-privacy with the median")
def median_distance(original: Records, synthetic: Records, _: Roles) -> float:
    """Median distance of the synthetic records to the nearest original one."""
    return float(np.median(_nearest(original, synthetic)))


def marginal_loss(original: Records, synthetic: Records) -> float:
    """Mean total variation distance of all shares of one column and of two at a time. Exact."""
    compared, ways = compared_codes(original, synthetic), range(1, min(2, len(original.columns)) + 1)
    return float(np.concatenate([MarginalDistance.of(compared, way).distances for way in ways]).mean())


def _nearest(original: Records, synthetic: Records) -> np.ndarray:
    encoding = encode((original, synthetic))
    return nearest_distances(*encoding.points, norm=encoding.norm)


MEASURES: Final[Mapping[str, Measure]] = {
    "inference": Measure("value named right", named_right),
    "hitting-rate": Measure("synthetic records equal to an original one", share_equal),
    "nearest-distance": Measure("median distance to the nearest original", median_distance, larger_is_safer=True),
}
