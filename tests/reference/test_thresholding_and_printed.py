"""Values that were computed elsewhere, to a relative 1e-10."""

import json
from pathlib import Path

import pytest

from epsilometer.formulas.homogeneity import published
from epsilometer.formulas.homogeneity.thresholding import hard, soft
from epsilometer.mechanisms import Geometric, Laplace

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))
STORED = [entry for entry in ORACLE["references"] if entry["id"].startswith(("drha-hard", "drha-soft", "drha-paper12"))]
NOISES = {"laplace": Laplace, "geometric": Geometric}


def printed_expected(noise, inputs):
    shares = [float(share) for share in inputs["p"]]
    return published.expected([inputs["n"]], [shares], noise)[0]


MEASURES = {
    "drha-hard": lambda noise, inputs: hard(inputs["counts"], noise),
    "drha-soft": lambda noise, inputs: soft(inputs["counts"], noise),
    "drha-paper12": printed_expected,
}


def test_every_stored_value_is_of_a_known_kind():
    kinds = [stored["id"].rsplit("-", 1)[0] for stored in STORED]
    assert sorted(kinds) == ["drha-hard"] * 3 + ["drha-paper12"] * 2 + ["drha-soft"] * 3


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["id"])
def test_stored_value(stored):
    noise = NOISES[stored["inputs"]["noise"]["kind"]](epsilon=float(stored["inputs"]["noise"]["eps"]))
    measure = MEASURES[stored["id"].rsplit("-", 1)[0]]
    assert measure(noise, stored["inputs"]) == pytest.approx(float(stored["value"]), rel=1e-10)


@pytest.mark.parametrize(("measure", "value"), [(hard, 0.916368216043), (soft, 0.861320686332)])
def test_three_alike_at_epsilon_one(measure, value):
    assert measure([3, 0], Laplace(epsilon=1.0)) == pytest.approx(value, abs=5e-13)
