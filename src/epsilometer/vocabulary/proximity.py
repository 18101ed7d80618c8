"""The result of holding a synthetic table against the original: how near its records come to real people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Spread:
    """Distances summed up.

    Attributes:
        minimum: the smallest.
        median: half of them are not larger.
        mean: their mean.
        quantiles: the distance that at least each share of them does not exceed.
    """

    minimum: float
    median: float
    mean: float
    quantiles: Mapping[float, float]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Records paired off one to one as cheaply as possible.

    Attributes:
        radius: the y of (y, p)-coverage.
        n_pairs: number of pairs: one for each record of the smaller table.
        rate: share of the pairs within the radius, in the cheapest pairing that has most of them: the paper's p'.
        lowest_rate: the same in the one that has fewest.
        mean_distance: of the pairs.
        gap: by how much the mean distance may exceed the smallest possible one; 0 if it is proved to be the smallest.
    """

    radius: float
    n_pairs: int
    rate: float
    lowest_rate: float
    mean_distance: float
    gap: float


@dataclass(frozen=True, slots=True)
class CandidateAttack:
    """Originals among the records that an attacker puts together from parts of synthetic ones.

    Attributes:
        probability: the p of p-privacy.
        n_candidates: number of records put together.
        n_found: different originals among them.
        n_originals: different originals.
        cliques: columns that go together.
        linked_from: association, by bias-corrected Cramer's V, from which two columns are linked.
    """

    probability: float
    n_candidates: int
    n_found: int
    n_originals: int
    cliques: tuple[tuple[str, ...], ...]
    linked_from: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proximity:
    """How near the records of a synthetic table come to the original ones; all of it exact unless ``gap`` says not.

    Attributes:
        columns: the columns compared.
        metric: the distance of two records, in words.
        n_original: number of original records.
        n_synthetic: number of synthetic ones.
        hitting_rate: share of the synthetic records that are equal to an original one.
        nearest: y-privacy: distances of the synthetic records to the nearest original one.
        coverage: (y, p)-coverage, of random parts of large tables: see ``caveats``.
        voronoi: distances of the synthetic records from where two originals are equally near; ``None`` if all
            originals are equal. Euclidean in the coordinates of the metric.
        voronoi_pairing: mean distance between the synthetic table and the one with every original moved to its
            nearest Voronoi edge, and by how much it may be too large; ``None`` like ``voronoi``.
        candidates: p-privacy.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "proximity"

    columns: tuple[str, ...]
    metric: str
    n_original: int
    n_synthetic: int
    hitting_rate: float
    nearest: Spread
    coverage: Pairing
    voronoi: Spread | None
    voronoi_pairing: tuple[float, float] | None
    candidates: CandidateAttack
    caveats: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        body = plain(self)
        assert isinstance(body, dict)  # noqa: S101  (a data class becomes a mapping)
        return {"schema": self.schema, "kind": self.kind, "confidential": True, "evidence": "exact", **body}
