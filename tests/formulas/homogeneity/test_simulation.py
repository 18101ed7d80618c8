import numpy as np
import pytest

from epsilometer.formulas.homogeneity import simulation
from epsilometer.mechanisms import Laplace
from epsilometer.vocabulary.share_intervals import score_interval

TRUE = np.array([3, 1, 0])
SHOWN = {
    "one of them": [2, 0, 0],
    "a foreign one": [0, 0, 4],
    "several": [2, 0, 2],
    "none": [0, 0, 0],
}


@pytest.mark.parametrize(
    ("attack", "success"),
    [
        (simulation.shows_a_present_value, [1, 0, 0, 0]),
        (simulation.shows_the_members_value, [3 / 4, 0, 0, 0]),
        (simulation.largest_count_is_the_members, [3 / 4, 0, 3 / 8, 0]),
        (simulation.share_of_counts_is_the_members, [3 / 4, 0, 3 / 8, 0]),
    ],
)
def test_success_of_each_attack(attack, success):
    assert attack(TRUE, np.array(list(SHOWN.values()))) == pytest.approx(success)


class Fixed:
    """Noise that is always the same."""

    threshold = 2.7

    def __init__(self, *noise):
        self.noise = np.array(noise)

    def sample(self, rng, shape):
        return self.noise


def test_counts_below_the_threshold_are_published_as_zero_and_others_rounded():
    published = simulation.publish(np.array([3, 3, 3, 3]), Fixed(-0.31, -0.29, 0.49, 0.5), None)
    assert published.tolist() == [0, 3, 3, 4]


def test_a_count_from_a_low_threshold_on_is_published_as_positive():
    noise = Fixed(0.3)
    noise.threshold = 0.2
    assert simulation.publish(np.array([0]), noise, None).tolist() == [1]


def test_the_seed_decides():
    table = simulation.as_they_are([[3, 0], [2, 1]], [2, 1])
    noise, weights = Laplace(epsilon=(0.5, 2.0)), np.full(3, 1 / 3)
    runs = [
        simulation.simulate(
            table, simulation.shows_a_present_value, noise, weights, rng=np.random.default_rng(seed)
        ).value
        for seed in (1, 1, 2)
    ]
    assert runs[0].tolist() == runs[1].tolist()
    assert runs[0].tolist() != runs[2].tolist()


def test_large_tables_are_drawn_in_parts(monkeypatch):
    """Small working sets change the order of the draws, not what is drawn."""
    monkeypatch.setattr(simulation, "WORKING_SET", 16)
    table = simulation.as_they_are([[50, 0], [40, 30]], [3, 1])
    estimate = simulation.simulate(
        table,
        simulation.largest_count_is_the_members,
        Laplace(epsilon=50.0),
        np.full(4, 0.25),
        rng=np.random.default_rng(3),
        repeats=7,
    )
    assert estimate.value == pytest.approx(0.75 + 0.25 * 4 / 7, rel=1e-12)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_interval_is_wilsons(successes, trials, low, high):
    """Four proportions with their score intervals at 95 %, without continuity correction (Newcombe 1998)."""
    interval = score_interval(np.array(successes / trials), float(trials), 0.95)
    assert (interval.low, interval.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.parametrize(("mean", "end"), [(0.0, "low"), (1.0, "high")])
def test_interval_stays_within_probabilities(mean, end):
    interval = score_interval(np.array(mean), 100.0, 0.99)
    assert getattr(interval, end) == mean
    assert interval.high - interval.low > 0.01
