"""What every result promises: frozen, complete, JSON by the published schema, a tidy frame."""

import dataclasses
import json

import jsonschema
import numpy as np
import pytest

import epsilometer as em
from epsilometer.report.documents import assessment_document, schema_text
from epsilometer.vocabulary.evidence import Estimate, Interval

FREQ = em.FrequencyTable.from_counts([[3, 0], [2, 1], [3, 0]])
CURVE = em.Laplace(epsilon=(0.5, 1.0))
PLAN = em.Plan(table=em.example_table(), quasi_identifiers=("sex",), sensitive=("reason",), mechanism=CURVE)
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
    "loss": em.utility_loss(FREQ, CURVE, repeats=5),
    "feasible": em.epsilon_for_risk(FREQ, em.Laplace(epsilon=1.0), 0.4),
    "scenarios": em.homogeneity_scenarios(FREQ, em.Laplace(epsilon=1.0)),
    "choice": em.choose(dataclasses.replace(PLAN, max_risk=0.5, max_loss=0.5)),
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
    document = json.loads(json.dumps(assessment_document(RESULTS["assessment"])))
    SCHEMA.validate(document)
    assert document["answer"]
    assert document["epsilometer"]


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


def test_large_profiles_are_summed_in_blocks(monkeypatch):
    from epsilometer.assessments.homogeneity import averaging

    rng = np.random.default_rng(3)
    freq = em.FrequencyTable.from_counts(rng.integers(0, 30, (500, 3)))
    whole = em.homogeneity_risk(freq, CURVE).value
    monkeypatch.setattr(averaging, "BLOCK", 100)
    np.testing.assert_allclose(em.homogeneity_risk(freq, CURVE).value, whole, rtol=1e-14)
