"""Synthetic tables at several epsilons, and what the paper measures of each.

Everything is drawn from seeds: these tables are made to be measured, not to be released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.neighbors import (
    candidate_probability,
    dependency_cliques,
    dependency_codes,
    nearest_distances,
    voronoi_distances,
    voronoi_privacy,
)
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.copula import CopulaSynthesizer
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.tables.records import Records
from epsilometer.utility.models import model_accuracy
from epsilometer.utility.moments import moment_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from epsilometer.reproduction.synthetic.originals import Original
    from epsilometer.vocabulary.arrays import FloatArray

    Found = Iterator[tuple[str, str, float]]
    Measure = Callable[[Original, Records, int], Found]

METHOD: Final = CopulaSynthesizer()
EPSILONS: Final = (0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0)
N_RUNS: Final = 3
SEARCHED: Final = 100_000  # synthetic records whose nearest originals are looked for, at most
MATCHED: Final = 2_000  # records of either table that are paired off, at most
TRAINED: Final = 10_000  # records of either table that models are trained on, at most


class Measurement(NamedTuple):
    """One number of one synthetic table.

    Attributes:
        table: what was synthesized.
        n_rows: its number of records, and that of the synthetic ones.
        method: the synthesizer.
        epsilon: its privacy parameter.
        seed: of the noise, of the rows drawn and of the random parts that are measured.
        quantity: what was measured.
        of: of which column or model; empty for the whole table.
        value: the number; errors are in percent.
    """

    table: str
    n_rows: int
    method: str
    epsilon: float
    seed: int
    quantity: str
    of: str
    value: float


def measure(original: Original, epsilons: Sequence[float] = EPSILONS, n_runs: int = N_RUNS) -> Iterator[Measurement]:
    """Make so many synthetic tables for each epsilon, and measure them; each table has a seed of its own."""
    for seed, epsilon in enumerate(np.repeat(epsilons, n_runs).tolist()):
        yield from measured(original, epsilon, seed, MEASURES)


def measured(original: Original, epsilon: float, seed: int, measures: Sequence[Measure]) -> Iterator[Measurement]:
    """Make one synthetic table and take some measures of it."""
    synthetic = made(original, epsilon, seed)
    for each in measures:
        for quantity, of, value in each(original, synthetic, seed):
            n_rows = len(original.records)
            yield Measurement(original.name, n_rows, METHOD.name, epsilon, seed, quantity, of, value)


def made(original: Original, epsilon: float, seed: int) -> Records:
    """Make a synthetic table of the same size."""
    for_noise, for_rows = np.random.SeedSequence(seed).generate_state(2).tolist()
    coding, rng = original.coding, np.random.default_rng(for_rows)
    model = METHOD.fit(coding.encode(original.records), Budget(epsilon), SimulatedNoise(for_noise))
    codes = model.sample(len(original.records), rng)
    return Records(coding.decode(codes, rng), "synthetic")


def errors(original: Original, synthetic: Records, _: int) -> Found:
    """Errors of mean, standard deviation and variance of each column: the paper's (11), without its sign."""
    for column in moment_errors(original.records, synthetic).columns:
        yield "mean error", column.name, column.mean.percent
        yield "deviation error", column.name, column.standard_deviation.percent
        yield "variance error", column.name, column.variance.percent


def distances(original: Original, synthetic: Records, seed: int) -> Found:
    """Voronoi privacy in both readings, y-privacy at worst and on average."""
    rng = np.random.default_rng(seed)
    originals, synthetics = original.points(original.records), original.points(synthetic)
    searched = _some(synthetics, SEARCHED, rng)
    nearest = nearest_distances(originals, searched)
    yield "nearest distance", "least", float(nearest.min())
    yield "nearest distance", "mean", float(nearest.mean())
    paired = _some(originals, MATCHED, rng), searched[:MATCHED]
    yield "Voronoi privacy", "", voronoi_privacy(*paired)
    yield "distance to the diagram", "mean", float(voronoi_distances(originals, paired[1]).mean())


def candidates(original: Original, synthetic: Records, _: int) -> Found:
    """The p of p-privacy, with the dependency graph of the synthetic table."""
    originals, synthetics = original.points(original.records), original.points(synthetic)
    cliques = dependency_cliques(dependency_codes(synthetic))
    yield "p", "", float(candidate_probability(originals, synthetics, cliques))


def accuracies(original: Original, synthetic: Records, _: int) -> Found:
    """Accuracy of models trained on synthetic and on original records; the originals to test on are always the same."""
    before, after = (original.classed(records) for records in (original.records, synthetic))
    found = model_accuracy(before, after, original.label, rows_at_most=TRAINED)
    yield "accuracy", "largest class", found.baseline
    for model in found.models:
        yield "accuracy", model.model, float(model.on_synthetic.value)
        yield "accuracy of originals", model.model, float(model.on_original.value)


MEASURES: Final = (errors, distances, candidates, accuracies)


def _some(points: FloatArray, at_most: int, rng: np.random.Generator) -> FloatArray:
    """Draw so many of the points in a random order, or all of them."""
    return rng.permutation(points)[:at_most]
