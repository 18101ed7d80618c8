"""Distances to the training people, next to those of people who were never in the training data."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.vocabulary.arrays import FloatArray

BAND: Final = (0.025, 0.975)
HITS: Final = "share at distance zero"
QUANTILES: Final = {"1 % quantile": 0.01, "5 % quantile": 0.05, "25 % quantile": 0.25, "median": 0.5}
FEWEST_BELOW: Final = 5  # of a part, for its quantile to be other than its minimum

Measures = Callable[[FloatArray], list[float]]

# one of the distances, never a mean of two: equal values must not differ by rounding
_quantile = partial(np.quantile, method="inverted_cdf")


@dataclass(frozen=True, slots=True)
class NullBand:
    """One measure of nearness of a table, and where it lies for strangers.

    Attributes:
        measure: what is measured, of the distances to the nearest training person.
        n_compared: how many records and how many held-out people are compared.
        whole_table: the measure of the whole table.
        value: the median of the measure over random parts of the table, of ``n_compared`` records each.
        low: below this is the measure of as many held-out people in one case of forty.
        high: above this it is in one case of forty.
        planted: as ``value``, after some of the records were replaced by copies of training people.
    """

    measure: str
    n_compared: int
    whole_table: float
    value: float
    low: float
    high: float
    planted: float

    @property
    def place(self) -> Literal["nearer", "inside", "farther"]:
        """Whether the table is nearer to the training people than strangers are, like them, or farther away."""
        if self.low <= self.value <= self.high:
            return "inside"
        return "nearer" if (self.value > self.high) == (self.measure == HITS) else "farther"

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {**asdict(self), "place": self.place}


def null_bands(
    of_table: FloatArray, of_held_out: FloatArray, *, seed: int, planted_share: float = 0.01, n_parts: int = 200
) -> tuple[NullBand, ...]:
    r"""Is a table nearer to the training people than held-out people are? An estimate, for several measures.

    ``of_table`` and ``of_held_out`` are the distances of the records of the table, and of the held-out people, to
    their nearest training person. The more there are, the smaller is their minimum: parts of one size are compared.
    A table of strangers lies inside in about 95 % of cases, by each measure alone, with parts of a size m such that

    .. math:: \frac1m = \frac1{n_D} + \frac2{n_H}, \quad \frac1m - \frac1{n_H} = \frac1{n_D} + \frac1{n_H}

    as means of parts, drawn without replacement from :math:`n_H` people, then vary as much as means of two whole
    tables differ. Of a minimum, one part in forty must be able to fall short of all held-out people: m is
    :math:`n_H / 40`, and a few copies do not show. Quantiles that would be all but a minimum are left out.

    >>> strangers = np.random.default_rng(1).exponential(size=600)
    >>> nearer = np.concatenate([np.zeros(15), strangers[15:300]])
    >>> [(band.measure, band.place) for band in null_bands(nearer, strangers[300:], seed=1)[:2]]
    [('minimum', 'inside'), ('share at distance zero', 'nearer')]
    """
    if not 0 < planted_share <= 1:
        raise OutOfRange("planted_share", planted_share, "(0, 1]", hint="It is a part of the records of the table.")
    few = min(len(of_table), max(1, len(of_held_out) // 40))
    many = max(1, math.floor(1 / (1 / len(of_table) + 2 / len(of_held_out))))
    quantiles = {name: q for name, q in QUANTILES.items() if q * many >= FEWEST_BELOW}
    compared: tuple[tuple[int, tuple[str, ...], Measures], ...] = (
        (few, ("minimum",), lambda part: [part.min()]),
        (many, (HITS, *quantiles, "mean"), partial(_measures, quantiles=list(quantiles.values()))),
    )
    rng = np.random.default_rng(seed)
    bands: list[NullBand] = []
    for size, names, measures in compared:
        over_parts = partial(_over_parts, measures=measures, size=size, n_parts=n_parts, rng=rng)
        value = _quantile(over_parts(of_table), 0.5, axis=0)
        low, high = _quantile(over_parts(of_held_out), BAND, axis=0)
        planted = _quantile(over_parts(of_table, n_copies=math.ceil(planted_share * size)), 0.5, axis=0)
        numbers = np.stack([measures(of_table), value, low, high, planted], axis=1).tolist()
        bands += [NullBand(name, size, *row) for name, row in zip(names, numbers, strict=True)]
    return tuple(bands)


def _measures(distances: FloatArray, quantiles: list[float]) -> list[float]:
    return [(distances == 0).mean(), *_quantile(distances, quantiles), distances.mean()]


def _over_parts(
    distances: FloatArray, *, measures: Measures, size: int, n_parts: int, rng: np.random.Generator, n_copies: int = 0
) -> FloatArray:
    """Measures of random parts, some of each replaced by copies of training people: parts x measures."""
    parts = (rng.choice(distances, size, replace=False) for _ in range(n_parts))
    return np.array([measures(np.concatenate([np.zeros(n_copies), part[n_copies:]])) for part in parts])
