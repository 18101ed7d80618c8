"""Random numbers: the noise of a release next to the bare call of OpenDP, simulations next to numpy's generator."""

from benchmarks.comparison import Comparison, Limit, seconds

N_COUNTS = 200_000
N_CELLS, N_VALUES, N_RELEASES = 1_000_000, 4, 4
SCALE = 2.0


def release_noise(n_counts):
    import numpy as np

    from epsilometer.synthesizers.noise import ReleaseNoise

    counts = np.zeros(n_counts, dtype=np.int64)
    ReleaseNoise().whole(counts[:1], SCALE)  # loads OpenDP
    return lambda: [len(ReleaseNoise().whole(counts, SCALE))]


def bare_opendp(n_counts):
    """One call with all the counts as the Python list that it takes."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64", nan=False)), dp.l1_distance(T="i64")
    measure = dp.m.make_laplace(*space, scale=SCALE)
    counts = [0] * n_counts
    return lambda: [seconds(lambda: measure(counts))]


def simulated_noise(n_counts):
    import numpy as np

    import epsilometer as em

    noise, rng = em.Laplace(epsilon=1 / SCALE), np.random.default_rng(0)
    return lambda: [len(noise.sample(rng, (n_counts,)))]


def bare_numpy(n_counts):
    import numpy as np

    rng = np.random.default_rng(0)
    return lambda: [seconds(lambda: rng.laplace(scale=SCALE, size=n_counts))]


def loss(n_cells):
    """The loss at one more epsilon: cells are fetched and marginals found once for a table, before."""
    import numpy as np
    import pyarrow as pa

    import epsilometer as em
    from epsilometer.assessments.loss import Reference

    rng = np.random.default_rng(0)
    rows = {name: rng.integers(0, size, 2 * n_cells) for name, size in zip("abcde", (80, 2, 60, 8, 30), strict=True)}
    table = pa.table(rows | {"value": rng.integers(0, N_VALUES, 2 * n_cells)})
    freq = em.frequency_table(table, quasi_identifiers=list("abcde"), sensitive="value")
    reference = Reference.of(freq, (1, 2))
    return lambda: [reference.loss(em.Laplace(epsilon=1 / SCALE), repeats=N_RELEASES, seed=0).repeats]


def bare_draws(n_cells):
    """The noise of all the counts of all releases, drawn by all cores in parts that fit a cache, and not looked at."""
    import os
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    at_once = 2**15

    def draw(rng, n_numbers):
        for _ in range(0, n_numbers, at_once):
            rng.laplace(scale=SCALE, size=at_once)

    def work():
        n_cores = os.cpu_count()
        with ThreadPoolExecutor(n_cores) as threads:
            each = N_RELEASES * n_cells * N_VALUES // n_cores
            list(threads.map(draw, np.random.default_rng(0).spawn(n_cores), [each] * n_cores))

    return lambda: [seconds(work)]


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    counts = int(N_COUNTS * scale)
    several = {
        "Noise of a release": (release_noise, Limit("OpenDP's bare call", bare_opendp)),
        "Noise of a simulation": (simulated_noise, Limit("numpy's bare call", bare_numpy)),
    }
    for work, (by_us, limit) in several.items():
        yield Comparison(
            work=work,
            size=f"{counts:,} counts",
            same="Ours alone.",
            ours=by_us,
            limits=(limit,),
            arguments={"n_counts": counts},
        )
    n_cells = int(N_CELLS * scale)
    yield Comparison(
        work="Loss of noisy counts at one ε",
        size=f"{n_cells:,} cells of {N_VALUES} values, {N_RELEASES} releases, 21 marginals",
        same="Ours alone.",
        ours=loss,
        limits=(Limit("numpy's bare calls on all cores", bare_draws),),
        arguments={"n_cells": n_cells},
    )
