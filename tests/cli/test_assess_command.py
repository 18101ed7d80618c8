"""``epsilometer assess``: answers, formats and exit codes."""

import json
import subprocess
import sys

import jsonschema
import pytest

from epsilometer.report.documents import schema_text


def test_the_answer_in_words_comes_first(run, people):
    outcome = run("assess", people, "-q", "age", "-q", "sex", "-s", "job")
    assert outcome.code == 0
    words = " ".join(outcome.out.split())
    assert words.startswith(
        "Of the 40 people in this table, an attacker who knows age and sex can be certain of the job"
    )
    assert "if you publish it raw" in words
    assert "Laplace noise at ε = 1" in words
    assert words.endswith("Share it only with people who may see the table.")
    assert outcome.err == ""


def test_a_lone_value_is_held_against_a_member_picked_at_random(run, people):
    words = " ".join(run("assess", people, "-q", "age", "-q", "sex", "-s", "job").out.split())
    assert "people disclosed cells disclosed true of random member any table own record" in words
    assert "of the cells published with a single value, those where a member picked at random has it." in words
    assert "cells that show a single value that at least one member really has." in words


def test_nothing_is_said_of_lone_values_where_none_is_published(run, tmp_path):
    (tmp_path / "all.csv").write_text("sex,illness\n" + "f,a\nf,b\nm,a\nm,b\n" * 1000, encoding="utf-8")
    outcome = run("assess", tmp_path / "all.csv", "-q", "sex", "-s", "illness", "--epsilon", "5")
    (row,) = (line.split() for line in outcome.out.splitlines() if line.startswith("5 "))
    tiny = ["below", "0.0001", "%"]  # noise leaves no risk of zero, but one smaller than any double
    assert row[:8] == ["5", *tiny, *tiny, "–"]


@pytest.mark.parametrize(
    "noise",
    [
        ("--epsilon", "0.5", "--epsilon", "2"),
        ("--mechanism", "gaussian", "--delta", "1e-5", "--calibration", "probabilistic"),
        ("--mechanism", "discrete-gaussian", "--delta", "1e-5", "--adjacency", "replace"),
        ("--mechanism", "geometric", "--threshold", "3"),
    ],
    ids=lambda flags: flags[1],
)
def test_json_follows_the_published_schema(run, people, noise):
    outcome = run("assess", people, "-q", "age", "-s", "job", "-s", "sex", "--json", *noise)
    assert outcome.code == 0
    document = json.loads(outcome.out)
    jsonschema.validate(document, json.loads(schema_text()))
    assert [attribute["sensitive"] for attribute in document["attributes"]] == ["job", "sex", "job and sex"]
    assert document["confidential"] is True
    assert document["answer"].startswith("Of the 40 people")
    mechanism = document["attributes"][0]["people"]["mechanism"]
    assert mechanism["epsilon"] == ([0.5, 2.0] if "0.5" in noise else 1.0)


def test_schema_command_prints_the_schema(run):
    outcome = run("schema")
    assert outcome.code == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(outcome.out))


def test_fail_above_is_a_gate(run, people):
    roles = ("-q", "age", "-q", "sex", "-s", "job")
    risk = json.loads(run("assess", people, *roles, "--json").out)["attributes"][0]["people"]["value"]
    assert run("assess", people, *roles, "--fail-above", risk + 1e-9).code == 0
    missed = run("assess", people, *roles, "--fail-above", risk - 1e-9)
    assert missed.code == 1
    assert missed.err.startswith("Target missed: 0.")
    assert "above" in missed.err


def test_a_missed_target_still_prints_the_result(run, people):
    outcome = run("assess", people, "-q", "age", "-q", "sex", "-s", "job", "--json", "--fail-above", "0")
    assert outcome.code == 1
    assert json.loads(outcome.out)["kind"] == "assessment"


def test_piped_output_is_plain_text(people):
    """A real process with a pipe for stdout: no colour codes, no box drawing."""
    command = [sys.executable, "-m", "epsilometer", "assess", str(people), "-q", "age", "-s", "job"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "\x1b" not in done.stdout
    assert not set("─│┌━") & set(done.stdout)
    assert done.stdout.startswith("Of the 40 people")


def test_version_and_help(run):
    assert run("--version").out.startswith("epsilometer 0.")
    help_text = run("--help").out
    for command in ("assess", "demo", "schema"):
        assert command in help_text


def test_demo_runs_and_can_save_its_table(run, tmp_path):
    saved = tmp_path / "stays.csv"
    outcome = run("demo", "--save", saved)
    assert outcome.code == 0
    assert "2,400 invented hospital stays" in outcome.out
    assert saved.read_text(encoding="utf-8").count("\n") == 2401
    again = run("assess", saved, "-q", "age", "-q", "sex", "-q", "district", "-q", "admission", "-s", "reason",
                "--bin", "age=5", "--json")  # fmt: skip
    demo = json.loads(run("demo", "--json").out)
    first = {**json.loads(again.out)["attributes"][0]["raw"], "caveats": None}
    assert first == {**demo["attributes"][0]["raw"], "caveats": None}


def test_an_existing_file_is_kept(run, tmp_path):
    saved = tmp_path / "stays.csv"
    saved.write_text("mine", encoding="utf-8")
    kept = run("demo", "--save", saved)
    assert kept.code == 2
    assert kept.err == f"Error: {saved} exists and is kept. Choose another name, or pass --overwrite.\n"
    assert saved.read_text(encoding="utf-8") == "mine"
    assert run("demo", "--save", saved, "--overwrite").code == 0
    assert saved.read_text(encoding="utf-8").startswith('"age"') or saved.read_text(encoding="utf-8").startswith("age")


def test_a_defect_is_one_line_and_has_a_code_of_its_own(run, people, monkeypatch):
    def broken(_plan, _counts, **_options):
        raise ZeroDivisionError("as a test")

    monkeypatch.setattr("epsilometer.assessments.assess.assess_counted", broken)
    outcome = run("assess", people, "-q", "age", "-s", "job")
    assert outcome.code == 70
    assert outcome.err == "Error: a defect in epsilometer: ZeroDivisionError: as a test\n"


def test_memory_is_an_option_of_the_program(run, people, monkeypatch):
    asked = ("assess", people, "-q", "age", "-q", "sex", "-s", "job", "--json")
    assert run("--memory", "300MB", *asked).out == run(*asked).out
    assert run("--memory", "a lot", *asked).err == (
        "Error: memory must be at least 200MB, with its unit (MB, GB or TB), such as 4GB, got 'a lot'.\n"
    )
    monkeypatch.setenv("EPSILOMETER_MEMORY", "1MB")
    assert run(*asked).code == 2


@pytest.mark.parametrize("said", [("--memory", "a lot"), ("--memory=a lot",)], ids=["two words", "one word"])
@pytest.mark.parametrize("place", [0, 1, 2, 4, 6], ids=lambda place: f"after {place} words")
def test_memory_may_stand_anywhere(run, people, said, place):
    asked = ["assess", people, "-q", "age", "-s", "job"]
    assert "memory must be at least 200MB" in run(*asked[:place], *said, *asked[place:]).err


def test_of_two_amounts_of_memory_the_last_counts(run, people):
    asked = ["assess", people, "-q", "age", "-s", "job", "--json"]
    assert run("--memory", "a lot", *asked, "--memory=300MB").out == run(*asked).out
    assert "got 'a lot'" in run("--memory", "300MB", *asked, "--memory", "a lot").err


def test_memory_without_an_amount_and_a_column_of_that_name(run, people):
    assert "requires an argument" in run("assess", people, "-q", "age", "-s", "job", "--memory").err
    assert "--memory" in run("assess", "-q", "age", "-s", "job", "--", "--memory").err  # a table of that name
