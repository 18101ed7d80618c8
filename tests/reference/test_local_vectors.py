"""Local homogeneity risk and Gaussian calibrations against the independent oracle's values, to 1e-12.

``oracle.json`` holds values from enumeration, 40-digit arithmetic and quadrature; each entry says which.
"""

import json
from pathlib import Path

import pytest

import epsilometer as em
from epsilometer.formulas import gaussian, homogeneity

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))


def entries(prefix, quantity=""):
    found = [
        entry for entry in ORACLE["references"] if entry["id"].startswith(prefix) and quantity in entry["quantity"]
    ]
    return pytest.mark.parametrize("entry", found, ids=[entry["id"] for entry in found])


def noise_of(description):
    match description:
        case {"kind": "laplace", "eps": epsilon}:
            return em.Laplace(epsilon=float(epsilon))
        case {"kind": "geometric", "eps": epsilon}:
            return em.Geometric(epsilon=float(epsilon))
        case {"kind": "gaussian", "sigma": sigma}:
            return em.Gaussian.with_sigma(float(sigma))


@entries("drha-local-")
def test_local_risk(entry):
    formula = homogeneity.local_records if "record" in entry["category"] else homogeneity.local
    average = "records" if "record" in entry["category"] else "cells"
    counts, noise = entry["inputs"]["counts"], noise_of(entry["inputs"]["noise"])
    expected = pytest.approx(float(entry["value"]), rel=1e-12)
    assert float(formula(counts, noise)) == expected
    assert em.homogeneity_risk(em.FrequencyTable.from_counts([counts]), noise, average=average).value == expected


@entries("drha-bankruptcy", "local")
def test_bankruptcy_tables(entry):
    inputs = entry["inputs"]
    counts = ORACLE["datasets"][inputs["cells"].removeprefix("datasets.")]
    risk = em.homogeneity_risk(em.FrequencyTable.from_counts(counts), noise_of(inputs["noise"]))
    assert risk.value == pytest.approx(float(entry["value"]), rel=1e-12)


CALIBRATIONS = {
    "gauss-analytic": gaussian.analytic_sigma,
    "gauss-classic": gaussian.classic_sigma,
    "gauss-pdp": gaussian.probabilistic_sigma,
    "gauss-pdp-tight": gaussian.tight_probabilistic_sigma,
}
NAMES = dict(zip(CALIBRATIONS, ("analytic", "classic", "probabilistic", "probabilistic-tight"), strict=True))


@entries("gauss-")
def test_gaussian_calibration(entry):
    inputs = {name: float(value) for name, value in entry["inputs"].items()}
    expected = pytest.approx(float(entry["value"]), rel=1e-12)
    if entry["category"] == "gauss-delta":
        assert gaussian.delta_from_sigma(inputs["sigma"], epsilon=inputs["eps"]) == expected
        return
    assert CALIBRATIONS[entry["category"]](inputs["eps"], inputs["delta"]) == expected
    noise = em.Gaussian(epsilon=inputs["eps"], delta=inputs["delta"], calibration=NAMES[entry["category"]])
    assert noise.sigma == expected
