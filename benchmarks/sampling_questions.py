"""The slowest of four hundred questions about samples of a billion people: python benchmarks/sampling_questions.py.

Every number of values, prior and noise below, risk and loss each, through the public functions.
"""

import time
from itertools import product

import epsilometer as em

POPULATION, SIZES = 10**9, (10**4, 10**6)
VALUES, PRIORS = (2, 3, 5, 10, 100), ("frequencies", "datasets", 0.5, 3.0)
NOISES = (
    None,
    em.Laplace(epsilon=1.0),
    em.Laplace(epsilon=0.01),
    em.Geometric(epsilon=0.1),
    em.Gaussian(epsilon=0.5, delta=1e-6),
)
QUESTIONS = (em.sampling_risk, em.sampling_utility_loss)
SHOWN = 5


def timed(question, **about):
    started = time.perf_counter()
    evidence = question(**about).evidence
    return time.perf_counter() - started, evidence


def main():
    for size in SIZES:
        found = []
        for question, k, prior, noise in product(QUESTIONS, VALUES, PRIORS, NOISES):
            about = {"population": POPULATION, "sample": size, "prior": prior, "n_values": k, "mechanism": noise}
            name = "no noise" if noise is None else f"{noise.name} at {noise.epsilon:g}"
            found.append((*timed(question, **about), f"{question.__name__}, {k} values, prior {prior}, {name}"))
        print(f"m = {size:,}: {len(found)} questions, the slowest")
        for seconds, evidence, asked in sorted(found, reverse=True)[:SHOWN]:
            print(f"  {seconds:5.2f} s  {evidence:12} {asked}")


if __name__ == "__main__":
    main()
