"""Sampling without noise against the independent oracle's values: equal as fractions, to 1e-12 as floats.

``oracle.json`` holds values from the enumeration of all populations; group f is the uniform prior on frequencies
(alpha = 1), group d the one on datasets (infinite alpha), adversary nk the one who does not know who is sampled.
"""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from epsilometer.formulas.sampling import exact_fractions, vulnerability
from epsilometer.formulas.sampling.largest_sample_count import expected_largest_count

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))
GROUPS = {"f": Fraction(1), "d": math.inf}


def entries(*categories):
    found = [entry for entry in ORACLE["references"] if entry["category"] in categories]
    return pytest.mark.parametrize("entry", found, ids=[entry["id"] for entry in found])


def alpha_of(inputs):
    if "group" in inputs:
        return GROUPS[inputs["group"]]
    return math.inf if inputs["alpha"] == "inf" else Fraction(inputs["alpha"])


@entries("qif-sampling", "qif-kary")
def test_vulnerability(entry):
    inputs, alpha = entry["inputs"], alpha_of(entry["inputs"])
    n, m, k = inputs["n"], inputs["m"], inputs.get("K", 2)
    forms = {
        "in": lambda module, a: module.inside(m, k, a),
        "out": lambda module, a: module.outside(m, k, a),
        "nk": lambda module, a: module.unknown(n, m, k, a),
    }
    answer = forms[inputs["adversary"]]
    assert answer(exact_fractions, alpha) == Fraction(entry["exact"])
    assert answer(vulnerability, float(alpha)).value == pytest.approx(float(entry["value"]), rel=1e-12)


@entries("qif-kary-emax")
def test_largest_count(entry):
    inputs, alpha = entry["inputs"], alpha_of(entry["inputs"])
    assert exact_fractions.largest_count(inputs["m"], inputs["K"], alpha) == Fraction(entry["exact"])
    largest = expected_largest_count(inputs["m"], inputs["K"], float(alpha))
    assert largest.exact
    assert largest.value == pytest.approx(float(entry["value"]), rel=1e-12)
