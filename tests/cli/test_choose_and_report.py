"""``epsilometer choose`` and ``assess --report``."""

import json
import math
import subprocess
import sys

import jsonschema
import pytest

from epsilometer.report.documents import schema_text

ROLES = ("-q", "age", "-q", "sex", "-s", "job")


def test_choose_answers_in_words_and_as_json(run, people):
    targets = ("--max-risk", "0.9", "--max-loss", "0.3")
    words = run("choose", people, *ROLES, *targets)
    assert words.code == 0
    assert words.out.startswith("Publish with epsilon = ")
    assert "Confidential" in words.out
    document = json.loads(run("choose", people, *ROLES, *targets, "--json").out)
    jsonschema.validate(document, json.loads(schema_text()))
    assert f"epsilon = {document['recommended']:g}" in document["answer"]


def test_choose_without_a_feasible_point_has_its_own_exit_code(run, people):
    outcome = run("choose", people, *ROLES, "--max-risk", "0", "--max-loss", "0.3", "--quiet")
    assert outcome.code == 3
    assert outcome.out.startswith("No epsilon from 0.01 to 10 discloses at most 0 of the people")
    assert outcome.err == ""


def test_choose_with_a_gaussian(run, people):
    noise = ("--mechanism", "gaussian", "--delta", "1e-5", "--calibration", "classic")
    outcome = run("choose", people, *ROLES, "--max-risk", "0.9", "--max-loss", "0.9", *noise, "--json")
    assert json.loads(outcome.out)["mechanism"]["calibration"] == "classic"


@pytest.mark.parametrize("targets", [("--max-risk", "1.5"), ("--max-risk", "-1")])
def test_choose_refuses_targets_that_are_no_shares(run, people, targets):
    outcome = run("choose", people, *ROLES, *targets, "--max-loss", "0.1", "--quiet")
    assert outcome.code == 2
    assert outcome.err.startswith("Error: max_risk must be in [0, 1], got ")


def test_a_report_is_written_whole_and_kept(run, people, tmp_path):
    report = tmp_path / "report.html"
    outcome = run("assess", people, *ROLES, "--report", report, "--quiet")
    assert outcome.code == 0
    assert outcome.err == f"Report written to {report}.\n"
    html = report.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "Confidential" in html
    again = run("assess", people, *ROLES, "--report", report, "--quiet")
    assert again.code == 2
    assert "exists and is kept" in again.err
    assert again.out == ""
    assert run("assess", people, *ROLES, "--report", report, "--overwrite", "--quiet").code == 0


def test_a_report_into_a_missing_folder_is_refused_before_any_work(run, people, tmp_path):
    outcome = run("assess", people, *ROLES, "--report", tmp_path / "none" / "r.html")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Choose a folder that exists." in outcome.err


def test_a_report_is_a_web_page_markdown_or_json(run, people, tmp_path):
    outcome = run("assess", people, *ROLES, "--report", tmp_path / "r.pdf")
    assert outcome.code == 2
    assert (
        "must be one of .html, .htm, .md, .json; got '.pdf'. A report is a web page, Markdown or JSON." in outcome.err
    )


def test_a_closed_pipe_is_no_missed_target_and_the_report_is_written(people, tmp_path):
    report = tmp_path / "r.html"
    command = f"{sys.executable} -m epsilometer assess {people} -q age -s job --report {report} --quiet | head -c 1"
    done = subprocess.run(["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"], capture_output=True, check=False)
    assert done.returncode in (0, 141)  # 0 if everything fitted into the pipe before it was closed
    assert report.exists()


def test_cells_are_listed_by_name(run, people):
    outcome = run("assess", people, *ROLES, "--cells", "2")
    assert "Cells with the most people disclosed of their job" in outcome.out
    document = json.loads(run("assess", people, *ROLES, "--cells", "2", "--json").out)
    jsonschema.validate(document, json.loads(schema_text()))
    assert len(document["attributes"][0]["riskiest"]) == 2


def test_people_disclosed_in_a_cell_are_rounded_up_to_two_digits(run, tmp_path):
    """Two people with one value and Laplace noise: theirs stays above one half, and the other one below."""
    (tmp_path / "two.csv").write_text("sex,job\nf,cook\nf,cook\nm,judge\nm,judge\n")
    disclosed = 2 * (1 - math.exp(-0.6 * 1.5) / 2) * (1 - math.exp(-0.6 / 2) / 2)
    assert round(disclosed, 1) < disclosed
    shown = run("assess", tmp_path / "two.csv", "-q", "sex", "-s", "job", "-e", "0.6", "--cells", "2").out
    (row,) = [line.split() for line in shown.splitlines() if " 2 cook " in line]
    assert row[-1] == f"{math.ceil(disclosed * 10) / 10:g}"
