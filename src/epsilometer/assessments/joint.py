"""What several releases of one table give away together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.alone import alone_probability
from epsilometer.tables.linked_counts import linked_counts
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.joint_risk import JointRisk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.tables.linked_counts import Reading
    from epsilometer.tables.roles import Roles
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import Noise


@dataclass(frozen=True, slots=True)
class NoisyTable:
    """A published table of counts: which columns play which part in it, and the noise on each count."""

    roles: Roles
    noise: Noise


def joint_risk(
    table: object,
    published: Sequence[NoisyTable],
    *,
    where: str | None = None,
    missing: Iterable[str] = (),
    left_out: Iterable[str] = (),
) -> JointRisk:
    r"""Share of people whose value at least one of several published tables shows alone in their cell. Exact.

    .. math:: \frac1n \sum_{\text{person}} 1 - \prod_r \big( 1 - (1 - z_r(n_k)) \prod_{j \ne k} z_r(n_j) \big)

    with :math:`n_j` the counts of the person's cell in table :math:`r` and :math:`k` their own value there: the
    noises of the tables are independent, so that each betrays a person or not by itself. The attacker reads each
    table by itself. One who puts them together may learn more; the composed guarantee bounds that.

    Args:
        table: anything :func:`epsilometer.open_table` takes; a row is a person.
        published: the tables.
        where: row filter of all of them.
        missing: texts that stand for a missing value.
        left_out: releases that are not among them, for the record.

    >>> from epsilometer import Laplace, example_table
    >>> from epsilometer.tables.roles import Roles
    >>> once = NoisyTable(Roles(("sex", "district"), ("reason",)), Laplace(epsilon=1.0))
    >>> found = joint_risk(example_table(), [once, once])
    >>> found.each[0] < found.value < sum(found.each)
    True
    """
    binned = {column: "number" for one in published for column in one.roles.bins}
    counts = linked_counts(open_table(table, missing, of_text=binned), [one.roles for one in published], where=where)
    disclosed = [_disclosed(one.noise, reading) for one, reading in zip(published, counts.readings, strict=True)]
    hidden: FloatArray = np.prod([1 - chance for chance in disclosed], axis=0)
    return JointRisk(
        answer=Exact(float(np.average(1 - hidden, weights=counts.n_people))),
        each=tuple(float(np.average(chance, weights=counts.n_people)) for chance in disclosed),
        no_release=tuple(_most_common(reading) for reading in counts.readings),
        left_out=tuple(left_out),
    )


def _disclosed(noise: Noise, reading: Reading) -> FloatArray:
    """Chance, for each group of people, that their own value is the only one published for their cell."""
    vectors, vector = np.unique(reading.counts, axis=0, return_inverse=True)
    alone = alone_probability(vectors, noise)
    return np.asarray(alone[vector.ravel()[reading.cells], reading.values])


def _most_common(reading: Reading) -> float:
    """Share of people who have the most common value."""
    totals = reading.counts.sum(axis=0)
    return float(totals.max() / totals.sum())
