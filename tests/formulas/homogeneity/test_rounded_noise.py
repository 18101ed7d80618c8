import numpy as np
import pytest

from epsilometer.errors import OutOfRange
from epsilometer.formulas.homogeneity import largest_count, share_of_counts
from epsilometer.formulas.homogeneity.rounded_noise import lowest_level, published_distributions, rounded_noises
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace


@pytest.mark.parametrize(
    "noise",
    [
        Laplace(epsilon=0.3),
        Geometric(epsilon=2.0),
        Gaussian.with_sigma(3.0),
        DiscreteGaussian(epsilon=1.0, delta=1e-5),
    ],
    ids=repr,
)
def test_nothing_that_matters_is_left_out(noise):
    (rounded,) = rounded_noises(noise)
    outside = noise.probability_below(-rounded.reach - 0.5) + noise.probability_at_least(rounded.reach + 0.5)
    assert outside <= 1e-16
    assert rounded.mass.sum() == pytest.approx(1, abs=1e-14)
    assert rounded.below == pytest.approx(np.cumsum(rounded.mass) - rounded.mass, abs=1e-14)


def test_small_probabilities_keep_their_precision_in_both_tails():
    (rounded,) = rounded_noises(Laplace(epsilon=1.0))
    assert rounded.mass == pytest.approx(rounded.mass[::-1], rel=1e-13)


@pytest.mark.parametrize(
    ("threshold", "level"), [(-3.0, 1), (0.2, 1), (0.5, 1), (1.49, 1), (1.5, 2), (2.2, 2), (4.5, 5)]
)
def test_lowest_level_is_the_smallest_that_is_ever_published(threshold, level):
    noise = Laplace(epsilon=1.0, threshold=threshold)
    assert lowest_level(noise) == level
    (table,) = published_distributions(np.array([3]), noise)
    assert table[0, 1] > 0


def test_each_count_is_published_as_something():
    noise = Geometric(epsilon=(0.2, 5.0), threshold=2.5)
    for table in published_distributions(np.array([0, 4, 900]), noise):
        assert table.sum(axis=1) == pytest.approx(1, abs=1e-14)


def test_noise_too_wide_to_sum_over():
    message = (
        r"reach of the noise must be in \[0, 16777216\], got inf\. "
        r"Every move of a count is summed over: use a larger epsilon, or fewer at once\."
    )
    with pytest.raises(OutOfRange, match=message):
        rounded_noises(Laplace(epsilon=1e-7))


def test_too_many_wide_noises_at_once():
    with pytest.raises(OutOfRange, match=r"must be in \[0, 4194304\], got \d+\.0\. Every move"):
        rounded_noises(Laplace(epsilon=(1.0, 2.0, 3.0, 5e-6)))


@pytest.mark.parametrize(
    ("module", "formula"),
    [(largest_count, largest_count.winning_probability), (share_of_counts, share_of_counts.expected_shares)],
)
def test_small_working_sets_change_nothing(module, formula, monkeypatch):
    cells, noise = np.random.default_rng(2).integers(0, 90, (40, 3)), Laplace(epsilon=(0.2, 2.0))
    at_once = formula(cells, noise)
    monkeypatch.setattr(module, "WORKING_SET", 500)
    assert formula(cells, noise) == pytest.approx(at_once, rel=1e-13)
