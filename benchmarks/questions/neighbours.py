"""How far every synthetic record is from the nearest original one."""

import os

from benchmarks.comparison import Comparison, Way
from benchmarks.pins import FAISS

ROWS = 1_000_000
ROWS_OF_SLOW_PEERS = 100_000
N_COLUMNS = 5


def ours(n_records):
    import epsilometer as em

    original, synthetic = _points(n_records)
    return lambda: [em.nearest_distances(original, synthetic).sum()]


def by_scipy(n_records):
    from scipy.spatial import cKDTree

    original, synthetic = _points(n_records)
    return lambda: [cKDTree(original).query(synthetic, workers=os.cpu_count())[0].sum()]


def by_scikit_learn(n_records):
    from sklearn.neighbors import NearestNeighbors

    original, synthetic = _points(n_records)

    def work():
        fitted = NearestNeighbors(n_neighbors=1, algorithm="kd_tree", n_jobs=os.cpu_count()).fit(original)
        return [fitted.kneighbors(synthetic)[0].sum()]

    return work


def by_faiss(n_records):
    """The exact index; faiss knows single precision only."""
    import faiss
    import numpy as np

    original, synthetic = _points(n_records)

    def work():
        index = faiss.IndexFlatL2(N_COLUMNS)
        index.add(original.astype(np.float32))
        squares = index.search(synthetic.astype(np.float32), 1)[0]
        return [np.sqrt(squares.astype(np.float64)).sum()]

    return work


def _points(n_records):
    import numpy as np

    return np.random.default_rng(0).normal(size=(2, n_records, N_COLUMNS))


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    scipy = Way("SciPy's tree", by_scipy, "scipy")
    several = {
        int(ROWS * scale): (scipy,),
        int(ROWS_OF_SLOW_PEERS * scale): (
            Way("scikit-learn's tree", by_scikit_learn, "scikit-learn"),
            Way("faiss, exact", by_faiss, "faiss-cpu", FAISS),
        ),
    }
    for rows, peers in several.items():
        yield Comparison(
            work="Nearest original of every synthetic record",
            size=f"{rows:,} records each, {N_COLUMNS} columns of numbers",
            same="Exact Euclidean distances, the search structure built in the time; faiss in single precision.",
            ours=ours,
            peers=peers,
            arguments={"n_records": rows},
            tolerance=1e-5,
        )
