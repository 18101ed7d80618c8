"""The papers' numbers on the command line."""

import json

import pytest


def test_text_and_figures(run, tmp_path):
    outcome = run("reproduce", "homogeneity", "--out", tmp_path, "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("In 63 of 99 comparisons the printed number comes out")
    assert "Liu, Zhao and Zhang" in outcome.out
    words = " ".join(outcome.out.split())
    assert "from the profiles in the package." in words
    assert any("Adult cells: number" in line and "5,009" in line and " no " in line for line in lines)
    assert any(line.startswith("E4 (critical): 000 and 001, Section 4, Adult") for line in lines)
    assert "Figure 5 of 001" in outcome.out
    assert "18 errata" in words
    assert max(map(len, lines)) <= 100
    names = {path.name for path in tmp_path.iterdir()}
    figures = {f"000-figure-{n}" for n in (3, 4, 5, 6)} | {"001-figure-3", "001-figure-4"}
    assert names == {f"{figure}.{kind}" for figure in figures for kind in ("csv", "svg")}


def test_sampling_has_ten_files_and_no_simulations(run, tmp_path):
    outcome = run("reproduce", "sampling", "--out", tmp_path, "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    words = " ".join(outcome.out.split())
    assert "There are 7 errata, none of them critical." in words
    assert "the thesis of Gonze" in words
    assert any(line.startswith("Q2 (wrong): 002, Table 4.1") for line in lines)
    assert "simulated" not in words
    assert max(map(len, lines)) <= 100
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"002-figure-4-{n}.{kind}" for n in range(1, 6) for kind in ("csv", "svg")}


def test_json_is_the_typed_result(run):
    document = json.loads(run("reproduce", "homogeneity", "--json", "--quiet").out)
    assert document["kind"] == "reproduction"
    assert document["papers"] == ["000", "001"]
    assert {finding["id"] for finding in document["findings"]} == {f"E{n}" for n in range(1, 19)}
    sampling = json.loads(run("reproduce", "sampling", "--json", "--quiet").out)
    assert {finding["id"] for finding in sampling["findings"]} == {f"Q{n}" for n in range(1, 8)}


def test_figures_that_exist_are_kept(run, tmp_path):
    kept = tmp_path / "000-figure-3.svg"
    kept.write_text("mine")
    outcome = run("reproduce", "homogeneity", "--out", tmp_path, "--quiet")
    assert outcome.code == 2
    assert outcome.err == f"Error: {kept} exists and is kept. Choose another name, or pass --overwrite.\n"
    assert kept.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["birthday"], "Error: subject must be one of homogeneity, sampling"),
        (["sampling", "--out", "nowhere"], "There is no folder nowhere. Make it, or choose one"),
        (["homogeneity", "--data", "nowhere"], "Error: There is no file nowhere/adult.csv. Check the name"),
        (["homogeneity", "--out", "nowhere"], "There is no folder nowhere. Make it, or choose one"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(run, arguments, message):
    outcome = run("reproduce", *arguments, "--quiet")
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
