"""Exact risks against the simulation a user would write in plain numpy, in one run: python benchmarks/homogeneity.py.

Adult's six quasi-identifiers (the committed profile), 25 epsilons, all four measures. The simulation publishes the
table 500 times for each epsilon and measure, a numpy expression per release.
"""

import statistics
import time
from importlib import resources

import numpy as np

import epsilometer as em

MEASURES = ("local", "expected", "shrinkage", "global")
EPSILONS = tuple(np.geomspace(0.001, 10, 25).tolist())
REPEATS = 500


def adult() -> em.FrequencyTable:
    profile = resources.files("epsilometer.reproduction.homogeneity").joinpath("profiles/adult.csv")
    rows = np.loadtxt(profile.read_text().splitlines(), delimiter=",", skiprows=1, dtype=np.int64)
    return em.FrequencyTable.from_counts(np.repeat(rows[:, :-1], rows[:, -1], axis=0))


def plain_numpy(freq: em.FrequencyTable, measure: str, epsilon: float, rng: np.random.Generator) -> float:
    """The papers' experiment for one epsilon: draw the counts the measure asks for, add noise, look."""
    counts = np.repeat(freq.profile.counts, freq.profile.n_cells, axis=0)
    sizes = counts.sum(axis=1)
    alpha = np.asarray(em.dirichlet_multinomial_mle(freq.profile.counts, freq.profile.n_cells))
    hits = 0.0
    for _ in range(REPEATS):
        if measure == "local":
            drawn = counts
        elif measure == "expected":
            drawn = rng.multinomial(sizes, counts / sizes[:, None])
        else:
            n = rng.choice(sizes, len(sizes)) if measure == "global" else sizes
            drawn = rng.multinomial(n, rng.dirichlet(alpha, len(sizes)))
        shown = drawn + rng.laplace(scale=1 / epsilon, size=drawn.shape) >= 0.5
        hits += (((shown & (drawn > 0)).any(axis=1)) & (shown.sum(axis=1) == 1)).mean()
    return hits / REPEATS


def main() -> None:
    freq, noise, rng = adult(), em.Laplace(epsilon=EPSILONS), np.random.default_rng(0)
    exact_times = []
    for _ in range(15):
        started = time.perf_counter()
        exact = {measure: em.homogeneity_risk(freq, noise, measure).value for measure in MEASURES}
        exact_times.append(time.perf_counter() - started)
    exact_seconds = statistics.median(exact_times)
    sample = EPSILONS[::12]  # three of the 25: the others cost the same
    started = time.perf_counter()
    simulated = {m: [plain_numpy(freq, m, epsilon, rng) for epsilon in sample] for m in MEASURES}
    simulated_seconds = (time.perf_counter() - started) * len(EPSILONS) / len(sample)
    for measure in MEASURES:
        print(f"{measure:10} exact {exact[measure][::12].round(4)}   simulated {np.round(simulated[measure], 4)}")
    print(f"all four measures, 25 epsilons: exact {exact_seconds * 1e3:.1f} ms, simulated {simulated_seconds:.0f} s")
    print(f"ratio {simulated_seconds / exact_seconds:,.0f}")
    large_profile()


def large_profile() -> None:
    """100 epsilons on 10^5 distinct count vectors."""
    rng = np.random.default_rng(1)
    counts = np.unique(rng.integers(0, 450, (150_000, 2)), axis=0)[1:100_001]
    freq = em.FrequencyTable.from_counts(counts)
    noise = em.Laplace(epsilon=tuple(np.geomspace(0.01, 10, 100).tolist()))
    times = []
    for _ in range(3):
        started = time.perf_counter()
        em.homogeneity_risk(freq, noise)
        times.append(time.perf_counter() - started)
    started = time.perf_counter()
    np.exp(-rng.random((100, len(counts), 2)))
    bound = time.perf_counter() - started
    print(
        f"100 epsilons x {len(counts):,} count vectors: {min(times):.2f} s, {min(times) / bound:.1f} x an exp of each"
    )


if __name__ == "__main__":
    main()
