"""What a published sample tells: values known from elsewhere, how they are known, and what the results promise."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr

import epsilometer as em

HALF_NOISE = em.Laplace(epsilon=0.5)


@pytest.mark.parametrize(
    ("prior", "adversary", "fraction"),
    [
        ("frequencies", "in", Fraction(1)),
        ("frequencies", "out", Fraction(2, 3)),
        ("frequencies", "unknown", Fraction(5, 6)),
        ("datasets", "in", Fraction(1)),
        ("datasets", "out", Fraction(1, 2)),
        ("datasets", "unknown", Fraction(3, 4)),
    ],
)
def test_one_of_two_people(prior, adversary, fraction):
    risk = em.sampling_risk(population=2, sample=1, adversary=adversary, prior=prior)
    assert risk.fraction == fraction
    assert risk.value == pytest.approx(float(fraction), rel=1e-15)
    assert risk.no_release == 0.5
    assert risk.additive_leakage == pytest.approx(float(fraction) - 0.5, rel=1e-15)
    assert risk.multiplicative_leakage == pytest.approx(2 * float(fraction), rel=1e-15)
    assert (risk.evidence, risk.adversary, risk.any_table) == ("exact", adversary, 1.0)


@pytest.mark.parametrize(("prior", "after", "before"), [("frequencies", (1, 6), (1, 3)), ("datasets", (1, 4), (1, 4))])
def test_loss_of_one_of_two_people(prior, after, before):
    loss = em.sampling_utility_loss(population=2, sample=1, prior=prior)
    assert loss.fraction == Fraction(*after)
    assert loss.value == pytest.approx(after[0] / after[1], rel=1e-15)
    assert loss.no_release == pytest.approx(before[0] / before[1], rel=1e-15)


@pytest.mark.parametrize("prior", ["frequencies", "datasets", 0.5, 3])
@pytest.mark.parametrize("n_values", [2, 3, 4])
def test_few_people_against_all_that_can_happen(enumerated, prior, n_values):
    alpha = {"frequencies": Fraction(1), "datasets": math.inf}.get(prior) or Fraction(prior)
    n = 5
    for m in range(1, n + 1):
        expected = enumerated(n, m, n_values, alpha)
        about = {"population": n, "sample": m, "prior": prior, "n_values": n_values}
        for adversary in ("in", "out", "unknown"):
            if adversary == "out" and m == n:
                continue
            risk = em.sampling_risk(adversary=adversary, **about)
            assert risk.fraction == expected[adversary]
            assert risk.value == pytest.approx(float(expected[adversary]), rel=1e-13)
            assert risk.no_release == 1 / n_values
        loss = em.sampling_utility_loss(**about)
        assert loss.fraction == expected["loss"]
        assert loss.value == pytest.approx(float(expected["loss"]), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("n", "m", "risk", "loss"),
    [
        (500, 1, 0.66733, 0.19546),
        (500, 100, 0.74851, 0.02786),
        (500, 500, 0.75050, 0.0),
        (10**6, 1, 0.66667, 0.19526),
        (10**6, 100, 0.74753, 0.03108),
        (10**6, 500, 0.74950, 0.01399),
    ],
)
def test_the_table_of_paper_002(n, m, risk, loss):
    assert em.sampling_risk(population=n, sample=m).value == pytest.approx(risk, abs=5.1e-6)
    assert em.sampling_utility_loss(population=n, sample=m).value == pytest.approx(loss, abs=5.1e-6)


@pytest.mark.parametrize("m", [1, 2, 7, 10, 499, 10**6])
def test_closed_forms_for_two_values(m):
    inside, outside = (1 / (4 * (m + 1)),) * 2 if m % 2 == 0 else (1 / (4 * m), 1 / (4 * (m + 2)))
    about = {"population": 10**9, "sample": m}
    assert em.sampling_risk(adversary="in", **about).value == pytest.approx(0.75 + inside, rel=1e-14)
    assert em.sampling_risk(adversary="out", **about).value == pytest.approx(0.75 - outside, rel=1e-14)
    assert em.sampling_risk(prior="datasets", adversary="out", **about).value == 0.5


@pytest.mark.parametrize("n_values", [2, 3, 5, 10])
def test_large_samples_tend_to_the_largest_share(n_values):
    limit = sum(1 / j for j in range(1, n_values + 1)) / n_values
    for adversary in ("in", "out"):
        risk = em.sampling_risk(population=10**9, sample=10**7, adversary=adversary, n_values=n_values)
        assert risk.value == pytest.approx(limit, abs=1e-6)


def test_a_curve_is_its_points_in_the_order_asked_for():
    sizes = [30, 1, 4]
    curve = em.sampling_risk(population=40, sample=sizes, adversary="in", n_values=3)
    points = [em.sampling_risk(population=40, sample=m, adversary="in", n_values=3).value for m in sizes]
    assert curve.value.tolist() == points
    assert (curve.additive_leakage + curve.no_release).tolist() == pytest.approx(points)
    assert curve.fraction is None
    assert curve.release.sample == (30, 1, 4)
    frame = curve.to_frame()
    assert frame["sample"].tolist() == sizes
    assert frame["value"].tolist() == points
    assert frame["any_table"].tolist() == [1, 1, 1]
    loss = em.sampling_utility_loss(population=40, sample=np.array(sizes))
    assert loss.to_frame()["sample"].tolist() == sizes
    assert loss.to_frame()["value"].tolist() == loss.value.tolist()
    assert loss.value[1] > loss.value[2] > loss.value[0]
    assert loss.fraction is None


@pytest.mark.parametrize(
    ("adversary", "prior", "expected"),
    [
        ("in", "frequencies", 7 / 10),
        ("out", "frequencies", 8 / 13),
        ("unknown", "frequencies", 0.1 * 7 / 10 + 0.9 * 8 / 13),
        ("out", "datasets", 1 / 3),
        ("in", 0.5, 7 / 10),
        ("out", 0.5, 7.5 / 11.5),
    ],
)
def test_one_histogram_that_was_seen(adversary, prior, expected):
    risk = em.sampling_risk(population=100, histogram=[7, 2, 1], adversary=adversary, prior=prior)
    assert risk.value == pytest.approx(expected, rel=1e-15)
    assert (risk.release.sample, risk.release.n_values, risk.evidence) == (10, 3, "exact")
    assert risk.question.endswith("after seeing 7, 2, 1?")
    agreed = em.sampling_risk(
        population=100, histogram=np.array([7, 2, 1]), sample=10, n_values=3, adversary=adversary, prior=prior
    )
    assert agreed.value == risk.value


def test_the_average_over_histograms_is_the_risk():
    """Every histogram of two values is equally likely under the prior on frequencies."""
    for adversary in ("in", "out", "unknown"):
        seen = [em.sampling_risk(population=9, histogram=[y, 4 - y], adversary=adversary).value for y in range(5)]
        assert np.mean(seen) == pytest.approx(em.sampling_risk(population=9, sample=4, adversary=adversary).value)


def expected_largest_of_three(m):
    """E max / m of three values whose histograms are equally likely, by inclusion and exclusion of exact numbers."""

    def at_most(t):
        return sum(
            (-1) ** j * math.comb(3, j) * math.comb(m - j * (t + 1) + 2, 2) for j in range(4) if j * (t + 1) <= m
        )

    everything = math.comb(m + 2, 2)
    return sum(everything - at_most(t) for t in range(m)) / everything / m


def test_an_estimate_has_an_interval_that_holds_the_truth():
    """A strength next to 1 is not summed in integers, though the truth is that of 1 but for 1e-13."""
    m = 100_000
    risk = em.sampling_risk(population=10**6, sample=m, adversary="in", n_values=3, prior=1 + 1e-12)
    truth = expected_largest_of_three(m)
    assert risk.evidence == "estimate"
    assert risk.answer.interval.confidence == 1
    assert risk.answer.interval.low <= truth <= risk.answer.interval.high
    assert risk.answer.interval.high - risk.answer.interval.low < 1e-5
    assert risk.value == pytest.approx(truth, abs=1e-7)
    assert em.sampling_risk(population=10**6, sample=m, adversary="in", n_values=3).value == pytest.approx(
        truth, rel=1e-14
    )
    both = em.sampling_risk(population=10**6, sample=[10, m], adversary="in", n_values=3, prior=1 + 1e-12)
    assert both.evidence == "estimate"
    assert both.answer.interval.low[0] == both.value[0] == both.answer.interval.high[0]


def test_the_loss_of_a_large_sample_is_an_estimate_near_its_asymptote():
    n, m = 10**9, 10**8
    loss = em.sampling_utility_loss(population=n, sample=m)
    assert loss.evidence == "estimate"
    assert loss.value == pytest.approx(math.sqrt(2 * math.pi) / 8 * math.sqrt(1 / m - 1 / n), rel=1e-6)
    assert loss.answer.interval.low < loss.value < loss.answer.interval.high < loss.value * (1 + 1e-6)


def test_noise_on_many_counts_is_bounded_by_the_release_without():
    about = {"population": 10**6, "sample": 10**4, "n_values": 3}
    noisy = em.sampling_risk(mechanism=em.Laplace(epsilon=0.1), **about)
    assert noisy.evidence == "upper bound"
    assert 1 / 3 < noisy.value <= em.sampling_risk(**about).value + 1e-15


@pytest.mark.parametrize("m", [1, 4, 25])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_laplace_noise_on_one_count(m, epsilon):
    distance = np.abs(np.arange(m + 1) - m / 2)
    inside = 0.5 + np.mean(2 * distance * -np.expm1(-epsilon * distance)) / (2 * m)
    about = {"population": 50, "sample": m, "mechanism": em.Laplace(epsilon=epsilon)}
    risk = em.sampling_risk(adversary="in", **about)
    assert risk.value == pytest.approx(inside, rel=1e-13)
    assert risk.any_table == pytest.approx(1 - math.exp(-epsilon * m / 2) / 2, rel=1e-13)
    outside = 0.5 + m / (m + 2) * (inside - 0.5)
    assert em.sampling_risk(adversary="out", **about).value == pytest.approx(outside, rel=1e-13)
    unknown = m / 50 * inside + (1 - m / 50) * outside
    assert em.sampling_risk(adversary="unknown", **about).value == pytest.approx(unknown, rel=1e-13)
    assert risk.fraction is None


def test_geometric_noise_on_three_counts_by_listing_the_noise():
    """Counts of two people under the prior on datasets; of noisy counts that tie, any may be named."""
    reach = np.arange(-40, 41)
    law = (1 - math.exp(-1)) / (1 + math.exp(-1)) * np.exp(-np.abs(reach))
    weights = law[:, None, None] * law[:, None] * law
    inside = 0.0
    for people in itertools.product(range(3), repeat=2):
        counts = np.bincount(people, minlength=3)
        published = np.array(np.broadcast_arrays(*np.ix_(*(reach + count for count in counts))))
        wins = published == published.max(axis=0)
        inside += (counts / 2) @ (weights * wins / wins.sum(axis=0)).sum(axis=(1, 2, 3)) / 9
    noise = em.Geometric(epsilon=1.0)
    risk = em.sampling_risk(population=9, sample=2, adversary="in", prior="datasets", n_values=3, mechanism=noise)
    assert risk.value == pytest.approx(inside, rel=1e-9)


@pytest.mark.parametrize(
    ("noise", "n_values", "at_the_sample"),
    [
        (HALF_NOISE, 2, 0.5),  # one count, moved by one
        (HALF_NOISE, 3, 1.0),  # two of the counts are moved
        (HALF_NOISE, 9, 1.0),
        (em.Geometric(epsilon=0.5), 3, 1.0),
        (em.Laplace(epsilon=0.5, adjacency="replace"), 2, 0.25),
        (em.Laplace(epsilon=0.5, adjacency="replace"), 3, 0.5),
    ],
)
def test_pure_guarantees(noise, n_values, at_the_sample):
    given = em.sampling_risk(population=400, sample=10, n_values=n_values, mechanism=noise).release.guarantee
    assert given.noise_epsilon == pytest.approx(at_the_sample, rel=1e-12)
    assert given.epsilon == pytest.approx(math.log(1 + 10 / 400 * (math.exp(at_the_sample) - 1)), rel=1e-12)
    assert (given.noise_delta, given.delta) == (0, 0)


@pytest.mark.parametrize(("n_values", "moved"), [(2, 1.0), (3, math.sqrt(2))])
def test_gaussian_guarantees(n_values, moved):
    """The noise is (epsilon, delta)-private if delta is what the Gaussian privacy profile gives at epsilon."""
    noise = em.Gaussian(epsilon=0.5, delta=1e-5)
    given = em.sampling_risk(population=400, sample=10, n_values=n_values, mechanism=noise).release.guarantee
    ratio, epsilon = moved / noise.scale, given.noise_epsilon
    profile = ndtr(ratio / 2 - epsilon / ratio) - math.exp(epsilon) * ndtr(-ratio / 2 - epsilon / ratio)
    assert profile == pytest.approx(1e-5, rel=1e-6)
    assert given.epsilon == pytest.approx(math.log(1 + 10 / 400 * (math.exp(epsilon) - 1)), rel=1e-12)
    assert given.delta == pytest.approx(1e-5 * 10 / 400, rel=1e-12)


def test_discrete_gaussian_guarantees():
    """One count moves by one: delta is what the larger law exceeds e^epsilon times the other by, summed up."""
    noise = em.DiscreteGaussian(epsilon=0.5, delta=1e-5)
    given = em.sampling_risk(population=400, sample=10, mechanism=noise).release.guarantee
    reach = np.arange(-400, 401)
    law = np.exp(-(reach**2) / (2 * noise.scale**2))
    law /= law.sum()
    exceeds = np.maximum(law[1:] - math.exp(given.noise_epsilon) * law[:-1], 0).sum()
    assert exceeds == pytest.approx(1e-5, rel=1e-6)
    assert given.epsilon == pytest.approx(math.log(1 + 10 / 400 * (math.exp(given.noise_epsilon) - 1)), rel=1e-12)


def test_without_noise_and_on_curves_there_is_no_guarantee():
    assert em.sampling_risk(population=400, sample=10).release.guarantee is None
    curve = em.sampling_risk(population=400, sample=[1, 10], mechanism=HALF_NOISE)
    assert curve.release.guarantee is None
    assert curve.any_table.shape == (2,)


def test_noise_costs_the_attacker_and_the_analyst():
    for n_values in (2, 3):
        about = {"population": 60, "sample": 12, "n_values": n_values}
        levels = [em.Laplace(epsilon=epsilon) for epsilon in (0.01, 0.3, 3.0)] + [None]
        risks = [em.sampling_risk(mechanism=noise, **about).value for noise in levels]
        losses = [em.sampling_utility_loss(mechanism=noise, **about) for noise in levels]
        assert risks == sorted(risks)
        assert [loss.value for loss in losses] == sorted((loss.value for loss in losses), reverse=True)
        assert losses[0].value == pytest.approx(losses[0].no_release, rel=0.01)
        assert losses[0].fraction is None


def test_results_say_what_they_take_for_granted():
    risk = em.sampling_risk(population=10, sample=3)
    assert risk.question == (
        "How likely does an attacker who does not know whether the target is in the sample name the target's value?"
    )
    assert risk.assumptions[0].endswith("the histogram of the sample is published as it is.")
    assert "every share of every value is equally likely" in risk.assumptions[1]
    assert len(risk.caveats) == 1
    assert {source.key for source in risk.source} == {"gonze-2023"}
    independent = em.sampling_risk(population=10, sample=3, prior="datasets", adversary="in")
    assert "people are independent" in independent.assumptions[1]
    assert independent.caveats[1].endswith("The prior on frequencies is the safer reading.")
    assert [source.locator for source in independent.source] != [source.locator for source in risk.source]
    assert "Dirichlet" in em.sampling_risk(population=10, sample=3, prior=2).assumptions[1]
    for n_values, what in ((2, "noise on one count;"), (3, "noise on each count;")):
        noisy = em.sampling_risk(population=10, sample=3, n_values=n_values, mechanism=HALF_NOISE)
        assert what in noisy.assumptions[0]
        assert noisy.source
    assert "guesses the median" in em.sampling_utility_loss(population=10, sample=3).assumptions[1]
    several = em.sampling_utility_loss(population=10, sample=3, n_values=3)
    assert "takes the posterior mean" in several.assumptions[1]
    assert several.source


@pytest.mark.parametrize(("alpha", "prior"), [(1, "frequencies"), (math.inf, "datasets"), (0.25, "Dirichlet")])
def test_a_strength_that_has_a_name_is_called_by_it(alpha, prior):
    release = em.sampling_risk(population=10, sample=3, prior=alpha).release
    assert (release.prior, release.alpha) == (prior, alpha)


def test_fractions_are_for_short_questions():
    assert em.sampling_risk(population=10**6, sample=30).fraction is not None
    assert em.sampling_risk(population=10**6, sample=31).fraction is None
    assert em.sampling_risk(population=100, sample=3, prior=math.pi).fraction is None
    assert em.sampling_utility_loss(population=100, sample=30).fraction is not None
    assert em.sampling_utility_loss(population=101, sample=30).fraction is None
    assert em.sampling_utility_loss(population=100, sample=30, prior=math.pi).fraction is None


def test_an_assessment_holds_the_three_risks_and_the_loss():
    found = em.assess_sample(population=10_000, sample=70, n_values=3, prior="datasets")
    about = {"population": 10_000, "sample": 70, "n_values": 3, "prior": "datasets"}
    for adversary in ("in", "out", "unknown"):
        assert found.at_size.risk(adversary).value == em.sampling_risk(adversary=adversary, **about).value
    assert found.at_size.loss.value == em.sampling_utility_loss(**about).value
    sizes = found.over_sizes.loss.release.sizes.tolist()
    assert found.over_sizes.risk("out").value[sizes.index(70)] == found.at_size.risk("out").value


@pytest.mark.parametrize(
    ("population", "sample", "noise", "reach", "points"),
    [
        (10**6, 70, None, 10_000, 19),  # ten times the sample is less
        (10**6, 2_000, None, 20_000, 19),
        (10**6, 70, HALF_NOISE, 10_000, 7),
        (10_000, 70, None, 10_000, 19),  # everybody
        (100, 30, HALF_NOISE, 100, 7),
    ],
)
def test_other_sizes_are_evenly_spread_and_hold_the_one_asked_for(population, sample, noise, reach, points):
    """Each is the same multiple of the one before; somebody stays outside even at the last."""
    evenly = {min(round(reach ** (i / (points - 1))), population - 1) for i in range(points)}
    found = em.assess_sample(population=population, sample=sample, mechanism=noise).over_sizes
    assert found.loss.release.sizes.tolist() == sorted({*evenly, sample})
    assert [risk.release.sizes.tolist() for risk in found.risks] == [found.loss.release.sizes.tolist()] * 3


def test_nobody_is_outside_a_sample_of_everybody():
    found = em.assess_sample(population=50, sample=50, mechanism=HALF_NOISE)
    assert found.at_size.risk("out") is None
    assert found.at_size.risk("in").value == found.at_size.risk("unknown").value
    assert found.over_sizes.risk("out").release.sizes.max() == 49
    alone = em.assess_sample(population=1, sample=1)
    assert [risk.adversary for risk in alone.over_sizes.risks] == ["in", "unknown"]
    assert alone.over_sizes.loss.value.tolist() == [0]
