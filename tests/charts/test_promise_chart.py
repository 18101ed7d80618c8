"""The chart of what a plan promises: every point from the plan alone, next to a coin, and marked where it was asked."""

import math

import pytest

import epsilometer as em
from epsilometer.charts.promise import draw_promises
from epsilometer.plans.release_kinds import CountsOf, Local
from epsilometer.publication.promise import promises, promises_over

EPSILONS = [0.1, 1.0, 10.0]


def plan(release):
    return em.Plan(table=None, quasi_identifiers=("age",), sensitive=("job",), release=release)


COUNTS = plan(em.Counts(mechanism=em.Laplace(epsilon=1.0)))
TABLES = plan(em.Counts(tables=(CountsOf(columns=("age",)), CountsOf(columns=("job",)))))
LOCAL = plan(Local(epsilon=1.0))


def drawn(asked, **how):
    return draw_promises(promises_over(asked, EPSILONS), promises(asked)[0], **how)


@pytest.mark.parametrize("asked", [COUNTS, TABLES, LOCAL], ids=["counts", "tables", "local"])
def test_it_fits_its_page(asked, fits_its_page):
    fits_its_page(lambda width: drawn(asked, width=width))


def test_the_lines_are_what_the_laws_give(rows, title):
    """Noise that keeps ε tells two values apart with e^ε/(1 + e^ε) at most: twice as far as a coin at tanh(ε/2)."""
    points = [(row["x"], row["value"]) for row in rows(drawn(LOCAL)) if {"x", "value"} == row.keys()]
    for epsilon in EPSILONS:
        values = [value for x, value in points if x == epsilon]
        assert pytest.approx(1 / (1 + math.exp(-epsilon))) in values
        assert 0.5 in values
    assert title(drawn(LOCAL))[0] == (
        "At ε = 1, anyone tells which of two values a person has right at most 73.2 % of the time"
    )


def test_the_worst_table_is_drawn_where_a_formula_has_it(rows):
    def names(chart):
        return {row["name"] for row in rows(chart) if "name" in row}

    assert names(drawn(COUNTS)) == {"a coin", "own record", "worst table"}
    assert names(drawn(TABLES)) == names(drawn(LOCAL)) == {"a coin", "own record"}
