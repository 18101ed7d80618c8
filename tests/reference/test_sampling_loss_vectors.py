"""Losses of publishing a sample's histogram against the independent oracle: fractions as fractions, others to 1e-12.

``oracle.json`` holds values from enumeration, exact fractions and 40-digit arithmetic; each entry says which.
"""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from epsilometer.formulas.sampling import loss_fractions, median_loss, prior_loss

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))
ENTRIES = [entry for entry in ORACLE["references"] if entry["category"] == "qif-utility"]
STRENGTHS = {"f": 1, "d": math.inf}


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_loss(entry):
    n, m, alpha = entry["inputs"]["n"], entry["inputs"].get("m", 0), STRENGTHS[entry["inputs"]["group"]]
    found = median_loss(n, m, alpha)
    assert found.exact
    assert found.value == pytest.approx(float(entry["value"]), rel=1e-12, abs=0)
    if entry["quantity"].startswith("prior"):
        assert prior_loss(n, alpha) == found.value
    if "exact" in entry:
        assert loss_fractions.median_loss(n, m, alpha) == Fraction(entry["exact"])


@pytest.mark.parametrize(
    ("population", "percentages"),
    [(500, {1: 19.546, 100: 2.786, 500: 0}), (10**6, {1: 19.526, 100: 3.108, 500: 1.399})],
)
def test_table_4_1_and_the_population_its_caption_names(population, percentages):
    """The printed losses of Paper 002 are those of 500 people; the caption says a million."""
    for sample, percentage in percentages.items():
        assert 100 * median_loss(population, sample, 1.0).value == pytest.approx(percentage, abs=5e-4)
