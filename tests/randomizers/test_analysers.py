"""Estimates against every possible set of reports of a few people, and against many simulated ones of more."""

import json
import math
from itertools import product

import numpy as np
import pytest

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    UnaryEncoding,
)
from epsilometer.randomizers.analysers import (
    LocalEstimate,
    histogram,
    histogram_by_inversion,
    histogram_variance,
    inversion_variance,
    mean_by_inversion,
    mean_of_reports,
)

PEOPLE = (0, 2, 2)  # nobody has value 1
SHARES = np.array([1 / 3, 0, 2 / 3])


def moments(channel, estimator):
    """Mean and variance of an estimate, and the mean of its stated variance, over every set of reports."""
    chances, values, variances = [], [], []
    for reports in product(range(channel.shape[1]), repeat=len(PEOPLE)):
        estimate = estimator(np.array(reports))
        chances.append(math.prod(channel[x, y] for x, y in zip(PEOPLE, reports, strict=True)))
        values.append(estimate.value)
        variances.append(estimate.variance)
    chances, values = np.array(chances), np.array(values)
    mean = np.tensordot(chances, values, axes=1)
    return mean, np.tensordot(chances, (values - mean) ** 2, axes=1), np.tensordot(chances, variances, axes=1)


def test_randomised_response_counts_without_bias():
    randomizer = RandomizedResponse(epsilon=0.7, n_values=3)
    mean, variance, stated = moments(randomizer.channel(), lambda reports: histogram(randomizer, reports))
    np.testing.assert_allclose(mean, SHARES, atol=1e-13)
    np.testing.assert_allclose(variance, histogram_variance(randomizer, SHARES, 3), rtol=1e-12)
    np.testing.assert_allclose(stated, variance, rtol=1e-12)


def test_unary_encoding_counts_without_bias():
    randomizer = UnaryEncoding(epsilon=0.7, n_values=3)
    rows = (np.arange(8)[:, None] >> np.arange(3)) & 1
    mean, variance, stated = moments(randomizer.channel(), lambda reports: histogram(randomizer, rows[reports]))
    np.testing.assert_allclose(mean, SHARES, atol=1e-13)
    np.testing.assert_allclose(variance, histogram_variance(randomizer, SHARES, 3), rtol=1e-12)
    np.testing.assert_allclose(stated, variance, rtol=1e-12)


CHANNELS = {
    "choice": ExponentialChoice(epsilon=3.0, values=(0.0, 1.0, 5.0)).channel(),
    "response": RandomizedResponse(epsilon=1.0, n_values=3).channel(),
    "laplace, four bins": LocalLaplace(epsilon=4.0, low=0.0, high=5.0).channel([0.0, 1.0, 5.0], [0.3, 1.0, 3.0]),
    "gaussian": LocalGaussian(epsilon=4.0, delta=1e-2, low=0.0, high=5.0).channel([0.0, 1.0, 5.0], [0.5, 3.0]),
}
VALUES = np.array([0.0, 1.0, 5.0])


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_inversion_has_no_bias_and_states_its_variance(channel):
    def counted(reports):
        return np.bincount(reports, minlength=channel.shape[1])

    mean, variance, stated = moments(channel, lambda reports: histogram_by_inversion(counted(reports), channel))
    np.testing.assert_allclose(mean, SHARES, atol=1e-11)
    np.testing.assert_allclose(variance, inversion_variance(SHARES, channel, np.eye(3), 3), rtol=1e-10)
    np.testing.assert_allclose(stated, variance, rtol=1e-10)
    mean, variance, stated = moments(channel, lambda reports: mean_by_inversion(counted(reports), channel, VALUES))
    assert mean == pytest.approx(SHARES @ VALUES, abs=1e-11)
    assert variance == pytest.approx(inversion_variance(SHARES, channel, VALUES, 3), rel=1e-10)
    assert stated == pytest.approx(variance, rel=1e-10)


@pytest.mark.parametrize(
    "randomizer",
    [LocalLaplace(epsilon=1.0, low=0.0, high=5.0), LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=5.0)],
    ids=lambda randomizer: randomizer.name,
)
def test_means_of_noisy_numbers_over_many_simulated_releases(randomizer):
    """4000 releases of 50 people on a fixed seed; five standard errors of mean and variance (Laplace: kurtosis 6)."""
    rng, values = np.random.default_rng(11), np.linspace(-1, 6, 50)
    estimates = [mean_of_reports(randomizer, randomizer.simulate(values, rng)) for _ in range(4000)]
    means, variance = np.array([estimate.value for estimate in estimates]), estimates[0].variance
    truth = np.clip(values, 0, 5).mean()
    assert means.mean() == pytest.approx(truth, abs=5 * math.sqrt(variance / 4000))
    assert means.var() == pytest.approx(variance, rel=5 * math.sqrt(2.1 / 4000))
    covered = np.mean([e.interval.low <= truth <= e.interval.high for e in estimates])
    assert covered == pytest.approx(0.95, abs=5 * math.sqrt(0.95 * 0.05 / 4000))


@pytest.mark.parametrize("kind", [RandomizedResponse, UnaryEncoding])
def test_intervals_of_shares_hold_as_often_as_they_say(kind):
    rng, randomizer = np.random.default_rng(12), kind(epsilon=1.0, n_values=3)
    values = np.repeat([0, 1, 2], [300, 500, 200])
    held = []
    for _ in range(1000):
        estimate = histogram(randomizer, randomizer.simulate(values, rng), confidence=0.9)
        held.append((estimate.interval.low <= [0.3, 0.5, 0.2]) & (estimate.interval.high >= [0.3, 0.5, 0.2]))
    np.testing.assert_allclose(np.mean(held, axis=0), 0.9, atol=5 * math.sqrt(0.9 * 0.1 / 1000))


def test_simulated_choices_follow_the_channel():
    rng, choice = np.random.default_rng(13), ExponentialChoice(epsilon=2.0, values=(0, 1, 7))
    for value, row in enumerate(choice.channel()):
        shares = np.bincount(choice.simulate(np.full(200_000, value), rng), minlength=3) / 200_000
        np.testing.assert_allclose(shares, row, atol=5 * math.sqrt(0.25 / 200_000))


def test_counts_are_shares_times_people():
    shares = histogram(RandomizedResponse(epsilon=1.0, n_values=2), [0, 1, 1, 0, 1], confidence=0.8)
    counts = shares.times(shares.n_people)
    np.testing.assert_allclose(counts.value, 5 * shares.value)
    np.testing.assert_allclose(counts.interval.high, 5 * shares.interval.high)
    assert counts.confidence == 0.8


def test_an_estimate_is_ready_for_json():
    estimate = LocalEstimate(value=np.array([0.25, 0.75]), variance=np.array([0.01, -1e-9]), n_people=7)
    told = json.loads(json.dumps(estimate.to_dict()))
    assert told["low"] == pytest.approx([0.25 - 1.959963984540054 * 0.1, 0.75])
    assert told["n_people"] == 7


def test_a_channel_that_says_next_to_nothing_says_so():
    choice = ExponentialChoice(epsilon=0.1, values=tuple(range(20)))
    estimate = histogram_by_inversion(np.full(20, 50), choice.channel())
    assert estimate.condition > 1000
    hardly = LocalGaussian(epsilon=0.1, delta=1e-6, low=0.0, high=19.0).channel(range(20), np.arange(19) + 0.5)
    with pytest.raises(OutOfRange, match=r"^condition number of the channel must be in \[1, 1e\+10\), .* fewer values"):
        histogram_by_inversion(np.full(20, 50), hardly)


def test_what_cannot_be_analysed_is_refused():
    channel = np.array([[0.8, 0.2], [0.2, 0.8]])
    for counts in ([1, 2, 3], [-1, 2], [[1, 2]]):
        with pytest.raises(BadCounts, match=r"^The counts must be 2 numbers, one for each kind of report, none neg"):
            histogram_by_inversion(counts, channel)
    with pytest.raises(BadCounts, match=r"^There are no reports; an estimate needs at least one\.$"):
        histogram_by_inversion([0, 0], channel)
    with pytest.raises(BadCounts, match=r"^There are no reports"):
        mean_of_reports(LocalLaplace(epsilon=1.0, low=0.0, high=1.0), [])
    for bits in ([0, 1], [[0, 1, 1]], [[0, 2]]):
        with pytest.raises(BadCounts, match=r"^Reports of unary encoding are rows of 2 bits, 0 or 1; got \("):
            histogram(UnaryEncoding(epsilon=1.0, n_values=2), bits)
    with pytest.raises(OutOfRange, match=r"^confidence must be in \(0, 1\), got 95\. It is the probability"):
        histogram_by_inversion([1, 2], channel, confidence=95)
