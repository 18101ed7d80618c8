"""Epsilons read off fitted curves whose answers are known."""

import math

import numpy as np
import pytest

from epsilometer.errors import BadQuestion
from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.risk_curves import fit_risk_curve
from epsilometer.solvers.measured_targets import (
    AtLeast,
    AtMost,
    Measured,
    feasible_epsilons,
    largest_epsilon_within,
    smallest_epsilon_within,
)

EPSILONS = np.array([0.1, 0.5, 1.0, 2.0, 4.0])


def measured(function, epsilons=EPSILONS, family="polynomial-2", spread=None):
    """A curve through the values of a function; with a spread, two runs above and below it at each epsilon."""
    if spread is not None:
        epsilons, off = np.repeat(epsilons, 2), np.tile([-spread, spread], len(epsilons))
        values = function(epsilons) + off
    else:
        values = function(epsilons)
    curve = fit_risk_curve(epsilons, values, family)
    return band_of_runs(curve, epsilons, values, rng=np.random.default_rng(1))


RISING = measured(lambda eps: 0.1 * eps)
FALLING = measured(lambda eps: 1 / eps, family="reciprocal-1")
HUMP = measured(lambda eps: eps * (4 - eps))  # 0.39 at 0.1, up to 4 at 2, down to 0 at 4


@pytest.mark.parametrize(
    ("band", "target", "largest", "smallest"),
    [
        (RISING, AtMost(0.12345), 1.23, 0.1),
        (RISING, AtLeast(0.12345), 4.0, 1.24),
        (FALLING, AtMost(0.8), 4.0, 1.26),
        (FALLING, AtLeast(0.8), 1.24, 0.1),  # a distance that must be kept
    ],
)
def test_where_the_curve_meets_the_target(band, target, largest, smallest):
    above, below = largest_epsilon_within(band, target), smallest_epsilon_within(band, target)
    assert (above.epsilon, below.epsilon) == (largest, smallest)
    assert (above.side, below.side) == ("largest", "smallest")
    assert above.set_by_target == (largest != 4.0)
    assert below.set_by_target == (smallest != 0.1)
    assert above.monotone
    assert len(above.stretches) == 1


def test_ends_of_stretches_meet_the_target_to_nine_digits():
    stretch = largest_epsilon_within(FALLING, AtLeast(0.8)).stretches[0]
    assert stretch.high == pytest.approx(1.25, rel=1e-8)
    assert FALLING.curve.at(stretch.high) >= 0.8


def test_a_curve_that_rises_and_falls_has_every_stretch_found():
    """4 eps - eps^2 = 3 at 1 and 3."""
    below = largest_epsilon_within(HUMP, AtMost(3.0))
    assert [(s.low, s.high) for s in below.stretches] == [
        (0.1, pytest.approx(1, rel=1e-8)),
        (pytest.approx(3, rel=1e-8), 4.0),
    ]
    assert [(s.bounded_below, s.bounded_above) for s in below.stretches] == [(False, True), (True, False)]
    assert (below.epsilon, below.set_by_target, below.monotone) == (4.0, False, False)
    assert "The curve both rises and falls, so look at every stretch." in below.in_words
    above = smallest_epsilon_within(HUMP, AtLeast(2.91))  # from 2 - sqrt(1.09) on
    assert (above.epsilon, above.set_by_target) == (0.956, True)


def test_a_stretch_without_room_for_three_digits_keeps_its_own_end():
    """From 2.0025 to 2.0045 there is none."""
    shifted = measured(lambda eps: 4 - (eps - 2.0035) ** 2, epsilons=np.array([0.1, 0.5, 1.0, 2.0035, 4.0]))
    found = [solve(shifted, AtLeast(4 - 1e-6)) for solve in (largest_epsilon_within, smallest_epsilon_within)]
    assert [answer.epsilon for answer in found] == [pytest.approx(2.0045, abs=1e-5), pytest.approx(2.0025, abs=1e-5)]


def test_the_unsafe_end_of_the_band_counts():
    band = measured(lambda eps: 0.1 * eps, spread=0.002)
    certain, risk, distance = (
        largest_epsilon_within(RISING, AtMost(0.2)),
        largest_epsilon_within(band, AtMost(0.2)),
        smallest_epsilon_within(band, AtLeast(0.2)),
    )
    assert risk.epsilon < certain.epsilon < distance.epsilon
    for answer, target in ((risk, AtMost(0.2)), (distance, AtLeast(0.2))):
        assert target.excess(band, np.array(answer.epsilon)) <= 0
        step = 1.01 if answer.side == "largest" else 0.99
        assert target.excess(band, np.array(answer.epsilon * step)) > 0
    assert risk.has_band
    assert not certain.has_band


def test_what_an_answer_rests_on():
    band = measured(lambda eps: 0.1 * eps, spread=0.002)
    answer = largest_epsilon_within(band, AtMost(0.15))
    assert answer.below == Measured(1.0, (pytest.approx(0.098), pytest.approx(0.102)))
    assert answer.above == Measured(2.0, (pytest.approx(0.198), pytest.approx(0.202)))
    assert (answer.n_epsilons, answer.family) == (5, "polynomial-2")
    assert answer.leave_one_out == pytest.approx(0.002)  # the curve is right, the runs lie 0.002 off it
    assert answer.in_words == (
        f"The largest epsilon is {answer.epsilon:g}. Measured at 5 epsilons: 0.098 to 0.102 at 1, 0.198 to 0.202 at 2."
        " At an epsilon left out the polynomial-2 curve is off by 0.002."
    )


def test_an_answer_at_the_end_of_what_was_measured_says_to_measure_further():
    assert largest_epsilon_within(RISING, AtMost(0.9)).in_words == (
        "The largest epsilon is at least 4, where the measured ones end; measure further. Measured at 5 epsilons:"
        f" 0.4 at 4. At an epsilon left out the polynomial-2 curve is off by {RISING.curve.leave_one_out:.2g}."
        " No band: that takes two runs or more at each epsilon."
    )
    three = measured(lambda eps: 0.1 * eps, epsilons=np.array([1.0, 2.0, 3.0]))
    assert three.curve.leave_one_out == math.inf
    words = smallest_epsilon_within(three, AtMost(0.2)).in_words
    assert words.startswith("The smallest epsilon is at most 1, where the measured ones end; measure further.")
    assert "Too few epsilons to say how far off the polynomial-2 curve is." in words


def test_targets_that_are_never_met():
    assert largest_epsilon_within(RISING, AtMost(0.0)) is None
    assert smallest_epsilon_within(FALLING, AtLeast(11.0)) is None


def test_both_targets_leave_an_interval():
    """0.1 eps <= 0.15 up to 1.5, and 1/eps <= 0.8 from 1.25 on."""
    found = feasible_epsilons(RISING, AtMost(0.15), FALLING, AtMost(0.8))
    assert len(found.stretches) == 1
    stretch = found.stretches[0]
    assert (stretch.low, stretch.high) == (pytest.approx(1.25, rel=1e-8), pytest.approx(1.5, rel=1e-8))
    assert (stretch.bounded_below, stretch.bounded_above) == (True, True)
    assert (found.binding, found.risk.epsilon, found.loss.epsilon) == ((), 1.49, 1.26)


@pytest.mark.parametrize(
    ("max_risk", "max_loss", "binding"),
    [(0.1, 0.8, ("risk", "loss")), (0.0, 0.8, ("risk",)), (0.15, 0.2, ("loss",)), (0.0, 0.2, ("risk", "loss"))],
)
def test_an_empty_interval_names_what_stands_in_the_way(max_risk, max_loss, binding):
    found = feasible_epsilons(RISING, AtMost(max_risk), FALLING, AtMost(max_loss))
    assert found.stretches == ()
    assert found.binding == binding
    assert (found.risk is None) == (max_risk == 0.0)
    assert (found.loss is None) == (max_loss == 0.2)


def test_curves_of_different_epsilons():
    further = measured(lambda eps: 1 / eps, epsilons=np.array([1.0, 3.0, 6.0]), family="reciprocal-1")
    found = feasible_epsilons(RISING, AtMost(1.0), further, AtMost(2.0))
    assert [(s.low, s.high, s.bounded_below, s.bounded_above) for s in found.stretches] == [(1.0, 4.0, False, False)]
    apart = measured(lambda eps: 1 / eps, epsilons=np.array([5.0, 6.0]), family="reciprocal-1")
    with pytest.raises(BadQuestion, match=r"measured from 0\.1 to 4 and 5 to 6; measure both at the same epsilons\.$"):
        feasible_epsilons(RISING, AtMost(1.0), apart, AtMost(2.0))
