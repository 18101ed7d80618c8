"""Looks that mean different things by one person's part are brought to one meaning before they are added."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import OutOfRange, OverBudget
from epsilometer.releases.accounting import added_up, composed, fits
from epsilometer.releases.ledger import open_ledger
from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def look(epsilon, delta=0.0, adjacency="add-remove", **law):
    return PrivacyLoss(
        what="x", noise=law.pop("noise", "any"), epsilon=epsilon, delta=delta, adjacency=adjacency, **law
    )


COUNTS = look(1.0, noise="geometric", scale=1.0, moved_counts=1)
REPORTS = look(0.5, adjacency="replace")


def test_looks_of_one_meaning_are_left_as_they_are():
    assert added_up([COUNTS, COUNTS]) == (2.0, 0.0)
    assert added_up([REPORTS, REPORTS]) == (1.0, 0.0)
    assert composed([COUNTS], 1e-6).adjacency == "add-remove"
    assert composed([REPORTS], 1e-6).adjacency == "replace"


def test_among_replacements_an_addition_or_removal_costs_twice():
    together = composed([COUNTS, REPORTS], 1e-6)
    assert (together.added_up, together.adjacency) == (2.5, "replace")
    assert "a look that hides more costs twice" in " ".join(together.caveats)
    assert "which of two rows is in the data" in together.in_words
    assert fits([COUNTS, REPORTS], epsilon=2.5, delta=0.0)
    assert not fits([COUNTS, REPORTS], epsilon=2.49, delta=0.0)


def refusal(tmp_path, spent, asked, *, epsilon, delta=0.0):
    with open_ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.set_budget("people", epsilon=epsilon, delta=delta)
        release = {"dataset": "people", "kind": "counts", "plan": {}}
        ledger.enter(**release, looks=[spent], output=tmp_path / "a.csv")
        with pytest.raises(OverBudget) as refused:
            ledger.enter(**release, looks=[asked], output=tmp_path / "b.csv")
    return str(refused.value)


def test_a_refusal_says_what_all_together_would_come_to_and_why(tmp_path):
    said = refusal(tmp_path, COUNTS, look(0.2, adjacency="replace"), epsilon=2.0)
    assert "1 is left. All together would be ε = 2.2 (it hides which of two people is in the data" in said


def test_a_refused_sample_speaks_of_delta(tmp_path):
    said = refusal(tmp_path, COUNTS, look(0.0, 0.1, adjacency="replace"), epsilon=9.0, delta=1e-5)
    assert "the chances of failure would add up to δ = 0.1, more than 1e-05; a sample costs δ = rows / people" in said


@given(epsilon=st.floats(0.01, 3), delta=st.floats(0, 0.1))
def test_a_replacement_is_two_steps_between_neighbours(epsilon, delta):
    """Group privacy for two steps: P(A) <= e^eps (e^eps P''(A) + delta) + delta."""
    replaced = look(epsilon, delta).as_replacement()
    assert replaced.epsilon == 2 * epsilon
    assert replaced.delta >= min(1.0, delta * (1 + math.exp(epsilon))) * (1 - 1e-15)
    assert replaced.as_replacement() == replaced


def test_the_law_of_counts_is_that_of_twice_as_many():
    """A replaced person leaves one count and joins another: the exact loss of two independent coins of weight e."""
    replaced = composed([COUNTS, look(0.0, adjacency="replace")], 0.1)
    p = math.e / (1 + math.e)
    both = p**2 - (1 - p) ** 2
    assert both <= replaced.membership_advantage <= both * 1.001


@pytest.mark.parametrize(
    ("epsilon", "delta", "name"), [(-1e-9, 0, "epsilon"), (math.nan, 0, "epsilon"), (1, -1, "delta"), (1, 2, "delta")]
)
def test_a_look_never_gives_anything_back(epsilon, delta, name):
    with pytest.raises(OutOfRange, match=f"{name} must be in"):
        look(epsilon, delta)


def test_a_weak_guarantee_does_not_overflow():
    assert look(1e4, 1e-300).as_replacement().delta <= 1.0
