"""Expected, shrinkage and global risk, and their estimates, against values computed with 40 digits elsewhere."""

import json
from pathlib import Path

import numpy as np
import pytest

from epsilometer.formulas.empirical_bayes import dirichlet_moments, dirichlet_multinomial_mle
from epsilometer.formulas.homogeneity.expected import expected, expected_of_counts
from epsilometer.formulas.homogeneity.global_risk import global_fixed, global_shrinkage
from epsilometer.formulas.homogeneity.local import local
from epsilometer.formulas.homogeneity.shrinkage import shrinkage
from epsilometer.formulas.homogeneity.size_laws import NegativeBinomial, Poisson
from epsilometer.formulas.size_fits import zero_truncated_poisson_mle
from epsilometer.mechanisms import Gaussian, Geometric, Laplace

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))
ASKED = ("drha-bankruptcy", "drha-eb", "drha-expected", "drha-global", "drha-shrinkage", "eb-", "ztpoisson")
REFERENCES = [
    entry
    for entry in ORACLE["references"]
    if entry["id"].startswith(ASKED) and entry["quantity"] != "001 eq (12) as printed"  # with the printed equations
]


def noise_of(inputs):
    kind, parameter = inputs["noise"].values()
    return {
        "laplace": lambda: Laplace(epsilon=float(parameter)),
        "geometric": lambda: Geometric(epsilon=float(parameter)),
        "gaussian": lambda: Gaussian.with_sigma(float(parameter)),
    }[kind]()


def sizes_of(inputs):
    kind, *parameters = inputs["size_model"]
    law = NegativeBinomial if kind.endswith("negbin") else Poisson
    return law(*map(float, parameters), truncated=kind.startswith("zt"))


def cells_of(inputs):
    return np.array(ORACLE["datasets"][inputs["cells"].removeprefix("datasets.")])


def component(quantity):
    return int(quantity.split("[")[1].rstrip("]"))


ANSWERS = {
    "exact expected DR-HA": lambda i, q: expected(i["n"], list(map(float, i["p"])), noise_of(i)),
    "exact shrinkage DR-HA": lambda i, q: shrinkage(i["n"], list(map(float, i["alpha"])), noise_of(i)),
    "global DR-HA with fixed p": lambda i, q: global_fixed(list(map(float, i["p"])), sizes_of(i), noise_of(i)),
    "global DR-HA (rho^g)": lambda i, q: global_shrinkage(list(map(float, i["alpha"])), sizes_of(i), noise_of(i)),
    "average local": lambda i, q: local(cells_of(i), noise_of(i)).mean(),
    "001 eq (18)": lambda i, q: local(cells_of(i), noise_of(i)).mean(),
    "average exact expected": lambda i, q: expected_of_counts(cells_of(i), noise_of(i)).mean(),
    "average exact shrinkage": lambda i, q: shrinkage(
        cells_of(i).sum(axis=1), dirichlet_multinomial_mle(cells_of(i)), noise_of(i)
    ).mean(),
    "Dirichlet-multinomial MLE": lambda i, q: dirichlet_multinomial_mle(cells_of(i)).alpha[component(q)],
    "ANOVA moment": lambda i, q: dirichlet_moments(cells_of(i)).alpha[component(q)],
    "zero-truncated Poisson": lambda i, q: zero_truncated_poisson_mle(float(i["mean"])),
}


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference["id"])
def test_agrees_with_the_reference_value(reference):
    (answer,) = (answer for start, answer in ANSWERS.items() if reference["quantity"].startswith(start))
    value = float(answer(reference["inputs"], reference["quantity"]))
    assert value == pytest.approx(float(reference["value"]), rel=1e-12)


def test_every_question_has_a_reference_value():
    asked = {start for r in REFERENCES for start in ANSWERS if r["quantity"].startswith(start)}
    assert asked == set(ANSWERS)
