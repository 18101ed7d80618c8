"""How near synthetic records are, a million against a million: python benchmarks/neighbors.py [records] [repeats].

Nearest distances take turns with scipy's tree at full size, and with scikit-learn and faiss, where they are installed,
at a tenth of it; each run is a process of its own, so that peak memory is that of one variant. Voronoi distances and
the candidate attack have no library to compare with: their seconds and gigabytes stand alone.
"""

import importlib.util
import json
import resource
import statistics
import subprocess
import sys
import time

import numpy as np
from scipy.spatial import cKDTree

from epsilometer.neighbors import candidate_probability, nearest_distances, voronoi_distances

N_COLUMNS = 5


def by_scipy(original, synthetic):
    return cKDTree(original).query(synthetic, workers=2)[0].sum()


def by_sklearn(original, synthetic):
    from sklearn.neighbors import NearestNeighbors

    fitted = NearestNeighbors(n_neighbors=1, algorithm="kd_tree", n_jobs=2).fit(original)
    return fitted.kneighbors(synthetic)[0].sum()


def by_faiss(original, synthetic):
    """Exact search; faiss knows single precision only."""
    import faiss

    index = faiss.IndexFlatL2(original.shape[1])
    index.add(original.astype(np.float32))
    return np.sqrt(index.search(synthetic.astype(np.float32), 1)[0].astype(np.float64)).sum()


def candidates(original, synthetic):
    """Values of one decimal, so that some originals are found."""
    cliques = [[0, 1], [2], [3, 4]]
    return float(candidate_probability(original.round(1), synthetic.round(1), cliques))


VARIANTS = {
    "ours": lambda original, synthetic: nearest_distances(original, synthetic).sum(),
    "scipy": by_scipy,
    "scikit-learn": by_sklearn,
    "faiss": by_faiss,
    "Voronoi distances": lambda original, synthetic: voronoi_distances(original, synthetic).sum(),
    "candidate attack": candidates,
}
MODULES = {"scikit-learn": "sklearn", "faiss": "faiss"}


def measure_here(variant, n_records):
    """Time one variant in this process, on the same data as all others; imports are not part of the time."""
    if variant in MODULES:
        importlib.import_module(MODULES[variant])
    rng = np.random.default_rng(0)
    original, synthetic = rng.normal(size=(2, int(n_records), N_COLUMNS))
    start = time.perf_counter()
    result = VARIANTS[variant](original, synthetic)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(json.dumps({"seconds": seconds, "peak": peak, "result": float(result)}))


def measure(variant, n_records):
    command = [sys.executable, __file__, "--measure", variant, str(n_records)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def compare(n_records, variants, repeats):
    runs = {variant: [measure(variant, n_records)] for variant in variants}
    for _ in range(repeats - 1):
        for variant, measured in runs.items():
            measured.append(measure(variant, n_records))
    sums = [run["result"] for measured in runs.values() for run in measured]
    if not np.allclose(sums, sums[0], rtol=1e-5):
        raise SystemExit("the distances disagree")
    seconds = {variant: statistics.median(run["seconds"] for run in measured) for variant, measured in runs.items()}
    print(f"nearest distances, {n_records:,} x {N_COLUMNS} against as many:")
    for variant, measured in runs.items():
        peak = max(run["peak"] for run in measured)
        ratio = f"   ours takes {seconds['ours'] / seconds[variant]:.2f} of it" if variant != "ours" else ""
        print(f"  {variant:<13}{seconds[variant]:8.2f} s {peak:6.2f} GB{ratio}")


def main(n_records=1_000_000, repeats=3):
    compare(n_records, ["ours", "scipy"], repeats)
    installed = [variant for variant, module in MODULES.items() if importlib.util.find_spec(module)]
    for variant in MODULES.keys() - set(installed):
        print(f"{variant} is left out: it is not installed")
    compare(n_records // 10, ["ours", "scipy", *installed], repeats)
    for variant in ("Voronoi distances", "candidate attack"):
        run = measure(variant, n_records)
        print(f"{variant}, {n_records:,} x {N_COLUMNS}: {run['seconds']:.1f} s, {run['peak']:.2f} GB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure_here(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
