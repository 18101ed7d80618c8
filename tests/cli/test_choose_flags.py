"""``epsilometer choose`` for samples and thresholds, and ``choose-without-looking``."""

import json

import jsonschema
import pytest

import epsilometer as em
from epsilometer.formulas.homogeneity import NegativeBinomial, Poisson
from epsilometer.plans.files import read_plan
from epsilometer.report.documents import schema_text

ROLES = ("-q", "age", "-q", "sex", "-s", "job", "--quiet")
SAMPLE = ("--release", "sample", "--max-risk", "0.9", "--max-loss", "0.2")
THRESHOLD = ("--parameter", "threshold", "--max-risk", "0.9", "--max-loss", "0.5")
DECLARED = ("choose-without-looking", "--max-risk", "0.2", "--max-loss", "0.1", "--quiet")


def answer(outcome):
    assert outcome.err == ""
    document = json.loads(outcome.out)
    jsonschema.validate(document, json.loads(schema_text()))
    return document


def test_a_size_is_chosen_and_written_into_a_plan(run, people, tmp_path):
    words = run("choose", people, *ROLES, *SAMPLE, "--write-plan", tmp_path / "chosen.yaml")
    assert words.code == 0
    size = read_plan(tmp_path / "chosen.yaml").release.size
    assert words.out.startswith(f"Publish a random sample of {size} of the 40 rows.")
    assert f"At {size} rows" in words.out
    assert "own record: chance that it is in the sample, as it is" in words.out
    assert "Risk for job and loss against rows" in words.out
    assert words.out.rstrip().endswith("Share it only with people who may see the table.")
    assert answer(run("choose", people, *ROLES, *SAMPLE, "--json"))["recommended"] == size


def test_what_a_guess_gets_right_is_rounded_down(run, tmp_path):
    rows = [f"{i % 5},{'yes' if i % 3 else 'no'}" for i in range(60)]
    (tmp_path / "answers.csv").write_text("\n".join(["ward,answer", *rows]), encoding="utf-8")
    words = run("choose", tmp_path / "answers.csv", "-q", "ward", "-s", "answer", "--quiet", *SAMPLE).out
    line = next(line for line in words.splitlines() if line.startswith("people whose value is named right without"))
    assert line.endswith("66.6 %")  # of two thirds


def test_the_interval_of_a_simulated_risk_is_shown(run, people):
    outcome = run("choose", people, "-q", "sex", "-s", "age", "--quiet", *SAMPLE)
    assert "interval of the risk" in outcome.out
    assert "interval of the risk" not in run("choose", people, *ROLES, *SAMPLE).out


@pytest.mark.parametrize("release", ["{kind: sample}", "{kind: sample, size: 7}"], ids=["no size", "a size"])
def test_a_plan_file_for_a_sample_asks_for_its_size(run, people, release):
    asked = people.with_name("asked.yaml")
    roles = "table: people.csv\nquasi_identifiers: [age, sex]\nsensitive: [job]\n"
    asked.write_text(f"{roles}release: {release}\ntargets: {{max_risk: 0.9, max_loss: 0.2}}\n", encoding="utf-8")
    by_plan = answer(run("choose", "--plan", asked, "--json", "--quiet"))
    assert by_plan == answer(run("choose", people, *ROLES, *SAMPLE, "--json"))


def test_an_impossible_sample_has_the_exit_code_the_certificate_and_the_changes(run, people, tmp_path):
    impossible = ("--release", "sample", "--max-risk", "0.5", "--max-loss", "0.01")
    outcome = run("choose", people, *ROLES, *impossible, "--write-plan", tmp_path / "none.yaml")
    assert outcome.code == 3
    words = " ".join(outcome.out.split())
    assert words.startswith("No sample size lets an attacker name the value of at most 0.5 of the people")
    assert "None has a risk of 0.5: the smallest is " in words
    assert "Changes that would make it possible, each by itself, cheapest first" in words
    assert "accept a risk of " in words
    assert not (tmp_path / "none.yaml").exists()


def test_a_threshold_is_chosen_at_one_epsilon_and_written_into_a_plan(run, people, tmp_path):
    outcome = run("choose", people, *ROLES, *THRESHOLD, "-e", "2", "--json", "--write-plan", tmp_path / "chosen.yaml")
    document = json.loads(outcome.out)
    assert (document["parameter"], document["mechanism"]["epsilon"]) == ("threshold", 2.0)
    mechanism = read_plan(tmp_path / "chosen.yaml").release.mechanism
    assert (mechanism.threshold, mechanism.epsilon) == (document["recommended"], 2.0)
    by_plan = run("choose", "--plan", tmp_path / "chosen.yaml", *THRESHOLD, "--json", "--quiet")
    assert answer(by_plan)["mechanism"] == document["mechanism"]


def test_epsilon_may_be_asked_for_by_name(run, people):
    targets = ("--max-risk", "0.9", "--max-loss", "0.3", "--json")
    assert run("choose", people, *ROLES, *targets, "--parameter", "epsilon") == run("choose", people, *ROLES, *targets)


WRONG = {
    "a threshold without epsilon": (THRESHOLD, "A threshold is chosen at one epsilon. Give it with --epsilon."),
    "a threshold at two epsilons": (
        (*THRESHOLD, "-e", "1", "-e", "2"),
        "epsilon must be in the single numbers, got (1.0, 2.0). A threshold is chosen at one epsilon.",
    ),
    "another parameter": (
        ("--parameter", "delta", "--max-risk", "0.1", "--max-loss", "0.1"),
        "parameter must be one of epsilon, threshold; got 'delta'.",
    ),
    "another parameter of a sample": (
        (*SAMPLE, "--parameter", "epsilon"),
        "parameter must be one of size; got 'epsilon'. A sample has no other.",
    ),
    "an epsilon to be chosen": (("-e", "1"), "--epsilon plays no part for a release of counts. Leave it out."),
    "a seed for counts": (("--seed", "0"), "--seed plays no part for a release of counts. Leave it out."),
    "an epsilon for a sample": ((*SAMPLE, "-e", "1"), "--epsilon plays no part for a release of sample. Leave it out."),
    "noise for a sample": (
        (*SAMPLE, "--mechanism", "laplace"),
        "--mechanism plays no part for a release of sample. Leave it out.",
    ),
    "a parameter of a synthetic table": (
        ("--release", "synthetic", "--parameter", "epsilon"),
        "--parameter plays no part for a release of synthetic. Leave it out.",
    ),
    "no targets of a sample": (
        ("--release", "sample"),
        "For sample give both targets, --max-risk and --max-loss.",
    ),
    "another release": (("--release", "local"), "release must be one of counts, sample, synthetic; got 'local'."),
}


@pytest.mark.parametrize(("flags", "message"), WRONG.values(), ids=WRONG.keys())
def test_choosing_refuses_what_does_not_fit(run, people, flags, message):
    outcome = run("choose", people, *ROLES, *flags)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"Error: {message}\n")


def test_a_plan_whose_release_is_no_mapping_is_refused(run, people):
    asked = people.with_name("asked.yaml")
    asked.write_text("table: people.csv\nquasi_identifiers: [age]\nsensitive: [job]\nrelease: 3\n", encoding="utf-8")
    outcome = run("choose", "--plan", asked, *THRESHOLD)
    assert outcome.err == "Error: A threshold is chosen at one epsilon. Give it with --epsilon.\n"


def test_a_choice_without_a_look_says_so_and_is_not_confidential(run):
    outcome = run(*DECLARED, "--values", "3", "--cell-size", "30")
    assert outcome.code == 0
    assert "It was found without looking at any table" in " ".join(outcome.out.split())
    assert "Confidential" not in outcome.out
    assert outcome.out.rstrip().endswith("Computed from declared numbers alone; no table was opened.")
    document = answer(run(*DECLARED, "--values", "3", "--cell-size", "30", "--json"))
    assert (document["looked_at_the_data"], document["confidential"]) == (False, False)


SAID = {
    "a number": (("--cell-size", "30"), {"cell_size": 30}),
    "a Poisson law": (("--cell-size", "poisson:20"), {"cell_size": Poisson(20.0)}),
    "a negative binomial law": (
        ("--cell-size", "negative-binomial:2,0.1"),
        {"cell_size": NegativeBinomial(2.0, 0.1)},
    ),
    "one weight": (("--cell-size", "30", "--alpha", "2"), {"cell_size": 30, "alpha": 2.0}),
    "a weight for each value": (("--cell-size", "30", "--alpha", "2,1"), {"cell_size": 30, "alpha": (2.0, 1.0)}),
    "shares": (("--cell-size", "30", "--shares", "0.7,0.3"), {"cell_size": 30, "shares": (0.7, 0.3)}),
    "another risk": (("--cell-size", "30", "--risk", "own-record"), {"cell_size": 30, "risk": "own-record"}),
    "other noise": (
        ("--cell-size", "30", "--mechanism", "gaussian", "--delta", "1e-5", "--threshold", "2"),
        {"cell_size": 30, "mechanism": em.Gaussian(epsilon=0.5, delta=1e-5, threshold=2.0)},
    ),
}


@pytest.mark.parametrize(("flags", "settings"), SAID.values(), ids=SAID.keys())
def test_flags_declare_what_settings_do(run, flags, settings):
    outcome = run(*DECLARED, "--values", "2", *flags, "--json")
    noise = {"mechanism": em.Laplace(epsilon=0.5)}  # its own epsilon is one of those tried
    chosen = em.choose_without_looking(n_values=2, max_risk=0.2, max_loss=0.1, **noise | settings)
    document = json.loads(outcome.out)
    del document["epsilometer"]
    assert document == chosen.to_dict()


def test_without_a_look_an_impossible_pair_has_the_exit_code_and_the_changes(run):
    outcome = run(*DECLARED, "--values", "2", "--cell-size", "5")
    assert outcome.code == 3
    assert outcome.out.startswith("No epsilon from 0.01 to 10 discloses at most 0.2 of such cells")
    assert "Changes that would make it possible" in outcome.out


NO_SIZE = "is not a number of people, poisson:RATE or negative-binomial:R,P."
BADLY_DECLARED = {
    "no law": (("--cell-size", "poisson"), f"--cell-size 'poisson' {NO_SIZE}"),
    "an unknown law": (("--cell-size", "normal:3"), f"--cell-size 'normal:3' {NO_SIZE}"),
    "too many numbers": (("--cell-size", "poisson:1,2"), f"--cell-size 'poisson:1,2' {NO_SIZE}"),
    "half a person": (("--cell-size", "2.5"), f"--cell-size '2.5' {NO_SIZE}"),
    "a word in a law": (("--cell-size", "poisson:a"), "--cell-size takes numbers with commas between them, got 'a'."),
    "nobody": (
        ("--cell-size", "0"),
        "cell_size must be in the whole numbers [1, 100000], got 0. Give the people in a cell, or a law of them.",
    ),
    "a negative rate": (("--cell-size", "poisson:-1"), "rate must be in [0, inf), got -1.0."),
    "a rate beyond reason": (
        ("--cell-size", "poisson:1e9"),
        "cell_size must be in sizes up to 10,000, got Poisson(rate=1000000000.0, truncated=True). "
        "For larger cells give the people in one.",
    ),
    "no probability": (("--cell-size", "negative-binomial:2,3"), "p must be in (0, 1), got 3.0."),
    "a word for shares": (
        ("--cell-size", "5", "--shares", "0.7,x"),
        "--shares takes numbers with commas between them, got '0.7,x'.",
    ),
    "too few shares": (
        ("--cell-size", "5", "--shares", "1"),
        "shares must be 2 numbers, one for each value, got 1.",
    ),
    "shares of less than all": (
        ("--cell-size", "5", "--shares", "0.7,0.2"),
        "shares must be in [0, 1], with sum 1 over the values, got [0.7, 0.2]. They sum to 0.9.",
    ),
    "a word for alpha": (
        ("--cell-size", "5", "--alpha", ""),
        "--alpha takes numbers with commas between them, got ''.",
    ),
    "too many weights": (
        ("--cell-size", "5", "--alpha", "1,2,3"),
        "alpha must be in (0, inf), got [1.0, 2.0, 3.0]. Give one number, or one for each of the 2 values.",
    ),
    "both": (
        ("--cell-size", "5", "--alpha", "1", "--shares", "0.5,0.5"),
        "Give either alpha, what is believed of the shares, or the shares themselves.",
    ),
    "an unknown risk": (
        ("--cell-size", "5", "--risk", "mine"),
        "risk must be one of declared, any-table, own-record; got 'mine'.",
    ),
    "noise without its delta": (
        ("--cell-size", "5", "--mechanism", "gaussian"),
        "delta must be in (0, 1), got None. gaussian noise needs one, well below 1 / people.",
    ),
}


@pytest.mark.parametrize(("flags", "message"), BADLY_DECLARED.values(), ids=BADLY_DECLARED.keys())
def test_bad_declarations_are_one_line_each(run, flags, message):
    outcome = run(*DECLARED, "--values", "2", *flags)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"Error: {message}\n")
