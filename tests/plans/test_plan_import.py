"""Metadata of other tools become the beginning of a plan: what they say, and not a word more."""

import json
import re

import pytest
import yaml

from epsilometer.errors import BadPlan
from epsilometer.plans.importing.read import read_metadata

SMARTNOISE = """
engine: postgres
census:
  public:
    people:
      rows: 1000
      max_ids: 3
      censor_dims: true
      pid: {type: int, private_id: True}
      age: {type: int, lower: 0, upper: 100}
      income: {type: float, lower: -0.5, upper: 5.0e+5, nullable: false}
      sex: {type: string, cardinality: 2}
      married: {type: boolean, missing_value: false}
      height: {type: int, lower: 0}
"""
SDV_TABLE = {
    "primary_key": "visit",
    "sequence_key": "patient",
    "columns": {
        "visit": {"sdtype": "id", "regex_format": "V[0-9]{3}"},
        "patient": {"sdtype": "id"},
        "age": {"sdtype": "numerical", "computer_representation": "Int8"},
        "smoker": {"sdtype": "boolean"},
        "stage": {"sdtype": "categorical", "order": ["I", "II", "III"]},
        "ward": {"sdtype": "categorical"},
        "since": {"sdtype": "datetime", "datetime_format": "%Y-%m-%d"},
        "postcode": {"sdtype": "postcode", "pii": False},
        "email": {"sdtype": "email", "pii": True},
        "city": {"sdtype": "city"},
    },
}
SINGLE = {"METADATA_SPEC_VERSION": "SINGLE_TABLE_V1", **SDV_TABLE}
SEVERAL = {
    "METADATA_SPEC_VERSION": "V1",
    "tables": {"visits": SDV_TABLE, "wards": {"columns": {"ward": {"sdtype": "id"}, "beds": {"sdtype": "numerical"}}}},
    "relationships": [],
}


@pytest.fixture
def kept(tmp_path):
    def write(content):
        path = tmp_path / "metadata.file"
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent="\t"), encoding="utf-8")
        return path

    return write


def test_smartnoise_bounds_and_person(kept):
    imported = read_metadata(kept(SMARTNOISE))
    assert imported.settings == {
        "unit": {"person_id": "pid"},
        "release": {"kind": "counts", "cells_per_person": 3},
        "types": {"age": "integer", "income": "number", "sex": "text", "married": "boolean", "height": "integer"},
        "domain": {
            "age": {"low": 0, "high": 100, "missing": True},
            "income": {"low": -0.5, "high": 500000.0},
            "married": {"values": ["false", "true"]},
        },
    }
    assert imported.columns == ("age", "income", "sex", "married", "height")
    assert imported.described == ("pid", *imported.columns)
    assert imported.notes == ("height has one bound only, which makes no range.",)


def test_where_smartnoise_protects_rows_nobody_owns_several(kept):
    protected = SMARTNOISE.replace("rows: 1000", "row_privacy: true")
    settings = read_metadata(kept(protected)).settings
    assert settings.keys() == {"unit", "types", "domain"}
    assert settings["unit"] == "row"


def test_one_row_of_a_person_needs_no_limit(kept):
    assert "release" not in read_metadata(kept(SMARTNOISE.replace("max_ids: 3", "max_ids: 1"))).settings


def test_a_bound_that_is_no_number_is_left_for_the_check_of_the_plan(kept):
    imported = read_metadata(kept(SMARTNOISE.replace("upper: 100}", "upper: many}")))
    assert imported.settings["domain"]["age"]["high"] == "many"


def test_sdv_roles_and_values(kept):
    imported = read_metadata(kept(SINGLE))
    assert imported.settings == {
        "unit": {"person_id": "patient"},
        "types": {
            "age": "integer",
            "smoker": "boolean",
            "stage": "text",
            "ward": "text",
            "since": "date",
            "postcode": "text",
        },
        "domain": {
            "smoker": {"values": ["false", "true"], "missing": True},
            "stage": {"values": ["I", "II", "III"], "missing": True},
        },
    }
    assert imported.columns == ("age", "smoker", "stage", "ward", "since", "postcode")
    assert imported.described == tuple(SDV_TABLE["columns"])
    assert imported.notes == (
        "Ranges are not in these metadata; declare low and high of age.",
        "Identifiers and personal data, left out: visit, email, city.",
    )


def test_one_of_several_sdv_tables(kept):
    path = kept(SEVERAL)
    assert read_metadata(path, "visits") == read_metadata(kept(SINGLE))
    assert read_metadata(kept(SEVERAL), "wards").columns == ("beds",)


def test_one_table_need_not_be_named(kept):
    alone = {**SEVERAL, "tables": {"visits": SDV_TABLE}}
    assert read_metadata(kept(alone)) == read_metadata(kept(SINGLE))


def test_the_text_says_what_is_still_to_be_said(kept):
    text = read_metadata(kept(SMARTNOISE)).text("metadata.yaml")
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert comments[:2] == ["# Begun from metadata.yaml.", "# Not a whole plan yet; it does not say:"]
    assert [line.split(":")[0] for line in comments[2:5]] == ["#   table", "#   quasi_identifiers", "#   sensitive"]
    assert comments[5] == "# Columns that may play a part: age, income, sex, married, height."
    assert yaml.safe_load(text) == read_metadata(kept(SMARTNOISE)).settings


def test_metadata_that_say_nothing_of_use(kept):
    imported = read_metadata(kept({"columns": {"ward": {"sdtype": "categorical"}}}))
    assert (imported.settings, imported.columns, imported.notes) == ({"types": {"ward": "text"}}, ("ward",), ())
    nothing = read_metadata(kept({"columns": {"ward": {"sdtype": "id"}}}))
    assert (nothing.settings, yaml.safe_load(nothing.text("m.json"))) == ({}, None)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ({"sdtype": "numerical"}, "number"),
        ({"sdtype": "numerical", "computer_representation": "UInt16"}, "integer"),
        ({"sdtype": "numerical", "computer_representation": "Float"}, "number"),
        ({"sdtype": "datetime"}, "text"),
        ({"sdtype": "datetime", "datetime_format": "%Y-%m-%dT%H:%M:%S"}, "datetime"),
        ({"sdtype": "datetime", "datetime_format": "%d.%m.%Y"}, "text"),
    ],
)
def test_types_of_sdv_columns(kept, column, kind):
    assert read_metadata(kept({"columns": {"x": column}})).settings["types"] == {"x": kind}


@pytest.mark.parametrize(("written", "kind"), [("datetime", "datetime"), ("unknown", None), ("string", "text")])
def test_types_of_smartnoise_columns(kept, written, kind):
    imported = read_metadata(kept(f"a: {{s: {{t: {{x: {{type: {written}}}}}}}}}"))
    assert imported.settings.get("types", {}).get("x") == kind


EXPECTED = "Metadata of SmartNoise (YAML) or of the SDV (JSON) are expected."
WRONG = {
    "another version": (
        {"METADATA_SPEC_VERSION": "V9", "tables": {}},
        None,
        ", line 2: METADATA_SPEC_VERSION must be one of V1, MULTI_TABLE_V1, SINGLE_TABLE_V1; got 'V9'.",
    ),
    "several tables": (SEVERAL, None, ": this describes several tables. Name one with --only: visits, wards."),
    "another table": (SEVERAL, "beds", ": this does not describe a table 'beds'. It has visits, wards."),
    "no columns": ({"tables": {"a": {}}}, None, ", line 3: tables.a.columns must be a mapping, got nothing."),
    "columns in a list": ({"columns": ["a"]}, None, ", line 2: columns must be a mapping, got something else."),
    "two databases": (
        "a: {s: {t: {}}}\nb: {s: {t: {}}}",
        None,
        f": this must describe one database, got a, b. {EXPECTED}",
    ),
    "no database": ("engine: postgres", None, f": this must describe one database, got none. {EXPECTED}"),
    "a table": ("age,sex\n20,f\n", None, f": this must be keys with values, each as 'key: value'. {EXPECTED}"),
    "a table in quotes": (
        '"age","sex"\n"20","f"\n',
        None,
        f", line 1: this cannot be read as YAML: expected '<document start>', but found ','. {EXPECTED}",
    ),
    "no schema": ("a: b", None, ", line 1: a must be a mapping, got something else."),
    "a column that is none": ("a:\n s:\n  t:\n   c: int", None, ", line 4: a.s.t.c must be a mapping, got something"),
}


@pytest.mark.parametrize(("content", "only", "words"), WRONG.values(), ids=WRONG.keys())
def test_metadata_that_are_none(kept, content, only, words):
    path = kept(content)
    with pytest.raises(BadPlan, match=re.escape(f"{path}{words}")):
        read_metadata(path, only)
