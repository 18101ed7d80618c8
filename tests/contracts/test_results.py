"""What every result promises: frozen, complete, JSON by the published schema, a tidy frame."""

import dataclasses
import json

import jsonschema
import numpy as np
import pytest

import epsilometer as em
from epsilometer.report.documents import as_document, schema_text
from epsilometer.report.sentences import answer, in_words
from epsilometer.vocabulary.evidence import Estimate, Interval

FREQ = em.FrequencyTable.from_counts([[3, 0], [2, 1], [3, 0]])
CURVE = em.Laplace(epsilon=(0.5, 1.0))
PLAN = em.Plan(
    table=em.example_table(), quasi_identifiers=("sex",), sensitive=("reason",), release=em.Counts(mechanism=CURVE)
)
RESULTS = {
    "raw": em.raw_risk(FREQ),
    "cells": em.homogeneity_risk(FREQ, em.Gaussian(epsilon=1.0, delta=1e-5)),
    "records": em.homogeneity_risk(FREQ, CURVE, average="records"),
    "pieces": em.homogeneity_risk(FREQ, CURVE, method="published"),
    "estimate": dataclasses.replace(
        em.homogeneity_risk(FREQ, CURVE),
        answer=Estimate(np.array([0.1, 0.2]), Interval(np.array([0.05, 0.1]), np.array([0.2, 0.3]), 0.95)),
    ),
    "assessment": em.assess(PLAN, riskiest=1),
    "risk over thresholds": em.risk_grid(FREQ, CURVE),
    "risk over deltas": em.risk_grid(FREQ, em.Gaussian(epsilon=1.0, delta=1e-5)),
    "risk spread": em.risk_spread(FREQ, em.Laplace(epsilon=1.0)),
    "loss": em.utility_loss(FREQ, CURVE, repeats=5),
    "feasible": em.epsilon_for_risk(FREQ, em.Laplace(epsilon=1.0), 0.4),
    "scenarios": em.homogeneity_scenarios(FREQ, em.Laplace(epsilon=1.0)),
    "choice": em.choose(dataclasses.replace(PLAN, max_risk=0.5, max_loss=0.5)),
    "sample risk": em.sampling_risk(population=9, sample=4),
    "sample risk curve": em.sampling_risk(population=9, sample=[1, 4], prior="datasets", n_values=3),
    "sample risk with noise": em.sampling_risk(population=9, sample=4, mechanism=em.Gaussian(epsilon=1.0, delta=1e-5)),
    "sample risk with interval": em.sampling_risk(population=10**6, sample=[9, 10**5], n_values=3, prior=0.5),
    "sample risk of a histogram": em.sampling_risk(population=9, histogram=[3, 1]),
    "sample loss": em.sampling_utility_loss(population=9, sample=4),
    "sample loss with interval": em.sampling_utility_loss(population=10**9, sample=10**8),
    "sample assessment": em.assess_sample(population=9, sample=9, mechanism=em.Laplace(epsilon=1.0)),
    "sample choice": em.choose_sample(population=9, max_risk=0.9, max_loss=0.1, max_gap=0.2),
    "sample choice of nothing": em.choose_sample(population=9, max_risk=0.1),
    "table sample": em.sample_of_table(FREQ, sample=1),
    "table sample of everybody": em.sample_of_table(FREQ, sample=9, prior="datasets"),
}
every_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS.keys())
SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))


@every_result
def test_to_dict_is_json_and_follows_the_schema(result):
    SCHEMA.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)))


@every_result
def test_results_cannot_be_changed(result):
    field = dataclasses.fields(result)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, field, None)


def test_the_document_of_an_assessment_follows_the_schema_with_its_words():
    assessment = RESULTS["assessment"]
    document = json.loads(as_document({**assessment.to_dict(), "answer": answer(assessment)}))
    SCHEMA.validate(document)
    assert document["answer"]
    assert document["epsilometer"]


@pytest.mark.parametrize(
    "name",
    [
        "sample assessment",
        "sample choice",
        "sample choice of nothing",
        "table sample",
        "table sample of everybody",
    ],
)
def test_documents_about_samples_follow_the_schema_with_their_words(name):
    result = RESULTS[name]
    document = json.loads(as_document({**result.to_dict(), "answer": in_words(result)}))
    SCHEMA.validate(document)
    assert document["kind"] == result.kind
    assert document["answer"] == in_words(result)
    assert document["epsilometer"]


def test_a_sample_that_no_size_fits_has_none():
    document = RESULTS["sample choice of nothing"].to_dict()
    assert (
        document["release"]["sample"] is document["smallest"] is document["largest"] is document["recommended"] is None
    )
    assert document["ends"] == []


@pytest.mark.parametrize("name", ["cells", "records", "pieces", "estimate"])
def test_risks_carry_what_they_must_be_compared_with(name):
    risk = RESULTS[name]
    assert risk.no_release == pytest.approx(8 / 9)
    assert np.all(np.asarray(risk.value) <= np.asarray(risk.any_table))
    assert risk.question
    assert risk.assumptions
    assert risk.caveats
    assert risk.source
    assert risk.evidence in ("exact", "estimate", "as printed")


def test_frames_are_tidy():
    frame = RESULTS["records"].to_frame()
    assert frame["epsilon"].tolist() == [0.5, 1.0]
    assert frame["value"].tolist() == RESULTS["records"].value.tolist()
    assert RESULTS["estimate"].to_frame()["low"].tolist() == [0.05, 0.1]
    assert len(RESULTS["cells"].to_frame()) == 1


def test_people_in_several_cells_are_a_caveat():
    freq = dataclasses.replace(FREQ, max_cells_per_person=3)
    caveats = em.homogeneity_risk(freq, CURVE).caveats
    assert "One person appears in up to 3 cells: their own guarantee is 3 times epsilon." in caveats


def test_unknown_average_is_refused():
    with pytest.raises(ValueError, match=r"^average must be one of cells, records; got 'people'\.$"):
        em.homogeneity_risk(FREQ, CURVE, average="people")


def test_large_profiles_are_summed_in_parts(monkeypatch):
    rng = np.random.default_rng(3)
    freq = em.FrequencyTable.from_counts(rng.integers(0, 30, (500, 3)))
    whole = em.homogeneity_risk(freq, CURVE).value
    monkeypatch.setattr("epsilometer.vocabulary.long_arrays.FITS_A_CACHE", 100)
    np.testing.assert_allclose(em.homogeneity_risk(freq, CURVE).value, whole, rtol=1e-14)
