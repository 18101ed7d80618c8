"""How near the records of a synthetic table come to the original ones, by every measure of Paper 004."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.neighbors.candidates import count_candidates
from epsilometer.neighbors.dependency import LINKED_FROM, dependency_cliques, dependency_codes
from epsilometer.neighbors.encoding import default_metric, encode
from epsilometer.neighbors.matching import coverage, matched_distance
from epsilometer.neighbors.nearest import nearest_distances
from epsilometer.neighbors.voronoi import boundary_points, voronoi_distances
from epsilometer.tables.records import check_alike, read_records, shared_codes
from epsilometer.vocabulary.proximity import CandidateAttack, Pairing, Proximity, Spread
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.neighbors.encoding import Encoding, Metric
    from epsilometer.neighbors.points import Norm
    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.telling import Tell

QUANTILES: Final = (0.01, 0.05, 0.25)
PAIRED_AT_MOST: Final = 20_000  # records of a table of few coordinates
PAIRED_PART: Final = 2_000  # records drawn of larger tables, and of tables of many coordinates
FEW_COORDINATES: Final = 12  # more leave a tree little to leave out
CAVEATS: Final = (
    "Distances mislead without a reference: people who never were in the table can be as near. Give a holdout.",
    "A synthetic record near a person need not come from that person's record.",
)


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
    one, other = (records_of(table, columns, missing) for table in (original, synthetic))
    return proximity_of(one, other, metric=metric, radius=radius, linked_from=linked_from, tell=tell)


def records_of(table: object, columns: Sequence[str], missing: Iterable[str]) -> Records:
    """Read a table; an array of numbers becomes one with columns numbered from 0."""
    if isinstance(table, np.ndarray | list | tuple):
        numbers = np.asarray(table)
        if numbers.ndim != 2:  # noqa: PLR2004
            raise BadTable(f"An array must be records x columns, got one of shape {numbers.shape}.")
        import pyarrow as pa

        table = pa.table({str(number): column for number, column in enumerate(numbers.T)})
    return read_records(table, columns, missing=missing)


def proximity_of(
    original: Records,
    synthetic: Records,
    *,
    metric: Metric | None = None,
    radius: float | None = None,
    linked_from: float = LINKED_FROM,
    tell: Tell = silent,
) -> Proximity:
    """As :func:`proximity`, for records that were read."""
    check_alike(original, synthetic)
    tables = original, read_records(synthetic, original.columns)
    encoding = encode(tables, metric or default_metric(tables))
    tell("nearest originals", 0.05)
    near = nearest_distances(*encoding.points, norm=encoding.norm)
    tell("pairing records", 0.2)
    paired, part = _to_pair(encoding)
    pairing = _coverage(*paired, encoding.norm, float(np.median(near)) if radius is None else radius)
    tell("Voronoi edges", 0.6)
    edges, moved = _voronoi(encoding, paired)
    tell("candidates", 0.9)
    return Proximity(
        columns=original.columns,
        metric=encoding.words,
        n_original=len(original),
        n_synthetic=len(synthetic),
        hitting_rate=float((near == 0).mean()),
        nearest=spread(near),
        coverage=pairing,
        voronoi=edges,
        voronoi_pairing=moved,
        candidates=_candidates(*tables, linked_from),
        caveats=(*CAVEATS, *part),
    )


def spread(distances: FloatArray) -> Spread:
    """Sum distances up; a quantile is one of them."""
    found = np.quantile(distances, QUANTILES, method="inverted_cdf").tolist()
    shown = dict(zip(QUANTILES, found, strict=True))
    return Spread(float(distances.min()), float(np.median(distances)), float(distances.mean()), shown)


def _to_pair(encoding: Encoding) -> tuple[tuple[FloatArray, FloatArray], tuple[str, ...]]:
    """Return the points to pair one to one, and what to say if they are a part."""
    most = PAIRED_AT_MOST if encoding.points[0].shape[1] <= FEW_COORDINATES else PAIRED_PART
    if max(map(len, encoding.points)) <= most:
        return (encoding.points[0], encoding.points[1]), ()
    rng = np.random.default_rng(0)
    original, synthetic = (points[rng.permutation(len(points))[:PAIRED_PART]] for points in encoding.points)
    said = f"Records were paired one to one in random parts of at most {PAIRED_PART:,} of each table, not in the whole."
    return (original, synthetic), (said,)


def _coverage(original: FloatArray, synthetic: FloatArray, norm: Norm, radius: float) -> Pairing:
    found = coverage(original, synthetic, radius=radius, norm=norm)
    return Pairing(
        radius=radius,
        n_pairs=found.n_pairs,
        rate=found.rate,
        lowest_rate=found.fewest_within / found.n_pairs,
        mean_distance=found.mean_distance,
        gap=found.gap,
    )


def _voronoi(
    encoding: Encoding, paired: tuple[FloatArray, FloatArray]
) -> tuple[Spread | None, tuple[float, float] | None]:
    """Both readings of Voronoi privacy: of the released records, and of the originals moved to their edges."""
    originals, synthetics = encoding.points
    some_originals, some_synthetics = paired
    if (some_originals == some_originals[0]).all():
        return None, None
    moved = matched_distance(boundary_points(originals, some_originals), some_synthetics)
    return spread(voronoi_distances(originals, synthetics)), (moved.mean_distance, moved.gap)


def _candidates(original: Records, synthetic: Records, linked_from: float) -> CandidateAttack:
    cliques = dependency_cliques(dependency_codes(synthetic), linked_from=linked_from)
    coded = [shared_codes(name, (original, synthetic))[0] for name in original.columns]
    one, other = (np.column_stack(codes) for codes in zip(*coded, strict=True))
    found = count_candidates(one, other, cliques)
    return CandidateAttack(
        probability=float(found.probability),
        n_candidates=found.n_candidates,
        n_found=found.n_found,
        n_originals=found.n_originals,
        cliques=tuple(tuple(original.columns[column] for column in clique) for clique in cliques),
        linked_from=linked_from,
    )
