"""The honest frame for distances: the same measures for real people who were not in the training data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from epsilometer.attacks.closest import closest_people
from epsilometer.attacks.leak import leak_test
from epsilometer.attacks.null_band import null_bands
from epsilometer.attacks.planted import power, rehearsal
from epsilometer.neighbors.encoding import encode
from epsilometer.neighbors.nearest import find_nearest
from epsilometer.tables.records import Records
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from epsilometer.attacks.leak import LeakTest
    from epsilometer.attacks.null_band import NullBand
    from epsilometer.attacks.planted import Power, Rehearsal
    from epsilometer.neighbors.encoding import Metric
    from epsilometer.neighbors.how import How
    from epsilometer.vocabulary.telling import Tell

REHEARSED: Final = 2_000  # people of each kind in a rehearsal, which searches anew in every run
N_REHEARSALS: Final = 20


@dataclass(frozen=True, slots=True)
class Frame:
    """What distances say next to those of strangers.

    Attributes:
        leak: whether the table is nearer to its training people than to others like them.
        power: how often the test would have found a leak planted in this very table.
        rehearsal: what the test finds where it is known that there is no leak, and where there is one.
        bands: measures of nearness, next to where they lie for held-out people posing as the table.
        all_equal: whether everybody held out is equal to somebody in the table.
        search: how the nearest training people were found, and why so.
    """

    leak: LeakTest
    power: Power
    rehearsal: Rehearsal
    bands: tuple[NullBand, ...]
    all_equal: bool
    search: How

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "leak": self.leak.to_dict(),
            "power": plain(self.power),
            "rehearsal": plain(self.rehearsal),
            "bands": [band.to_dict() for band in self.bands],
            "all_equal": self.all_equal,
            "search": plain(self.search),
        }


def frame_of(
    training: Records,
    synthetic: Records,
    held_out: Records,
    *,
    metric: Metric | None,
    error_rate: float,
    planted_share: float,
    seed: int,
    tell: Tell = silent,
) -> Frame:
    """Hold a synthetic table against its training people and against people who were held out."""
    # scales must not depend on who of the pool was in the training data, or the test would not be exact
    everyone = [training.rows, held_out.select(training.columns).rows]
    pool = Records(pa.concat_tables(everyone, promote_options="permissive"), "the people")
    encoding = encode((pool, synthetic), metric)
    (trained, others), records = np.split(encoding.points[0], [len(training)]), encoding.points[1]
    tell("who is nearest", 0.0)
    closest = closest_people(trained, others, records, encoding.norm)
    tell("leak test", 0.4)
    leak = leak_test(closest, seed=seed, error_rate=error_rate)
    planted = power(closest, seed=seed, share=planted_share, error_rate=error_rate)
    tell("held-out people posing as the table", 0.6)
    of_table, of_others = (find_nearest(trained, points, norm=encoding.norm) for points in (records, others))
    bands = null_bands(of_table.distances, of_others.distances, seed=seed, planted_share=planted_share)
    tell("rehearsing the test", 0.8)
    rng = np.random.default_rng(seed)
    some_trained, some_others = (
        points[rng.permutation(len(points))[:most]] for points, most in ((trained, REHEARSED), (others, 2 * REHEARSED))
    )
    rehearsed = rehearsal(
        some_trained,
        some_others,
        encoding.norm,
        seed=seed,
        share=planted_share,
        n_runs=N_REHEARSALS,
        error_rate=error_rate,
    )
    return Frame(leak, planted, rehearsed, bands, all_equal=not of_others.distances.any(), search=of_table.how)
