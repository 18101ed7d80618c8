"""Is a synthetic table nearer to the people it was made from than to others like them?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_array, vstack

from epsilometer.attacks.permutation import moments, p_values, standardised
from epsilometer.errors import OutOfRange
from epsilometer.vocabulary.plain import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.attacks.closest import Closest
    from epsilometer.vocabulary.arrays import FloatArray

NEAREST: Final = {"nearest 1 %": 0.01, "nearest 5 %": 0.05, "nearest 25 %": 0.25, "all records": 1.0}
SUBSETS: Final = ("equal to one person, as no other record", "equal to somebody", *NEAREST)


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of the records of a table, chosen by their nearness without a look at who was in the training data.

    Attributes:
        name: which ones.
        n_records: how many.
        in_training: share of their nearest people who are training people; of several equally near, their share.
        z: by how many standard deviations it exceeds what is due to chance; zero if it could not have been another.
    """

    name: str
    n_records: int
    in_training: float
    z: float


@dataclass(frozen=True, slots=True)
class LeakTest:
    """Whether a synthetic table is nearer to its training people than chance allows.

    Attributes:
        p_value: at most how probable so large an excess is if there is no leak.
        error_rate: how often the test may find a leak where there is none.
        by_chance: the share of training people among the nearest that chance alone gives: their share of the pool.
        subsets: the records by nearness, the nearest first; those without any record are left out.
        permutations: number of choices of training people drawn.
        seed: what they were drawn with.
    """

    p_value: float
    error_rate: float
    by_chance: float
    subsets: tuple[Subset, ...]
    permutations: int
    seed: int

    @property
    def in_training(self) -> float:
        """Share of the records whose nearest person is a training person."""
        return self.subsets[-1].in_training

    @property
    def found(self) -> bool:
        """Whether a leak was found."""
        return self.p_value <= self.error_rate

    @property
    def verdict(self) -> str:
        """What was found, in words."""
        return f"{'leak found' if self.found else 'no leak found'} at an error rate of {self.error_rate:g}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "p_value": self.p_value,
            "error_rate": plain(self.error_rate),
            "by_chance": self.by_chance,
            "subsets": [asdict(subset) for subset in self.subsets],
            "permutations": plain(self.permutations),
            "seed": plain(self.seed),
            "found": self.found,
            "in_training": self.in_training,
        }


def leak_test(closest: Closest, *, seed: int, error_rate: float = 0.05, permutations: int = 999) -> LeakTest:
    """Is the table nearer to the training people than to held-out people? Exact: its error rate is kept.

    Each record counts with the share of training people among the people nearest to it, of a pool of both. These
    shares are summed over nested subsets of the records by nearness, standardised, and the largest z counts.

    If the table has nothing to do with who of the pool was in the training data, any others might as well have
    been: all choices of as many people are equally probable, whatever the table, the distance and the ties, and a
    leak is found with probability at most ``error_rate``. This holds only if chance decided who was held out.

    What it finds are copies and near copies. That none is found proves nothing: there may be too few of them, or a
    leak of another kind; what would have been found is measured by :func:`epsilometer.attacks.planted.power`. If
    few people are held out, nearly all nearest people are training people anyway, and hardly any leak is found.

    >>> from epsilometer.attacks.closest import closest_people
    >>> people = np.random.default_rng(1).normal(size=(200, 3))
    >>> copied = leak_test(closest_people(people[:100], people[100:], people[:20], norm=2), seed=1)
    >>> copied.verdict, copied.in_training, copied.by_chance
    ('leak found at an error rate of 0.05', 1.0, 0.5)
    """
    rng = np.random.default_rng(seed)
    p_value = leak_p_values([closest], rng=rng, error_rate=error_rate, permutations=permutations)[0]
    weights = _weights(closest)
    sizes, shared = weights @ closest.n_people, weights @ closest.n_training
    mean, deviation = moments(weights, closest.n_people, closest.n_training.sum())
    scores = standardised(shared[:, None], mean, deviation)[:, 0]
    subsets = [
        Subset(name, round(float(size)), float(share / size), float(z))
        for name, size, share, z in zip(SUBSETS, sizes, shared, scores, strict=True)
        if size
    ]
    return LeakTest(float(p_value), error_rate, closest.by_chance, tuple(subsets), permutations, seed)


def leak_p_values(
    tables: Sequence[Closest], *, rng: np.random.Generator, error_rate: float = 0.05, permutations: int = 999
) -> FloatArray:
    """The p-values of the test for several tables and one pool, with the same draws."""
    if not 1 <= error_rate * (1 + permutations) < 1 + permutations:
        raise OutOfRange(
            "error_rate", error_rate, f"[1/{1 + permutations}, 1)", hint="More permutations allow a smaller one."
        )
    weights = vstack([_weights(closest) for closest in tables], format="csr")
    people, training = tables[0].n_people, tables[0].n_training
    return p_values(weights, people, training, n_tests=len(tables), rng=rng, permutations=permutations)


def _weights(closest: Closest) -> csr_array:
    """What each training person at a place adds to the sum of each subset: subsets x places."""
    limits = np.quantile(closest.distance, list(NEAREST.values()), method="inverted_cdf")
    distance, n_nearest = closest.distance[closest.record], closest.n_nearest[closest.record]
    n_equal = np.bincount(closest.place[distance == 0], minlength=len(closest.n_people))[closest.place]
    alone = (distance == 0) & (n_nearest == 1) & (n_equal == 1)
    members = np.vstack([alone, distance <= np.array([0.0, *limits])[:, None]])  # all records at a limit are in
    subset, pair = np.nonzero(members)
    return csr_array(
        (1.0 / n_nearest[pair], (subset, closest.place[pair])), shape=(len(SUBSETS), len(closest.n_people))
    )
