"""``epsilometer compare``: what it prints, draws and refuses."""

import json

import jsonschema
import pytest

from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
ROLES = ("-q", "age", "-q", "sex", "-s", "job")
QUICK = ("--repeats", "4", "--runs", "2", "--quiet")
HEAD = "table: people.csv\nquasi_identifiers: [age, sex]\nsensitive: [job]\n"


@pytest.fixture
def plans(people):
    """Plan files beside the table: counts, a sample, and one of another table."""
    written = {
        "counts": f"{HEAD}release: {{kind: counts, mechanism: laplace, epsilon: 0.5}}\n",
        "sample": f"{HEAD}release: {{kind: sample, size: 12}}\n",
        "filtered": f"{HEAD}where: age > 20\nrelease: {{kind: raw}}\n",
    }
    for name, text in written.items():
        (people.parent / f"{name}.yaml").write_text(text, encoding="utf-8")
    return {name: people.parent / f"{name}.yaml" for name in written}


def test_the_answer_comes_first_then_numbers_then_evidence(run, people):
    outcome = run("compare", people, *ROLES, *QUICK, "--kind", "counts", "--kind", "sample", "--max-loss", "0.2")
    assert (outcome.code, outcome.err) == (0, "")
    said = " ".join(outcome.out.split())
    assert " has a loss of at most 20 %: an attacker is right about at most " in said
    for part in ("recommended", "unbeaten", "counts, geometric noise", "sample of rows", "exact", "No release: 85.0 %",
                 "What the numbers take for granted", "What to keep in mind", "Confidential"):  # fmt: skip
        assert part in said, part
    assert "planned" not in said


def test_plans_are_compared_and_their_own_points_marked(run, plans, tmp_path):
    chart = tmp_path / "frontier.svg"
    outcome = run("compare", plans["counts"], plans["sample"], *QUICK, "--chart", chart, "--json")
    found = json.loads(outcome.out)
    SCHEMA.validate(found)
    assert outcome.code == 0
    planned = {c["kind"]: [p["parameter"] for p in c["points"] if p["planned"]] for c in found["curves"]}
    assert planned == {"counts": [0.5], "sample": [12]}
    assert "<svg" in chart.read_text(encoding="utf-8")
    shown = run("compare", plans["counts"], plans["sample"], *QUICK)
    assert "planned" in shown.out
    assert "Stronger: an attacker who also knows" in " ".join(shown.out.split())


def test_one_plan_is_compared_with_the_other_kinds(run, plans):
    outcome = run(
        "compare", plans["counts"], *QUICK, "--kind", "counts", "--kind", "raw", "--max-risk", "0.99", "--json"
    )
    found = json.loads(outcome.out)
    assert [curve["kind"] for curve in found["curves"]] == ["counts", "raw"]
    assert (found["max_risk"], found["max_loss"]) == (0.99, None)


def test_where_nothing_will_do_the_exit_code_is_three(run, people):
    outcome = run("compare", people, *ROLES, *QUICK, "--kind", "counts", "--max-risk", "0.1")
    assert outcome.code == 3
    assert outcome.out.startswith("No release on the curves has a risk of at most 10 %.")


@pytest.mark.parametrize(
    ("sources", "arguments", "message"),
    [
        (("counts", "filtered"), (), "the filters of these plans differ"),
        (("counts", "sample"), ("--kind", "raw"), "--kind and --method go with one plan or a table"),
        (("counts", "sample"), ROLES, "With -q and -s name one table, got 2"),
        (("counts",), ("--where", "age > 3"), "--where plays no part beside plan files"),
        (("counts",), ("--kind", "rows"), "kind must be one of counts, sample, synthetic, local, raw; got 'rows'"),
        (("counts",), ("--chart", "frontier.txt"), "no kind of picture"),
        (("counts",), ("--max-risk", "7"), "max_risk must be in [0, 1], got 7.0"),
    ],
)
def test_what_compare_refuses(run, plans, sources, arguments, message):
    outcome = run("compare", *(plans[name] for name in sources), *QUICK, *arguments)
    assert outcome.code == 2
    assert message in outcome.err
