"""The privacy each mechanism claims, against likelihood ratios and hockey-stick sums computed from scratch."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate
from scipy.stats import norm

from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.formulas import advantage
from epsilometer.formulas import discrete_gaussian as discrete
from epsilometer.formulas.gaussian import delta_from_sigma, epsilon_from_sigma
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.mechanisms.naming import mechanism_named
from epsilometer.vocabulary.adjacency import Adjacency


def discrete_gaussian_pmf(sigma, reach):
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return weights / weights.sum()


def hockey_stick(p, q, epsilon):
    return np.maximum(p - math.exp(epsilon) * q, 0).sum()


def exact_delta(sigma, epsilon, moved):
    """The hockey-stick divergence of noise on one or two counts that move by one, with 50 digits."""
    with mp.workdps(50):
        sigma, reach = mp.mpf(sigma), math.ceil(20 * sigma) + 10
        weights = [mp.exp(-((k / sigma) ** 2) / 2) for k in range(-reach, reach + 1)]
        if moved == 2:
            weights = [mp.fsum(weights[i] * weights[s - i] for i in range(max(0, s - 2 * reach), min(s, 2 * reach) + 1))
                       for s in range(4 * reach + 1)]  # fmt: skip
        shifted = [*weights[moved:], *[mp.mpf(0)] * moved]
        terms = (p - mp.exp(epsilon) * q for p, q in zip(weights, shifted, strict=True))
        return mp.fsum(term for term in terms if term > 0) / mp.fsum(weights)


@pytest.mark.parametrize(("epsilon", "sigma"), [(0.3, 1.0), (1.0, 1.0), (1.0, 3.7), (2.5, 0.8)])
def test_discrete_gaussian_delta_for_one_moved_count(epsilon, sigma):
    pmf = discrete_gaussian_pmf(sigma, 200)
    p, q = np.append(pmf, 0), np.append(0, pmf)
    assert discrete.delta_from_sigma(sigma, epsilon=epsilon, moved_counts=1) == pytest.approx(
        hockey_stick(p, q, epsilon), rel=1e-9
    )


@pytest.mark.parametrize(("epsilon", "sigma"), [(0.3, 1.0), (1.0, 1.0), (1.0, 4.2), (2.5, 0.8)])
def test_discrete_gaussian_delta_for_two_moved_counts(epsilon, sigma):
    pmf = discrete_gaussian_pmf(sigma, 120)
    up, down = np.append(pmf, 0), np.append(0, pmf)
    p, q = np.outer(up, down), np.outer(down, up)
    assert discrete.delta_from_sigma(sigma, epsilon=epsilon, moved_counts=2) == pytest.approx(
        hockey_stick(p, q, epsilon), rel=1e-9
    )


@pytest.mark.parametrize("moved", [1, 2])
@pytest.mark.parametrize("epsilon", [0.9, 2.817121234970878, 11.1])
def test_discrete_gaussian_delta_where_another_outcome_begins_to_count(epsilon, moved):
    """There epsilon sigma**2 is a whole number, or one and a half, but for rounding."""
    for whole in range(1, 6):
        middle = math.sqrt((whole - moved / 2 + 1) / epsilon)
        for sigma in (math.nextafter(middle, 0), middle, math.nextafter(middle, 9)):
            exact = float(exact_delta(sigma, epsilon, moved))
            assert discrete.delta_from_sigma(sigma, epsilon=epsilon, moved_counts=moved) == pytest.approx(
                exact, rel=1e-6
            )


@pytest.mark.parametrize("sigma", [0.05, 0.4, 1.0, 5.0])
def test_discrete_gaussian_advantages_are_total_variation_distances(sigma):
    pmf = discrete_gaussian_pmf(sigma, 120)
    up, down = np.append(pmf, 0), np.append(0, pmf)
    noise = DiscreteGaussian(epsilon=1.0, delta=1e-5)
    object.__setattr__(noise, "sigma", sigma)
    assert noise.membership_advantage == pytest.approx(np.abs(up - down).sum() / 2, rel=1e-9)
    product = np.abs(np.outer(up, down) - np.outer(down, up)).sum() / 2
    assert noise.value_advantage == pytest.approx(product, rel=1e-9)


@pytest.mark.parametrize("adjacency", ["add-remove", "replace"])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-5), (1.0, 1e-6), (5.0, 1e-3)])
def test_calibrated_noise_meets_delta_and_a_little_less_noise_does_not(epsilon, delta, adjacency):
    moved = Adjacency(adjacency).moved_counts
    sigma = DiscreteGaussian(epsilon=epsilon, delta=delta, adjacency=adjacency).sigma
    assert discrete.delta_from_sigma(sigma, epsilon=epsilon, moved_counts=moved) <= delta
    assert discrete.delta_from_sigma(sigma * (1 - 1e-9), epsilon=epsilon, moved_counts=moved) > delta
    gaussian = Gaussian(epsilon=epsilon, delta=delta, adjacency=adjacency)
    unit = gaussian.sigma / gaussian.adjacency.l2_sensitivity
    assert delta_from_sigma(unit, epsilon=epsilon) <= delta * (1 + 1e-12)  # unit went through a product and back
    assert delta_from_sigma(unit * (1 - 1e-9), epsilon=epsilon) > delta


@pytest.mark.parametrize("moved", [1, 2])
@pytest.mark.parametrize("epsilon", np.arange(5.0, 12.25, 0.25))
def test_large_epsilons_get_the_smallest_discrete_noise_that_can_be_rounded_up(epsilon, moved):
    """Delta is no monotone function of sigma there: every larger sigma must keep it, and a little less must not."""
    sigma = discrete.calibrated_sigma(epsilon, 1e-6, moved_counts=moved)
    assert exact_delta(sigma, epsilon, moved) <= 1e-6 < exact_delta(sigma * (1 - 1e-9), epsilon, moved)
    larger = sigma * np.geomspace(1, 2, 60 if moved == 1 else 8)
    assert all(exact_delta(each, epsilon, moved) <= 1e-6 for each in larger)


def test_why_the_scale_of_discrete_noise_drops():
    """Around epsilon = 9.2 the arch of delta between sigma = 0.52 and 0.62 sinks below 1e-6, all of it at once."""
    arch = np.linspace(0.5215, 0.62, 60)
    tops = [max(arch, key=lambda sigma, e=epsilon: exact_delta(sigma, e, 1)) for epsilon in (9.2, 9.22)]
    assert exact_delta(tops[1], 9.22, 1) < 1e-6 < exact_delta(tops[0], 9.2, 1)
    assert discrete.calibrated_sigma(9.22, 1e-6, moved_counts=1) < arch[0]
    assert discrete.calibrated_sigma(9.2, 1e-6, moved_counts=1) > tops[0]
    assert exact_delta(0.54, 9.2, 1) < 1e-6  # less noise keeps the guarantee too, by a narrow chance that is not taken


@given(
    epsilon=st.floats(0.1, 25.0), log_delta=st.floats(-12.0, -1.0), moved=st.sampled_from([1, 2]), more=st.floats(1, 3)
)
def test_more_discrete_noise_never_breaks_the_guarantee(epsilon, log_delta, moved, more):
    delta = 10**log_delta
    sigma = discrete.calibrated_sigma(epsilon, delta, moved_counts=moved)
    assert discrete.delta_from_sigma(more * sigma, epsilon=epsilon, moved_counts=moved) <= delta * (1 + 1e-9)
    assert discrete.delta_from_sigma(sigma * (1 - 1e-7), epsilon=epsilon, moved_counts=moved) > delta
    assert discrete.calibrated_sigma(more * epsilon, delta, moved_counts=moved) <= sigma * (1 + 1e-9)


def test_gaussian_delta_agrees_with_quadrature():
    for sigma, epsilon in [(1.0, 1.0), (2.0, 0.3), (0.7, 4.0)]:
        expected, _ = integrate.quad(
            lambda x, s=sigma, e=epsilon: max(norm.pdf(x, 0, s) - math.exp(e) * norm.pdf(x, 1, s), 0), -40, 40,
            limit=500, epsabs=1e-13, points=[0.5 - epsilon * sigma**2],
        )  # fmt: skip
        assert delta_from_sigma(sigma, epsilon=epsilon) == pytest.approx(expected, abs=1e-10)


def test_gaussian_delta_survives_an_epsilon_beyond_the_exponent_range():
    assert 0 <= delta_from_sigma(0.02, epsilon=900.0) < 1


@pytest.mark.parametrize("kind", [Laplace, Geometric])
@pytest.mark.parametrize("adjacency", ["add-remove", "replace"])
def test_pure_mechanisms_never_exceed_epsilon(kind, adjacency):
    """The log-likelihood ratio of half-lines, which generate every event, stays within epsilon per person."""
    epsilon = 1.3
    noise = kind(epsilon=epsilon, adjacency=adjacency)
    x = np.arange(-20.0, 20.0)
    loss = np.abs(np.log(noise.probability_below(x)) - np.log(noise.probability_below(x - 1)))
    assert loss.max() * noise.adjacency.moved_counts <= epsilon * (1 + 1e-12)
    assert loss.max() * noise.adjacency.moved_counts >= epsilon * (1 - 1e-9)


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
def test_laplace_advantages_agree_with_quadrature(scale):
    def density(x, centre):
        return mp.exp(-abs(x - centre) / scale) / (2 * scale)

    knots = [-mp.inf, 0, mp.mpf("0.5"), 1, mp.inf]
    single = mp.quad(lambda x: abs(density(x, 0) - density(x, 1)), knots) / 2
    assert float(advantage.laplace_membership_advantage(scale)) == pytest.approx(float(single), rel=1e-10)
    grid = (np.arange(4000) + 0.5) / 4000 * (24 * scale + 1) - 12 * scale
    up = np.exp(-np.abs(grid) / scale)
    down = np.exp(-np.abs(grid - 1) / scale)
    up, down = up / up.sum(), down / down.sum()
    double = np.abs(np.outer(up, down) - np.outer(down, up)).sum() / 2
    assert float(advantage.laplace_value_advantage(scale)) == pytest.approx(double, rel=2e-4)


def test_geometric_value_advantage_is_the_total_variation_distance():
    noise = Geometric(epsilon=0.8)
    k = np.arange(-150, 151)
    pmf = noise.probability_below(k + 1) - noise.probability_below(k)
    up, down = np.append(pmf, 0), np.append(0, pmf)
    assert noise.membership_advantage == pytest.approx(np.abs(up - down).sum() / 2, rel=1e-10)
    product = np.abs(np.outer(up, down) - np.outer(down, up)).sum() / 2
    assert noise.value_advantage == pytest.approx(product, rel=1e-10)


@pytest.mark.parametrize("kind", [Laplace, Geometric])
@pytest.mark.parametrize("adjacency", ["add-remove", "replace"])
def test_the_mechanisms_own_advantage_is_within_what_epsilon_allows(kind, adjacency):
    noise = kind(epsilon=(0.1, 1.0, 4.0), adjacency=adjacency)
    changes = 2 / noise.adjacency.moved_counts
    bound = advantage.advantage_from_epsilon(changes * np.asarray(noise.epsilon))
    assert (noise.value_advantage <= bound + 1e-15).all()


def test_gaussian_advantages():
    noise = Gaussian.with_sigma(1.0)
    assert noise.membership_advantage == pytest.approx(2 * norm.cdf(0.5) - 1, rel=1e-12)
    assert noise.value_advantage == pytest.approx(2 * norm.cdf(math.sqrt(2) / 2) - 1, rel=1e-12)


def test_advantage_of_an_approximate_guarantee():
    assert float(advantage.advantage_from_epsilon(1.0, 0.01)) == pytest.approx(
        (math.e - 1 + 0.02) / (math.e + 1), rel=1e-14
    )


def test_a_value_costs_two_changes_under_add_remove_and_one_under_replace():
    """Posterior p e^e' / (1 - p + p e^e') with e' twice epsilon, or epsilon."""
    add_remove = Laplace(epsilon=1.0).value_posterior(0.3)
    replace = Laplace(epsilon=1.0, adjacency="replace").value_posterior(0.3)
    assert add_remove == pytest.approx(0.3 * math.e**2 / (0.7 + 0.3 * math.e**2), rel=1e-14)
    assert replace == pytest.approx(0.3 * math.e / (0.7 + 0.3 * math.e), rel=1e-14)


def test_with_sigma_keeps_sigma_and_states_its_tight_epsilon():
    noise = Gaussian.with_sigma((0.5, 2.0), delta=1e-6)
    assert noise.sigma == (0.5, 2.0)
    for sigma, epsilon in zip(noise.sigma, noise.epsilon, strict=True):
        assert delta_from_sigma(sigma, epsilon=epsilon) == pytest.approx(1e-6, rel=1e-9)
        assert delta_from_sigma(sigma, epsilon=epsilon) <= 1e-6
    with pytest.raises(OutOfRange, match=r"sigma must be in .* got 1000000.0. The noise is \(0, 1e-05\)-DP"):
        epsilon_from_sigma(1e6, delta=1e-5)


@pytest.mark.parametrize("epsilon", [0, -1.0, math.inf, math.nan, "much", (1.0, 0.0), (), [[1.0]], None])
@pytest.mark.parametrize("kind", [Laplace, Geometric])
def test_epsilon_must_be_positive_and_finite(kind, epsilon):
    with pytest.raises(OutOfRange, match=r"^epsilon must be in \(0, inf\), got .*\. A smaller epsilon means"):
        kind(epsilon=epsilon)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, 2.0, math.nan])
@pytest.mark.parametrize("kind", [Gaussian, DiscreteGaussian])
def test_delta_is_a_probability(kind, delta):
    with pytest.raises(OutOfRange, match=r"^delta must be in \(0, 1\), got"):
        kind(epsilon=1.0, delta=delta)


def test_other_parameters_are_checked_too():
    with pytest.raises(UnknownChoice, match=r"^calibration must be one of analytic, .*; got 'wild'\.$"):
        Gaussian(epsilon=1.0, delta=1e-5, calibration="wild")
    with pytest.raises(OutOfRange, match=r"^epsilon must be in \(0, 1\), got 1.0. .* use 'analytic'\.$"):
        Gaussian(epsilon=1.0, delta=1e-5, calibration="classic")
    with pytest.raises(UnknownChoice, match=r"^adjacency must be one of add-remove, replace; got 'other'\.$"):
        Laplace(epsilon=1.0, adjacency="other")
    with pytest.raises(OutOfRange, match=r"^threshold must be in"):
        Laplace(epsilon=1.0, threshold=math.nan)
    with pytest.raises(OutOfRange, match=r"^sigma must be in \(0, 1e\+06\], got .* Use Gaussian"):
        DiscreteGaussian(epsilon=1e-9, delta=1e-9)
    with pytest.raises(UnknownChoice, match=r"^mechanism must be one of gaussian; got 'laplace'\. .* a calibration"):
        mechanism_named("laplace", epsilon=1.0, calibration="classic")


@pytest.mark.parametrize(
    "noise",
    [
        Laplace(epsilon=1.0),
        Geometric(epsilon=(1.0, 2.0), adjacency="replace"),
        Gaussian(epsilon=0.5, delta=1e-5, calibration="classic", threshold=3.0),
        DiscreteGaussian(epsilon=1.0, delta=1e-5),
    ],
    ids=lambda noise: noise.name,
)
def test_a_mechanism_describes_and_equals_itself(noise):
    described = noise.describe()
    assert described["name"] == noise.name
    assert described["adjacency"] == noise.adjacency
    assert described["l1_sensitivity"] == {"add-remove": 1.0, "replace": 2.0}[noise.adjacency]
    settings = {key: described[key] for key in ("epsilon", "adjacency", "threshold")}
    settings |= {key: described[key] for key in ("calibration",) if key in described}
    settings |= {"delta": noise.delta} if noise.delta else {}
    assert type(noise)(**settings) == noise
