"""The report of epsilon and of the guess that it allows."""

import math
from functools import partial

import pytest

import epsilometer as em
from epsilometer.report.building.guess import MOST_SHOWN, guess_report
from epsilometer.vocabulary.wording import CONFIDENTIAL


def epsilon_down(value):
    digits = 3 - math.floor(math.log10(value))
    return f"ε = {math.floor(value * 10**digits) / 10**digits:g}"


def test_the_first_numbers_are_the_chance_before_and_both_epsilons(numbers, down):
    before, advantage = 0.25, 0.1
    odds = (before + advantage) / (1 - before - advantage) * (1 - before) / before
    free = 2 * math.log((1 + advantage) / (1 - advantage))  # the worst prior is the one for which e^-ε/2 is its odds
    report = guess_report(em.epsilon_for_advantage(advantage, priors=[before]))
    assert numbers(report) == [
        ("before", down(before)),
        ("this", epsilon_down(math.log(odds))),
        ("worst", epsilon_down(free)),
    ]
    assert report.audience == "Computed from the numbers given, not from a table."


def test_it_says_all_that_the_result_says(complete):
    guess = em.epsilon_for_advantage(0.1, groups=[(23, 365), (5, 100)], event="all")
    complete(guess_report(guess), assumptions=guess.assumptions, caveats=guess.caveats, source=guess.source)


@pytest.mark.parametrize(
    "guess",
    [
        em.epsilon_for_advantage(0.9, priors=[0.5]),
        em.epsilon_for_advantage(0.1, priors=[0.1, 0.1], event="any", method="published"),
    ],
    ids=["no noise", "as printed"],
)
def test_nothing_to_rely_on_is_not_recommended(guess, in_every_form):
    report = guess_report(guess)
    free = epsilon_down(guess.prior_free)
    assert report.recommendation.startswith(f"Use {free} per unit of the fields: the larger one rests on")
    assert report.decision[0] == f"Publish with {free} per unit of the fields."
    in_every_form(partial(guess_report, guess))


def test_no_noise_at_all_is_said_in_words(numbers):
    guess = em.epsilon_for_advantage(0.9, priors=[0.5])
    assert math.isinf(guess.value)
    assert numbers(guess_report(guess))[1] == ("this", "no noise")


def test_of_a_table_it_is_confidential_and_names_are_text(in_every_form):
    name = "<img src=x onerror=alert(1)>"
    guess = em.advantage_at(0.5, priors=[0.2], names=[name])
    build = partial(guess_report, guess, of_table=True)
    assert build().audience == CONFIDENTIAL
    in_every_form(build, name)


def test_many_fields_are_counted_and_not_all_listed(texts):
    guess = em.epsilon_for_advantage(0.1, priors=[0.1] * (MOST_SHOWN + 7), event="any")
    assert "What is guessed. And 7 more." in texts(guess_report(guess))
