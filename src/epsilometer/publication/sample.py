"""A random sample of the rows as it is published, and what it can cost one person."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from epsilometer.errors import BadRoles, OutOfRange
from epsilometer.plans.release_kinds import Sample
from epsilometer.tables.people_drawn import PeopleToDraw, people_to_draw
from epsilometer.tables.release_rows import total_rows
from epsilometer.tables.roles import assign_roles
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.arrays import IntArray
from epsilometer.vocabulary.privacy_loss import PrivacyLoss
from epsilometer.vocabulary.wording import rounded_up

if TYPE_CHECKING:
    import pyarrow as pa

    from epsilometer.plans.plan import Plan

RandomOrder: TypeAlias = Callable[[int, int], IntArray]
"""The first numbers of a random permutation of 0 … n - 1: :func:`epsilometer.randomizers.randomness.random_order`."""


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The rows that a sample is drawn from, left where they are.

    Attributes:
        people: the columns with a role, numbers with bins as labels, in strata.
        sizes: number of rows of each stratum.
        allocation: number of rows to be drawn from each.
    """

    people: PeopleToDraw
    sizes: IntArray
    allocation: IntArray

    @property
    def look(self) -> PrivacyLoss:
        """What the sample costs; see :func:`sample_look`."""
        return sample_look(self.sizes, self.allocation)

    def draw(self, random_order: RandomOrder) -> pa.Table:
        """Draw a sample and fetch its rows."""
        return self.people.fetch(self.places(random_order))

    def places(self, random_order: RandomOrder) -> IntArray:
        """Draw without replacement, every set of rows with the right number of each stratum as likely as any other."""
        firsts = np.cumsum(self.sizes) - self.sizes
        strata = zip(firsts.tolist(), self.sizes.tolist(), self.allocation.tolist(), strict=True)
        drawn = np.concatenate([first + random_order(size, n_drawn) for first, size, n_drawn in strata])
        return drawn[random_order(len(drawn), len(drawn))]


def draw_sample(plan: Plan, random_order: RandomOrder) -> pa.Table:
    """Draw the plan's sample: its columns with a role, in random order.

    >>> import pyarrow as pa
    >>> from epsilometer.plans.plan import Plan
    >>> from epsilometer.randomizers.randomness import random_order
    >>> people = pa.table({"sex": ["f", "m", "m", "f"], "job": ["cook", "cook", "nurse", "cook"]})
    >>> plan = Plan(table=people, quasi_identifiers=("sex",), sensitive=("job",), release=Sample(size=3))
    >>> draw_sample(plan, random_order).num_rows
    3
    """
    return read_population(plan).draw(random_order)


def read_population(plan: Plan) -> Population:
    """Count the rows that a sample is drawn from, in strata if the plan has some."""
    sample = plan.released_as(Sample)
    table = total_rows(plan.open_for_release())
    roles = assign_roles(
        table.columns, plan.quasi_identifiers, plan.sensitive, person_id=plan.person_id, bins=plan.bins
    )
    if without := [name for name in sample.strata if name not in roles.columns]:
        raise BadRoles(f"Column {without[0]!r} makes strata but has no role. Make it a quasi-identifier.")
    people = people_to_draw(table, roles, sample.strata, where=plan.where)
    n_rows = int(people.sizes.sum())
    if sample.size > n_rows:
        raise OutOfRange("size", sample.size, f"[1, {n_rows}]", hint="It is a number of rows of the table.")
    return Population(people, people.sizes, allocated(people.sizes, sample.size))


def allocated(sizes: IntArray, size: int) -> IntArray:
    """Divide a sample over strata in proportion to their sizes: rounded down, and the largest remainders up.

    >>> allocated(np.array([50, 30, 20]), 7)
    array([4, 2, 1])
    """
    whole, remainder = np.divmod(sizes * size, sizes.sum())
    whole[np.argsort(-remainder, kind="stable")[: size - whole.sum()]] += 1
    return whole


def sample_look(sizes: IntArray, allocation: IntArray) -> PrivacyLoss:
    """What a sample costs, given the sizes of the strata, or the number of rows as the one stratum of a simple sample.

    A sample of m of n rows is (0, m/n)-differentially private when one person is replaced by another: unless they are
    drawn, which happens with probability m/n, the sample is as likely with either. It tells nothing of those who are
    not in it, and shows the others as they are. With strata that is the largest part of a stratum that is drawn, for
    a replacement within the stratum: how many rows each stratum has is no secret then.

    >>> sample_look(np.array([400]), np.array([100])).delta
    0.25
    """
    drawn, size = max(
        zip(allocation.tolist(), sizes.tolist(), strict=True), key=lambda stratum: Fraction(stratum[0], stratum[1])
    )
    delta = min(1.0, rounded_up(drawn / size, 3))  # all digits would tell the size of a stratum
    while Fraction(delta) < Fraction(drawn, size):
        delta = math.nextafter(delta, 1.0)
    return PrivacyLoss(
        what="a sample of the rows", noise="any", epsilon=0.0, delta=delta, adjacency=Adjacency.REPLACE.value
    )
