"""Posterior Bayes vulnerability of a large channel, checks included, against bare numpy: python benchmarks/leakage.py.

A dense channel of 5,000 secrets and 5,000 outputs. One pass is what numpy needs to find the largest entry of each
column; the product is what a user would write. Neither looks at what it is given, ours does.
"""

import statistics
import sys
import time

import numpy as np
from scipy import sparse

from epsilometer.leakage import bayes, shannon


def seconds(actions, repeats):
    """Median wall times; the actions take turns, so that a busy machine slows all of them."""
    times = {name: [] for name in actions}
    for _ in range(repeats):
        for name, action in actions.items():
            start = time.perf_counter()
            action()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def main(n_secrets=5000, n_outputs=5000, repeats=21):
    rng = np.random.default_rng(0)
    channel = rng.random((n_secrets, n_outputs))
    channel /= channel.sum(axis=1, keepdims=True)
    prior = rng.dirichlet(np.ones(n_secrets))
    actions = {
        "one pass": lambda: channel.max(axis=0).sum(),
        "product": lambda: (prior[:, None] * channel).max(axis=0).sum(),
        "ours": lambda: bayes.posterior(prior, channel),
    }
    if actions["ours"]() != actions["product"]():
        raise SystemExit("the numbers disagree")
    taken = seconds(actions, repeats)
    print(f"dense {n_secrets:,} x {n_outputs:,}: " + ", ".join(f"{k} {v * 1e3:.1f} ms" for k, v in taken.items()))
    for other in ("one pass", "product"):
        print(f"  ratio to the {other}: {taken['ours'] / taken[other]:.2f}")
    few = sparse.random_array((n_secrets, n_outputs), density=0.002, rng=rng, format="csr") + sparse.eye_array(
        n_secrets
    )
    few = sparse.csr_array(few / few.sum(axis=1)[:, None])
    taken = seconds({"bayes": lambda: bayes.posterior(prior, few), "shannon": lambda: shannon.posterior(prior, few)}, 5)
    print(f"sparse, {few.nnz:,} entries: " + ", ".join(f"{k} {v * 1e3:.1f} ms" for k, v in taken.items()))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
