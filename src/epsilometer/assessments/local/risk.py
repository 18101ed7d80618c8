"""What an attacker learns from reports that people randomised themselves, before and after shuffling."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.numbers import whole
from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.formulas.shuffled_guess import shuffled_vulnerability, simulated_shuffled_vulnerability
from epsilometer.formulas.shuffling import shuffled_epsilon
from epsilometer.leakage import bayes
from epsilometer.randomizers import ExponentialChoice, RandomizedResponse, UnaryEncoding
from epsilometer.randomizers.added_noise import AddedNoise
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval, UpperBound
from epsilometer.vocabulary.local_risk import LocalRisk
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from epsilometer.randomizers import Randomizer
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

SEED: Final = 20_240_229  # of the simulation of a shuffler with more than two kinds of reports
TRIALS: Final = 20_000
MOST_OUTPUTS: Final = 64  # kinds of reports that a shuffler is simulated for
MOST_PEOPLE: Final = 10**10  # more than there are; a few seconds
LARGEST_EPSILON: Final = 100.0  # up to which the gain from shuffling is worked out
BINARY: Final = 2
SUM_TOLERANCE: Final = 1e-9


def local_risk(
    randomizer: Randomizer,
    shares: ArrayLike,
    *,
    n_people: int,
    values: ArrayLike | None = None,
    delta: float = 1e-6,
) -> LocalRisk:
    """Probability that an attacker who knows the shares names one person's value from randomised reports.

    Args:
        randomizer: what each person does.
        shares: how common each value is: what the attacker believes before.
        n_people: how many people report, for the shuffler.
        values: the numbers behind the shares, for noise on numbers.
        delta: chance with which the guarantee of the shuffled reports may fail.

    >>> from epsilometer.randomizers import RandomizedResponse
    >>> risk = local_risk(RandomizedResponse(epsilon=1.0, n_values=2), [0.5, 0.5], n_people=100)
    >>> round(risk.value, 4), round(risk.shuffled.value, 4), risk.no_release
    (0.7311, 0.5184, 0.5)
    """
    prior = _checked_shares(shares)
    n_people = whole("n_people", n_people, 1, MOST_PEOPLE, hint="It is the number of people who report.")
    if not 0 < delta < 1:
        raise OutOfRange("delta", delta, "(0, 1)", hint="It is the chance that the guarantee fails.")
    channel = channel_of(randomizer, prior, values)
    if channel is None:
        assert isinstance(randomizer, UnaryEncoding)  # noqa: S101  (the others have a channel of any size)
        alone = randomizer.bayes_vulnerability(prior)
    else:
        alone = float(bayes.posterior(prior, channel))
    amplified = _shuffled_epsilon(randomizer, n_people, delta)
    return LocalRisk(
        question="How likely does an attacker name a person's value from the reports?",
        randomizer=randomizer.describe(),
        n_people=n_people,
        answer=Exact(alone),
        shuffled=_shuffled(randomizer, prior, channel, n_people, _bound(alone, prior, amplified, delta)),
        no_release=float(prior.max()),
        any_table=1.0,
        local_epsilon=randomizer.epsilon,
        shuffled_epsilon=amplified,
        shuffled_delta=delta,
        assumptions=(
            "The attacker knows the shares of the values, how people randomise, and every report.",
            "Before shuffling the attacker knows whose report is whose; after it nobody does.",
            "People's values are independent draws from the shares.",
        ),
        caveats=("Any table: if everybody has the same value, it is named right with or without a report.",),
        source=sources_of(shuffled_vulnerability),
    )


def channel_of(randomizer: Randomizer, prior: FloatArray, values: ArrayLike | None) -> FloatArray | None:
    """Return the channel from values to what an attacker tells apart; ``None`` where it would be too large."""
    match randomizer:
        case AddedNoise():
            if values is None or np.size(values) != len(prior):
                raise OutOfRange("values", values, f"{len(prior)} numbers, one for each share")
            return randomizer.decisions(values, prior).channel
        case RandomizedResponse() | UnaryEncoding() | ExponentialChoice():
            if randomizer.n_values != len(prior):
                raise OutOfRange("shares", prior.tolist(), f"{randomizer.n_values} numbers, one for each value")
            if isinstance(randomizer, UnaryEncoding) and 2**randomizer.n_values > MOST_OUTPUTS:
                return None
            return randomizer.channel()
    raise OutOfRange("randomizer", randomizer, "the randomisers of this package")


def _checked_shares(shares: ArrayLike) -> FloatArray:
    try:
        prior = np.asarray(shares, dtype=np.float64)
    except (TypeError, ValueError):
        prior = np.empty(0)
    if prior.ndim != 1 or len(prior) < BINARY or not (prior >= 0).all() or abs(prior.sum() - 1) > SUM_TOLERANCE:
        raise BadCounts("shares must be two or more numbers that are not negative and sum to one.")
    return prior / prior.sum()


def _shuffled_epsilon(randomizer: Randomizer, n_people: int, delta: float) -> float | None:
    """Return the guarantee after shuffling; the bounds are for randomisers that never fail, and hide something."""
    if randomizer.delta or randomizer.epsilon > LARGEST_EPSILON:
        return None
    n_values = randomizer.n_values if isinstance(randomizer, RandomizedResponse) else None
    return shuffled_epsilon(delta, local_epsilon=randomizer.epsilon, n_people=n_people, n_values=n_values)


def _bound(alone: float, prior: FloatArray, amplified: float | None, delta: float) -> float:
    """Return the most that a guess can be right after shuffling: no more than before, and what the guarantee allows.

    Whatever report stands for whom, its probability grows by e^epsilon at most, but for delta.
    """
    if amplified is None:
        return alone
    return min(alone, math.exp(amplified) * float(prior.max()) + delta)


def _shuffled(
    randomizer: Randomizer, prior: FloatArray, channel: FloatArray | None, n_people: int, bound: float
) -> Exact | Estimate | UpperBound:
    """Return the chance after shuffling: exact for two kinds of reports, estimated for a few, bounded beyond."""
    if channel is None or isinstance(randomizer, AddedNoise) or channel.shape[1] > MOST_OUTPUTS:
        return UpperBound(bound)
    channel = channel[:, prior @ channel > 0]  # a report that never comes tells nothing
    if channel.shape[1] == BINARY:
        return Exact(shuffled_vulnerability(prior, channel, n_people))
    rng = np.random.default_rng(SEED)
    found = simulated_shuffled_vulnerability(prior, channel, n_people, rng=rng, n_trials=TRIALS)
    low, value, high = (  # shuffling never helps, and reports never harm
        min(bound, max(float(prior.max()), float(number)))
        for number in (found.interval.low, found.value, found.interval.high)
    )
    return Estimate(value, Interval(low, high, found.interval.confidence))
