"""People whose counts are known, noise that keeps a record of what passes through it, and an auditor."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import beta

from epsilometer import Plan
from epsilometer.plans.release_kinds import Counts

DOMAIN = {"sex": ["f", "m"], "age": {"low": 20, "high": 39}, "job": ["cook", "nurse", "smith", None]}
PEOPLE = {
    "id": [1, 1, 2, 3, 3, 3, None, None],
    "sex": ["f", "f", "m", "m", "m", "f", "f", "f"],
    "age": [20, 20, 31, 39, 39, 25, 20, 20],
    "job": ["cook", "cook", "nurse", None, "smith", "cook", "cook", "cook"],
}


def plan_of(table=None, *, domain=None, person_id=None, bins=None, **counts):
    """Return a plan to publish counts of sex and age (in bins of ten years) by job."""
    return Plan(
        table=pa.table(PEOPLE) if table is None else table,
        quasi_identifiers=("sex", "age"),
        sensitive=("job",),
        person_id=person_id,
        bins={"age": 10} if bins is None else bins,
        domain=DOMAIN if domain is None else domain,
        release=Counts(**counts),
    )


class NoNoise:
    """Counts as they are, to see what would be published of them; it keeps a record of what it was given."""

    def __init__(self):
        self.seen = []

    def whole(self, values, scale):
        self.seen.append((values.copy(), scale))
        return values.copy()

    whole_gaussian = whole


# The exact bounds at 99.9 %: each of the two probabilities errs with half of the rest.
ERRS = 1e-3 / 2
MOST_LEVELS = 1000  # of real numbers each is a level of its own; their neighbours prove as much


def audited_epsilon(one, other, delta):
    """Lower bound of epsilon, given delta, from a number for each run on two neighbouring tables.

    The event, a number beyond a level, is chosen on the first half of the runs and judged on the second.
    """
    half = len(one) // 2
    chosen = []
    for more, fewer in ((one, other), (other, one), (-one, -other), (-other, -one)):
        levels = np.unique(more[:half])
        levels = levels[:: 1 + len(levels) // MOST_LEVELS]
        proven = loss_proven(more[:half], fewer[:half], levels, delta)
        best = np.argmax(proven)
        chosen.append((proven[best], more, fewer, levels[[best]]))
    _, more, fewer, level = max(chosen, key=lambda event: event[0])
    return loss_proven(more[half:], fewer[half:], level, delta)[0]


def loss_proven(more, fewer, levels, delta):
    """Lower bound of log (P(more >= level) - delta) / P(fewer >= level) at each level."""
    n = len(more)
    in_more, in_fewer = (n - np.searchsorted(np.sort(runs), levels) for runs in (more, fewer))
    low = np.where(in_more > 0, beta.ppf(ERRS, np.maximum(in_more, 1), n - in_more + 1), 0.0)
    high = np.where(in_fewer < n, beta.ppf(1 - ERRS, in_fewer + 1, np.maximum(n - in_fewer, 1)), 1.0)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(low - delta, 0.0)) - np.log(high)


@pytest.fixture
def plan():
    return plan_of


@pytest.fixture
def no_noise():
    return NoNoise()


@pytest.fixture(scope="session")
def audit():
    """``audit(one, other, delta)``: a lower bound of epsilon, wrong by chance at most once in a thousand audits."""
    return audited_epsilon
