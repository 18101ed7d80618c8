"""How often noisy counts show one value, a true one: exactly, and by the simulation that a user would write."""

from benchmarks.comparison import Comparison, Way

N_EPSILONS = 12
N_CELLS = 4_000
RELEASES = 400


def ours(n_cells):
    import epsilometer as em

    freq = em.FrequencyTable.from_counts(_counts(n_cells))
    noise = em.Laplace(epsilon=_epsilons(N_EPSILONS))
    return lambda: [
        *em.homogeneity_risk(freq, noise, "local").value,
        *em.homogeneity_risk(freq, noise, "expected").value,
    ]


def by_numpy(n_cells):
    """The table is published four hundred times at each epsilon, a numpy expression for each release."""
    import numpy as np

    counts = _counts(n_cells)
    sizes = counts.sum(axis=1)
    rng = np.random.default_rng(0)

    def simulated(epsilon, drawn):
        shown_right = 0.0
        for _ in range(RELEASES):
            true = drawn()
            shown = true + rng.laplace(scale=1 / epsilon, size=true.shape) >= 0.5
            shown_right += ((shown & (true > 0)).any(axis=1) & (shown.sum(axis=1) == 1)).mean()
        return shown_right / RELEASES

    as_they_are, drawn_anew = lambda: counts, lambda: rng.multinomial(sizes, counts / sizes[:, None])
    return lambda: [
        simulated(epsilon, drawn) for drawn in (as_they_are, drawn_anew) for epsilon in _epsilons(N_EPSILONS)
    ]


def _epsilons(n):
    import numpy as np

    return tuple(np.geomspace(0.01, 10, n).tolist())


def _counts(n_cells):
    import numpy as np

    rng = np.random.default_rng(0)
    return rng.multinomial(1 + rng.negative_binomial(1, 0.1, n_cells), rng.dirichlet((0.5, 0.7, 1.0), n_cells))


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    cells = int(N_CELLS * scale)
    yield Comparison(
        work="Risk of noisy counts",
        size=f"{cells:,} cells, 3 values, {N_EPSILONS} ε, two measures",
        same="Ours is exact; the simulation publishes the table 400 times at each ε, and is right to two digits or so.",
        ours=ours,
        peers=(Way("numpy simulation", by_numpy, "numpy"),),
        arguments={"n_cells": cells},
        tolerance=0.02,
    )
