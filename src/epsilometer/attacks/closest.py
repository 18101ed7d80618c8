"""Who of a pool of people, some of them training people and some not, is nearest to each record of a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.neighbors.nearest import nearest_ties
from epsilometer.neighbors.points import checked_pair

if TYPE_CHECKING:
    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Closest:
    """The nearest people of each record, everyone who is equally near included.

    People who are equal in all columns stand at one place. A record and a place nearest to it make a pair.

    Attributes:
        distance: from each record to the nearest people.
        record: the record of each pair.
        place: the place of each pair.
        n_people: people at each place.
        n_training: training people among them.
        training_place: where each training person stands.
    """

    distance: FloatArray
    record: IntArray
    place: IntArray
    n_people: IntArray
    n_training: IntArray
    training_place: IntArray

    @property
    def by_chance(self) -> float:
        """Share of the training people in the pool."""
        return len(self.training_place) / int(self.n_people.sum())

    @property
    def n_nearest(self) -> IntArray:
        """How many people are nearest to each record, all equally near."""
        return np.bincount(self.record, self.n_people[self.place], len(self.distance)).astype(np.int64)

    def with_copies(self, records: IntArray, people: IntArray) -> Closest:
        """The same when some records are replaced by copies of training people, found without a search.

        A copy is at distance zero from the person, and from nobody who stands elsewhere.
        """
        distance = self.distance.copy()
        distance[records] = 0.0
        kept = ~np.isin(self.record, records)
        return replace(
            self,
            distance=distance,
            record=np.concatenate([self.record[kept], records]),
            place=np.concatenate([self.place[kept], self.training_place[people]]),
        )


def closest_people(training: ArrayLike, held_out: ArrayLike, table: ArrayLike, norm: Norm) -> Closest:
    """Find who is nearest to each record of a table, among people who were in the training data and who were not.

    All three are points, records x coordinates, encoded alike; ``norm`` says how their distances are measured. The
    encoding must not tell who was in the training data: ranges of columns are to be those of all people together.

    >>> found = closest_people([[0.0], [4.0]], [[2.0], [2.0]], [[0.5], [3.0]], norm=1)
    >>> found.distance, found.n_nearest
    (array([0.5, 1. ]), array([1, 3]))
    """
    trained, others = checked_pair(training, held_out, ("training", "held-out"))
    pool, records = checked_pair(np.concatenate([trained, others]), table, ("original", "synthetic"))
    order = np.lexsort(pool.T)  # places are numbered as they come: nothing may depend on the order of the people
    ties = nearest_ties(pool[order], records, norm=norm)
    standing = np.empty_like(ties.place_of_record)
    standing[order] = ties.place_of_record
    training_place = standing[: len(trained)]
    n_people = np.bincount(standing)
    return Closest(
        distance=ties.distances,
        record=ties.query,
        place=ties.place,
        n_people=n_people,
        n_training=np.bincount(training_place, minlength=len(n_people)),
        training_place=training_place,
    )
