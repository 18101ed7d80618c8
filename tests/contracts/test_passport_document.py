"""Passports as documents: the strict reader and the published schema accept and refuse the same."""

import copy
import json
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadPassport
from epsilometer.report.passport_document import passport_schema, passport_text, read_passport
from epsilometer.vocabulary.passport import Passport

EXAMPLES = json.loads(
    (Path(__file__).parents[1] / "reference" / "passports.json").read_text(encoding="utf-8"),
)
PASSPORTS = {name: example["passport"] for name, example in EXAMPLES.items()}
SCHEMA = jsonschema.Draft202012Validator(json.loads(passport_schema()))
each_kind = pytest.mark.parametrize("document", PASSPORTS.values(), ids=PASSPORTS.keys())


def places(document, at=()):
    """Every place in a document, the whole of it included."""
    yield at
    inside = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in inside:
        yield from places(value, (*at, key))


def found(document, place):
    for key in place:
        document = document[key]
    return document


def changed(document, place, value):
    made = copy.deepcopy(document)
    found(made, place[:-1])[place[-1]] = value
    return made


def accepted(document):
    try:
        Passport.from_dict(document)
    except BadPassport:
        return False
    return True


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA.schema)
    assert passport_schema() == json.dumps(SCHEMA.schema, indent=2, ensure_ascii=False) + "\n"


def objects_of(schema):
    if isinstance(schema, dict):
        if "properties" in schema and "required" in schema and schema.get("type") == "object":
            yield schema
        for inside in schema.values():
            yield from objects_of(inside)


def test_every_object_of_the_schema_is_closed_and_complete():
    objects = list(objects_of(SCHEMA.schema))
    assert len(objects) >= 8
    for closed in objects:
        assert closed["additionalProperties"] is False
        assert set(closed["required"]) == set(closed["properties"])


@each_kind
def test_a_passport_of_each_kind_follows_the_schema_and_survives_reading(document):
    SCHEMA.validate(document)
    passport = Passport.from_dict(document)
    assert passport.to_dict() == document
    assert Passport.from_dict(json.loads(passport_text(passport))) == passport


@each_kind
def test_a_missing_field_and_an_unknown_one_are_refused(document):
    for place in places(document):
        if not isinstance(found(document, place), dict) or place[:1] == ("plan",):
            continue
        for key in found(document, place):
            lacking = copy.deepcopy(document)
            del found(lacking, place)[key]
            assert not accepted(lacking), (place, key)
            assert not SCHEMA.is_valid(lacking), (place, key)
        more = changed(document, (*place, "surprise"), 1)
        assert not accepted(more), place
        assert not SCHEMA.is_valid(more), place


BAD = {
    "not an object": ((), [], "The passport must be an object, got "),
    "another schema": (("schema",), "epsilometer/passport/2", "schema must be epsilometer/passport/1"),
    "negative epsilon": (("guarantee", "epsilon"), -1, "passport.guarantee.epsilon must be a number from 0 to"),
    "infinite epsilon": (("guarantee", "epsilon"), float("inf"), "passport.guarantee.epsilon must be a number"),
    "epsilon that is a word": (("guarantee", "epsilon"), "1", "passport.guarantee.epsilon must be a number"),
    "epsilon that is true": (("guarantee", "epsilon"), True, "passport.guarantee.epsilon must be a number"),
    "delta above one": (("guarantee", "delta"), 1.5, "passport.guarantee.delta must be a number from 0 to 1"),
    "unknown kind": (("kind",), "raw", "passport.kind must be one of counts, sample, synthetic, local, got 'raw'"),
    "kind in a list": (("kind",), ["counts"], "passport.kind must be one of"),
    "short hash": (("outputs", 0, "sha256"), "ab", r"passport.outputs\[0\].sha256 must be 64 hexadecimal digits"),
    "hash in capitals": (("outputs", 0, "sha256"), "AB" * 32, "must be 64 hexadecimal digits"),
    "hash and a line": (("outputs", 0, "sha256"), "ab" * 32 + "\n", "must be 64 hexadecimal digits"),
    "a folder above": (("outputs", 0, "file"), "../x.csv", "must be the name of a file beside the passport"),
    "two dots": (("outputs", 0, "file"), "..", "must be the name of a file beside the passport"),
    "a name of two lines": (("outputs", 0, "file"), "x\n", "must be the name of a file beside the passport"),
    "half a row": (("outputs", 0, "rows"), 1.5, "passport.outputs.0..rows must be a whole number from 0 to .*"),
    "no columns": (("outputs", 0, "columns"), [], "passport.outputs.0..columns must be a list of 1 or more, got"),
    "no looks": (("looks",), [], "passport.looks must be a list of 1 or more"),
    "no time": (("released_at",), "yesterday", "passport.released_at must be a time such as 2026-01-31T12:00:00Z"),
    "month 13": (("released_at",), "2026-13-01T12:00:00Z", "passport.released_at must be a time"),
    "no name": (("dataset",), "", "passport.dataset must be a text, got ''"),
    "plan that is none": (("plan",), "plan.yaml", "passport.plan must be an object"),
    "address of the table": (("plan", "table"), "postgres://me:secret@host/x", "passport.plan names the table"),
    "noise without scale": (("looks", 0, "scale"), None, "A look has scale and moved_counts if its noise is known"),
    "mechanism without scale": (("mechanisms", 0, "scale"), None, "geometric noise needs scale and moved_counts"),
    "scale of zero": (("mechanisms", 0, "scale"), 0, "passport.mechanisms.0..scale must be a number from 1e-06 to"),
    "no support": (("support",), None, "Counts have a support, and nothing else does; this is a release of counts"),
    "delta of a domain": (("support", "delta"), 0.1, "above 0 if it is thresholded, got declared with 0.1"),
    "no chance to be listed": (("support", "kind"), "thresholded", "got thresholded with 0"),
    "a sample with epsilon": (("kind",), "sample", "Counts have a support"),
    "a long text": (("kind",), "x" * 200, "got 'xxx.*…"),
}


@pytest.mark.parametrize(("place", "value", "message"), BAD.values(), ids=BAD.keys())
def test_bad_documents_are_refused_in_one_line(place, value, message):
    document = changed(PASSPORTS["counts"], place, value) if place else value
    with pytest.raises(BadPassport, match=message) as caught:
        Passport.from_dict(document)
    assert "\n" not in str(caught.value)
    assert not SCHEMA.is_valid(document)


def test_a_sample_has_epsilon_zero():
    document = changed(PASSPORTS["sample"], ("guarantee", "epsilon"), 0.5)
    with pytest.raises(BadPassport, match=r"A sample has epsilon 0, got 0\.5"):
        Passport.from_dict(document)
    assert not SCHEMA.is_valid(document)


scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats(allow_nan=False)
    | st.sampled_from(["", "counts", "sample", "any", "geometric", "declared", "thresholded", "replace", "0" * 64])
    | st.sampled_from([1e-6, 1e6, 2.0, 2**63, 2**63 - 1, sys.float_info.max, -0.0])
    | st.text(max_size=4) | st.just([]) | st.just({})
)  # fmt: skip


@given(st.data())
def test_reader_and_schema_agree_on_changed_documents(data):
    """Change up to three places of a passport to anything: both accept it, or both refuse it."""
    document = PASSPORTS[data.draw(st.sampled_from(sorted(PASSPORTS)))]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from([place for place in places(document) if place]))
        value = data.draw(scalars | st.sampled_from([found(document, other) for other in places(document)]))
        document = changed(document, place, copy.deepcopy(value))
    assert accepted(document) == SCHEMA.is_valid(document)


FILES = {
    "absent": (None, "Cannot read .*passport.json: No such file or directory. Name the JSON file of a passport"),
    "no JSON": (
        b"counts",
        "passport.json is not JSON: Expecting value.* Name the passport, such as counts.csv.passport.json.$",
    ),
    "no text": (b"\xff\xfe\xff", "passport.json is not JSON"),
    "not a number": (b'{"schema": NaN}', "is not JSON: NaN is not a number"),
    "a field twice": (b'{"schema": 1, "schema": 2}', "is not JSON: 'schema' is there twice"),
    "very deep": (b"[" * 200_000, "is not JSON"),
    "a list": (b"[]", "passport.json: The passport must be an object"),
    "huge digits": (b'{"schema": ' + b"9" * 5_000 + b"}", "is not JSON"),
}


@pytest.mark.parametrize(("content", "message"), FILES.values(), ids=FILES.keys())
def test_files_that_are_no_passports(tmp_path, content, message):
    path = tmp_path / "passport.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadPassport, match=message):
        read_passport(path)


def test_a_folder_is_no_passport(tmp_path):
    with pytest.raises(BadPassport, match="Cannot read"):
        read_passport(tmp_path)


@each_kind
def test_a_file_is_read_as_it_was_written(document, tmp_path):
    path = tmp_path / "passport.json"
    path.write_text(passport_text(Passport.from_dict(document)), encoding="utf-8")
    assert read_passport(path).to_dict() == document
