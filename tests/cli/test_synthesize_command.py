"""``epsilometer synthesize``: what it writes, what it records, and what it refuses before spending anything."""

import json

import jsonschema
import pandas as pd
import pytest

from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
DECLARED = (
    "--domain", "age=20..50", "--domain", "sex=f,m", "--domain", "job=cook,nurse", "--domain", "weight=50..100+missing",
)  # fmt: skip


def made(run, people, out, *more, method="contingency"):
    return run("synthesize", people, "--method", method, "-o", out, "--bins", "4", "--quiet", *more)


def test_a_table_of_the_same_columns_and_a_record_beside_it(run, people, tmp_path):
    out = tmp_path / "made.csv"
    outcome = made(run, people, out, "--epsilon", "2", *DECLARED)
    assert (outcome.code, outcome.err) == (0, "")
    original, synthetic = pd.read_csv(people), pd.read_csv(out)
    assert list(synthetic.columns) == list(original.columns)
    assert synthetic["age"].between(20, 50).all()
    assert set(synthetic["sex"]) <= {"f", "m"}
    record = json.loads((tmp_path / "made.csv.json").read_text(encoding="utf-8"))
    SCHEMA.validate(record)
    assert record["epsilon"] <= 2
    assert record["delta"] == 0
    assert record["n_rows"] == len(synthetic)
    assert {domain["origin"] for domain in record["domains"]} == {"declared"}
    assert "Where the budget went" in outcome.out
    assert "made.csv.json" in outcome.out


def test_parquet_keeps_types(run, people, tmp_path):
    out = tmp_path / "made.parquet"
    for types, kind in ((("--type", "age=integer"), "int64"), ((), "float64")):  # a range is of numbers
        assert made(run, people, out, *DECLARED, *types, "--overwrite").code == 0
        assert str(pd.read_parquet(out)["age"].dtype) == kind


def test_number_of_rows_and_columns(run, people, tmp_path):
    out = tmp_path / "made.csv"
    outcome = made(run, people, out, "-c", "sex", "-c", "job", "--rows", "7", *DECLARED[2:6], "--json")
    SCHEMA.validate(json.loads(outcome.out))
    assert pd.read_csv(out).shape == (7, 2)


def test_domains_from_a_public_table(run, people, tmp_path):
    out = tmp_path / "made.csv"
    outcome = made(run, people, out, "--domain-table", people, "--json")
    assert {domain["origin"] for domain in json.loads(outcome.out)["domains"]} == {"public table"}


@pytest.mark.parametrize("more", [(), ("--hold-out", "0.3")], ids=["all rows", "some held out"])
def test_domains_of_the_table_itself_are_warned_of(run, people, tmp_path, more):
    elsewhere = tmp_path / "public.csv"
    elsewhere.write_bytes(people.read_bytes())
    for table, warned in ((people, True), (tmp_path / "." / "people.csv", True), (elsewhere, False)):
        outcome = made(run, people, tmp_path / "made.csv", "--domain-table", table, "--json", "--overwrite", *more)
        caveats = json.loads(outcome.out)["caveats"]
        assert any("taken from the table itself" in caveat for caveat in caveats) is warned


@pytest.mark.parametrize(
    ("method", "given", "delta"),
    [
        ("contingency", DECLARED, 0.0),
        ("contingency", ("--domain-table", "people.csv"), 0.0),
        ("contingency", DECLARED[2:], 1e-6),  # the range of the ages has to be found
        ("mst", DECLARED, 1e-6),
    ],
    ids=["declared", "public table", "found", "gaussian noise"],
)
def test_the_ledger_is_charged_a_delta_where_one_may_be_spent(run, people, method, given, delta):
    ledger, given = people.with_name("ledger.sqlite"), [people if word == "people.csv" else word for word in given]
    made(run, people, people.with_name("made.csv"), "--ledger", ledger, *given, method=method)
    (dataset,) = json.loads(run("ledger", "show", "--ledger", ledger, "--json").out)["datasets"]
    assert [look["delta"] for release in dataset["releases"] for look in release["looks"]] == [delta]


def test_domains_that_are_found_privately_are_said_to_be(run, people, tmp_path):
    out = tmp_path / "made.csv"
    found = ("-c", "sex", "--epsilon", "20", "--delta", "0.01")
    record = json.loads(made(run, people, out, *found, "--json").out)
    assert record["domains"] == [{"column": "sex", "domain": "2 values or missing", "origin": "found privately"}]
    assert record["delta"] == 0.01
    assert any("found privately" in caveat for caveat in record["caveats"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "magic"), "magic"),
        (("--epsilon", "0"), "epsilon must be in (0, inf)"),
        (("--domain", "agee=1..2"), "no column 'agee'"),
        (("--domain", "age"), "A domain is COLUMN=LOW..HIGH"),
        (("--domain", "age=a..b"), "must be numbers"),
        (("--domain", "age=1..2", "--domain", "age=1..3"), "given twice"),
        (("--domain", "sex=@nowhere.txt"), "cannot be read"),
        (("--domain", "sex=f,m,+missing"), "has no name in 'f,m,'. Leave the extra comma out."),
        (("--domain", "sex=f,m,f"), "'f' was given twice in 'f,m,f'"),
        (("--rows", "0"), "rows must be in"),
        (("--bins", "0"), "bins must be in"),
        (("--delta", "0"), "delta must be in (0, 1)"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(run, people, tmp_path, arguments, message):
    out = tmp_path / "made.csv"
    outcome = run("synthesize", people, "--method", "contingency", "-o", out, "--quiet", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_an_unknown_kind_of_file(run, people, tmp_path):
    outcome = made(run, people, tmp_path / "made.xlsx")
    assert (outcome.code, "must end in .csv or .parquet" in outcome.err) == (2, True)


def test_nothing_is_overwritten_unasked(run, people, tmp_path):
    out = tmp_path / "made.csv"
    out.write_text("mine", encoding="utf-8")
    assert made(run, people, out, *DECLARED).code == 2
    assert out.read_text(encoding="utf-8") == "mine"
    assert made(run, people, out, *DECLARED, "--overwrite").code == 0


def test_words_that_a_spreadsheet_would_run_are_written_as_words(run, tmp_path):
    source = tmp_path / "source.csv"
    source.write_text("x\n=1+1\n=1+1\n", encoding="utf-8")
    out = tmp_path / "made.csv"
    assert run("synthesize", source, "-o", out, "--method", "contingency", "--domain", "x==1+1", "--quiet").code == 0
    assert '"\'=1+1"' in out.read_text(encoding="utf-8")
