"""Pairing records one to one: against scipy's dense assignment, and at sizes where that needs too much memory.

Run: python benchmarks/matching.py [small]. Prints seconds, peak memory of a process of its own, and the gap.
"""

import resource
import subprocess
import sys
import time

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from epsilometer.neighbors.matching import coverage


def tables(kind, n):
    rng = np.random.default_rng(0)
    original = rng.normal(size=(n, 5))
    synthetic = rng.normal(size=(n, 5))
    return original, 0.3 + 1.3 * synthetic if kind == "shifted" else synthetic


def ours(kind, n):
    original, synthetic = tables(kind, n)
    start = time.perf_counter()
    found = coverage(original, synthetic, radius=0.5)
    return time.perf_counter() - start, found.mean_distance, found.gap


def dense(kind, n):
    original, synthetic = tables(kind, n)
    start = time.perf_counter()
    distances = cdist(original, synthetic)
    mean = distances[linear_sum_assignment(distances)].mean()
    return time.perf_counter() - start, mean, 0.0


def measured(name, kind, n):
    """Run one of them in a process of its own, so that its memory is its own."""
    printed = subprocess.run(
        [sys.executable, __file__, "one", name, kind, str(n)], check=True, capture_output=True, text=True
    ).stdout
    return tuple(map(float, printed.split()))


def main(sizes):
    print(f"{'records':>8} {'tables':>8} {'ours':>9} {'memory':>8} {'gap':>9} {'dense':>9} {'memory':>8} {'ratio':>6}")
    for kind in ("alike", "shifted"):
        for n in sizes:
            seconds, mean, gap, memory = measured("ours", kind, n)
            line = f"{n:8,} {kind:>8} {seconds:7.1f} s {memory:5.2f} GB {gap:9.2g}"
            if n <= 10_000:
                dense_seconds, dense_mean, _, dense_memory = measured("dense", kind, n)
                assert abs(mean - dense_mean) <= gap + 1e-9 * dense_mean
                line += f" {dense_seconds:7.1f} s {dense_memory:5.2f} GB {seconds / dense_seconds:6.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        numbers = {"ours": ours, "dense": dense}[sys.argv[2]](sys.argv[3], int(sys.argv[4]))
        print(*numbers, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
    else:
        main((3_000,) if sys.argv[1:] == ["small"] else (3_000, 10_000, 20_000, 100_000))
