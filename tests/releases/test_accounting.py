"""The accountant against closed forms, and the laws that any accountant keeps."""

import json
import math

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from epsilometer.formulas.discrete_gaussian import calibrated_sigma, delta_from_sigma
from epsilometer.releases.accounting import added_up, composed, fits
from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def geometric(epsilon, *, counts=1, delta=0.0):
    scale = counts / epsilon
    return PrivacyLoss(what="g", noise="geometric", epsilon=epsilon, delta=delta, scale=scale, moved_counts=counts)


def gaussian(epsilon, delta, *, sigma, counts=1):
    return PrivacyLoss(
        what="d", noise="discrete-gaussian", epsilon=epsilon, delta=delta, scale=sigma, moved_counts=counts
    )


def guaranteed(epsilon, delta=0.0, what="any"):
    return PrivacyLoss(what=what, noise="any", epsilon=epsilon, delta=delta)


def exact_delta(times, each, epsilon, failure=0.0):
    """Delta of a look that says yes or no, with odds e^each, so many times; each fails outright now and then.

    That is geometric noise on a count that moves by one, and the worst look with a given guarantee.
    """
    with mpmath.workdps(40):
        yes = 1 / (1 + mpmath.exp(-mpmath.mpf(each)))
        total = mpmath.mpf(0)
        for n_yes in range(times + 1):
            loss = (2 * n_yes - times) * mpmath.mpf(each)
            if loss > epsilon:
                chance = mpmath.binomial(times, n_yes) * yes**n_yes * (1 - yes) ** (times - n_yes)
                total += chance * (1 - mpmath.exp(mpmath.mpf(epsilon) - loss))
        return float(1 - (1 - mpmath.mpf(failure)) ** times * (1 - total))


def test_pure_looks_add_up_where_no_failure_is_allowed():
    together = composed([geometric(0.3), geometric(0.45)], delta=0.0)
    assert together.epsilon == together.added_up == 0.75
    assert together.tight == math.inf


@pytest.mark.parametrize(("times", "each", "delta"), [(10, 0.3, 1e-6), (100, 0.1, 1e-6), (300, 0.05, 1e-9)])
@pytest.mark.parametrize("kind", [geometric, guaranteed])
def test_many_equal_looks_cost_what_the_closed_form_says(times, each, delta, kind):
    together = composed([kind(each)] * times, delta)
    assert exact_delta(times, each, together.tight) <= delta
    assert exact_delta(times, each, together.tight * 0.995) > delta
    exact = exact_delta(times, each, 0.0)
    assert exact <= together.membership_advantage <= exact * 1.005


def test_looks_that_fail_outright_now_and_then_cost_what_the_closed_form_says():
    together = composed([guaranteed(0.2, 1e-7)] * 50, delta=1e-5)
    assert exact_delta(50, 0.2, together.tight, failure=1e-7) <= 1e-5
    assert exact_delta(50, 0.2, together.tight * 0.998, failure=1e-7) > 1e-5
    assert together.added_up == pytest.approx(10.0)
    assert together.added_delta == pytest.approx(50e-7)


def test_counts_that_one_person_moves_together_cost_like_as_many_looks():
    together = composed([geometric(1.0, counts=4)] * 2, delta=1e-6)
    apart = composed([geometric(0.25)] * 8, delta=1e-6)
    assert together.tight == apart.tight
    assert together.membership_advantage == apart.membership_advantage


def test_the_delta_of_geometric_noise_is_a_chance_to_fail():
    alone = composed([geometric(1.0, delta=1e-4)], delta=1e-4 + 1e-9)
    assert exact_delta(1, 1.0, alone.tight, failure=1e-4) <= 1e-4 + 1e-9
    assert alone.tight == pytest.approx(1.0, abs=1e-4)
    assert composed([geometric(1.0, delta=1e-4)], delta=0.99e-4).epsilon == math.inf


@pytest.mark.parametrize("counts", [1, 2])
def test_one_gaussian_look_costs_what_its_exact_law_says(counts):
    sigma = calibrated_sigma(1.0, 1e-5, moved_counts=counts)
    together = composed([gaussian(1.0, 1e-5, sigma=sigma, counts=counts)], delta=1e-6)
    assert delta_from_sigma(sigma, epsilon=together.tight, moved_counts=counts) <= 1e-6
    assert delta_from_sigma(sigma, epsilon=together.tight * 0.9999, moved_counts=counts) > 1e-6


@pytest.mark.parametrize("times", [4, 25])
def test_gaussian_looks_cost_like_one_with_less_noise(times):
    """On counts with much noise the Gaussian of whole numbers is the Gaussian: k looks are one of sigma / sqrt(k)."""
    sigma = 60.0
    epsilon = 2 * math.sqrt(times) / sigma

    def analytic(multiplier):
        return norm.cdf(0.5 / multiplier - epsilon * multiplier) - math.exp(epsilon) * norm.cdf(
            -0.5 / multiplier - epsilon * multiplier
        )

    delta = analytic(sigma / math.sqrt(times))
    together = composed([gaussian(0.1, 1e-9, sigma=sigma)] * times, delta)
    assert together.tight == pytest.approx(epsilon, rel=2e-3)
    advantage = norm.cdf(0.5 * math.sqrt(times) / sigma) - norm.cdf(-0.5 * math.sqrt(times) / sigma)
    assert together.membership_advantage == pytest.approx(advantage, rel=5e-3)


def test_a_gaussian_too_wide_to_tabulate_counts_by_its_guarantee():
    wide = composed([gaussian(1e-3, 1e-7, sigma=20_000.0)] * 3, delta=1e-6)
    assert wide.tight == composed([guaranteed(1e-3, 1e-7)] * 3, delta=1e-6).tight
    assert wide.tight <= wide.added_up * 1.001


def test_a_sample_is_a_chance_to_fail():
    sample = guaranteed(0.0, 0.01)
    together = composed([sample] * 2, delta=0.02)
    assert together.epsilon == 0.0
    assert together.membership_advantage == pytest.approx(1 - 0.99**2, abs=1e-10)
    assert composed([sample], delta=1e-6).epsilon == math.inf


def test_nothing_costs_nothing():
    together = composed([], delta=1e-6)
    assert (together.epsilon, together.membership_advantage) == (0.0, pytest.approx(0.0, abs=1e-9))
    assert together.in_words == "Nothing has been published."
    assert together.caveats == ()


looks = st.one_of(
    st.builds(geometric, st.sampled_from([0.05, 0.2, 0.7]), counts=st.integers(1, 3)),
    st.builds(guaranteed, st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([0.0, 1e-8])),
    st.sampled_from([gaussian(0.5, 1e-7, sigma=12.0), gaussian(1.0, 1e-7, sigma=7.0, counts=2)]),
)


@settings(max_examples=10)
@given(st.lists(looks, max_size=6), looks, st.randoms())
def test_laws_of_composition(given_looks, another, chance):
    together = composed(given_looks, 1e-6)
    more = composed([*given_looks, another], 1e-6)
    assert together.epsilon <= together.added_up
    assert together.epsilon <= more.epsilon * (1 + 1e-7) + 1e-12
    assert together.membership_advantage <= more.membership_advantage + 1e-9
    if all(look.noise == "any" or look.delta == 0 for look in given_looks):
        total, failure = added_up(given_looks)
        assert together.membership_advantage <= math.tanh(total / 2) + failure + 1e-4
    assert composed(given_looks, 1e-5).epsilon <= together.epsilon
    shuffled = chance.sample(given_looks, len(given_looks))
    assert composed(shuffled, 1e-6).to_dict() == together.to_dict()


@settings(max_examples=10)
@given(st.lists(looks, max_size=6), st.floats(0.01, 5.0))
def test_what_fits_is_what_composes_to_no_more(given_looks, limit):
    assert fits(given_looks, epsilon=limit, delta=1e-6) == (composed(given_looks, 1e-6).epsilon <= limit)


def test_ten_tenths_are_one():
    assert fits([guaranteed(0.1)] * 10, epsilon=1.0, delta=0.0)
    assert not fits([guaranteed(0.1)] * 11, epsilon=1.0, delta=0.0)
    assert fits([guaranteed(0.1, 1e-7)] * 10, epsilon=1.0, delta=1e-6)


@pytest.mark.parametrize("look", [guaranteed(math.inf, what="rows"), guaranteed(0.5, 1.0, what="rows")])
def test_a_look_without_a_guarantee_leaves_none(look):
    together = composed([geometric(1.0), look], delta=1e-6)
    assert together.epsilon == math.inf
    assert together.membership_advantage == 1.0
    assert together.unguaranteed == ("rows",)
    assert (
        together.in_words
        == "2 looks at the data together: no epsilon holds at δ = 1e-06, because nothing protects rows."
    )
    assert together.caveats[-1] == "Nothing protects rows: there is no guarantee for it."
    assert not fits([look], epsilon=100.0, delta=0.5)


def test_a_guarantee_too_weak_to_speak_of_only_adds_up():
    together = composed([geometric(1.0)] * 600, delta=1e-6)
    assert (together.epsilon, together.tight, together.membership_advantage) == (600.0, math.inf, 1.0)


def test_at_a_delta_of_one_no_epsilon_is_given():
    together = composed([guaranteed(0.0, 0.6)] * 2, delta=1.0)
    assert (
        together.in_words
        == "2 looks at the data together: no epsilon holds at δ = 1, because the deltas add up to 1.2."
    )


def test_both_ways_are_told_and_what_they_take_for_granted():
    together = composed([geometric(0.1)] * 100, delta=1e-6)
    assert together.in_words.startswith("100 looks at the data together: ε = 4.7")
    assert "(added up: 10, by the laws of the noise: 4.7" in together.in_words
    assert together.in_words.endswith(" % better than a coin whether a row is in the data.")
    assert "chosen by looking at what an earlier one published" in together.caveats[0]
    normal = gaussian(1.0, 1e-6, sigma=calibrated_sigma(1.0, 1e-6, moved_counts=1))
    only_by_laws = composed([normal, normal], delta=1e-6)  # the deltas add up to more
    assert math.isinf(only_by_laws.added_up)
    assert "(added up: none at this δ, by the laws of the noise: " in only_by_laws.in_words
    one = composed([geometric(0.1)], delta=0.0)
    assert one.in_words.startswith("ε = 0.1 at δ = 0. Whoever sees everything")
    assert len(one.caveats) == 1
    assert "nobody declared how many rows" in one.caveats[0]


def test_the_document_has_no_number_that_json_has_not():
    document = json.loads(json.dumps(composed([guaranteed(math.inf)], delta=0.0).to_dict(), allow_nan=False))
    assert document["epsilon"] is document["added_up"] is document["tight"] is None
    assert document["evidence"] == "upper bound"


@pytest.mark.parametrize("epsilon", [5e-324, 1e-308, 1e-301])
def test_next_to_nothing_costs_next_to_nothing(epsilon):
    assert epsilon <= composed([guaranteed(epsilon)], delta=0.0).epsilon <= 1e-290
