"""What the leak test finds where there is a leak, and where there is none, on the data at hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.attacks.closest import closest_people
from epsilometer.attacks.leak import leak_p_values
from epsilometer.errors import BadTable, OutOfRange
from epsilometer.neighbors.points import checked_points
from epsilometer.vocabulary.share_intervals import clopper_pearson

if TYPE_CHECKING:
    from epsilometer.attacks.closest import Closest
    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import ArrayLike
    from epsilometer.vocabulary.evidence import Estimate


@dataclass(frozen=True, slots=True)
class Power:
    """How often the test finds a leak that was planted.

    Attributes:
        share: share of the records that were replaced by copies of training people, rounded up to whole records.
        found: share of the runs in which the test found a leak.
        n_runs: number of runs.
        seed: what chance was drawn with.
    """

    share: float
    found: Estimate
    n_runs: int
    seed: int


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What the test finds when held-out people pose as the synthetic table.

    Attributes:
        false_alarms: share of the runs in which it found a leak, though there was none.
        planted: how often it found one that was planted.
    """

    false_alarms: Estimate
    planted: Power


def power(closest: Closest, *, seed: int, share: float = 0.01, n_runs: int = 20, error_rate: float = 0.05) -> Power:
    """Would the test find a leak if a share of this very table were copied from training people?

    In each run other people are copied over other records, and all else stays, so that nothing is searched again.
    So does the luck of this table: one that is near to a finding by itself takes few copies, and one that leaks
    takes none, of which :func:`rehearsal` is free.

    >>> people = np.random.default_rng(1).normal(size=(1500, 3))
    >>> power(closest_people(people[:500], people[500:1000], people[1000:], norm=2), seed=1, share=0.02).found.value
    1.0
    """
    rng = np.random.default_rng(seed)
    tables = [_with_copies(closest, share, rng) for _ in range(n_runs)]
    found = leak_p_values(tables, rng=rng, error_rate=error_rate) <= error_rate
    return Power(share, clopper_pearson(int(found.sum()), n_runs), n_runs, seed)


def rehearsal(
    training: ArrayLike,
    held_out: ArrayLike,
    norm: Norm,
    *,
    seed: int,
    share: float = 0.01,
    n_runs: int = 20,
    error_rate: float = 0.05,
) -> Rehearsal:
    """How often does the test find a leak where there is none, and where there is one?

    In each run another half of the held-out people poses as the synthetic table, to be compared with the training
    people and the other half: as they are, and with a share of them replaced by copies of training people.

    >>> people = np.random.default_rng(1).normal(size=(1500, 3))
    >>> found = rehearsal(people[:500], people[500:], norm=2, seed=1, share=0.02)
    >>> found.false_alarms.value, found.planted.found.value
    (0.0, 1.0)
    """
    others = checked_points(held_out, "held-out")
    if len(others) < 2:  # noqa: PLR2004
        raise BadTable("Only one person was held out, who cannot pose as a table and be held out. Hold out more.")
    rng = np.random.default_rng(seed)
    n_found = np.zeros(2, dtype=np.int64)
    for _ in range(n_runs):
        posing, rest = np.array_split(rng.permutation(others), 2)
        closest = closest_people(training, rest, posing, norm)
        tables = [closest, _with_copies(closest, share, rng)]
        n_found += leak_p_values(tables, rng=rng, error_rate=error_rate) <= error_rate
    false_alarms, found = (clopper_pearson(n, n_runs) for n in n_found.tolist())
    return Rehearsal(false_alarms, Power(share, found, n_runs, seed))


def _with_copies(closest: Closest, share: float, rng: np.random.Generator) -> Closest:
    """Replace a share of the records by copies of training people, nobody twice if there are enough of them."""
    if not 0 < share <= 1:
        raise OutOfRange("share", share, "(0, 1]", hint="It is a part of the records of the table.")
    n_records, n_people = len(closest.distance), len(closest.training_place)
    n_copies = math.ceil(share * n_records)
    records = rng.choice(n_records, n_copies, replace=False)
    return closest.with_copies(records, rng.choice(n_people, n_copies, replace=n_copies > n_people))
