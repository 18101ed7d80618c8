"""How often an attacker is right about a person, from the raw table or from counts with noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.averaging import share_of_people_disclosed
from epsilometer.formulas import anonymity
from epsilometer.formulas.homogeneity.named_right import named_right
from epsilometer.tables.column_sets import columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.assessments.attackers.lattice import Judge
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.subset_counts import SubsetCounts
    from epsilometer.vocabulary.noise import Noise
    from epsilometer.vocabulary.profile import Profile
    from epsilometer.vocabulary.telling import Tell

BATCH: Final = 2**20  # counts whose noise is worked out together
ROUNDING: Final = 1e-12  # added to a share: more than all that is left out or rounded in computing it


def shares_named_right(profiles: Sequence[Profile], noise: Noise) -> list[float]:
    r"""Share of people named right by published counts, for several tables of the same people. Exact.

    In each cell the attacker names value k with some probability :math:`w_k`: that of being published largest and,
    for the most common value overall, that of nothing being published. These sum to one, so the expected number of
    people named right, :math:`\sum_k n_k w_k`, is a mean of the counts of the cell and at most the largest of them,
    which is what the raw table gives: noise never helps this attacker.

    Tables of the same people have many count vectors in common: each is worked out once.
    """
    most_common = profiles[0].shares == profiles[0].shares.max()
    vectors = np.concatenate([profile.counts for profile in profiles])
    n_cells = np.concatenate([profile.n_cells for profile in profiles])
    distinct, place = np.unique(vectors, axis=0, return_inverse=True)
    named = named_right(distinct, most_common / most_common.sum(), noise) * distinct.sum(axis=1)
    starts = np.cumsum([0, *(len(profile.counts) for profile in profiles[:-1])])
    largest = np.add.reduceat(vectors.max(axis=1) * n_cells, starts)
    expected = np.add.reduceat(named[place] * n_cells, starts)
    n_records = profiles[0].total_records
    shares: list[float] = np.minimum(largest / n_records, expected / n_records + ROUNDING).tolist()
    return shares


def judge_by(counts: SubsetCounts, mechanism: Mechanism | None) -> Judge:
    """Return what says how often somebody is right from the release; a raw one changes nothing.

    Profiles are worked on in batches, so that memory stays bounded however many sets there are.
    """
    if mechanism is None:
        return lambda raw, _tell: raw

    def judge(raw: Mapping[int, float], tell: Tell) -> Mapping[int, float]:
        released: dict[int, float] = {}
        batch: dict[int, Profile] = {}
        for place, known in enumerate(raw, start=1):
            batch[known] = counts.profile(columns_of(known))
            if place == len(raw) or sum(profile.counts.size for profile in batch.values()) > BATCH:
                released |= zip(batch, shares_named_right(tuple(batch.values()), mechanism), strict=True)
                batch.clear()
            tell("working out the noise", place / len(raw))
        return released

    return judge


def share_disclosed(profile: Profile, mechanism: Mechanism | None) -> float:
    """Share of people whose own value is the only one of their cell: of the raw one, or of the published one."""
    if mechanism is None:
        return anonymity.homogeneous_records(profile.counts, profile.n_cells) / profile.total_records
    return float(share_of_people_disclosed(profile, mechanism))
