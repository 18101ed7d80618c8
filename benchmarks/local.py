"""Real reports of a million people, shuffled and analysed, against numpy's simulation: python benchmarks/local.py.

The histogram is of ten values; of numbers with noise it is of two halves, since noise of that size blurs more.
"""

import time

import numpy as np

from epsilometer.formulas.shuffling import shuffled_epsilon
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    Randomizer,
    UnaryEncoding,
)
from epsilometer.randomizers.added_noise import AddedNoise
from epsilometer.randomizers.analysers import histogram, histogram_by_inversion
from epsilometer.randomizers.drawing import draw, grid_noise, shuffle

N_PEOPLE = 1_000_000
RANDOMIZERS: tuple[tuple[Randomizer, int | None], ...] = (
    (RandomizedResponse(epsilon=1.0, n_values=10), 10),
    (UnaryEncoding(epsilon=1.0, n_values=10), 10),
    (ExponentialChoice(epsilon=1.0, values=tuple(range(10))), 10),
    (LocalLaplace(epsilon=1.0, low=0.0, high=100.0), None),
    (LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=100.0), None),
)
SHUFFLES = ((None, 10**6), (2, 10**6), (10, 10**6), (None, 10**9), (2, 10**9), (10, 10**9))


MIDDLES, EDGES = np.array([25.0, 75.0]), np.array([50.0])


def analysed(randomizer, reports):
    if isinstance(randomizer, AddedNoise):
        counts = np.bincount(np.searchsorted(EDGES, reports), minlength=len(EDGES) + 1)
        return histogram_by_inversion(counts, grid_noise(randomizer).channel(MIDDLES, EDGES))
    if isinstance(randomizer, ExponentialChoice):
        counts = np.bincount(reports, minlength=randomizer.n_values)
        return histogram_by_inversion(counts, randomizer.channel())
    return histogram(randomizer, reports)


def seconds(function, *arguments) -> tuple[float, object]:
    started = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - started, result


def main() -> None:
    rng = np.random.default_rng(1)
    draw(RandomizedResponse(epsilon=1.0, n_values=2), [0, 1])  # loads OpenDP
    for randomizer, n_values in RANDOMIZERS:
        values = rng.uniform(0, 100, N_PEOPLE) if n_values is None else rng.integers(0, n_values, N_PEOPLE)
        real, reports = seconds(draw, randomizer, values)
        shuffling, _ = seconds(shuffle, reports)
        analysing, _ = seconds(analysed, randomizer, reports)
        simulated, _ = seconds(randomizer.simulate, values, rng)
        whole = real + shuffling + analysing
        print(
            f"{randomizer.name:20} drawn {real:5.2f} s   shuffled {shuffling:5.2f} s   analysed {analysing:5.2f} s   "
            f"in all {whole:5.2f} s   numpy's draws {simulated:5.2f} s"
        )
    for n_values, n_people in SHUFFLES:
        taken, epsilon = seconds(
            lambda k=n_values, n=n_people: shuffled_epsilon(1e-9, local_epsilon=1.0, n_people=n, n_values=k)
        )
        kind = "any randomiser" if n_values is None else f"{n_values} values"
        print(f"shuffled epsilon of {n_people:>13,} people, {kind:15} {epsilon:.6f} {taken:6.2f} s")


if __name__ == "__main__":
    main()
