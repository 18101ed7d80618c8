"""How near synthetic records come to original ones where the tables are on a cluster: part by part, and all of them.

The different records of one table are sent to where those of the other are. What needs both tables at one place works
on random parts that the cluster draws.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from epsilometer.assessments.synthetic.proximity import proximity_of
from epsilometer.errors import BadTable
from epsilometer.neighbors.encoding import default_metric, encode
from epsilometer.neighbors.how import How
from epsilometer.neighbors.index import NearestIndex
from epsilometer.neighbors.nearest import nearest_distances, summarised
from epsilometer.neighbors.points import distinct_points
from epsilometer.neighbors.voronoi import voronoi_distances
from epsilometer.tables.different_records import DifferentRecords, different_records, landmarks
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.in_parts import least, mapped
from epsilometer.tables.records import Records, draw_records
from epsilometer.vocabulary.telling import within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.neighbors.encoding import Metric
    from epsilometer.neighbors.points import Norm
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.telling import Tell

SENT_AT_MOST: Final = 2**26  # numbers that each worker is given: half a gigabyte
SYNTHETIC_AT_MOST: Final = 10**8  # records, of each of which a distance is fetched
DRAWN_AT_MOST: Final = 100_000  # records of the parts that are fetched
ORIGINALS_SENT: Final = "originals sent to where the synthetic records are"
SYNTHETICS_SENT: Final = "synthetic records sent to where the originals are"
NO_EDGES: Final = "Voronoi distances were left out: they need all originals at one place, and these are too many."
PARTS_ONLY: Final = (
    "Of the tables on a cluster, all but the distances of the synthetic records was measured on random parts of at most"
    f" {DRAWN_AT_MOST:,} records of each table; the cluster draws other parts each time."
)
_FOUND: Final = pa.schema({"near": pa.float64(), "edge": pa.float64(), "times": pa.int64()})


def proximity_in_parts(
    original: Table,
    synthetic: Table,
    *,
    columns: Sequence[str],
    metric: Metric | None,
    radius: float | None,
    linked_from: float,
    tell: Tell,
) -> Proximity:
    """As :func:`epsilometer.proximity`: hitting rate and distances of all records, the rest of random parts."""
    tell("different records", 0.0)
    originals, synthetics = (different_records(table, columns) for table in (original, synthetic))
    shown = landmarks(originals, synthetics)
    coordinates = _Coordinates(shown, metric or default_metric(shown))
    tell("distances of all records", 0.1)
    near, edges, how = _distances(originals, synthetics, coordinates)
    tell("random parts", 0.6)
    found = proximity_of(
        random_part(original, originals.columns),
        random_part(synthetic, originals.columns),
        metric=coordinates.metric,
        radius=float(np.median(near)) if radius is None else radius,
        linked_from=linked_from,
        landmarks=shown,
        tell=within(tell, 0.6, 1.0),
    )
    notes = [NO_EDGES] * (how.method == SYNTHETICS_SENT)
    if max(originals.n_records, synthetics.n_records) > DRAWN_AT_MOST:
        notes.append(
            f"Coverage, the pairing with Voronoi edges and the candidates are those of random parts of at most"
            f" {DRAWN_AT_MOST:,} records of each table; the cluster draws other parts each time."
        )
    return replace(
        found,
        n_original=originals.n_records,
        n_synthetic=synthetics.n_records,
        hitting_rate=float((near == 0).mean()),
        nearest=summarised(near),
        search=how,
        voronoi=None if edges is None else summarised(edges),
        notes=(*notes, *found.notes),
    )


def random_part(table: Table, columns: Sequence[str]) -> Records:
    """Fetch a table, or a random part of a large one."""
    return draw_records(table, columns, most=DRAWN_AT_MOST)


@dataclass(frozen=True, slots=True, eq=False)
class _Coordinates:
    """How a record of either table becomes a point, by what landmarks show of all records."""

    shown: tuple[Records, Records]
    metric: Metric

    @property
    def norm(self) -> Norm:
        return encode(self.shown, self.metric).norm

    @property
    def number(self) -> int:
        return encode(self.shown, self.metric).points[0].shape[1]

    def points(self, rows: pa.Table) -> FloatArray:
        part = Records(rows.select(self.shown[0].columns), "the part")
        return encode([part], self.metric, landmarks=self.shown).points[0]


@dataclass(frozen=True, slots=True, eq=False)
class _AmongOriginals:
    """Looks the synthetic records of a part up among all originals, which each worker was sent."""

    coordinates: _Coordinates
    originals: NearestIndex
    times: str

    def __call__(self, part: pa.Table) -> pa.Table:
        points = self.coordinates.points(part)
        near = self.originals.distances(points)
        # without a second original there are no edges
        edge = voronoi_distances(self.originals.points, points) if len(self.originals.points) > 1 else near
        return pa.table({"near": near, "edge": edge, "times": part[self.times]})


@dataclass(frozen=True, slots=True, eq=False)
class _FromSynthetic:
    """Looks all synthetic records, which each worker was sent, up among the originals of a part."""

    coordinates: _Coordinates
    synthetics: FloatArray
    norm: Norm

    def __call__(self, part: pa.Table) -> FloatArray:
        return nearest_distances(self.coordinates.points(part), self.synthetics, norm=self.norm)


def _distances(
    originals: DifferentRecords, synthetics: DifferentRecords, coordinates: _Coordinates
) -> tuple[FloatArray, FloatArray | None, How]:
    """Distances of the synthetic records from the nearest original and from the Voronoi edges, and how they were found.

    The originals are sent, unless they are too many.
    """
    if synthetics.n_records > SYNTHETIC_AT_MOST:
        raise BadTable(
            f"{synthetics.name} has {synthetics.n_records:,} records; distances are summed up of at most"
            f" {SYNTHETIC_AT_MOST:,}. Give a random part of it."
        )
    room = SENT_AT_MOST // coordinates.number
    why = f"{originals.n_different:,} different originals; {room:,} records at most are sent to each worker"
    if originals.n_different <= room:
        return *_with_originals_sent(originals, synthetics, coordinates), How(ORIGINALS_SENT, why)
    if synthetics.n_different <= room:
        return _with_synthetics_sent(originals, synthetics, coordinates), None, How(SYNTHETICS_SENT, why)
    raise BadTable(
        f"{originals.name} has {originals.n_different:,} different records and {synthetics.name}"
        f" {synthetics.n_different:,}: one of them must have at most {room:,} to be sent to the other."
        f" Give a random part of {synthetics.name}, or leave out columns of many values."
    )


def _with_originals_sent(
    originals: DifferentRecords, synthetics: DifferentRecords, coordinates: _Coordinates
) -> tuple[FloatArray, FloatArray | None]:
    places, _ = distinct_points(coordinates.points(originals.fetch()[0]))
    search = _AmongOriginals(coordinates, NearestIndex(places, coordinates.norm), synthetics.times)
    with reported_as(synthetics.name):
        found = mapped(synthetics.rows, search, _FOUND)
    near, edge = (np.repeat(found[name].to_numpy(), found["times"].to_numpy()) for name in ("near", "edge"))
    return near, edge if len(places) > 1 else None


def _with_synthetics_sent(
    originals: DifferentRecords, synthetics: DifferentRecords, coordinates: _Coordinates
) -> FloatArray:
    rows, times = synthetics.fetch()
    search = _FromSynthetic(coordinates, coordinates.points(rows), coordinates.norm)
    with reported_as(originals.name):
        return np.repeat(least(originals.rows, search), times)
