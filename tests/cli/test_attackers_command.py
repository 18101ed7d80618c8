"""``epsilometer attackers``: what it prints, draws, writes and refuses."""

import json

import jsonschema
import pytest

from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
JOBS = {20: "C" * 10, 30: "C" * 10, 40: "N" * 9 + "C", 50: "CN" * 5}  # cooks and nurses of each age
ROLES = ("-q", "age", "-q", "sex", "-s", "job", "--quiet")


@pytest.fixture
def staff(tmp_path):
    rows = [f"{age},{'fm'[i % 3 == 0]},{job}" for age, jobs in JOBS.items() for i, job in enumerate(jobs)]
    path = tmp_path / "staff.csv"
    path.write_text("\n".join(["age,sex,job", *rows]) + "\n", encoding="utf-8")
    return path


def test_the_answer_comes_first_and_somebody_is_a_missed_target(run, staff):
    """Age names 10 + 10 + 9 + 5 of 40 people right; without it 26, the cooks."""
    outcome = run("attackers", staff, *ROLES, "--max-risk", "0.8", "--max-known", "2")
    assert outcome.code == 1
    assert outcome.out.startswith("The cheapest attacker who breaks the target of 80.0 % knows age: from the raw table")
    assert "right for 85.0 % of the people; without any release it is 65.0 %" in " ".join(outcome.out.split())
    for part in ("Who breaks the target", "What knowing a column adds", "How the search went", "alone", "Confidential"):
        assert part in outcome.out, part
    assert "released" not in outcome.out


def test_nobody_is_a_target_met(run, staff):
    outcome = run("attackers", staff, *ROLES, "--max-risk", "1")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Nobody breaks the target of 100.0 %: even an attacker who knows all 2")
    assert "Who breaks the target" not in outcome.out


def test_noise_costs_chart_and_json(run, staff, tmp_path):
    chart = tmp_path / "attackers.svg"
    outcome = run("attackers", staff, *ROLES, "--max-risk", "0.76", "--cost", "age=2", "-e", "3", "--mechanism",
                  "geometric", "--json", "--chart", chart)  # fmt: skip
    found = json.loads(outcome.out)
    SCHEMA.validate(found)
    assert found["costs"] == {"age": 2.0, "sex": 1.0}
    assert (found["mechanism"]["name"], found["mechanism"]["epsilon"]) == ("geometric", 3.0)
    assert found["breaking"][0]["columns"] == ["age"]
    assert found["breaking"][0]["released"] <= found["breaking"][0]["raw"]
    assert "<svg" in chart.read_text(encoding="utf-8")
    printed = run("attackers", staff, *ROLES, "--max-risk", "0.76", "-e", "3").out
    assert "released: the same from counts with noise" in " ".join(printed.split())


def test_a_plan_file_says_the_same(run, staff, tmp_path):
    written = tmp_path / "plan.yaml"
    flags = run("attackers", staff, *ROLES, "--max-risk", "0.8", "-e", "2", "--json", "--write-plan", written)
    planned = run("attackers", "--plan", written, "--json", "--quiet")
    assert (flags.code, planned.code) == (1, 1)
    assert json.loads(planned.out) == json.loads(flags.out)


@pytest.mark.parametrize("noise", [(), ("-e", "1")])
def test_knowing_nothing_gains_nothing(run, tmp_path, noise):
    """Two of three people have the most common value: 66.6 % rounded down, everywhere it is said."""
    path = tmp_path / "three.csv"
    path.write_text("q,s\na,x\na,x\nb,y\n", encoding="utf-8")
    outcome = run("attackers", path, "-q", "q", "-s", "s", "--max-risk", "0.6", "--quiet", *noise)
    (row,) = [line.split() for line in outcome.out.splitlines() if line.startswith("nothing")]
    assert row[2 : 4 + 2 * bool(noise)] == ["66.6", "%"] * (1 + bool(noise))
    assert "66.7 %" not in outcome.out


def test_more_than_twenty_attackers_are_counted(run, tmp_path):
    """Twenty-two copies of the sensitive column: each alone breaks the target, the cheapest twenty are shown."""
    names = [f"c{i}" for i in range(22)]
    path = tmp_path / "copies.csv"
    rows = [",".join([value] * 23) for value in ("x", "y", "x", "y")]
    path.write_text("\n".join([",".join([*names, "s"]), *rows]) + "\n", encoding="utf-8")
    known = [part for name in names for part in ("-q", name)]
    outcome = run("attackers", path, *known, "-s", "s", "--max-risk", "0.6", "--quiet")
    assert "Who breaks the target: the cheapest 20 of 22" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--max-risk", "0.5", "--cost", "age"), "--cost takes COLUMN=COST such as age=2; got 'age'."),
        (("--max-risk", "0.5", "--cost", "age=much"), "--cost takes COLUMN=COST such as age=2; got 'age=much'."),
        (("--max-risk", "0.5", "--cost", "=2"), "--cost takes COLUMN=COST such as age=2; got '=2'."),
        (("--max-risk", "0.5", "-e", "1", "-e", "2"), "Attackers are sought at one epsilon"),
        (("--max-risk", "0.5", "--chart", "near.xyz"), "no kind of picture"),
        ((), "Give a target, max_risk or --max-risk"),
    ],
)
def test_what_attackers_refuses(run, staff, arguments, message):
    outcome = run("attackers", staff, *ROLES, *arguments)
    assert outcome.code == 2
    assert message in outcome.err
