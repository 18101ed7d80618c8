"""Paper 004 against the independent oracle's values, to 1e-12.

``oracle.json`` holds values from enumeration of all pairings, exact rational least squares and bisectors; each entry
says which.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from epsilometer import neighbors
from epsilometer.formulas.disclosure_noise import published_epsilon_for_noise
from epsilometer.formulas.risk_curves import fit_risk_curve

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))


def entries(category, given=""):
    found = [
        entry
        for entry in ORACLE["references"]
        if entry["category"] == category and (not given or given in entry["inputs"])
    ]
    return pytest.mark.parametrize("entry", found, ids=[entry["id"] for entry in found])


def expected(entry):
    return pytest.approx(float(entry["value"]), rel=1e-12, abs=1e-15)


@entries("rod-baseline")
def test_baseline(entry):
    assert published_epsilon_for_noise(float(entry["inputs"]["p"])) == expected(entry)


@entries("rod-coverage")
def test_coverage(entry):
    inputs = entry["inputs"]
    found = neighbors.coverage(inputs["O"], inputs["D"], radius=inputs["y"])
    smallest = found.fewest_within / found.n_pairs
    assert (smallest if "smallest" in entry["quantity"] else found.rate) == expected(entry)


@entries("rod-fit")
def test_fit(entry):
    inputs = entry["inputs"]
    curve = fit_risk_curve(inputs["train_eps"], inputs["train_value"], f"reciprocal-{inputs['degree']}")
    if "coefficient" in entry["quantity"]:
        power = int(entry["quantity"].rpartition("eps^-")[2])
        assert curve.coefficients[-1 - power] == expected(entry)
    elif inputs["eps"] <= curve.largest:
        assert float(curve.at(inputs["eps"])) == expected(entry)
    else:  # a row of Table 1 that the curve, asked by its user, would refuse
        assert float(curve.predictor(np.array(float(inputs["eps"])))) == expected(entry)


@entries("rod-p")
def test_candidates(entry):
    inputs = entry["inputs"]
    assert float(neighbors.candidate_probability(inputs["O"], inputs["D"], inputs["cliques"])) == expected(entry)


@entries("rod-y")
def test_y_privacy(entry):
    inputs, statistic = entry["inputs"], entry["quantity"].split(", ")[1].split()[0]
    assert getattr(neighbors.y_privacy(inputs["O"], inputs["D"]), statistic) == expected(entry)


@entries("rod-voronoi")
def test_voronoi(entry):
    original, quantity = entry["inputs"]["O"], entry["quantity"]
    if "EMD" in quantity:
        assert neighbors.voronoi_privacy(original, entry["inputs"]["D"]) == expected(entry)
    elif "row-paired" in quantity:
        moved = neighbors.boundary_points(original, original)
        assert np.linalg.norm(moved - entry["inputs"]["D"]) == expected(entry)
    else:
        assert neighbors.voronoi_distances(original, [entry["inputs"]["x"]])[0] == expected(entry)


@entries("rod-voronoi", given="closest_point")
def test_closest_point(entry):
    found = neighbors.boundary_points(entry["inputs"]["O"], [entry["inputs"]["x"]])[0]
    np.testing.assert_allclose(found, entry["inputs"]["closest_point"], rtol=1e-12)
