"""Laws of randomisers and shuffling, over random settings."""

import math
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from epsilometer.formulas.shuffled_guess import shuffled_vulnerability
from epsilometer.formulas.shuffling import shuffled_delta, shuffled_epsilon
from epsilometer.randomizers import ExponentialChoice, LocalGaussian, LocalLaplace, RandomizedResponse, UnaryEncoding
from epsilometer.randomizers.analysers import histogram_by_inversion, histogram_variance

epsilons = st.floats(0.05, 6.0)
shares = st.lists(st.floats(0.01, 1.0), min_size=2, max_size=6).map(lambda weights: np.array(weights) / sum(weights))


def vulnerability(prior, channel):
    return (np.asarray(prior)[:, None] * channel).max(axis=0).sum()


@given(prior=shares, epsilon=epsilons)
def test_no_report_lets_a_guess_beat_what_epsilon_allows(prior, epsilon):
    """The posterior of any value is at most p e^e / (1 - p + p e^e), so the vulnerability at most that of the mode."""
    mode, k = prior.max(), len(prior)
    allowed = mode / (mode + (1 - mode) * math.exp(-epsilon))
    values = tuple(range(k))
    for channel in (
        RandomizedResponse(epsilon=epsilon, n_values=k).channel(),
        UnaryEncoding(epsilon=epsilon, n_values=k).channel(),
        ExponentialChoice(epsilon=epsilon, values=values).channel(),
        LocalLaplace(epsilon=epsilon, low=0.0, high=k - 1).decisions(values, prior).channel,
    ):
        assert mode - 1e-12 <= vulnerability(prior, channel) <= allowed * (1 + 1e-12)


@given(prior=shares, epsilon=epsilons, more=st.floats(0.01, 2.0))
def test_a_larger_epsilon_never_protects_better(prior, epsilon, more):
    k, values = len(prior), tuple(range(len(prior)))
    for leak in (
        lambda e: vulnerability(prior, RandomizedResponse(epsilon=e, n_values=k).channel()),
        lambda e: UnaryEncoding(epsilon=e, n_values=k).bayes_vulnerability(prior),
        lambda e: vulnerability(prior, LocalLaplace(epsilon=e, low=0.0, high=k - 1).decisions(values, prior).channel),
        lambda e: vulnerability(
            prior, LocalGaussian(epsilon=e, delta=1e-5, low=0.0, high=k - 1).decisions(values, prior).channel
        ),
    ):
        assert leak(epsilon) <= leak(epsilon + more) + 1e-12


@given(prior=shares, epsilon=epsilons, gaussian=st.booleans(), cuts=st.lists(st.floats(-20, 20), max_size=5))
def test_no_partition_of_the_reports_leaks_more_than_the_decision_regions(prior, epsilon, gaussian, cuts):
    k, values = len(prior), tuple(range(len(prior)))
    ends = {"low": 0.0, "high": float(k - 1)}
    noise = LocalGaussian(epsilon=epsilon, delta=1e-4, **ends) if gaussian else LocalLaplace(epsilon=epsilon, **ends)
    exact = vulnerability(prior, noise.decisions(values, prior).channel)
    assert vulnerability(prior, noise.channel(values, sorted(cuts))) <= exact * (1 + 1e-12)


@given(epsilon=epsilons, k=st.integers(2, 6), data=st.data())
def test_estimated_shares_sum_to_one_where_reports_are_single_values(epsilon, k, data):
    counts = np.array(data.draw(st.lists(st.integers(0, 50), min_size=k, max_size=k)))
    assume(counts.sum() > 0)
    estimate = histogram_by_inversion(counts, RandomizedResponse(epsilon=epsilon, n_values=k).channel())
    assert abs(estimate.value.sum() - 1) < 1e-10


@given(k=st.integers(3, 200), epsilon=epsilons)
def test_unary_encoding_varies_less_for_rare_values_when_there_are_many(k, epsilon):
    """For a share of zero: 4 e^e / (e^e - 1)^2 against (K - 2 + e^e) / (e^e - 1)^2."""
    rare = [0.0]
    unary = histogram_variance(UnaryEncoding(epsilon=epsilon, n_values=k), rare, 1)[0]
    response = histogram_variance(RandomizedResponse(epsilon=epsilon, n_values=k), rare, 1)[0]
    assume(abs(k - 2 - 3 * math.exp(epsilon)) > 1e-6)
    assert (unary < response) == (k - 2 > 3 * math.exp(epsilon))


@given(epsilon=epsilons, rows=st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=2, max_size=3))
def test_no_randomiser_is_worse_after_shuffling_than_stated_for_all(epsilon, rows):
    """A random channel of three reports with ratios up to e^epsilon, three people, everything they may have."""
    channel = np.exp(epsilon / 2 * (np.array(rows) - 0.5))
    channel /= channel.sum(axis=1, keepdims=True)
    own = np.ptp(np.log(channel), axis=0).max()
    assume(own > 1e-3)
    counts = np.array(list(combinations_with_replacement(range(3), 3)))
    laws = {}
    for values in combinations_with_replacement(range(len(channel)), 3):
        chances = np.zeros(len(counts))
        for reports in np.ndindex(3, 3, 3):
            seen = (counts == sorted(reports)).all(axis=1).argmax()
            chances[seen] += math.prod(channel[x, y] for x, y in zip(values, reports, strict=True))
        laws[values] = chances
    for share in (0.1, 0.6):
        stated = shuffled_delta(share * own, local_epsilon=own, n_people=3)
        for ours, theirs in ((p, q) for p in laws for q in laws if _differ_in_one(p, q)):
            truth = np.maximum(laws[ours] - math.exp(share * own) * laws[theirs], 0).sum()
            assert truth <= stated + 1e-13


def _differ_in_one(ours, theirs):
    left = list(theirs)
    for value in ours:
        if value in left:
            left.remove(value)
    return len(left) == 1


@given(
    epsilon=epsilons,
    n_people=st.integers(1, 10**7),
    factor=st.integers(2, 50),
    n_values=st.sampled_from([None, 2, 3, 20]),
    delta=st.floats(1e-10, 1e-2),
)
@settings(max_examples=20)
def test_more_people_and_more_delta_need_less_epsilon(epsilon, n_people, factor, n_values, delta):
    setting = {"local_epsilon": epsilon, "n_values": n_values}
    few = shuffled_epsilon(delta, n_people=n_people, **setting)
    assert shuffled_epsilon(delta, n_people=factor * n_people, **setting) <= few * (1 + 1e-3)
    assert shuffled_epsilon(2 * delta, n_people=n_people, **setting) <= few * (1 + 1e-5)
    assert few <= epsilon


@given(share=st.floats(0.02, 0.98), epsilon=epsilons, n_people=st.integers(1, 10**5))
def test_shuffling_never_helps_the_attacker(share, epsilon, n_people):
    prior, channel = np.array([share, 1 - share]), RandomizedResponse(epsilon=epsilon, n_values=2).channel()
    shuffled = shuffled_vulnerability(prior, channel, n_people)
    assert prior.max() - 1e-12 <= shuffled <= vulnerability(prior, channel) + 1e-12
