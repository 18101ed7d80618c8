"""``--report``, ``--public`` and ``--language``: which part is written, in which form and language."""

import json

import pytest

ROLES = ("-q", "age", "-q", "sex", "-s", "job")


def test_markdown_and_its_charts(run, people, tmp_path):
    assert run("assess", people, *ROLES, "--report", tmp_path / "r.md", "--quiet").code == 0
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert text.startswith("**Confidential: computed from the table itself.")
    charts = sorted(path.name for path in (tmp_path / "r-charts").iterdir())
    assert charts == [
        "01-risk.svg",
        "02-risk_and_loss.svg",
        "03-cell_sizes.svg",
        "04-thresholds.svg",
        "05-risk_spread.svg",
        "06-risk_by_threshold.svg",
    ]
    assert all(f"(r-charts/{name})" in text for name in charts)


def test_json_in_german(run, people, tmp_path):
    file = tmp_path / "r.json"
    outcome = run("assess", people, *ROLES, "-e", "0.5", "-e", "2", "--report", file, "--language", "de", "--quiet")
    assert outcome.code == 0
    document = json.loads(file.read_text(encoding="utf-8"))
    assert (document["schema"], document["language"]) == ("epsilometer/report/1", "de")
    assert document["audience"].startswith("Vertraulich")


@pytest.mark.parametrize("command", ["assess", "demo"])
def test_only_the_public_part_is_written(run, people, tmp_path, command):
    file = tmp_path / "r.html"
    about = (people, *ROLES) if command == "assess" else ()
    outcome = run(command, *about, "--report", file, "--public", "--quiet")
    assert outcome.code == 0
    ends = " ".join(outcome.out.split())  # the answer on the screen is still about the table, the report is not
    assert f"The report {file} is public: nothing in it was computed from the table. What is printed here is" in ends
    assert ends.endswith(
        "confidential: it was computed from the table itself. Share it only with people who may see the table."
    )
    assert "Confidential" not in ends
    html = file.read_text(encoding="utf-8")
    assert "Public: nothing in it was computed from the table." in html
    assert "Confidential" not in html
    assert people.name not in html


@pytest.mark.parametrize("report", [(), ("--report", "r.html")], ids=["screen", "report"])
def test_without_public_everything_is_confidential(run, people, tmp_path, monkeypatch, report):
    monkeypatch.chdir(tmp_path)
    ends = " ".join(run("assess", people, *ROLES, *report, "--quiet").out.split())
    assert ends.endswith(
        "Confidential: computed from the table itself. Share it only with people who may see the table."
    )
    assert "public" not in ends


def test_public_needs_a_report(run, people):
    outcome = run("assess", people, *ROLES, "--public")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Error: --public is about what --report writes. Name a file with --report, or leave it out." in outcome.err


@pytest.mark.parametrize("command", [("assess", "none.csv", *ROLES), ("sample", "-n", "10", "-m", "2")])
def test_an_unknown_language_is_refused_before_any_work(run, tmp_path, command):
    outcome = run(*command, "--report", tmp_path / "r.html", "--language", "fr")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Error: language must be one of en, de; got 'fr'" in outcome.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "about", [("-n", "1000", "-m", "50"), ("-n", "1000", "--max-risk", "0.9", "--max-loss", "0.2")]
)
def test_a_sample_has_a_report(run, tmp_path, about):
    outcome = run("sample", *about, "--report", tmp_path / "r.md", "--quiet")
    assert outcome.code == 0
    assert outcome.err == f"Report written to {tmp_path / 'r.md'}.\n"
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("**")


def test_a_sample_of_a_table_has_a_confidential_report(run, people, tmp_path):
    assert run("sample", people, *ROLES, "-m", "10", "--report", tmp_path / "r.md", "--quiet").code == 0
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("**Confidential: ")


def test_sizes_that_do_not_exist_are_reported_too(run, tmp_path):
    about = ("-n", "1000", "--max-risk", "0.5", "--max-loss", "0.0001")
    assert run("sample", *about, "--report", tmp_path / "r.md", "--quiet").code == 3
    assert (tmp_path / "r.md").exists()
