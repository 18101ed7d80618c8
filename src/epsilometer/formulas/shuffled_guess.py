r"""How often one person's value is guessed right from shuffled reports.

The attacker knows the shares of the values among the people (and so what to expect of anybody), knows the channel
by which each value becomes a report, and sees how many people reported what, but not who. With n people drawn
independently, r = shares x channel what one report says, and h the numbers of reports of each kind,

.. math:: \Pr(x \mid h) = \pi_x \sum_y C_{xy} \frac{h_y}{n r_y}

is the belief in the value x of any one of them: a mean of what each report alone would make one believe.
``shares`` is the distribution of the values, ``channel`` values x outputs, in which every output can occur.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import ndtri

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

REACH: Final = 12.0  # standard deviations of the number of reports; beyond lies less than 1e-30
TRIALS_AT_ONCE: Final = 4096


@source("AlvimEtAl2020", "posterior Bayes vulnerability, of the channel followed by a shuffler")
def shuffled_vulnerability(shares: ArrayLike, channel: ArrayLike, n_people: int) -> float:
    r"""How likely is the best guess of one person's value after n reports were shuffled? Exact, for two outputs.

    .. math:: V = \sum_h \mathrm{Bin}(h; n, r_1) \max_x \Pr(x \mid h)

    The sum runs over twelve standard deviations on both sides; the rest counts as guessed right.

    >>> round(shuffled_vulnerability([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]], n_people=1), 12)
    0.75
    >>> round(shuffled_vulnerability([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]], n_people=100), 12)
    0.519897309347
    """
    beliefs, outputs = _beliefs(shares, channel)
    mean, spread = n_people * outputs[1], math.sqrt(n_people * outputs[0] * outputs[1])
    low, high = max(0, math.floor(mean - REACH * spread)), min(n_people, math.ceil(mean + REACH * spread))
    h = np.arange(low, high + 1)
    seen = np.exp(log_binomial(h, n_people, outputs[1]))
    ones = h / n_people
    best = (np.outer(1 - ones, beliefs[:, 0]) + np.outer(ones, beliefs[:, 1])).max(axis=1)
    return min(1.0, float(seen @ best) + (0.0 if high - low == n_people else max(0.0, 1 - float(seen.sum()))))


def simulated_shuffled_vulnerability(
    shares: ArrayLike,
    channel: ArrayLike,
    n_people: int,
    *,
    rng: np.random.Generator,
    n_trials: int = 100_000,
    confidence: float = 0.99,
) -> Estimate:
    """How likely is the best guess of one person's value after n reports were shuffled? Estimated, any outputs.

    Draws the numbers of reports and takes the belief in the best guess, which averages to the vulnerability; the
    interval is the normal one.

    >>> channel = [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
    >>> rng = np.random.default_rng(1)
    >>> simulated_shuffled_vulnerability([0.2, 0.3, 0.5], channel, 50, rng=rng, n_trials=10_000).value.round(3)
    np.float64(0.5)
    """
    beliefs, outputs = _beliefs(shares, channel)
    best = np.empty(n_trials)
    for start in range(0, n_trials, TRIALS_AT_ONCE):
        block = best[start : start + TRIALS_AT_ONCE]
        block[:] = (rng.multinomial(n_people, outputs, size=len(block)) @ beliefs.T).max(axis=1) / n_people
    half = float(ndtri(0.5 + confidence / 2)) * best.std(ddof=1) / math.sqrt(n_trials)
    return Estimate(best.mean(), Interval(best.mean() - half, best.mean() + half, confidence))


def _beliefs(shares: ArrayLike, channel: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Belief in each value (rows) after one's own report alone (columns), and the probabilities of the reports."""
    joint = np.asarray(shares, dtype=np.float64)[:, None] * np.asarray(channel, dtype=np.float64)
    outputs = joint.sum(axis=0)
    return joint / outputs, outputs / outputs.sum()
