"""``epsilometer check``: exit 0 if everything holds, 1 if anything differs, 2 if there is nothing to read."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from epsilometer.report.documents import schema_text
from epsilometer.report.passport_document import passport_schema

EXAMPLES = json.loads((Path(__file__).parents[1] / "reference" / "passports.json").read_text(encoding="utf-8"))
SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))


@pytest.fixture
def passport(tmp_path):
    example = EXAMPLES["counts"]
    for name, text in example["files"].items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    path = tmp_path / "passport.json"
    path.write_text(json.dumps(example["passport"]), encoding="utf-8")
    return path


def test_what_holds_is_said_in_words_first(run, passport):
    outcome = run("check", passport, "--quiet")
    assert outcome.code == 0, outcome.out + outcome.err
    assert outcome.out.startswith("The passport holds: all 15 checks passed. 2 were not possible.\n")
    assert "Release of stays, 2026-01-31T12:00:00Z." in outcome.out
    assert outcome.out.index("What was not possible") < outcome.out.index("What holds")
    assert "What differs" not in outcome.out
    assert outcome.err == ""


def test_what_differs_is_exit_code_1(run, passport):
    (passport.parent / "counts.csv").write_text("sex,job,count\nf,cook,1000\n", encoding="utf-8")
    outcome = run("check", passport, "--quiet")
    assert outcome.code == 1
    assert outcome.out.startswith("The passport does NOT hold: 3 of 15 checks failed.")
    assert "counts.csv: SHA-256" in outcome.out
    assert EXAMPLES["counts"]["passport"]["outputs"][0]["sha256"][:20] in outcome.out
    assert outcome.out.index("What differs") < outcome.out.index("What holds")


@pytest.mark.parametrize("code", [0, 1])
def test_the_document_follows_the_schema(run, passport, code):
    if code:
        (passport.parent / "counts.csv").unlink()
    outcome = run("check", passport, "--json", "--quiet")
    document = json.loads(outcome.out)
    SCHEMA.validate(document)
    assert (outcome.code, document["passed"]) == (code, not code)
    assert document["kind"] == "passport-check"


BAD = {
    "absent": (None, "Error: Cannot read .*: No such file"),
    "no JSON": ("hello", "Error: .*is not JSON"),
    "no passport": ("{}", "schema must be epsilometer/passport/1, got None"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_read_is_exit_code_2(run, tmp_path, text, message):
    path = tmp_path / "passport.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    outcome = run("check", path, "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert re.search(message, outcome.err), outcome.err


def test_a_ledger_that_is_not_there_is_exit_code_2(run, passport, tmp_path):
    outcome = run("check", passport, "--ledger", tmp_path / "absent.sqlite", "--quiet")
    assert outcome.code == 2
    assert "There is no ledger" in outcome.err
    assert not (tmp_path / "absent.sqlite").exists()


def test_names_that_would_harm_a_terminal_are_shown_harmlessly(run, passport):
    document = json.loads(passport.read_text(encoding="utf-8"))
    document["dataset"] = "\x1b[31mred\ud800[bold]"
    document["outputs"][0]["columns"] = ["\x1b]0;title\x07"]
    passport.write_text(json.dumps(document), encoding="utf-8")
    outcome = run("check", passport, "--quiet")
    assert outcome.code == 1
    assert "\x1b" not in outcome.out
    assert "[bold]" in outcome.out


def test_both_schemas_are_printed(run):
    assert json.loads(run("schema").out) == json.loads(schema_text())
    assert json.loads(run("schema", "--of", "passport").out) == json.loads(passport_schema())


def test_another_schema_is_refused(run):
    outcome = run("schema", "--of", "plan")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--of must be one of result, passport; got 'plan'" in outcome.err
