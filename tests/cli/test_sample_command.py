"""``epsilometer sample``: from numbers, from targets, from a table; as words, as JSON, as a chart."""

import json
import math
import re

import jsonschema
import pytest

from epsilometer.report.documents import schema_text

MILLION = ("--population", "1000000")
FEW = ("--population", "100", "--sample", "10")
ROLES = ("-q", "age", "-q", "sex", "-s", "job")


def flat(text):
    return " ".join(text.split())


def document(outcome):
    found = json.loads(outcome.out)
    jsonschema.validate(found, json.loads(schema_text()))
    return found


def test_a_size_in_words(run):
    """For 500 of a million, Paper 002's closed forms give 0.75050 inside, 0.74950 outside; the loss is 0.01399.

    Without a release it is (n + 2) / (4 (n + 1)), a little above a quarter, and rounded down.
    """
    outcome = run("sample", *MILLION, "--sample", "500", "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    words = flat(outcome.out)
    assert words.startswith(
        "You publish how 500 of 1,000,000 people, drawn at random, divide over two values. Of 1,000 people of whom it "
        "is not known whether they are in the sample, an attacker names the value of about 750 right. Of 1,000 people "
        "known to be in the sample it is about 751, of 1,000 known to be outside about 750: being drawn adds fewer "
        "than 1. An analyst's estimate of the shares is off by 1.4 percentage points on average, against 25.0 "
        "percentage points without the release. Without the release it is 500 of 1,000. The attacker has no other facts"
    )
    assert "known to be in the sample 50.0 % 75.1 % 100.0 % 25.1 % 1.501 exact" in words
    assert re.search(r"^\s+500\s+75\.1 %\s+75\.0 %\s+75\.0 %\s+█{12}\s+1\.4 %\s+█ *$", outcome.out, re.MULTILINE)
    sizes = re.findall(r"^ *([\d,]+) +\d+\.\d % ", outcome.out, re.MULTILINE)
    assert (len(sizes), sizes[0], sizes[-1]) == (20, "1", "10,000")  # 19 and the one asked for
    assert "What the numbers take for granted" in outcome.out
    assert "What to keep in mind" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 100


def test_a_size_as_json(run):
    found = document(run("sample", "-n", "2", "-m", "1", "--json"))
    assert found["kind"] == "sample-assessment"
    fractions = {risk["adversary"]: risk["fraction"] for risk in found["at_size"]["risks"]}
    assert fractions == {"in": "1", "out": "2/3", "unknown": "5/6"}
    assert found["at_size"]["loss"]["fraction"] == "1/6"
    assert found["answer"].startswith("You publish how 1 of 2 people")


def test_everybody_in_the_sample(run):
    """Of four people the larger count is 4, 3, 2, 3 or 4, equally likely: 3.2 on average."""
    words = flat(run("sample", "-n", "4", "-m", "4", "--quiet").out)
    assert "Everybody is in the sample: of 4 people, an attacker names the value of about 4 right." in words
    assert "Without the release it is 2 of 4." in words
    assert "known to be outside" not in words


@pytest.mark.parametrize(("prior", "word", "alpha"), [("datasets", "datasets", None), ("0.5", "Dirichlet", 0.5)])
def test_values_and_priors(run, prior, word, alpha):
    found = document(run("sample", *FEW, "--values", "5", "--prior", prior, "--json"))
    assert (found["release"]["n_values"], found["release"]["prior"], found["release"]["alpha"]) == (5, word, alpha)
    assert found["at_size"]["risks"][0]["no_release"] == 0.2


def test_noise(run):
    """One count moves by one; ln(1 + 0.1 (e^0.5 - 1)) = 0.062855."""
    noise = ("--epsilon", "0.5", "--mechanism", "geometric")
    words = flat(run("sample", *FEW, *noise, "--quiet").out)
    assert "divide over two values, with geometric noise at ε = 0.5." in words
    assert (
        "the noise alone guarantees ε = 0.5 to those in the sample; drawing the sample first makes it ε = 0.06286"
        in words
    )
    found = document(run("sample", *FEW, *noise, "--json"))
    assert found["release"]["mechanism"]["name"] == "geometric"
    assert found["release"]["guarantee"]["epsilon"] == pytest.approx(math.log(1 + 0.1 * math.expm1(0.5)), rel=1e-12)
    gaussian = ("--epsilon", "0.5", "--mechanism", "gaussian", "--delta", "1e-5", "--calibration", "classic")
    assert "(δ = 1e-06) for everybody." in flat(run("sample", *FEW, *gaussian, "--quiet").out)


def test_targets_in_words_and_as_json(run):
    targets = (*MILLION, "--max-risk", "0.749", "--max-loss", "0.05")
    outcome = run("sample", *targets, "--quiet")
    assert outcome.code == 0
    words = flat(outcome.out)
    assert words.startswith(
        "Publish the histogram of 38 of the 1,000,000 people, drawn at random. With 38 to 248 people an attacker who"
    )
    assert "the shares of this table" not in words
    assert "What the ends of that stretch mean" in words
    assert re.search(r"^ +248 +75\.2 % +74\.9 % +74\.9 % +2\.0 %$", outcome.out, re.MULTILINE)
    assert "Other sizes" in words
    found = document(run("sample", *targets, "--json"))
    assert (found["kind"], found["smallest"], found["largest"], found["recommended"]) == ("sample-choice", 38, 248, 38)


def test_being_drawn_can_be_limited(run):
    """At even m the risk inside is 3/4 + 1/(4(m + 1)) and the gap 1/(2(m + 1)): 24 for the one, 50 for the other."""
    found = document(run("sample", *MILLION, "--adversary", "in", "--max-risk", "0.76", "--max-gap", "0.01", "--json"))
    assert (found["smallest"], found["binding"]) == (50, "max_gap below, nothing above")
    assert document(run("sample", *MILLION, "--adversary", "in", "--max-risk", "0.76", "--json"))["smallest"] == 24


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_targets_that_no_size_meets_have_their_own_exit_code(run, tmp_path, as_json):
    chart = tmp_path / "sizes.svg"
    outcome = run("sample", *MILLION, "--max-risk", "0.6", "--max-loss", "0.05", "--chart", chart, "--quiet", *as_json)
    assert (outcome.code, outcome.err) == (3, "")
    words = document(outcome)["answer"] if as_json else flat(outcome.out)
    assert words.startswith("No sample of 1,000,000 people is such that an attacker who does not know whether")
    assert words.endswith(
        "at best the risk is 66.7 %, against 50.0 % without a release; accuracy needs at least 38 people."
    )
    assert not chart.exists()


def test_a_table_in_words_and_as_json(run, people):
    """34 of 40 are cooks, in every sample of 20 the most; 7 of 10 in two cells, all in two.

    Of five of these ten, three are cooks or more unless all three nurses are drawn, of which the chance is 1/12:
    0.7 + 1/12 * 1/5 = 0.71667 inside; with the cells of cooks 0.85833, which is 34.3 of 40. Before it is 34.
    """
    outcome = run("sample", people, *ROLES, "--sample", "20", "--quiet")
    assert outcome.code == 0
    words = flat(outcome.out)
    assert words.startswith(
        "You publish how a random sample of 20 of the 40 people divides over job. To whoever knows the shares of job "
        "in this table it tells nothing more about a person in the sample. If you also publish it for each cell of age "
        "and sex, whoever knows the shares in each names the value of about 35 of 40 people in the sample right. "
        "Without a release, whoever knows the shares of job names the value of 34 of 40 people right, and whoever "
        "knows those in each cell that of 34. The attacker is taken to know how many people have each value, and of "
        "nobody who they are. One who only has the model's prior names about 30 of 40 right, "
        "against 20 without a release: this table's shares tell more than that attacker expects to learn. The risk is "
        "exact, and rounded up. job: the table's own shares, and the prior on frequencies"
    )
    assert re.search(r"^everybody +40 +20 +85\.0 % +no more +no more ", outcome.out, re.MULTILINE)
    assert re.search(r"^20 +f +10 +5 +100\.0 % ", outcome.out, re.MULTILINE)
    assert re.search(r"^40 +f +10 +5 +70\.0 % +71\.7 % +71\.7 % ", outcome.out, re.MULTILINE)
    assert "Confidential" in words
    assert "Other sizes" in words
    found = document(run("sample", people, *ROLES, "--sample", "20", "--json"))
    assert (found["kind"], found["confidential"], found["sensitive"]) == ("table-sample", True, "job")
    assert [cell["people"] for cell in found["cells"]] == [10, 10, 10, 10]
    assert words.startswith(flat(found["answer"]))


def test_a_risk_that_equals_the_guess_is_not_made_larger_by_rounding(run, tmp_path):
    """Of two cooks and a nurse two are drawn: 2/3 before and inside; who is left over is known."""
    table = tmp_path / "three.csv"
    table.write_text("town,job\nBern,cook\nBern,cook\nBern,nurse\n", encoding="utf-8")
    shown = run("sample", table, "-q", "town", "-s", "job", "--sample", "2", "--quiet").out
    assert "it tells nothing more about a person in the sample" in flat(shown)
    assert re.search(r"^everybody +3 +2 +66\.6 % +no more +100\.0 % ", shown, re.MULTILINE)


def test_the_model_says_where_a_sample_tells_nothing(run):
    """Independent people: those in the sample tell nothing of one outside, whose value is guessed as before, 1/3."""
    asked = ("sample", "--population", "1000", "--sample", "100", "--values", "3", "--prior", "datasets", "--quiet")
    shown = run(*asked).out
    assert "of 1,000 known to be outside no more than without the release: being drawn adds about 50." in flat(shown)
    assert re.search(r"^known to be outside +33\.3 % +no more +100\.0 % +0\.0 % +1\.000 ", shown, re.MULTILINE)


def test_a_table_with_noise_is_assessed_with_noise_first(run, people):
    """Half of the people are drawn: ln(1 + (e^0.5 - 1) / 2) = 0.28093."""
    noise = (people, *ROLES, "--sample", "20", "--epsilon", "0.5")
    words = flat(run("sample", *noise, "--quiet").out)
    assert words.startswith(
        "You publish how 20 of 40 people, drawn at random, divide over two values, with Laplace noise at ε = 0.5."
    )
    parts = ("drawing the sample first makes it ε = 0.281 for everybody.", "You publish how a random", "Other sizes")
    places = [words.index(part) for part in parts]
    assert places == sorted(places)
    found = document(run("sample", *noise, "--json"))
    assert (found["kind"], found["release"]["mechanism"]["name"]) == ("sample-assessment", "laplace")
    assert words.startswith(flat(found["answer"]))


def test_a_table_with_targets(run, people):
    """The loss of 6 of 40 is 0.1073, of 7 it is 0.0996, by listing; no size has less risk than 0.675."""
    targets = ("--max-loss", "0.1", "--max-risk", "0.9")
    outcome = run("sample", people, *ROLES, *targets, "--quiet")
    assert outcome.code == 0
    found = document(run("sample", people, *ROLES, *targets, "--json"))
    assert found["kind"] == "sample-choice"
    assert found["release"]["population"] == 40
    assert found["recommended"] == 7
    words = flat(outcome.out)
    assert words.startswith("Publish the histogram of 7 of the 40 people, drawn at random. With 7 to 40 people")
    model_only = "That is for an attacker and an analyst who do not know the shares of this table."
    places = [
        words.index(part)
        for part in (
            f"{model_only} What its own shares give away stands below, and can be more. What the ends",
            "You publish how a random sample of 7 of the 40 people divides over job.",
            "Other sizes",
        )
    ]
    assert places == sorted(places)
    infeasible = run("sample", people, *ROLES, "--max-risk", "0.5", "--quiet")
    assert infeasible.code == 3
    assert flat(infeasible.out).endswith(f"at best the risk is 67.5 %, against 50.0 % without a release. {model_only}")


def test_a_table_can_be_filtered_and_binned(run, people):
    flags = ("-q", "age", "-s", "job", "--where", "age < 45", "--bin", "age=20", "--sample", "5", "--json")
    found = document(run("sample", people, *flags))
    assert sum(cell["people"] for cell in found["cells"]) == found["everybody"]["people"] == 30
    assert len(found["cells"]) == found["n_cells"] == 2


def test_more_cells_than_are_shown_are_counted(run, people):
    words = flat(run("sample", people, "-q", "weight", "-s", "job", "--sample", "20", "--quiet").out)
    assert "The 10 largest of 40 cells are shown." in words


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("json", b"{")])
def test_charts_are_written_and_kept(run, tmp_path, suffix, start):
    chart = tmp_path / f"sizes.{suffix}"
    assert run("sample", *FEW, "--chart", chart, "--quiet").code == 0
    assert chart.read_bytes().startswith(start)
    chart.write_text("mine")
    again = run("sample", *FEW, "--chart", chart, "--quiet")
    assert (again.code, again.out) == (2, "")
    assert again.err == f"Error: {chart} exists and is kept. Choose another name, or pass --overwrite.\n"
    assert chart.read_text() == "mine"
    assert run("sample", *FEW, "--chart", chart, "--overwrite", "--quiet").code == 0
    assert chart.read_bytes().startswith(start)


SIZE_OR_TARGETS = r"Give --sample, or targets that find it \(--max-risk, --max-loss, --max-gap\)"
NOISE = "Noise needs --epsilon. Give it, or leave --mechanism, --delta and --calibration out.$"
BAD = {
    "neither people nor table": (
        ("--sample", "10"),
        "Give a table to count or --population, the number of people; neither was given.$",
    ),
    "neither size nor target": (MILLION, rf"{SIZE_OR_TARGETS}; nothing was given.$"),
    "size and target": ((*FEW, "--max-risk", "0.7"), rf"{SIZE_OR_TARGETS}; both were given.$"),
    "noise and target": (
        (*MILLION, "--max-risk", "0.7", "--epsilon", "1"),
        "Sizes cannot be searched with noise. Give --sample with --epsilon, or leave --epsilon out.$",
    ),
    "adversary and size": (
        (*FEW, "--adversary", "in"),
        "--adversary is about --max-risk; with --sample all three are shown. Leave it out.$",
    ),
    "more than everybody": (("-n", "100", "-m", "101"), r"sample must be in the whole numbers \[1, 100\], got 101"),
    "nobody": (("-n", "100", "-m", "0"), r"sample must be in the whole numbers \[1, 100\], got 0"),
    "no people": (("-n", "0", "-m", "1"), "population must be in the whole numbers .* got 0"),
    "one value": ((*FEW, "--values", "1"), "n_values must be in the whole numbers .* got 1"),
    "strength zero": ((*FEW, "--prior", "0"), "prior must be in .* got 0.0"),
    "strength not a number": ((*FEW, "--prior", "nan"), "prior must be in .* got nan"),
    "unknown prior": ((*FEW, "--prior", "uniform"), "prior must be one of frequencies, datasets; got 'uniform'"),
    "unknown adversary": (
        (*MILLION, "--max-risk", "0.7", "--adversary", "inside"),
        "adversary must be one of in, out, unknown; got 'inside'",
    ),
    "nobody is outside": (
        ("-n", "1", "--max-risk", "0.7", "--adversary", "out"),
        r"sample must be in \[1, 0\] for adversary 'out', got 1",
    ),
    "target above one": ((*MILLION, "--max-risk", "1.5"), r"max_risk must be in \[0, 1\], got 1.5"),
    "target not a number": ((*MILLION, "--max-loss", "nan"), r"max_loss must be in \[0, 1\], got nan"),
    "gap below zero": ((*MILLION, "--max-gap", "-1"), r"max_gap must be in \[0, 1\], got -1.0"),
    "epsilon not a number": ((*FEW, "--epsilon", "nan"), r"epsilon must be in \(0, inf\), got nan"),
    "unknown mechanism": ((*FEW, "-e", "1", "--mechanism", "lapalce"), "mechanism must be one of laplace, .*'lapalce'"),
    "mechanism without epsilon": ((*FEW, "--mechanism", "gaussian"), NOISE),
    "delta without epsilon": ((*FEW, "--delta", "1e-5"), NOISE),
    "calibration without epsilon": ((*FEW, "--calibration", "classic"), NOISE),
    "delta lacking": ((*FEW, "-e", "1", "--mechanism", "gaussian"), "gaussian noise needs one"),
}  # fmt: skip


@pytest.mark.parametrize(("flags", "message"), BAD.values(), ids=BAD.keys())
def test_bad_flags_are_one_line_and_nothing_is_written(run, tmp_path, flags, message):
    outcome = run("sample", *flags, "--chart", tmp_path / "sizes.svg", "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert re.search(f"^Error: .*{message}", outcome.err), outcome.err
    assert list(tmp_path.iterdir()) == []


TABLES = {
    "table and people": (
        (*ROLES, "--sample", "3", "--population", "9"),
        "^Error: Give a table to count or --population, the number of people; both were given.$",
    ),
    "table and values": (
        (*ROLES, "--sample", "3", "--values", "3"),
        "^Error: --values plays no part with a table, which has its own values. Leave it out.$",
    ),
    "table and adversary": ((*ROLES, "--sample", "3", "--adversary", "out"), "^Error: --adversary is about --max-risk"),
    "no sensitive column": (("-q", "age", "--sample", "3"), "read for one sensitive column, got 0. Name one with -s"),
    "two sensitive columns": (
        ("-q", "age", "-s", "job", "-s", "sex", "--sample", "3"),
        "read for one sensitive column, got 2. Name one with -s",
    ),
    "no cells": (("-s", "job", "--sample", "3"), "There is no quasi-identifier"),
    "unknown column": (("-q", "agee", "-s", "job", "--sample", "3"), "no column 'agee'; .* Did you mean 'age'"),
    "more than everybody": ((*ROLES, "--sample", "41"), r"sample must be in the whole numbers \[1, 40\], got 41"),
}  # fmt: skip


@pytest.mark.parametrize(("flags", "message"), TABLES.values(), ids=TABLES.keys())
def test_bad_tables_are_one_line(run, people, flags, message):
    outcome = run("sample", people, *flags, "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert re.search(message, outcome.err), outcome.err


@pytest.mark.parametrize(
    ("chart", "message"),
    [
        ("sizes.pdf", r"sizes.pdf is no kind of picture I draw. Name it \*.svg, \*.png, \*.json.$"),
        ("sizes", r"sizes is no kind of picture I draw"),
        ("none/sizes.svg", "there is no folder .*none. Choose a folder that exists.$"),
    ],
)
def test_charts_that_cannot_be_written_are_refused_before_any_work(run, tmp_path, chart, message):
    outcome = run("sample", *FEW, "--chart", tmp_path / chart, "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert re.search(message, outcome.err.strip()), outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["-q", "-s", "--bin", "--where", "--missing", "--person-id"])
def test_options_that_would_play_no_part_without_a_table_are_refused(run, option):
    outcome = run("sample", *FEW, option, "age=9", "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"Error: {option} plays no part without a table. Leave it out.\n"
