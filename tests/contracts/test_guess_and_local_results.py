"""What every result about guesses and local releases promises: frozen, and JSON by the published schema."""

import dataclasses
import json
import math

import jsonschema
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.randomizers import ExponentialChoice, LocalGaussian, LocalLaplace, RandomizedResponse, UnaryEncoding
from epsilometer.report.documents import as_document, schema_text

PEOPLE = pd.DataFrame({"job": ["cook", "nurse"] * 20, "age": range(40), "rooms": [1, 2] * 20})
TWO = RandomizedResponse(epsilon=1.0, n_values=2)
THREE = RandomizedResponse(epsilon=1.0, n_values=3)
NOISE = LocalLaplace(epsilon=1.0, low=0.0, high=40.0)
RESULTS = {
    "guess": em.epsilon_for_advantage(0.1, groups=[(23, 365)]),
    "guess of several": em.epsilon_for_advantage(0.1, priors=[0.1, 0.2], event="any", sensitivity=[1, 2]),
    "guess as printed": em.epsilon_for_advantage(0.1, priors=[0.1, 0.2], event="all", method="published"),
    "guess jointly": em.epsilon_for_advantage(0.1, priors=[0.1, 0.2], event="all", released="jointly"),
    "guess without noise": em.epsilon_for_advantage(0.1, priors=[1.0]),
    "advantage": em.advantage_at(1.0, groups=[(23, 365)]),
    "no advantage": em.advantage_at(1.0, priors=[0.0]),
    "local risk, exact": em.local_risk(TWO, [0.6, 0.4], n_people=9),
    "local risk, estimate": em.local_risk(THREE, [0.6, 0.3, 0.1], n_people=9),
    "local risk, bound": em.local_risk(NOISE, [0.6, 0.4], values=[3, 30], n_people=9),
    "local risk without amplification": em.local_risk(
        LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=1.0), [0.6, 0.4], values=[0, 1], n_people=9
    ),
    "response": em.local_release(PEOPLE, "job", TWO, domain=["cook", "nurse"]),
    "bits": em.local_release(PEOPLE, "job", UnaryEncoding(epsilon=1.0, n_values=2), domain=["cook", "nurse"]),
    "choice": em.local_release(PEOPLE, "rooms", ExponentialChoice(epsilon=4.0, values=(1, 2)), domain=["1", "2"]),
    "laplace": em.local_release(PEOPLE, "age", NOISE, shuffled=False),
    "gaussian": em.local_release(PEOPLE, "age", LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=40.0)),
}
every_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS.keys())
SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))


@every_result
def test_to_dict_is_json_and_follows_the_schema(result):
    SCHEMA.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)))


@pytest.mark.parametrize("name", list(RESULTS))
def test_documents_follow_the_schema(name):
    result = RESULTS[name]
    document = json.loads(as_document(result.to_dict()))
    SCHEMA.validate(document)
    assert document["kind"] == result.kind
    assert document["schema"] == "epsilometer/result/1"
    assert document["epsilometer"]


@every_result
def test_a_document_with_a_field_more_or_less_does_not_follow_the_schema(result):
    document = result.to_dict()
    with pytest.raises(jsonschema.ValidationError):
        SCHEMA.validate({**document, "more": 1})
    del document[list(document)[2]]
    with pytest.raises(jsonschema.ValidationError):
        SCHEMA.validate(document)


@every_result
def test_results_cannot_be_changed(result):
    for field in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)


@pytest.mark.parametrize("name", [name for name in RESULTS if "guess" in name or "advantage" in name or "risk" in name])
def test_answers_say_what_they_rest_on(name):
    result = RESULTS[name]
    assert result.question
    assert result.assumptions
    assert result.source
    assert result.evidence in ("exact", "as printed")
    assert 0 <= result.no_release <= 1
    assert result.value == result.answer.value


def test_an_infinite_epsilon_has_no_number():
    document = RESULTS["guess without noise"].to_dict()
    assert RESULTS["guess without noise"].value == math.inf
    assert document["value"] is None
    assert document["no_noise"] is True
    assert document["answer"].startswith("Warning")


def test_the_parts_of_results_cannot_be_changed_either():
    for part in (RESULTS["guess"].fields[0], RESULTS["choice"].statistics[0]):
        with pytest.raises(dataclasses.FrozenInstanceError):
            part.name = "another"


@pytest.mark.parametrize("name", ["response", "bits", "choice", "laplace", "gaussian"])
def test_the_reports_are_not_in_the_document_of_a_release(name):
    document = RESULTS[name].to_dict()
    assert "reports" not in document
    assert document["n_people"] == len(RESULTS[name].reports) == 40
    assert document["shuffled"] is (name != "laplace")


def test_how_a_shuffled_chance_is_known_stands_in_the_document():
    shuffled = {name: RESULTS[f"local risk, {name}"].to_dict()["shuffled"] for name in ("exact", "estimate", "bound")}
    assert [part["evidence"] for part in shuffled.values()] == ["exact", "estimate", "upper bound"]
    assert shuffled["exact"]["interval"] is shuffled["bound"]["interval"] is None
    assert shuffled["estimate"]["interval"]["low"] < shuffled["estimate"]["value"]
    assert RESULTS["local risk without amplification"].to_dict()["shuffled_epsilon"] is None
