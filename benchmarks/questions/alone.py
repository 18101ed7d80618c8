"""What nobody else computes: no ratio, only what it costs at sizes that matter."""

from benchmarks.comparison import Comparison

RECORDS = 1_000_000
PAIRED = 20_000
N_COLUMNS = 5
POPULATION, SAMPLE = 10**9, 10**6


def voronoi(n):
    import epsilometer as em

    original, synthetic = _points(n)
    return lambda: [em.voronoi_distances(original, synthetic).sum()]


def candidates(n):
    """Values of one decimal, so that some originals are found."""
    import epsilometer as em

    original, synthetic = _points(n).round(1)
    return lambda: [em.candidate_probability(original, synthetic, cliques=[[0, 1], [2], [3, 4]])]


def pairing(n):
    import epsilometer as em

    original, synthetic = _points(n)
    return lambda: [em.coverage(original, synthetic, radius=0.5).mean_distance]


def sample(n):
    import epsilometer as em

    return lambda: [em.sampling_risk(population=n, sample=SAMPLE, prior="frequencies", n_values=10).value]


def _points(n):
    import numpy as np

    return np.random.default_rng(0).normal(size=(2, n, N_COLUMNS))


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    records, paired = int(RECORDS * scale), int(PAIRED * scale)
    each = f"records each, {N_COLUMNS} columns of numbers"
    several = (
        ("Voronoi distances", f"{records:,} {each}", voronoi, records),
        ("Candidates put together from parts", f"{records:,} {each}", candidates, records),
        ("Cheapest pairing where a matrix no longer fits", f"{paired:,} {each}", pairing, paired),
        ("Risk of a sample", f"{SAMPLE:,} of {POPULATION:,} people, 10 values", sample, POPULATION),
    )
    for work, size, by_us, n in several:
        yield Comparison(work=work, size=size, same="Ours alone.", ours=by_us, arguments={"n": n})
