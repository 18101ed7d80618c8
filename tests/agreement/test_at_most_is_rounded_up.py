"""What is said to be at most so much is rounded up, and what it is held against down, wherever it is said.

All 4,000 people are in one cell, and 1,329 of them have the most common value: 33.225 % with a release or without.
"""

import io
import re

import pandas as pd
import pytest
from rich.console import Console

import epsilometer as em
from epsilometer.assessments.currency.compare import compare_kinds
from epsilometer.cli.compare_tables import print_frontier
from epsilometer.cli.rendering import print_assessment
from epsilometer.report.odds import said

VALUES = {"flu": 1_329, "cough": 900, "cold": 900, "none": 871}
PLAN = em.Plan(
    table=pd.DataFrame({"sex": "f", "ill": [value for value, n in VALUES.items() for _ in range(n)]}),
    quasi_identifiers=("sex",),
    sensitive=("ill",),
    max_risk=0.4,
    max_loss=0.2,
)


@pytest.fixture(scope="module")
def found():
    return compare_kinds(PLAN, ["counts", "local", "raw"], repeats=4)


def printed(show, result):
    console = Console(file=io.StringIO(), width=200)
    show(result, console)
    return console.file.getvalue()


def test_the_risk_is_the_guess_everywhere(found):
    assert found.no_release == found.raw == 1_329 / 4_000
    _, point = found.at(found.recommended)
    assert point.risk_at_most == pytest.approx(0.33225, abs=1e-12)


def test_a_comparison_on_a_terminal_rounds_every_risk_up(found):
    shown = printed(print_frontier, found)
    rows = [line for line in shown.splitlines() if re.search(r"\bexact\b", line)]
    assert len(rows) > 3
    assert all("33.3 %" in row and "33.2 %" not in row for row in rows)
    assert "No release: 33.2 %, rounded down. Raw table: 33.3 %, rounded up" in shown


def test_the_answer_in_words_rounds_the_risk_up_and_the_guess_down(found):
    assert "an attacker is right about at most 33.3 % of the people" in found.in_words
    assert "right for 33.2 % of the people, with the raw table for 33.3 %." in found.in_words
    assert re.search(r"shares are on average off by at most [\d.]+ percentage points\.", found.in_words)
    assert "at most 333 of 1,000 people" in said(found).finding
    assert "332 of 1,000;" in said(found).baseline


def test_words_and_sentences_of_a_comparison_tell_the_same_loss(found):
    in_words, in_sentences = (
        re.search(r"([\d.]+) percentage points", text)[1] for text in (found.in_words, said(found).finding)
    )
    assert in_words == in_sentences


def test_an_assessment_does_not_make_an_equal_guess_look_like_more():
    assert "33.2 % → no more" in printed(print_assessment, em.assess(PLAN))
