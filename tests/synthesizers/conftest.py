"""A statistical audit of epsilon: what two tables that differ by one record give away through the noise itself."""

import numpy as np
import pytest
from scipy.stats import beta

from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.noise import ReleaseNoise

FALSE_ALARM = 1e-3


def loss_proven(more, fewer, thresholds, delta):
    """Lower bound of log (P(more >= t) - delta) / P(fewer >= t) at each threshold, from the exact binomial bounds.

    Each of the two bounds errs with half of the chance of a false alarm.
    """
    n = len(more)
    in_more, in_fewer = (n - np.searchsorted(np.sort(runs), thresholds) for runs in (more, fewer))
    low = np.nan_to_num(beta.ppf(FALSE_ALARM / 2, in_more, n - in_more + 1), nan=0.0)
    high = np.nan_to_num(beta.ppf(1 - FALSE_ALARM / 2, in_fewer + 1, n - in_fewer), nan=1.0)
    return np.log(np.maximum(low - delta, 1e-300)) - np.log(high)


def audit_epsilon(fit, without, with_one, n_runs, delta=0.0):
    """Lower bound of epsilon, from ``n_runs`` fits of each table; wrong by chance at most once in a thousand audits.

    ``fit`` maps a table to one number that is computed from a fitted model alone. The event that tells the tables
    apart, the number beyond a threshold, is chosen on the first half of the runs and judged on the second.
    """
    half = n_runs // 2
    seen_with, seen_without = (np.array([fit(table) for _ in range(2 * half)]) for table in (with_one, without))
    events = []
    for sign in (1, -1):
        for more, fewer in ((seen_with, seen_without), (seen_without, seen_with)):
            runs = sign * more, sign * fewer
            thresholds = np.unique(runs[0][:half])
            proven = loss_proven(runs[0][:half], runs[1][:half], thresholds, delta)
            best = np.argmax(proven)
            events.append((proven[best], loss_proven(runs[0][half:], runs[1][half:], thresholds[[best]], delta)[0]))
    return max(events)[1]


class ThirdOfTheNoise(ReleaseNoise):
    """What a synthesizer that reckons with a third of its sensitivity would add: three times the epsilon it states."""

    def whole(self, values, scale):
        return super().whole(values, scale / 3)

    def real(self, values, scale):
        return super().real(values, scale / 3)

    def choose(self, scores, scale):
        return super().choose(scores, scale / 3)


def pair_of_tables():
    """Two binary columns with few records, and the same with one record (1, 1) more; that cell is empty at first."""
    columns = CodedColumn("smokes", 2, ordered=False), CodedColumn("age", 2, ordered=True)
    codes = np.array([[0, 0], [0, 0], [0, 1], [1, 0]])
    return CodedTable(columns, codes), CodedTable(columns, np.vstack([codes, [[1, 1]]]))


@pytest.fixture(scope="session")
def audit():
    """``audit(fit, without, with_one, n_runs, delta=0.0)``: a lower bound of the epsilon that ``fit`` spends."""
    return audit_epsilon


@pytest.fixture(scope="session")
def too_little_noise():
    """OpenDP's noise at a third of each scale asked for: an audit of any synthesizer with it must find too much."""
    return ThirdOfTheNoise()


@pytest.fixture(scope="session")
def neighbours():
    """``without, with_one``: two small tables of two binary columns, the second with a record (1, 1) more."""
    return pair_of_tables()
