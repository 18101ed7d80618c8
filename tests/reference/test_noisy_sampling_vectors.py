"""Guessing a value from the noisy histogram of a sample, against the independent oracle's values, to 1e-12.

Its values come from the enumeration of the whole channel, or from quadrature of the largest joint density.
"""

import json
from pathlib import Path

import pytest

import epsilometer as em
from epsilometer.formulas.sampling.noisy_count import noisy_inside, noisy_outside
from epsilometer.formulas.sampling.noisy_counts import noisy_counts_inside, noisy_counts_outside

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))
NOISES = {"laplace": em.Laplace, "geometric": em.Geometric}


def entries(category):
    found = [entry for entry in ORACLE["references"] if entry["category"] == category]
    return pytest.mark.parametrize("entry", found, ids=[entry["id"] for entry in found])


def for_adversary(entry, inside, outside):
    rate = entry["inputs"]["m"] / entry["inputs"]["n"]
    return {"in": inside, "out": outside, "nk": rate * inside + (1 - rate) * outside}[entry["inputs"]["adversary"]]


@entries("qif-noisy-binary")
def test_one_noisy_count(entry):
    inputs = entry["inputs"]
    noise = NOISES[inputs["noise"]](epsilon=float(inputs["eps"]))
    arguments = inputs["m"], float(inputs["alpha"]), noise
    found = for_adversary(entry, float(noisy_inside(*arguments)), float(noisy_outside(*arguments)))
    assert found == pytest.approx(float(entry["value"]), abs=1e-12)


@entries("qif-noisy-kary")
def test_k_noisy_counts(entry):
    inputs = entry["inputs"]
    arguments = inputs["m"], inputs["K"], float(inputs["alpha"]), em.Geometric(epsilon=float(inputs["eps"]))
    inside, outside = noisy_counts_inside(*arguments), noisy_counts_outside(*arguments)
    assert inside.exact
    assert outside.exact
    assert for_adversary(entry, inside.value, outside.value) == pytest.approx(float(entry["value"]), abs=1e-12)
