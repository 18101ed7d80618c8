"""``epsilometer audit`` and ``epsilometer choose --release synthetic``: what they print, draw and refuse."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

from epsilometer.neighbors import matching
from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
CHOICE = ("--release", "synthetic", "--method", "contingency", "-q", "sex", "-s", "ill", "--quiet")
EPSILONS = ("-e", "0.1", "-e", "0.5", "-e", "2")


@pytest.fixture
def tables(tmp_path):
    rng = np.random.default_rng(4)
    sex = rng.integers(0, 2, 600)
    people = pd.DataFrame(
        {
            "weight": rng.normal(70, 10, 600),
            "sex": np.array(["f", "m"])[sex],
            "ill": np.where(rng.random(600) < 0.2 + 0.4 * sex, "yes", "no"),
        }
    )
    parts = {"training": people[:200], "holdout": people[200:400], "made": people[400:], "copies": people[100:300]}
    for name, rows in parts.items():
        rows.to_csv(tmp_path / f"{name}.csv", index=False)
    return {name: tmp_path / f"{name}.csv" for name in parts}


def test_the_answer_comes_first_and_everything_is_there(run, tables):
    outcome = run(
        "audit", tables["training"], tables["made"], "--holdout", tables["holdout"], "-q", "sex", "-s", "ill", "--quiet"
    )  # fmt: skip
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("0.0 % of the synthetic records are equal to an original one. Against held-out")
    for part in ("hitting rate", "coverage", "Voronoi", "p-privacy", "Leak test: ", "held-out people", "look-up",
                 "shares of 2 columns", "pMSE", "svm", "Confidential"):  # fmt: skip
        assert part in outcome.out, part


def test_json_chart_and_exit_code(run, tables, tmp_path):
    chart = tmp_path / "near.svg"
    asked = ("audit", tables["training"], tables["copies"], "--holdout", tables["holdout"], "--quiet")
    outcome = run(*asked, "--json", "--chart", chart, "--fail-on-leak")
    found = json.loads(outcome.out)
    SCHEMA.validate(found)
    assert (outcome.code, found["leak_found"]) == (0, False)  # half of the copies are of people held out
    assert "<svg" in chart.read_text(encoding="utf-8")
    leaking = run("audit", tables["training"], tables["training"], "--holdout", tables["holdout"], "--quiet",
                  "--fail-on-leak", "--model-attacker", "-q", "sex", "-s", "ill")  # fmt: skip
    assert leaking.code == 1
    assert "logistic model" in leaking.out


@pytest.mark.parametrize(("every", "said"), [(True, "all"), (False, "only one")])
def test_coverage_says_whether_every_cheapest_pairing_was_looked_at(run, tables, monkeypatch, every, said):
    monkeypatch.setattr(matching, "TIES_AT_MOST", 10**6 if every else 0)
    asked = ("audit", tables["training"], tables["made"], "-c", "sex", "--quiet")
    found = json.loads(run(*asked, "--json").out)
    SCHEMA.validate(found)
    assert found["proximity"]["coverage"]["every_pairing"] is every
    shown = next(line for line in run(*asked).out.splitlines() if "that coverage is the largest of" in line)
    assert shown.split("  ")[-1].strip() == said


def test_without_a_holdout(run, tables):
    outcome = run("audit", tables["training"], tables["made"], "--quiet")
    assert outcome.code == 0
    assert "No holdout was given" in outcome.out
    assert "Leak test" not in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--chart", "near.svg"), "Give --holdout"),
        (("--chart", "near.xyz"), "no kind of picture"),
        (("-s", "ill", "-s", "sex", "-q", "weight"), "one sensitive column, got 2"),
        (("--metric", "cosine"), "cosine"),
        (("--fail-on-leak",), "Give --holdout with --fail-on-leak"),
        (("-q", "sex"), "takes both"),
    ],
)
def test_what_audit_refuses(run, tables, arguments, message):
    outcome = run("audit", tables["training"], tables["made"], "--quiet", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_choose_for_a_synthetic_table(run, tables, tmp_path):
    chart = tmp_path / "curves.png"
    domains = ("--domain", "sex=f,m", "--domain", "ill=no,yes")
    outcome = run("choose", tables["training"], *CHOICE, *EPSILONS, *domains, "--max-loss", "0.4", "--chart", chart)
    assert (outcome.code, outcome.err) == (0, "")
    assert "is recommended" in " ".join(outcome.out.split())
    assert "How far the measurements support it" in outcome.out
    assert chart.read_bytes().startswith(b"\x89PNG")
    impossible = run("choose", tables["training"], *CHOICE, *EPSILONS, *domains, "--max-risk", "0.2", "--json")
    assert impossible.code == 3
    SCHEMA.validate(json.loads(impossible.out))
    shown = run("choose", tables["training"], *CHOICE, *EPSILONS, *domains, "--max-risk", "0.2")
    assert "No ε from 0.1 to 2 will do" in shown.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--release", "raw"), "release must be one of counts, sample, synthetic"),
        (("--release", "synthetic", "--person-id", "sex"), "--person-id plays no part"),
        (("--release", "synthetic", "-s", "sex"), "one sensitive column, got 2"),
        (("--release", "synthetic"), "There is no target"),
        (("--domain", "sex=f,m"), "--domain plays no part for a release of counts"),
        (("--max-risk", "0.1"), "give both targets"),
    ],
)
def test_what_choose_refuses(run, tables, arguments, message):
    outcome = run("choose", tables["training"], "-q", "weight", "-s", "ill", "--quiet", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_a_share_of_the_rows_is_held_out(run, tables, tmp_path):
    out = tmp_path / "new.csv"
    asked = ("synthesize", tables["training"], "--method", "contingency", "-c", "sex", "--domain", "sex=f,m", "-o", out)
    outcome = run(*asked, "--hold-out", "0.25", "--quiet")
    assert outcome.code == 0
    assert "new.training.csv and new.holdout.csv" in outcome.out
    assert [len(pd.read_csv(tmp_path / f"new.{part}.csv")) for part in ("training", "holdout")] == [150, 50]
    assert run(*asked, "--hold-out", "1.5", "--overwrite").code == 2


def test_one_row_cannot_be_split(run, tmp_path):
    lone = tmp_path / "lone.csv"
    lone.write_text("x\na\n", encoding="utf-8")
    outcome = run(
        "synthesize", lone, "-o", tmp_path / "m.csv", "--hold-out", "0.5", "--method", "contingency", "--quiet"
    )
    assert (outcome.code, "rows" in outcome.err) == (2, False)  # how many there are would tell
    assert sorted(path.name for path in tmp_path.glob("m*")) == []
