"""The page of a passport: words first, complete, harmless, and nothing from elsewhere."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from epsilometer.errors import BadQuestion
from epsilometer.report.passport_page import passport_page
from epsilometer.report.registry import registry_entry
from epsilometer.vocabulary.passport import Passport

EXAMPLES = json.loads(
    (Path(__file__).parents[1] / "reference" / "passports.json").read_text(encoding="utf-8"),
)
PASSPORTS = {name: Passport.from_dict(example["passport"]) for name, example in EXAMPLES.items()}
each_kind = pytest.mark.parametrize("passport", PASSPORTS.values(), ids=PASSPORTS.keys())
HOSTILE = "<script>alert(1)</script>\"'&\x00\u202e{{ 7 * 7 }}"


SAID = {
    "counts": (
        "a table of counts, each with two-sided geometric noise",
        "whether that person is in the table",
        "ε = 1",
        "± 0.851",
    ),
    "two tables": ("2 tables of counts", "counts of job", "± 3.96", "all together, added up"),
    "thresholded": ("those with a high noisy count", "listed from a noisy count of 15", "δ = 1e-06", "no bound"),
    "gaussian": ("discrete Gaussian noise, scale 5.3", "which values that person has"),
    "sample": ("a random sample of 4 rows", "Nobody who was drawn is protected", "5.0 %", "25.0 %"),
    "synthetic": ("a synthetic table of 2 rows that nobody is behind", "mst"),
    "local": ("3 reports that people changed by chance", "Who took part is not hidden", "73.2 %"),
}


@pytest.mark.parametrize("name", PASSPORTS)
def test_the_page_says_what_was_published_and_what_it_protects(name, read_page):
    passport, read = PASSPORTS[name], read_page(passport_page(PASSPORTS[name]))
    text = read.text.replace("\N{NO-BREAK SPACE}", " ")
    for words in SAID[name]:
        assert words in text
    for output in passport.outputs:
        assert output.sha256 in text
        assert output.file in text
    assert passport.input_commitment in text
    assert passport.ledger_entry in text
    words, numbers, evidence, verify = (
        text.index(part) for part in ("Published on 31 January 2026", "The numbers", "The evidence", "How to check it")
    )
    assert words < numbers < evidence < verify
    assert "NOT SAFE" not in text
    assert "\N{REPLACEMENT CHARACTER}" not in text


@each_kind
def test_the_page_is_one_file_that_loads_nothing(passport, read_page):
    read = read_page(passport_page(passport))
    assert not {"script", "img", "link", "iframe", "object"} & {tag for tag, _ in read.elements}
    assert not [attrs for _, attrs in read.elements if {"src", "href"} & attrs.keys()]
    assert "url(" not in passport_page(passport)
    assert "prefers-color-scheme: dark" in passport_page(passport)
    assert '"Confidential"' not in passport_page(passport).split("@page")[-1]


def replaced(value):
    """Every text of a document that may be any text, made hostile."""
    if isinstance(value, dict):
        return {HOSTILE if key == "width" else key: replaced(inside) for key, inside in value.items()}
    return [replaced(inside) for inside in value] if isinstance(value, list) else HOSTILE


def test_hostile_names_stay_text(read_page):
    document = PASSPORTS["counts"].to_dict()
    for key in ("dataset", "ledger_entry", "plan", "post_processing", "versions"):
        document[key] = replaced(document[key])
    document["protection"]["in_words"] = HOSTILE
    document["outputs"][0] |= {"file": HOSTILE.replace("\x00", "").replace("/", ""), "columns": [HOSTILE]}
    document["looks"][0]["what"] = document["mechanisms"][0]["what"] = document["mechanisms"][0]["name"] = HOSTILE
    for stated in document["risks"] + document["utility"]:
        stated |= {"name": HOSTILE, "meaning": HOSTILE}
    hostile = Passport.from_dict(document)
    for page in (passport_page(hostile), hostile._repr_html_()):
        read = read_page(page)
        assert "script" not in {tag for tag, _ in read.elements}
        assert "<script>alert(1)</script>" in read.text
        assert "\x00" not in page
        assert "\u202e" not in page
        assert "{{ 7 * 7 }}" in read.text


def test_a_fixed_seed_is_said_before_anything_else():
    seeded = replace(PASSPORTS["counts"], unsafe_seed=7)
    body = passport_page(seeded).partition("<body>")[2].strip()
    assert body.startswith('<p class="confidential">NOT SAFE TO PUBLISH: made with the fixed seed 7')
    assert "fixed seed" in seeded._repr_html_()


@each_kind
def test_a_notebook_shows_the_words(passport, read_page):
    card = read_page(passport._repr_html_()).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Published on 31 January 2026" in card
    assert passport.outputs[0].sha256 in card


@pytest.mark.parametrize("name", [name for name in PASSPORTS if name != "sample"])
def test_a_registry_finds_its_fields(name):
    passport = PASSPORTS[name]
    deployment = registry_entry(passport)["deployment"]
    assert list(deployment) == [
        "basic", "dp_variant", "privacy_loss", "deployment_model", "accounting", "implementation", "administrative",
    ]  # fmt: skip
    assert deployment["basic"]["name"] == "stays"
    assert deployment["basic"]["publication_date"] == "2026-01-31"
    assert deployment["basic"]["data_product_type"] in {"Summary statistics", "Synthetic data", "Dataset"}
    parameters = deployment["privacy_loss"]["privacy_parameters"]
    assert parameters["epsilon"] == passport.guarantee.epsilon
    assert parameters.get("delta", 0.0) == passport.guarantee.delta
    variant = "Approximate DP" if passport.guarantee.delta else "Pure DP"
    assert deployment["dp_variant"]["variant_name"] == variant
    assert deployment["deployment_model"]["model_name"] == ("Local" if name == "local" else "Central")
    json.dumps(deployment, allow_nan=False)


def test_a_sample_is_no_deployment_of_differential_privacy():
    with pytest.raises(BadQuestion, match="whoever was drawn is not protected"):
        registry_entry(PASSPORTS["sample"])
