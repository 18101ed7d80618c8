"""One measure of two tables at a time, for tables of any kind; an audit has all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.assessments.synthetic.proximity import records_of
from epsilometer.errors import BadRoles, UnknownColumn
from epsilometer.neighbors import candidates, matching, nearest, voronoi
from epsilometer.neighbors.encoding import encode
from epsilometer.tables.records import check_alike, coded_alike
from epsilometer.utility import marginal_distances, models, moments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from epsilometer.neighbors.encoding import Encoding, Metric
    from epsilometer.neighbors.matching import Coverage
    from epsilometer.tables.records import Records
    from epsilometer.utility.marginal_distances import MarginalDistance
    from epsilometer.utility.models import ModelAccuracies
    from epsilometer.utility.moments import MomentErrors
    from epsilometer.vocabulary.arrays import FloatArray


def nearest_distances(
    original: object,
    synthetic: object,
    *,
    columns: Sequence[str] = (),
    metric: Metric | None = None,
    missing: Iterable[str] = (),
) -> FloatArray:
    """How far is each synthetic record from the nearest original one? Exact.

    Tables of any kind, or arrays, records x columns. ``metric`` is as for :func:`epsilometer.proximity`.

    >>> nearest_distances([[0, 0], [4, 0]], [[1, 1], [4, 2]]).round(4)
    array([1.4142, 2.    ])
    """
    encoding = _encoded(original, synthetic, columns, metric, missing)
    return nearest.nearest_distances(*encoding.points, norm=encoding.norm)


def coverage(
    original: object,
    synthetic: object,
    *,
    radius: float,
    columns: Sequence[str] = (),
    metric: Metric | None = None,
    missing: Iterable[str] = (),
) -> Coverage:
    """What share of the records is paired within a radius when all are paired one to one as cheaply as possible?

    The worst of the cheapest pairings counts, as the paper's number depends on which one is taken.

    >>> coverage([[0], [1]], [[2], [3]], radius=1.0).rate
    0.5
    """
    encoding = _encoded(original, synthetic, columns, metric, missing)
    return matching.coverage(*encoding.points, radius=radius, norm=encoding.norm)


def voronoi_distances(
    sites: object,
    points: object,
    *,
    columns: Sequence[str] = (),
    metric: Metric | None = None,
    missing: Iterable[str] = (),
) -> FloatArray:
    """How far is each point from where it would be as near to a second site? Exact.

    For tables of mixed columns the distance is Euclidean in the coordinates of the Gower distance.

    >>> voronoi_distances([[0, 0], [4, 0], [0, 3]], [[1, 1], [2, 0]])
    array([0.5, 0. ])
    """
    return voronoi.voronoi_distances(*_encoded(sites, points, columns, metric, missing).points)


def candidate_probability(
    original: object,
    synthetic: object,
    *,
    cliques: Sequence[Sequence[str | int]],
    missing: Iterable[str] = (),
) -> Fraction:
    """The p of p-privacy: share of the attacker's candidates that are original, times share of originals found. Exact.

    ``cliques`` are the columns that go together, by name or by number from 0; each column is in one of them.

    >>> original = [[3, 5, 1, 2, 3], [8, 1, 2, 3, 4], [2, 2, 3, 4, 5]]
    >>> synthetic = [[4, 5, 1, 2, 3], [8, 7, 2, 3, 4], [3, 1, 2, 3, 4]]
    >>> candidate_probability(original, synthetic, cliques=[[0], [1], [2, 3, 4]])
    Fraction(2, 27)
    """
    one, other = _both(original, synthetic, (), missing)
    numbered = [[_position(column, one) for column in clique] for clique in cliques]
    return candidates.count_candidates(*coded_alike(one, other), numbered).probability


def marginal_distance(
    original: object,
    released: object,
    ways: int = 2,
    *,
    columns: Sequence[str] = (),
    edges: Mapping[str, Sequence[float]] | None = None,
    missing: Iterable[str] = (),
) -> MarginalDistance:
    """How far are the shares of all combinations of values of 1, 2 or 3 columns at a time? Exact.

    Total variation distances, one for each set of columns. Numbers are compared by bins: between the ``edges`` given
    for a column, or at most ten by quantiles of the original.
    """
    return marginal_distances.marginal_distance(*_both(original, released, columns, missing), ways, edges=edges)


def moment_errors(
    original: object, synthetic: object, *, columns: Sequence[str] = (), missing: Iterable[str] = ()
) -> MomentErrors:
    """How far off are mean, standard deviation and variance of each numeric column, in percent? Exact.

    >>> round(moment_errors([[150], [170]], [[155], [165]]).standard_deviation, 9)
    50.0
    """
    return moments.moment_errors(*_both(original, synthetic, columns, missing))


def model_accuracy(
    original: object,
    synthetic: object,
    target: str,
    holdout: object = None,
    *,
    columns: Sequence[str] = (),
    kinds: Sequence[str] = ("svm", "lr", "mlp"),
    seed: int = 0,
    missing: Iterable[str] = (),
) -> ModelAccuracies:
    """How good is a model of one column trained on synthetic records, against one trained on original ones?

    ``kinds`` are a linear support vector machine, a logistic regression and a small neural network; all are tested on
    the same original records: the ``holdout``, or else 30 % of ``original``. Needs the extra ``synthesis``.
    """
    one, other = _both(original, synthetic, columns, missing)
    tested = None if holdout is None else records_of(holdout, one.columns, missing)
    return models.model_accuracy(one, other, target, tested, models=kinds, seed=seed)


def _both(
    original: object, synthetic: object, columns: Sequence[str], missing: Iterable[str]
) -> tuple[Records, Records]:
    one, other = (records_of(table, columns, missing) for table in (original, synthetic))
    check_alike(one, other)
    return one, other


def _encoded(
    original: object, synthetic: object, columns: Sequence[str], metric: Metric | None, missing: Iterable[str]
) -> Encoding:
    return encode(_both(original, synthetic, columns, missing), metric)


def _position(column: str | int, records: Records) -> int:
    if isinstance(column, str):
        if column not in records.columns:
            raise UnknownColumn(column, records.columns)
        return records.columns.index(column)
    if not 0 <= column < len(records.columns):
        raise BadRoles(f"There is no column number {column}; the columns are numbered 0 to {len(records.columns) - 1}.")
    return column
