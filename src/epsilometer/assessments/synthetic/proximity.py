"""How near the records of a synthetic table come to the original ones, by every measure of Paper 004."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.neighbors.candidates import count_candidates
from epsilometer.neighbors.dependency import LINKED_FROM, dependency_cliques, dependency_codes
from epsilometer.neighbors.encoding import encode
from epsilometer.neighbors.matching import coverage, matched_distance
from epsilometer.neighbors.nearest import find_nearest, summarised
from epsilometer.neighbors.voronoi import boundary_points, voronoi_distances
from epsilometer.tables.in_parts import on_a_cluster
from epsilometer.tables.records import check_alike, coded_alike, open_rows, read_records
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import altair as alt

    from epsilometer.neighbors.candidates import Candidates
    from epsilometer.neighbors.encoding import Encoding, Metric
    from epsilometer.neighbors.how import How
    from epsilometer.neighbors.matching import Coverage
    from epsilometer.neighbors.nearest import NearestSummary
    from epsilometer.tables.records import Records
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.telling import Tell

PAIRED_AT_MOST: Final = 20_000  # records of a table of few coordinates
PAIRED_PART: Final = 2_000  # records drawn of larger tables, and of tables of many coordinates
FEW_COORDINATES: Final = 12  # more leave a tree little to leave out
CAVEATS: Final = (
    "Distances mislead without a reference: people who never were in the table can be as near. Give a holdout.",
    "A synthetic record near a person need not come from that person's record.",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proximity(Confidential):
    """How near the records of a synthetic table come to the original ones.

    All of it is exact, but for a coverage whose ``gap`` is above zero or that did not look at ``every_pairing``.

    Attributes:
        columns: the columns compared.
        metric: the distance of two records, in words.
        n_original: number of original records.
        n_synthetic: number of synthetic ones.
        hitting_rate: share of the synthetic records that are equal to an original one.
        nearest: y-privacy: distances of the synthetic records to the nearest original one.
        search: how the nearest originals were found, and why so.
        radius: the y of (y, p)-coverage.
        coverage: (y, p)-coverage, of random parts of large tables: see ``notes``.
        voronoi: distances of the synthetic records from where two originals are equally near; ``None`` if all
            originals are equal, or too many for one place. Euclidean in the coordinates of the metric.
        voronoi_pairing: mean distance between the synthetic table and the one with every original moved to its
            nearest Voronoi edge, and by how much it may be too large; ``None`` like ``voronoi``.
        candidates: p-privacy: originals among the records that an attacker puts together from parts of synthetic ones.
        cliques: columns that go together in these parts.
        linked_from: association, by bias-corrected Cramer's V, from which two columns are linked.
        notes: what was not done in full.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "proximity"

    columns: tuple[str, ...]
    metric: str
    n_original: int
    n_synthetic: int
    hitting_rate: float
    nearest: NearestSummary
    search: How
    radius: float
    coverage: Coverage
    voronoi: NearestSummary | None
    voronoi_pairing: tuple[float, float] | None
    candidates: Candidates
    cliques: tuple[tuple[str, ...], ...]
    linked_from: float
    notes: tuple[str, ...]

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to keep in mind."""
        return (*CAVEATS, *self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        pairs, attack = self.coverage, self.candidates
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "evidence": "exact",
            "columns": list(self.columns),
            "metric": self.metric,
            "n_original": self.n_original,
            "n_synthetic": self.n_synthetic,
            "hitting_rate": self.hitting_rate,
            "nearest": plain(self.nearest),
            "search": plain(self.search),
            "coverage": {
                "radius": self.radius,
                "n_pairs": pairs.n_pairs,
                "rate": pairs.rate,
                "lowest_rate": pairs.lowest_rate,
                "mean_distance": pairs.mean_distance,
                "gap": pairs.gap,
                "every_pairing": pairs.every_pairing,
                "pairing": plain(pairs.how),
            },
            "voronoi": plain(self.voronoi),
            "voronoi_pairing": plain(self.voronoi_pairing),
            "candidates": {
                "probability": float(attack.probability),
                "n_candidates": attack.n_candidates,
                "n_found": attack.n_found,
                "n_originals": attack.n_originals,
                "cliques": plain(self.cliques),
                "linked_from": self.linked_from,
            },
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.LayerChart:
        """Draw how far the synthetic records are from the nearest original one."""
        from epsilometer.charts.distances import draw_proximity

        return draw_proximity(self)


def proximity(
    original: object,
    synthetic: object,
    *,
    columns: Sequence[str] = (),
    metric: Metric | None = None,
    radius: float | None = None,
    linked_from: float = LINKED_FROM,
    missing: Iterable[str] = (),
    tell: Tell = silent,
) -> Proximity:
    """Measure how near synthetic records come to original ones: hitting rate, coverage, y-, Voronoi and p-privacy.

    Tables on a cluster stay there. All synthetic records are looked up, and what needs both tables at one place is
    measured on random parts: see ``notes``.

    Args:
        original: the table that people are in: path, URL, frame, or an array of numbers, records x columns.
        synthetic: the synthetic table, with the same columns.
        columns: those to compare; all if none is named.
        metric: ``"euclidean"``, the paper's, for numbers as they are, or ``"gower"`` for columns of any kind. If not
            given, euclidean if all columns are numbers and none is missing, else gower.
        radius: the y of (y, p)-coverage; the median distance to the nearest original if not given.
        linked_from: association from which two columns count as dependent, for p-privacy.
        missing: words that mark a missing value.
        tell: called with each step and the share of the work that is done.
    """
    one, other = (_opened(table, missing) for table in (original, synthetic))
    if on_a_cluster(one, other):
        from epsilometer.assessments.synthetic.proximity_in_parts import proximity_in_parts

        return proximity_in_parts(
            one, other, columns=columns, metric=metric, radius=radius, linked_from=linked_from, tell=tell
        )
    read = [read_records(table, columns) for table in (one, other)]
    return proximity_of(read[0], read[1], metric=metric, radius=radius, linked_from=linked_from, tell=tell)


def records_of(table: object, columns: Sequence[str], missing: Iterable[str]) -> Records:
    """Read a table; an array of numbers becomes one with columns numbered from 0."""
    return read_records(_opened(table, missing), columns)


def _opened(table: object, missing: Iterable[str]) -> Table:
    if isinstance(table, np.ndarray | list | tuple):
        numbers = np.asarray(table)
        if numbers.ndim != 2:  # noqa: PLR2004
            raise BadTable(f"An array must be records x columns, got one of shape {numbers.shape}.")
        import pyarrow as pa

        table = pa.table({str(number): column for number, column in enumerate(numbers.T)})
    return open_rows(table, missing)


def proximity_of(
    original: Records,
    synthetic: Records,
    *,
    metric: Metric | None = None,
    radius: float | None = None,
    linked_from: float = LINKED_FROM,
    landmarks: tuple[Records, ...] = (),
    tell: Tell = silent,
) -> Proximity:
    """As :func:`proximity`, for records that were read; for parts of tables, landmarks show what the whole holds."""
    check_alike(original, synthetic)
    tables = original, synthetic.select(original.columns)
    encoding = encode(tables, metric, landmarks=landmarks)
    tell("nearest originals", 0.05)
    found = find_nearest(*encoding.points, norm=encoding.norm)
    near = found.distances
    tell("pairing records", 0.2)
    paired, notes = _to_pair(encoding)
    y = float(np.median(near)) if radius is None else radius
    pairs = coverage(*paired, radius=y, norm=encoding.norm)
    tell("Voronoi edges", 0.6)
    edges, moved = _voronoi(encoding, paired)
    tell("candidates", 0.9)
    cliques = dependency_cliques(dependency_codes(tables[1]), linked_from=linked_from)
    return Proximity(
        columns=original.columns,
        metric=encoding.words,
        n_original=len(original),
        n_synthetic=len(synthetic),
        hitting_rate=float((near == 0).mean()),
        nearest=summarised(near),
        search=found.how,
        radius=y,
        coverage=pairs,
        voronoi=edges,
        voronoi_pairing=moved,
        candidates=count_candidates(*coded_alike(*tables), cliques),
        cliques=tuple(tuple(original.columns[column] for column in clique) for clique in cliques),
        linked_from=linked_from,
        notes=notes,
    )


def _to_pair(encoding: Encoding) -> tuple[tuple[FloatArray, FloatArray], tuple[str, ...]]:
    """Return the points to pair one to one, and what to say if they are a part."""
    most = PAIRED_AT_MOST if encoding.points[0].shape[1] <= FEW_COORDINATES else PAIRED_PART
    if max(map(len, encoding.points)) <= most:
        return (encoding.points[0], encoding.points[1]), ()
    rng = np.random.default_rng(0)
    original, synthetic = (points[rng.permutation(len(points))[:PAIRED_PART]] for points in encoding.points)
    (n_original, n_coordinates), n_synthetic = encoding.points[0].shape, len(encoding.points[1])
    said = (
        f"Records were paired one to one in random parts, {len(original):,} of {n_original:,} original and"
        f" {len(synthetic):,} of {n_synthetic:,} synthetic ones: in {n_coordinates} coordinates at most {most:,} of"
        " each are paired."
    )
    return (original, synthetic), (said,)


def _voronoi(
    encoding: Encoding, paired: tuple[FloatArray, FloatArray]
) -> tuple[NearestSummary | None, tuple[float, float] | None]:
    """Both readings of Voronoi privacy: of the released records, and of the originals moved to their edges."""
    originals, synthetics = encoding.points
    some_originals, some_synthetics = paired
    if (some_originals == some_originals[0]).all():
        return None, None
    moved = matched_distance(boundary_points(originals, some_originals), some_synthetics)
    return summarised(voronoi_distances(originals, synthetics)), (moved.mean_distance, moved.gap)
