"""How a choice looks on a terminal and in a pipe."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

import epsilometer as em
from epsilometer.assessments.choose_without_looking import choose_without_looking
from epsilometer.cli.choice_tables import print_choice

PLAN = em.Plan(
    table=em.example_table(), quasi_identifiers=("sex", "district"), sensitive=("reason",), max_risk=0.02, max_loss=0.05
)


def printed(choice, *, terminal=False):
    console = Console(width=110, record=True, force_terminal=terminal, file=io.StringIO())
    print_choice(choice, console)
    return console.export_text()


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_a_choice_shows_what_the_recommended_point_means(terminal):
    choice = em.choose(PLAN)
    text = printed(choice, terminal=terminal)
    assert text.startswith(f"Publish with epsilon = {choice.recommended:g}.")
    assert f"At ε = {choice.recommended:g}" in text
    assert "people disclosed in the worst table there could be" in text
    assert "Risk for reason and loss against ε" in text
    assert " met" in text
    assert "What was declared" not in text
    assert text.rstrip().endswith("Share it only with people who may see the table.")


def test_changes_are_listed_cheapest_first():
    choice = em.choose(replace(PLAN, max_risk=0.0005, max_loss=0.0001))
    text = printed(choice)
    assert text.startswith("No epsilon from 0.01 to 10 discloses at most 0.0005 of the people")
    places = [text.index(change.change, text.index("Changes that would")) for change in choice.relaxations]
    assert places == sorted(places)
    assert "At ε" not in text


def test_a_threshold_has_its_own_heading():
    assert "loss against threshold" in printed(em.choose(PLAN, parameter="threshold"))


def test_a_choice_without_a_look_says_so():
    text = printed(choose_without_looking(n_values=4, cell_size=40, max_risk=0.2, max_loss=0.2))
    assert "What was declared" in text
    assert "people in a cell: 40" in text
    assert "Confidential" not in text
    assert text.rstrip().endswith("Computed from declared numbers alone; no table was opened.")


def test_what_a_release_does_otherwise_comes_right_after_the_answer_and_once():
    text = " ".join(printed(em.choose(PLAN)).split())
    in_order = ("Publish with", "Before you release", "counts pile up", "what number", "What to keep in mind")
    places = [text.index(part) for part in in_order]
    assert places == sorted(places)
    assert text.count("counts pile up") == text.count("A release publishes whole numbers") == 1
