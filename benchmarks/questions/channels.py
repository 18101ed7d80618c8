"""What an observer of a channel learns: posterior vulnerability, entropy, and expected number of guesses."""

from benchmarks.comparison import Comparison, Limit, Way, seconds
from benchmarks.pins import QIF

N_SECRETS = 3_000
MEASURES = {"bayes": "Bayes vulnerability", "shannon": "Shannon entropy", "guessing": "expected guesses"}


def ours(n_secrets, measure):
    import importlib

    prior, channel = _made(n_secrets)
    posterior = importlib.import_module(f"epsilometer.leakage.{measure}").posterior
    return lambda: [posterior(prior, channel)]


def by_qif(n_secrets, measure):
    import qif

    prior, channel = _made(n_secrets)
    posterior = getattr(qif.measure, {"bayes": "bayes_vuln"}.get(measure, measure)).posterior
    return lambda: [posterior(prior, channel)]


def one_pass(n_secrets, measure):  # noqa: ARG001  (every way is given the same)
    """Every entry read once: the largest of each column."""
    _, channel = _made(n_secrets)
    return lambda: [seconds(lambda: channel.max(axis=0).sum())]


def _made(n_secrets):
    import numpy as np

    rng = np.random.default_rng(0)
    channel = rng.random((n_secrets, n_secrets))
    return rng.dirichlet(np.ones(n_secrets)), channel / channel.sum(axis=1, keepdims=True)


def comparisons(folder, scale):  # noqa: ARG001  (it needs no files)
    size = int(N_SECRETS * scale)
    for measure, words in MEASURES.items():
        yield Comparison(
            work=f"A channel after the fact: {words}",
            size=f"{size:,} secrets, {size:,} outputs, dense",
            same="The same number from the same matrix of doubles; ours also checks that it is a channel.",
            ours=ours,
            peers=(Way("qif", by_qif, "qif", QIF),),
            limits=(Limit("one pass over the matrix", one_pass),) if measure == "bayes" else (),
            arguments={"n_secrets": size, "measure": measure},
        )
