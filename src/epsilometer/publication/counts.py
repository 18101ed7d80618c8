"""Noisy counts as they are published: from a plan to tables, and what that costs before a number is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from epsilometer.errors import BadQuestion
from epsilometer.mechanisms import Geometric, Mechanism
from epsilometer.publication.post_processing import post_processed, published
from epsilometer.publication.settling import COUNT, settle
from epsilometer.tables.people_combined import combine_people
from epsilometer.tables.profiling import labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.publication.domains import Labels
    from epsilometer.publication.noise_levels import NoiseLevel
    from epsilometer.publication.settling import SettledCounts, SettledTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.tables.people_combined import PeopleCombined
    from epsilometer.tables.people_counted import PeopleCounted
    from epsilometer.tables.roles import Roles
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PublishedCounts:
    """One table as it is published, and everything about it that may be known to everybody.

    Attributes:
        columns: the columns whose combinations are counted.
        rows: their labels, and the published ``count``.
        mechanism: the law of a published count; see :func:`drawn_mechanisms`.
        look: what the table by itself costs, with the noise and the number of counts that a person moves.
        support: ``"declared"`` or ``"thresholded"``.
        listed_from: for thresholded support, the smallest noisy count that is listed.
        n_combinations: for declared support, the number of combinations in the domain; all are published.
        post_processing: what was done to the noisy counts, in this order.
    """

    columns: tuple[str, ...]
    rows: pa.Table
    mechanism: Mechanism
    look: PrivacyLoss
    support: str
    listed_from: int | None
    n_combinations: int | None
    post_processing: tuple[str, ...]


def publish_counts(plan: Plan, noise: Noise) -> tuple[PublishedCounts, ...]:
    """Count the plan's table once, and make the tables that it publishes. What it costs is in :func:`looks_of`.

    >>> from epsilometer import Plan
    >>> from epsilometer.synthesizers.noise import ReleaseNoise
    >>> people = pa.table({"sex": ["f", "m", "m"], "job": ["cook", "cook", "nurse"]})
    >>> domain = {"sex": ["f", "m"], "job": ["cook", "nurse", "smith"]}
    >>> plan = Plan(table=people, quasi_identifiers=("sex",), sensitive=("job",), domain=domain)
    >>> publish_counts(plan, ReleaseNoise())[0].rows.num_rows
    6
    """
    settled = settle(plan)
    return publish_counted(settled, count_settled(settled), noise)


@dataclass(frozen=True, slots=True, eq=False)
class TrueCounts:
    """What is counted for a published table, before any noise: confidential.

    Attributes:
        combined: the combinations that occur, in the engine of the table.
        dense: for declared support, the counts over the whole domain, one axis for each column.
    """

    combined: PeopleCombined
    dense: IntArray | None


def count_settled(settled: SettledCounts) -> tuple[TrueCounts, ...]:
    """Count a table once, for each table that was settled; what is not declared is not counted."""
    combined = combine_people(
        settled.table,
        settled.roles,
        [table.columns for table in settled.tables],
        most=settled.counts.cells_per_person,
        where=settled.where,
    )
    return tuple(
        TrueCounts(each, _dense(table.labels, each.fetch()) if table.labels else None)
        for table, each in zip(settled.tables, combined, strict=True)
    )


def publish_counted(settled: SettledCounts, counted: Sequence[TrueCounts], noise: Noise) -> tuple[PublishedCounts, ...]:
    """Make the tables that were settled from what was counted for them."""
    if settled.counts.support == "thresholded":
        rows = [
            _listed(table, each.combined, settled.roles, noise)
            for table, each in zip(settled.tables, counted, strict=True)
        ]
    else:
        rows = _over_the_domain(settled, counted, noise)
    return tuple(
        PublishedCounts(
            columns=table.columns,
            rows=each,
            mechanism=table.mechanism,
            look=table.level.look,
            support=settled.counts.support,
            listed_from=table.listed_from,
            n_combinations=table.n_combinations,
            post_processing=settled.counts.post_processing,
        )
        for table, each in zip(settled.tables, rows, strict=True)
    )


def looks_of(plan: Plan) -> tuple[PrivacyLoss, ...]:
    """What publishing the plan's counts costs: one look for each table, and one for which combinations are listed.

    Nothing is read of the table but the names and types of its columns.
    """
    return settle(plan).looks


def drawn_mechanisms(plan: Plan) -> tuple[Mechanism, ...]:
    """The law of the published counts of each table of the plan, which its risk follows from.

    Its noise is the one that is drawn. Its threshold is the plan's; with thresholded support it is the count from
    which on a combination is listed, since a reader takes one that is not there for empty.
    """
    return tuple(table.mechanism for table in settle(plan).tables)


def drawn_mechanism(plan: Plan) -> Mechanism:
    """The law of the published counts of a plan for one table; see :func:`drawn_mechanisms`."""
    first, *others = drawn_mechanisms(plan)
    if others:
        raise BadQuestion(f"The plan publishes {1 + len(others)} tables, each with noise of its own. Ask for each.")
    return first


def with_noise(counts: IntArray, level: NoiseLevel, noise: Noise) -> IntArray:
    """Counts with noise: the one way by which a true count leaves this module."""
    draw = noise.whole if isinstance(level.mechanism, Geometric) else noise.whole_gaussian
    return draw(counts, level.scale)


def _listed(table: SettledTable, combined: PeopleCombined, roles: Roles, noise: Noise) -> pa.Table:
    """List the combinations whose noisy count is high enough, in the order of their labels: any other is data.

    Noise is drawn where the counts are, so that of a table on a cluster nothing leaves the workers but what is
    published. Each count gets noise once: a mean of two draws would say more than was paid for, and nothing that is
    computed twice may be seen twice.
    """
    assert table.listed_from is not None  # noqa: S101  support is thresholded
    found = combined.fetch_from(table.listed_from, partial(with_noise, level=table.level, noise=noise))
    labels = {name: labelled(found.keys[name], roles.bins.get(name)) for name in table.columns}
    rows = pa.table({**labels, COUNT: found.n})
    return rows.sort_by([(name, "ascending") for name in table.columns])


def _over_the_domain(settled: SettledCounts, counted: Sequence[TrueCounts], noise: Noise) -> list[pa.Table]:
    noisy: Sequence[IntArray | FloatArray] = [
        with_noise(each.dense, table.level, noise)
        for table, each in zip(settled.tables, counted, strict=True)
        if each.dense is not None  # each table has them where support is declared
    ]
    if settled.counts.post_processing:
        columns = [table.columns for table in settled.tables]
        variances = [table.level.standard_deviation**2 for table in settled.tables]
        noisy = post_processed(noisy, columns, variances, settled.counts.post_processing)
    threshold = settled.counts.mechanism.threshold
    return [_rows(table.labels, published(each, threshold)) for table, each in zip(settled.tables, noisy, strict=True)]


def _dense(labels: Sequence[Labels], found: PeopleCounted) -> IntArray:
    """Counts over the whole domain, one axis for each column."""
    shape = tuple(len(column.all) for column in labels)
    positions = np.array([column.positions(found.keys[column.column]) for column in labels])
    declared = (positions >= 0).all(axis=0)
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(counts, tuple(positions[:, declared]), found.n[declared])
    return counts


def _rows(labels: Sequence[Labels], counts: IntArray) -> pa.Table:
    """One row for each combination of the domain, in its order; labels as codes with a dictionary."""
    columns = {}
    for axis, column in enumerate(labels):
        along = np.arange(counts.shape[axis], dtype=np.int32).reshape(
            [-1 if i == axis else 1 for i in range(counts.ndim)]
        )
        codes = np.broadcast_to(along, counts.shape).ravel()
        columns[column.column] = pa.DictionaryArray.from_arrays(codes, pa.array(column.all, pa.string()))
    return pa.table({**columns, COUNT: counts.ravel()})
