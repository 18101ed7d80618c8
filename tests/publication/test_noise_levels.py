"""Noise for several tables and several counts of a person: enough in exact arithmetic, and no more than needed."""

import itertools
import math

import numpy as np
import opendp.prelude as dp
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadQuestion, OutOfRange
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.noise_levels import noise_levels, optimal_shares

dp.enable_features("contrib")


def gaussian_levels(epsilon, delta, cells, shares, adjacency="add-remove"):
    mechanism = DiscreteGaussian(epsilon=epsilon, delta=delta, adjacency=adjacency)
    return noise_levels(Counts(mechanism=mechanism, cells_per_person=cells), shares, ["a"] * len(shares))


@pytest.mark.parametrize("epsilon", [0.1, 1 / 3, 1.0, 7.0])
@pytest.mark.parametrize("cells", [1, 3])
def test_opendp_states_the_same_epsilon_for_geometric_noise(epsilon, cells):
    counts = Counts(mechanism=Laplace(epsilon=epsilon, adjacency="replace"), cells_per_person=cells)
    (level,) = noise_levels(counts, [1.0], ["a"])
    space = dp.vector_domain(dp.atom_domain(T="i64", nan=False)), dp.l1_distance(T="i64")
    stated = dp.m.make_laplace(*space, scale=level.scale).map(2 * cells)
    assert epsilon * (1 - 1e-12) <= stated <= math.nextafter(epsilon, math.inf)


@pytest.mark.parametrize("shares", [[1.0], [1.0, 1.0], [1.0, 3.0, 0.5]], ids=str)
@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.2, 1e-9)])
def test_gaussian_noise_on_all_tables_together_keeps_the_guarantee(epsilon, delta, cells, shares):
    """On a finer grid than the calibration's, which still overstates delta a little; a fiftieth less noise fails."""
    levels = gaussian_levels(epsilon, delta, cells, shares)

    def delta_of(factor):
        losses = [pld.from_discrete_gaussian_mechanism(factor * level.scale, value_discretization_interval=2e-5)
                  for level in levels for _ in range(cells)]  # fmt: skip
        together = losses[0]
        for loss in losses[1:]:
            together = together.compose(loss)
        return together.get_delta_for_epsilon(epsilon)

    assert delta_of(1.0) <= 1.01 * delta
    assert delta_of(0.98) > delta


def test_gaussian_noise_keeps_the_guarantee_by_listing_every_outcome():
    """Two tables, two counts of a person in each: the privacy loss summed over all noises, without an accountant."""
    epsilon, delta = 3.0, 0.05
    levels = gaussian_levels(epsilon, delta, 2, [1.0, 2.0])
    loss, probability = np.zeros(1), np.ones(1)
    for level in levels:
        for _ in range(2):
            steps = np.arange(-14, 15)
            weights = np.exp(-0.5 * (steps / level.scale) ** 2)
            here = (2 * steps + 1) / (2 * level.scale**2)
            loss = np.add.outer(loss, here).ravel()
            probability = np.multiply.outer(probability, weights / weights.sum()).ravel()
    excess = probability * -np.expm1(np.minimum(epsilon - loss, 0.0))
    assert 0.9 * delta < excess.sum() <= delta


def test_gaussian_shares_are_parts_of_rho():
    one, other = gaussian_levels(1.0, 1e-6, 1, [1.0, 4.0])
    assert math.isclose(one.scale / other.scale, 2.0, rel_tol=2e-3)
    assert 0 < one.look.epsilon < other.look.epsilon < 1


def test_both_adjacencies_move_their_counts():
    (replaced,), (added,) = (gaussian_levels(1.0, 1e-6, *how) for how in ((1, [1.0], "replace"), (2, [1.0])))
    assert replaced.look.moved_counts == added.look.moved_counts == 2
    assert math.isclose(replaced.scale, added.scale, rel_tol=2e-3)


def mean_square_error(mechanism, shares, sizes):
    """Of noise on real numbers, with the budget of 1 split by shares."""
    parts = np.array(shares) / sum(shares)
    if isinstance(mechanism, Geometric):
        return (2 * np.array(sizes) / parts**2).sum()
    return (np.array(sizes) / (2 * parts)).sum()


@pytest.mark.parametrize(
    "mechanism", [Geometric(epsilon=1.0), DiscreteGaussian(epsilon=1.0, delta=1e-6)], ids=lambda m: m.name
)
@given(
    sizes=st.lists(st.integers(1, 10**6), min_size=2, max_size=4),
    moved=st.lists(st.floats(-0.2, 0.2), min_size=4, max_size=4),
)
def test_no_other_split_has_a_smaller_error(mechanism, sizes, moved):
    best = optimal_shares(mechanism, sizes)
    other = [share * (1 + by) for share, by in itertools.islice(zip(best, moved, strict=False), len(best))]
    least = mean_square_error(mechanism, best, sizes)
    assert least <= mean_square_error(mechanism, other, sizes) * (1 + 1e-12)


def test_several_epsilons_are_refused():
    with pytest.raises(BadQuestion, match=r"^A release has one epsilon; the plan has several: 0\.1, 1\. Choose one\.$"):
        noise_levels(Counts(mechanism=Laplace(epsilon=(0.1, 1.0))), [1.0], ["a"])


def test_another_calibration_is_refused():
    mechanism = Gaussian(epsilon=1.0, delta=1e-6, calibration="probabilistic")
    with pytest.raises(BadQuestion, match="the calibration probabilistic promises something else"):
        noise_levels(Counts(mechanism=mechanism), [1.0], ["a"])


def test_a_delta_that_no_accountant_shows_is_refused():
    assert gaussian_levels(1.0, 1e-14, 1, [1.0])[0].scale > 1
    with pytest.raises(OutOfRange, match=r"^delta must be in \[1e-12, 1\), got 1e-14\. Noise on several tables"):
        gaussian_levels(1.0, 1e-14, 2, [1.0])


@pytest.mark.parametrize(
    ("epsilon", "shares", "smallest"), [(5e-324, [1.0], "1e-06"), (1e-6, [1.0], "1e-06"), (3e-6, [1.0, 3.0], "4e-06")]
)
def test_noise_that_no_passport_could_state_is_refused(epsilon, shares, smallest):
    counts = Counts(mechanism=Geometric(epsilon=epsilon))
    with pytest.raises(
        OutOfRange, match=rf"^epsilon must be in \({smallest}, inf\), got {epsilon}\. Less would be noise"
    ):
        noise_levels(counts, shares, ["a"] * len(shares))


def test_the_most_noise_there_is_can_be_stated():
    (level,) = noise_levels(Counts(mechanism=Geometric(epsilon=1.0001e-6)), [1.0], ["a"])
    assert level.scale < 1e6
