"""Pairing the records of two tables one to one, at the least total distance."""

from benchmarks.comparison import Comparison, Way

ROWS = 6_000
N_COLUMNS = 5


def ours(n_records):
    import epsilometer as em

    original, synthetic = _points(n_records)
    return lambda: [em.coverage(original, synthetic, radius=0.5).mean_distance]


def by_scipy(n_records):
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    original, synthetic = _points(n_records)

    def work():
        distances = cdist(original, synthetic)
        return [distances[linear_sum_assignment(distances)].mean()]

    return work


def _points(n_records):
    import numpy as np

    return np.random.default_rng(0).normal(size=(2, n_records, N_COLUMNS))


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    rows = int(ROWS * scale)
    yield Comparison(
        work="Cheapest pairing one to one",
        size=f"{rows:,} records each, {N_COLUMNS} columns of numbers",
        same="The mean distance of the optimal pairing, both exact; ours also counts the pairs within a radius.",
        ours=ours,
        peers=(Way("SciPy's assignment", by_scipy, "scipy"),),
        arguments={"n_records": rows},
    )
