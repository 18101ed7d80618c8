"""Bins are said in the language of the reader, and never as the command line takes them."""

import pytest

from epsilometer.report.building.parts import plan_facts
from epsilometer.report.odds.bins import coarser_bins
from epsilometer.tables.bins import as_bins
from epsilometer.tables.coarsening import as_option
from epsilometer.vocabulary.language import language

GERMAN = language("de")


@pytest.mark.parametrize(
    ("bins", "english", "german"),
    [
        (5, "age: width 5 from 0, lower ends included", "age: Breite 5 ab 0, untere Grenze eingeschlossen"),
        (
            {"width": 2.5, "origin": -1, "closed": "right", "bottom": 4, "top": 90},
            "age: width 2.5 from -1, upper ends included, bottom 4, top 90",
            "age: Breite 2,5 ab -1, obere Grenze eingeschlossen, unterste Klasse bis 4, oberste Klasse ab 90",
        ),
        (
            {"edges": [0, 0.5, 65]},
            "age: edges 0 / 0.5 / 65, lower ends included",
            "age: Grenzen 0 / 0,5 / 65, untere Grenze eingeschlossen",
        ),
    ],
)
def test_the_bins_of_a_plan(bins, english, german):
    described = f"age: {as_bins('age', bins)}"
    assert plan_facts(language(), {"bins": described}) == {"Bins": english}
    assert plan_facts(GERMAN, {"bins": f"{described}; {described}"}) == {"Klassen": f"{german}; {german}"}


@pytest.mark.parametrize(
    ("bins", "german"),
    [
        ({"width": 10, "bottom": 0, "top": 90}, "age in Schritten von 10"),
        ({"edges": [0, 0.5, 65]}, "age mit Grenzen bei 0 / 0,5 / 65"),
    ],
)
def test_coarser_bins(bins, german):
    assert coarser_bins(as_option("age", as_bins("age", bins)), GERMAN) == german


def test_what_is_no_bins_stays_as_it_is():
    assert coarser_bins("age=10", GERMAN) == "age=10"
    assert plan_facts(GERMAN, {"bins": "none"}) == {"Klassen": "none"}
