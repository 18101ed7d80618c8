"""Sizes of a sample that meet targets: against trying every size, and in words."""

import itertools
import math
from fractions import Fraction

import pytest

import epsilometer as em

STRENGTHS = {"frequencies": Fraction(1), "datasets": math.inf, 0.5: Fraction(1, 2)}
RISKS = (None, 0.3, 0.617, 0.713, 0.769, 0.9)
LOSSES = (None, 0.0, 0.0517, 0.1517)
GAPS = (None, 0.0311, 0.2117)
PEOPLE = 9


def gap(at_size, m):
    return at_size["in"] - at_size["out"] if m < PEOPLE else 0


@pytest.mark.parametrize("adversary", ["in", "out", "unknown"])
@pytest.mark.parametrize("prior", STRENGTHS)
@pytest.mark.parametrize("n_values", [2, 3])
def test_choices_are_those_of_trying_every_size(enumerated, adversary, prior, n_values):
    sizes = range(1, PEOPLE if adversary == "out" else PEOPLE + 1)
    table = {m: enumerated(PEOPLE, m, n_values, STRENGTHS[prior]) for m in sizes}
    feasible = 0
    for max_risk, max_loss, max_gap in itertools.product(RISKS, LOSSES, GAPS):
        if max_risk is max_loss is max_gap is None:
            continue
        choice = em.choose_sample(
            population=PEOPLE, max_risk=max_risk, max_loss=max_loss, max_gap=max_gap,
            adversary=adversary, prior=prior, n_values=n_values,
        )  # fmt: skip
        met = [
            m
            for m, at_size in table.items()
            if (max_risk is None or at_size[adversary] <= max_risk)
            and (max_loss is None or at_size["loss"] <= max_loss)
            and (max_gap is None or gap(at_size, m) <= max_gap)
        ]
        assert met == list(range(met[0], met[-1] + 1)) if met else not choice
        assert (choice.smallest, choice.largest) == ((met[0], met[-1]) if met else (None, None))
        only_risk_that_grows = max_loss is max_gap is None and adversary != "in"
        assert choice.recommended == (choice.largest if only_risk_that_grows else choice.smallest)
        assert bool(choice) == bool(met)
        assert [end.sample for end in choice.ends] == sorted({met[0], met[-1]} if met else ())
        feasible += bool(met)
    assert feasible > 5


def test_ends_say_what_the_sizes_mean(enumerated):
    choice = em.choose_sample(population=PEOPLE, max_loss=0.12)
    for end in choice.ends:
        expected = enumerated(PEOPLE, end.sample, 2, Fraction(1))
        assert (end.inside, end.unknown) == pytest.approx((float(expected["in"]), float(expected["unknown"])))
        assert end.loss == pytest.approx(float(expected["loss"]), abs=1e-15)
        assert end.gap == pytest.approx(float(gap(expected, end.sample)))
    assert choice.ends[0].outside == pytest.approx(float(enumerated(PEOPLE, choice.smallest, 2, Fraction(1))["out"]))
    assert (choice.largest, choice.ends[1].outside, choice.ends[1].gap) == (PEOPLE, None, 0)


def test_the_neighbours_of_a_choice_among_a_million_miss_the_targets():
    choice = em.choose_sample(population=10**6, max_risk=0.749, max_loss=0.05)
    assert (choice.smallest, choice.largest) == (38, 248)
    assert em.sampling_risk(population=10**6, sample=248).value <= 0.749
    assert em.sampling_risk(population=10**6, sample=249).value > 0.749
    assert em.sampling_utility_loss(population=10**6, sample=38).value <= 0.05
    assert em.sampling_utility_loss(population=10**6, sample=37).value > 0.05
    assert (choice.max_risk, choice.max_loss, choice.max_gap) == (0.749, 0.05, None)
    assert choice.release.sample == 38


@pytest.mark.parametrize("n_values", [2, 3])
def test_a_thousand_million_people(n_values):
    choice = em.choose_sample(population=10**9, max_loss=1e-4, n_values=n_values)
    lost = [em.sampling_utility_loss(population=10**9, sample=choice.smallest + step, n_values=n_values).value
            for step in (-10_000, 0)]  # fmt: skip
    assert lost[1] <= 1e-4 < lost[0]


def test_a_gap_is_met_by_two_values_at_its_closed_form():
    """For even m the gap is 1 / (2 (m + 1)), and 0.0011 is met from m + 1 = 1 / 0.0022 on."""
    choice = em.choose_sample(population=10**6, max_gap=0.0011)
    assert (choice.smallest, choice.largest, choice.recommended) == (454, 10**6, 454)
    assert choice.binding == "max_gap below, nothing above"


@pytest.mark.parametrize(
    ("targets", "binding"),
    [
        ({"max_risk": 0.9}, "nothing below, nothing above"),
        ({"max_risk": 0.74}, "nothing below, max_risk above"),
        ({"max_loss": 0.05}, "max_loss below, nothing above"),
        ({"max_risk": 0.74, "max_loss": 0.1}, "max_loss below, max_risk above"),
        ({"max_risk": 0.74, "max_loss": 0.1, "max_gap": 0.04}, "max_gap below, max_risk above"),
        ({"max_risk": 0.7, "max_loss": 0.01}, "max_loss and max_risk together"),
        ({"max_risk": 0.7, "max_gap": 0.01}, "max_gap and max_risk together"),
        ({"max_risk": 0.55}, "max_risk"),
        ({"max_risk": 0.55, "max_loss": 0.1}, "max_risk"),  # whatever the loss
        ({"max_risk": 0.7, "adversary": "in"}, "max_risk"),
        ({"max_risk": 0.9, "max_gap": 0.0, "adversary": "out"}, "max_gap"),
    ],
)
def test_what_sets_the_ends(targets, binding):
    assert em.choose_sample(population=100, **targets).binding == binding


@pytest.mark.parametrize(
    ("people", "targets", "words"),
    [
        (
            10**6,
            {"max_risk": 0.749, "max_loss": 0.05},
            "Publish the histogram of 38 of the 1,000,000 people, drawn at random. With 38 to 248 people an attacker "
            "who does not know whether the target is in the sample names a value with probability at most 0.749 and an "
            "analyst is off by at most 0.05 on average; 38 is the smallest, and so the most private. The value of a "
            "person known to be in the sample is then named right with 75.7 %, of one known to be outside with 74.4 %.",
        ),
        (
            10**6,
            {"max_risk": 0.749},
            "; 248 is the most accurate. The value of a person known to be in the sample is then named right with "
            "75.2 %, of one known to be outside with 74.9 %.",
        ),
        (1000, {"max_risk": 0.76, "adversary": "in"}, "; 24 is the smallest. The value"),  # larger is safer
        (9, {"max_loss": 0}, "Publish the histogram of all 9 people. With 9 people an analyst is off by at most 0 on "
                             "average; 9 is the smallest, and so the most private. Everybody is in the sample."),
        (
            100,
            {"max_risk": 0.7, "max_loss": 0.01},
            "No sample of 100 people is such that an attacker who does not know whether the target is in the sample "
            "names a value with probability at most 0.7 and an analyst is off by at most 0.01 on average: the risk "
            "allows at most 2; accuracy needs at least 91 people.",
        ),
        (100, {"max_risk": 0.55}, ": at best the risk is 67.0 %, against 50.0 % without a release."),
        (4, {"max_risk": 0.7, "adversary": "in"}, ": at best the risk is 80.0 %, against 50.0 % without a release."),
        (9, {"max_risk": 0.3, "n_values": 3, "adversary": "out"}, "the risk is 50.0 %, against 33.3 % without"),
        (100, {"max_risk": 0.7, "max_gap": 0.01},
         ": the risk allows at most 2; a person in the sample is hidden well enough among 50 or more."),
        (100, {"max_risk": 0.55, "max_gap": 0.9}, "; a person in the sample is hidden well enough among 1 or more."),
        (4, {"max_gap": 0.1, "adversary": "out"}, ": being drawn costs 13.3 % even if only one person is outside."),
    ],
)  # fmt: skip
def test_a_choice_in_words(people, targets, words):
    """Known from the closed forms: 3/4 + 1/(4(m + 1)) inside, 3/4 - 1/(4(m + 1)) outside, for even m."""
    assert words in em.choose_sample(population=people, **targets).in_words
