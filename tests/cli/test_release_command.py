"""``epsilometer release`` from flags and from a plan: words, documents, files and exit codes."""

import csv
import json

import jsonschema
import pytest

from epsilometer.report.documents import schema_text

ROLES = ("-q", "sex", "-s", "job")
DOMAIN = ("--domain", "sex=f,m", "--domain", "job=cook,nurse,judge")
COUNTS = (*ROLES, *DOMAIN, "--quiet")


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def one_line(text):
    return " ".join(text.split())


def test_counts_cover_the_declared_domain_and_say_what_they_cost(run, people, tmp_path):
    outcome = run("release", people, "--unit", "row", *COUNTS, "-e", "0.5", "--out", tmp_path / "c.csv")
    assert outcome.code == 0, outcome.err
    words = one_line(outcome.out)
    assert "a table of counts, each with two-sided geometric noise, the Laplace noise of whole numbers." in words
    assert "The guarantee is ε = 0.5." in words
    assert "c.csv: 6 rows." in words
    assert "No budget is set, so that nothing is refused" in words
    assert "isclosed" not in words  # what this table gives away stays in the ledger
    header, *published = rows(tmp_path / "c.csv")
    assert header == ["sex", "job", "count"]
    assert [row[:2] for row in published] == [[sex, job] for sex in "fm" for job in ("cook", "nurse", "judge")]
    assert all(int(row[2]) >= 0 for row in published)


def test_the_document_follows_the_schema(run, people, tmp_path):
    outcome = run("release", people, "--unit", "row", *COUNTS, "--out", tmp_path / "c.parquet", "--json")
    document = json.loads(outcome.out)
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(document)
    assert document["passport"] == json.loads((tmp_path / "c.parquet.passport.json").read_text(encoding="utf-8"))
    assert document["confidential"] is True


def test_a_plan_says_what_the_flags_said(run, people, tmp_path):
    plan = tmp_path / "plan.yaml"
    seeded = ("--unsafe-seed", "7", "--quiet")
    first = run("release", people, "--unit", "row", *COUNTS, *seeded, "--out", tmp_path / "a.csv", "--write-plan", plan)
    again = run("release", "--plan", plan, *seeded, "--out", tmp_path / "b.csv")
    assert (first.code, again.code) == (0, 0), again.err
    assert rows(tmp_path / "a.csv") == rows(tmp_path / "b.csv")
    assert run("check", tmp_path / "b.csv.passport.json").code == 1  # a seed is for tests


def test_lists_leave_out_what_few_have(run, people, tmp_path):
    thresholded = ("--support", "thresholded", "--support-delta", "1e-6", "-e", "4")
    outcome = run("release", people, "--unit", "row", *ROLES, *thresholded, "--out", tmp_path / "c.csv", "--quiet")
    assert outcome.code == 0, outcome.err
    assert {tuple(row[:2]) for row in rows(tmp_path / "c.csv")[1:]} <= {("f", "cook"), ("m", "cook"), ("m", "nurse")}


def test_samples_hold_rows_of_the_table_and_no_other_column(run, people, tmp_path):
    sample = ("--kind", "sample", "--size", "12", "--stratum", "sex", "--quiet")
    outcome = run("release", people, "--unit", "row", *ROLES, *sample, "--out", tmp_path / "s.csv")
    assert outcome.code == 0, outcome.err
    assert "the same part of each group by sex" in one_line(outcome.out)
    header, *drawn = rows(tmp_path / "s.csv")
    assert header == ["sex", "job"]
    assert sorted(row[0] for row in drawn) == ["f"] * 6 + ["m"] * 6


def test_a_synthetic_table_shows_where_the_budget_went(run, people, tmp_path):
    synthetic = ("--kind", "synthetic", "--method", "contingency", "-e", "2", "--quiet")
    outcome = run("release", people, "--unit", "row", *ROLES, *DOMAIN, *synthetic, "--out", tmp_path / "s.csv")
    assert outcome.code == 0, outcome.err
    assert "Where the budget went" in outcome.out
    assert rows(tmp_path / "s.csv")[0] == ["sex", "job"]


@pytest.mark.parametrize(
    ("settings", "delta"),
    [
        (("--method", "contingency", *DOMAIN), 0.0),
        (("--method", "contingency", *DOMAIN[:2]), 1e-6),
        (("--method", "mst", *DOMAIN), 1e-6),
    ],
    ids=["nothing spends it", "values to be found", "gaussian noise"],
)
def test_a_synthetic_table_costs_a_delta_where_one_may_be_spent(run, people, tmp_path, settings, delta):
    synthetic = (*ROLES, "--kind", "synthetic", *settings, "-e", "20", "--quiet")
    outcome = run("release", people, "--unit", "row", *synthetic, "--out", tmp_path / "s.csv", "--json")
    assert json.loads(outcome.out)["passport"]["guarantee"]["delta"] == delta
    assert run("ledger", "budget", "without delta", "-e", "50", "--ledger", tmp_path / "other").code == 0
    named = ("--dataset", "without delta", "--ledger", tmp_path / "other", "--out", tmp_path / "t.csv")
    within_budget = run("release", people, "--unit", "row", *synthetic, *named)
    assert (within_budget.code == 0) is (delta == 0), within_budget.err


def test_the_budget_is_kept(run, people, tmp_path):
    assert run("ledger", "budget", "people", "-e", "1").code == 0
    assert (
        run("release", people, "--unit", "row", *COUNTS, "--dataset", "people", "--out", tmp_path / "a.csv").code == 0
    )
    refused = run("release", people, "--unit", "row", *COUNTS, "--dataset", "people", "--out", tmp_path / "b.csv")
    assert refused.code == 2
    assert "0 is left. All together would be ε = 2. Nothing was published." in refused.err
    assert not (tmp_path / "b.csv").exists()
    renamed = run("release", people, "--unit", "row", *COUNTS, "--dataset", "others", "--out", tmp_path / "b.csv")
    assert renamed.code == 2
    assert renamed.err.startswith("Error: These rows were released as 'people' before")


def test_a_risk_target_does_not_decide_over_a_release(run, people, tmp_path):
    """Whether it is kept follows from the rows, and a refusal would tell."""
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        f"table: {people}\nunit: row\nquasi_identifiers: [sex]\nsensitive: [job]\n"
        "domain: {sex: [f, m], job: [cook, nurse]}\nrelease: {epsilon: 1}\ntargets: {max_risk: 0.0001}\n",
        encoding="utf-8",
    )
    assert run("release", "--plan", plan, "--out", tmp_path / "c.csv", "--quiet").code == 0


WRONG = {
    "no domain": ((*ROLES,), "sex"),
    "several epsilons": ((*ROLES, *DOMAIN, "-e", "1", "-e", "2"), "epsilon"),
    "raw": ((*ROLES, "--kind", "raw"), "kind must be one of counts, sample, synthetic, local; got 'raw'"),
    "a size for counts": ((*ROLES, *DOMAIN, "--size", "3"), "size"),
    "no size": ((*ROLES, "--kind", "sample"), "size"),
    "no roles": ((), "Missing -q, -s"),
}


@pytest.mark.parametrize(("flags", "message"), WRONG.values(), ids=WRONG.keys())
def test_bad_input_is_one_line_and_writes_nothing(run, people, tmp_path, flags, message):
    before = sorted(tmp_path.iterdir())
    outcome = run("release", people, "--unit", "row", *flags, "--out", tmp_path / "c.csv", "--quiet")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert sorted(tmp_path.iterdir()) == before
