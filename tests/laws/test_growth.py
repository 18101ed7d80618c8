"""Cost grows no faster than the size of a question: the exponents that were measured, and memory without a clock."""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import epsilometer as em

STEEPEST = 1.1
MEASURED = json.loads((Path(__file__).parents[2] / "benchmarks" / "growth.json").read_text(encoding="utf-8"))
MUST_NOT = [one for one in MEASURED if one["over"] in ("rows", "cells", "values") and not one["more"]]
LAPLACE = em.Laplace(epsilon=1.0)
QUESTIONS = {
    "local": lambda freq: em.homogeneity_risk(freq, LAPLACE),
    "people": lambda freq: em.homogeneity_risk(freq, LAPLACE, average="records"),
    "expected": lambda freq: em.homogeneity_risk(freq, em.Geometric(epsilon=1.0), "expected"),
    "shrinkage": lambda freq: em.homogeneity_risk(freq, LAPLACE, "shrinkage"),
    "raw": em.raw_risk,
    "hard": lambda freq: em.thresholding_risk(freq, LAPLACE),
    "soft": lambda freq: em.thresholding_risk(freq, LAPLACE, "soft"),
    "scenarios": lambda freq: em.homogeneity_scenarios(freq, LAPLACE),
    "precision": lambda freq: em.attacker_precision(freq, LAPLACE),
    "spread": lambda freq: em.risk_spread(freq, LAPLACE),
    "epsilon": lambda freq: em.epsilon_for_risk(freq, LAPLACE, 0.2),
    "sample": lambda freq: em.sample_of_table(freq, sample=freq.n_records // 10),
}


def profile(n_cells=50, n_values=4, people=40):
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(n_values, 3 / n_values), n_cells)
    return em.FrequencyTable.from_counts(rng.multinomial(1 + rng.geometric(1 / people, n_cells), shares))


def exponent_of_memory(ask, made, sizes):
    """Slope of the largest memory at once over the two upper decades, both on the logarithm."""
    peaks = []
    for size in sizes:
        freq = made(size)
        tracemalloc.start()
        ask(freq)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return np.polyfit(np.log(sizes[1:]), np.log(peaks[1:]), 1)[0]


@pytest.mark.parametrize("question", QUESTIONS)
def test_memory_grows_no_faster_than_the_number_of_cells(question):
    most = {"sample": 3e3, "hard": 1e4, "soft": 1e4, "epsilon": 1e4}.get(question, 1e5)
    sizes = np.geomspace(most / 1000, most, 4).astype(int)
    assert exponent_of_memory(QUESTIONS[question], lambda n: profile(n_cells=n), sizes) <= STEEPEST


@pytest.mark.parametrize("question", QUESTIONS)
def test_memory_grows_no_faster_than_the_number_of_values(question):
    sizes = np.array([4, 40, 400, 4000])
    assert exponent_of_memory(QUESTIONS[question], lambda k: profile(n_values=k), sizes) <= STEEPEST


@pytest.mark.parametrize("measure", ["local", "shrinkage", "global", "global-fixed"])
def test_memory_grows_no_faster_than_the_number_of_people(measure):
    sizes = np.array([3, 30, 300, 3000])
    made = {size: profile(n_cells=20, people=size) for size in sizes}
    exponent = exponent_of_memory(lambda freq: em.homogeneity_risk(freq, LAPLACE, measure), made.get, sizes)
    assert exponent <= STEEPEST


def test_a_profile_of_any_length_takes_no_more_memory():
    """Blocks: of a large profile no intermediate array is as long as the profile itself."""
    rng = np.random.default_rng(0)
    freq = em.FrequencyTable.from_counts(rng.integers(1, 60, (800_000, 4)))
    noise = em.Laplace(epsilon=tuple(np.geomspace(0.1, 5, 20).tolist()))
    tracemalloc.start()
    em.homogeneity_risk(freq, noise)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < freq.profile.counts.nbytes


@pytest.mark.parametrize("one", MUST_NOT, ids=lambda one: f"{one['over']}: {one['work']}")
def test_nothing_was_measured_to_grow_faster_than_it_should(one):
    assert one["exponent"] is None or one["exponent"] <= STEEPEST


def test_everything_was_measured_over_what_makes_it_larger():
    assert {one["over"] for one in MEASURED} == {"rows", "cells", "values", "epsilons", "columns"}
    assert len(MUST_NOT) > 100
