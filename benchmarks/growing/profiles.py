"""What is read off a profile: risks of noisy counts, of the raw table, of samples; the sliders of the page."""

from functools import lru_cache

import numpy as np

import epsilometer as em
from benchmarks.growing.growth import Growth, decades
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer, CountsSetting
from epsilometer.assessments.exploring.sample_explorer import SampleExplorer, SampleSetting

NOISES = {
    "laplace": em.Laplace(epsilon=1.0),
    "geometric": em.Geometric(epsilon=1.0),
    "gaussian": em.Gaussian(epsilon=1.0, delta=1e-5),
    "discrete-gaussian": em.DiscreteGaussian(epsilon=1.0, delta=1e-5),
}
LAPLACE, GAUSSIAN = NOISES["laplace"], NOISES["gaussian"]
CELLS, VALUES, PEOPLE, EPSILONS = decades(1e4, 1e7), decades(4, 4000), decades(20, 20_000), decades(3, 3000)
FEWER_CELLS = decades(100, 1e5)  # of what costs microseconds a cell
LISTED = decades(30, 3e4)  # cells that are fetched with their labels
VARIED = 1000  # people in a cell: of ten million cells with fewer, most would be like another, and count once


@lru_cache(maxsize=40)
def profile(n_cells=100, n_values=4, people=60):
    """A table of cells that differ; ``people`` in each on average, in values of which some are frequent."""
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(n_values, 3 / n_values), n_cells)
    sizes = 1 + np.minimum(rng.geometric(1 / people, n_cells), 4 * people)  # of more cells, none is larger
    return em.FrequencyTable.from_counts(rng.multinomial(sizes, shares))


def of_profile(work, ask, over, sizes, **fixed):
    """A question to a profile of which one size grows."""
    name = {"cells": "n_cells", "values": "n_values", "rows": "people"}[over]

    def prepare(size):
        freq = profile(**fixed | {name: size})
        return lambda: ask(freq)

    return Growth(work=work, over=over, sizes=sizes, prepare=prepare)


def of_curve(work, ask, sizes=EPSILONS):
    """A question about a curve of more and more epsilons."""
    freq = profile(n_cells=300)

    def prepare(size):
        noise = em.Laplace(epsilon=tuple(np.geomspace(0.05, 5, size).tolist()))
        return lambda: ask(freq, noise)

    return Growth(work=work, over="epsilons", sizes=sizes, prepare=prepare)


def questions(_folder):
    yield from _homogeneity()
    yield from _readers_of_all_counts()
    yield from _other_risks()
    yield from _searches()
    yield from _losses_and_samples()
    yield from _sliders()
    yield from _curves()


def _homogeneity():
    for name, noise in NOISES.items():
        for average in ("cells", "records"):
            work = f"homogeneity risk, local by {average}, {name}"
            ask = lambda f, n=noise, a=average: em.homogeneity_risk(f, n, average=a)  # noqa: E731
            yield of_profile(work, ask, "cells", CELLS, people=VARIED)
    for name, noise in NOISES.items():
        for measure in ("local", "expected", "shrinkage", "global", "global-fixed"):
            work = f"homogeneity risk, {measure}, {name}"
            ask = lambda f, n=noise, m=measure: em.homogeneity_risk(f, n, m)  # noqa: E731
            yield of_profile(work, ask, "values", VALUES, n_cells=30)
            yield of_profile(work, ask, "rows", PEOPLE, n_cells=30)
            if measure == "expected":
                yield of_profile(work, ask, "cells", FEWER_CELLS)
            elif measure != "local":
                yield of_profile(work, ask, "cells", CELLS, people=VARIED)


def _readers_of_all_counts():
    for rule, cells in (("hard", FEWER_CELLS), ("soft", FEWER_CELLS)):
        ask = lambda f, r=rule: em.thresholding_risk(f, LAPLACE, r)  # noqa: E731
        yield of_profile(f"thresholding risk, {rule}", ask, "cells", cells)
        yield of_profile(f"thresholding risk, {rule}", ask, "values", VALUES)
        yield of_profile(f"thresholding risk, {rule}", ask, "rows", PEOPLE)
    bayes = lambda f: em.thresholding_risk(f, LAPLACE, "bayes", "records")  # noqa: E731
    yield of_profile("thresholding risk, bayes", bayes, "cells", FEWER_CELLS, n_values=2, people=20)


def _other_risks():
    asked = {
        "profile of counts": lambda f: em.FrequencyTable.from_counts(f.profile.counts),
        "every measure of the raw table": em.raw_risk,
        "scenarios": lambda f: em.homogeneity_scenarios(f, LAPLACE),
        "precision of the attacker": lambda f: em.attacker_precision(f, LAPLACE),
        "spread of the risk": lambda f: em.risk_spread(f, LAPLACE),
        "riskiest cells": lambda f: em.riskiest_cells(f, LAPLACE),
        "laws of the cell sizes": em.fitted_sizes,
        "risk as printed, pieces": lambda f: em.homogeneity_risk(f, LAPLACE, "local", "published"),
        "risk by simulation": lambda f: em.homogeneity_risk(f, LAPLACE, "local", "simulated", repeats=5),
    }
    for work, ask in asked.items():
        yield of_profile(work, ask, "cells", CELLS, people=VARIED)
        yield of_profile(work, ask, "values", VALUES, n_cells=300)
        yield of_profile(work, ask, "rows", PEOPLE)


def _searches():
    asked = {
        "epsilon for a risk": lambda f: em.epsilon_for_risk(f, LAPLACE, 0.2),
        "threshold for a risk": lambda f: em.threshold_for_risk(f, LAPLACE, 0.2),
        "delta for a risk": lambda f: em.delta_for_risk(f, GAUSSIAN, 0.2),
        "risk over epsilon and threshold": lambda f: em.risk_grid(f, LAPLACE, thresholds=(0.5, 2.0, 5.0)),
    }
    for work, ask in asked.items():
        yield of_profile(work, ask, "cells", FEWER_CELLS)
        yield of_profile(work, ask, "values", VALUES)


def _losses_and_samples():
    asked = {
        "loss of noisy counts": lambda f: em.utility_loss(f, LAPLACE, repeats=3),
        "sample of a table": lambda f: em.sample_of_table(f, sample=max(1, f.n_records // 10)),
    }
    for work, ask in asked.items():
        yield of_profile(work, ask, "cells", decades(1e3, 1e6))
        yield of_profile(work, ask, "values", VALUES)
        yield of_profile(work, ask, "rows", PEOPLE, n_cells=30)


def _sliders():
    def counts(freq):
        return CountsExplorer(freq).at(CountsSetting(), max_risk=0.1)

    def sample(freq):
        return SampleExplorer.of_table(freq).at(SampleSetting(sample=max(1, freq.n_records // 10)))

    yield of_profile("sliders of counts, opened", counts, "cells", FEWER_CELLS)
    yield of_profile("sliders of counts, opened", counts, "values", VALUES)
    yield of_profile("sliders of counts, losses", lambda f: CountsExplorer(f).loss(CountsSetting()), "cells", LISTED)
    yield of_profile("sliders of a sample, opened", sample, "cells", LISTED)


def _curves():
    for measure in ("local", "expected", "shrinkage", "global", "global-fixed"):
        ask = lambda f, n, m=measure: em.homogeneity_risk(f, n, m)  # noqa: E731
        yield of_curve(
            f"homogeneity risk, {measure}, laplace", ask, EPSILONS if measure == "local" else decades(1, 1e3)
        )
    yield of_curve("scenarios", em.homogeneity_scenarios)
    yield of_curve("precision of the attacker", em.attacker_precision)
    yield of_curve("thresholding risk, hard", em.thresholding_risk, decades(1, 1e3))
    yield of_curve("thresholding risk, soft", lambda f, n: em.thresholding_risk(f, n, "soft"), decades(1, 1e3))
    yield of_curve("loss of noisy counts", lambda f, n: em.utility_loss(f, n, repeats=2), decades(1, 1e3))
