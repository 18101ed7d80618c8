"""Plan files on the command line: flags and plan are the same thing."""

import json
import re

import pytest

from epsilometer.plans.files import read_plan
from epsilometer.plans.release_kinds import Counts

ROLES = ("-q", "age", "-q", "sex", "-s", "job")
NOISE = ("--epsilon", "2", "--mechanism", "geometric", "--bin", "age=20", "--where", "age < 45", "--missing", "?")
PLAN = """\
table: people.csv
quasi_identifiers: [age, sex]
sensitive: [job]
bins: {age: 20}
where: age < 45
missing: ['?']
release: {mechanism: geometric, epsilon: 2}
"""


@pytest.fixture
def plan(people):
    path = people.with_name("plan.yaml")
    path.write_text(PLAN, encoding="utf-8")
    return path


def answer(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def test_a_plan_says_what_flags_say(run, people, plan):
    by_flags = answer(run("assess", people, *ROLES, *NOISE, "--json"))
    assert answer(run("assess", "--plan", plan, "--json")) == by_flags


def test_flags_win(run, people, plan):
    other = answer(
        run("assess", "--plan", plan, "-s", "sex", "-q", "age", "--epsilon", "3", "--bin", "age=10", "--json")
    )
    flags = ("-q", "age", "-s", "sex", *NOISE, "--bin", "age=10")
    expected = answer(
        run("assess", people, *flags[:4], *NOISE[2:4], "--epsilon", "3", "--bin", "age=10", *NOISE[6:], "--json")
    )
    assert other == expected


def test_a_written_plan_is_read_as_the_same_plan(run, people, tmp_path):
    written = tmp_path / "written.yaml"
    first = run("assess", people, *ROLES, *NOISE, "--write-plan", written, "--json")
    assert first.err == f"Plan written to {written}.\n"
    assert answer(run("assess", "--plan", written, "--json")) == answer(first)
    assert read_plan(written).release == Counts(mechanism=read_plan(written).release.mechanism)


def test_a_plan_is_written_for_the_folder_it_is_in(run, people, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plans").mkdir()
    assert run("assess", "people.csv", *ROLES, "--write-plan", "plans/plan.yaml").code == 0
    assert "table: ../people.csv\n" in (tmp_path / "plans" / "plan.yaml").read_text(encoding="utf-8")
    assert run("assess", "--plan", "plans/plan.yaml").code == 0


def test_an_existing_plan_is_kept(run, people, plan):
    kept = run("assess", people, *ROLES, "--write-plan", plan)
    assert (kept.code, kept.out) == (2, "")
    assert kept.err == f"Error: {plan} exists and is kept. Choose another name, or pass --overwrite.\n"
    assert plan.read_text(encoding="utf-8") == PLAN
    assert run("assess", people, *ROLES, "--write-plan", plan, "--overwrite").code == 0
    assert plan.read_text(encoding="utf-8") != PLAN


@pytest.mark.parametrize("flags", [("-q", "agee", "-s", "job"), (*ROLES, "--epsilon", "0"), (*ROLES, "--where", "x")])
def test_bad_input_writes_no_plan(run, people, tmp_path, flags):
    assert run("assess", people, *flags, "--write-plan", tmp_path / "new.yaml").code == 2
    assert not (tmp_path / "new.yaml").exists()


def test_a_plan_does_not_take_the_place_of_its_table(run, people):
    outcome = run("assess", people, *ROLES, "--write-plan", people, "--overwrite")
    assert outcome.err == f"Error: Cannot write {people}: it is the table itself. Choose another name.\n"


def test_a_missed_target_still_writes_the_plan(run, people, tmp_path):
    assert run("assess", people, *ROLES, "--fail-above", "0", "--write-plan", tmp_path / "new.yaml").code == 1
    assert read_plan(tmp_path / "new.yaml").sensitive == ("job",)


BAD = {
    "a value": (
        "release: {epsilon: -1}",
        (),
        r"plan.yaml, line 4: release.epsilon must be in \(0, inf\), got -1. A smaller",
    ),
    "a key": ("relaese: {}", (), r"plan.yaml, line 4: there is no key relaese. Did you mean release\?"),
    "a flag beside a file": (
        "release: {epsilon: 1}",
        ("--epsilon", "-1"),
        r"^Error: epsilon must be in \(0, inf\), got -1.0",
    ),
    "another kind": (
        "release: {kind: raw}",
        (),
        "^Error: This needs a plan for a release of counts; this one is for raw",
    ),
    "a flag of another kind": (
        "release: {kind: raw}",
        ("--epsilon", "1"),
        "^Error: epsilon plays no part for a release of raw. Leave it out, or choose another kind.$",
    ),
}


@pytest.mark.parametrize(("rest", "flags", "words"), BAD.values(), ids=BAD.keys())
def test_a_bad_plan_is_one_line(run, plan, rest, flags, words):
    plan.write_text(f"table: people.csv\nquasi_identifiers: [age]\nsensitive: [job]\n{rest}\n", encoding="utf-8")
    outcome = run("assess", "--plan", plan, *flags)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert re.search(words, outcome.err), outcome.err


@pytest.mark.parametrize(
    ("arguments", "lacking"),
    [((), "TABLE, -q, -s"), (("x.csv",), "-q, -s"), (("x.csv", "-q", "age"), "-s"), (ROLES, "TABLE")],
    ids=["everything", "roles", "sensitive", "table"],
)
@pytest.mark.parametrize("command", ["assess", "choose"])
def test_what_neither_flag_nor_plan_says(run, command, arguments, lacking):
    outcome = run(command, *arguments)
    assert outcome.code == 2
    assert outcome.err == f"Error: Missing {lacking}. Usage: TABLE -q COLUMN -s COLUMN, or --plan FILE.\n"


def test_what_a_plan_lacks_may_be_given_by_a_flag(run, plan):
    plan.write_text("table: people.csv\nquasi_identifiers: [age]\n", encoding="utf-8")
    lacking = run("assess", "--plan", plan)
    assert lacking.err == f"Error: {plan}: sensitive is missing: the columns that an attacker wants to know.\n"
    assert run("assess", "--plan", plan, "-s", "job").code == 0


def test_choosing_by_plan_writes_the_epsilon_that_was_chosen(run, people, tmp_path):
    asked = people.with_name("asked.yaml")
    asked.write_text(PLAN + "targets: {max_risk: 0.9, max_loss: 0.3}\n", encoding="utf-8")
    chosen = run("choose", "--plan", asked, "--write-plan", tmp_path / "chosen.yaml", "--json")
    recommended = answer(chosen)["recommended"]
    plan = read_plan(tmp_path / "chosen.yaml")
    assert plan.release.mechanism.epsilon == recommended
    assert (plan.release.mechanism.name, plan.max_risk, plan.max_loss) == ("geometric", 0.9, 0.3)


def test_without_a_feasible_point_no_plan_is_written(run, people, tmp_path):
    flags = ("--max-risk", "0", "--max-loss", "0.3", "--write-plan", tmp_path / "chosen.yaml")
    assert run("choose", people, *ROLES, *flags, "--quiet").code == 3
    assert not (tmp_path / "chosen.yaml").exists()


def test_targets_of_a_plan_may_be_lacking(run, plan):
    outcome = run("choose", "--plan", plan)
    assert outcome.err == "Error: For counts give both targets, --max-risk and --max-loss.\n"


def test_choosing_for_a_synthetic_table_by_plan(run, people, tmp_path):
    asked = people.with_name("asked.yaml")
    roles = "table: people.csv\nquasi_identifiers: [age, sex]\nsensitive: [job]\n"
    release = "release: {kind: synthetic, method: contingency}\n"
    domain = "domain: {age: {low: 20, high: 50}, sex: [f, m], job: [cook, nurse]}\n"
    asked.write_text(roles + release + domain + "targets: {max_loss: 0.9}\n", encoding="utf-8")
    search = ("-e", "0.5", "-e", "2", "-e", "8", "--runs", "2", "--json", "--quiet")
    chosen = answer(run("choose", "--plan", asked, *search, "--write-plan", tmp_path / "chosen.yaml"))
    flags = ("--release", "synthetic", "--method", "contingency", "--max-loss", "0.9")
    domains = ("--domain", "age=20..50", "--domain", "sex=f,m", "--domain", "job=cook,nurse")
    assert answer(run("choose", people, *ROLES, *flags, *domains, *search)) == chosen
    assert read_plan(tmp_path / "chosen.yaml").release.epsilon == chosen["recommended"]


def test_another_kind_by_flag_leaves_the_settings_of_the_plan_behind(run, plan):
    outcome = run("choose", "--plan", plan, "--release", "synthetic", "-e", "1", "--max-loss", "0.5", "--quiet")
    assert "mechanism" not in outcome.err
    assert "epsilons" in outcome.err


@pytest.mark.parametrize("flags", [("--method", "mst"), ("--bins", "5")])
def test_choosing_for_counts_refuses_what_plays_no_part(run, people, flags):
    outcome = run("choose", people, *ROLES, *flags)
    assert outcome.err == f"Error: {flags[0]} plays no part for a release of counts. Leave it out.\n"


def test_showing_a_plan_in_words_and_as_a_document(run, plan):
    shown = run("plan", "show", plan)
    assert shown.code == 0
    assert " ".join(shown.out.split()).startswith(
        "Publish counts with two-sided geometric noise, whole numbers, at ε = 2, one person added or removed"
    )
    document = answer(run("plan", "show", plan, "--json"))
    assert document["quasi_identifiers"] == ["age", "sex"]
    plan.write_text(json.dumps(document), encoding="utf-8")
    assert answer(run("plan", "show", plan, "--json")) == document


METADATA = (
    "db: {public: {people: {age: {type: int, lower: 20, upper: 50}, sex: {type: string}, job: {type: string}}}}\n"
)


def test_importing_everything_at_once_gives_a_plan_that_runs(run, people, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metadata.yaml").write_text(METADATA, encoding="utf-8")
    (tmp_path / "plans").mkdir()
    made = run("plan", "import", "metadata.yaml", "--table", "people.csv", *ROLES, "--out", "plans/plan.yaml")
    assert made.out == "Plan written to plans/plan.yaml. Try: epsilometer plan show plans/plan.yaml\n"
    plan = read_plan("plans/plan.yaml")
    assert (plan.table, plan.domain) == ("plans/../people.csv", {"age": {"low": 20.0, "high": 50.0, "missing": True}})
    assert run("assess", "--plan", "plans/plan.yaml").code == 0


def test_importing_without_roles_says_what_is_left(run, people, tmp_path):
    (tmp_path / "metadata.yaml").write_text(METADATA, encoding="utf-8")
    out = tmp_path / "plan.yaml"
    made = run("plan", "import", tmp_path / "metadata.yaml", "--out", out)
    assert made.out == (
        f"Plan written to {out}. Say in it: table, quasi_identifiers, sensitive. "
        "Columns that may play a part: age, sex, job.\n"
    )
    assert run("assess", people, *ROLES, "--plan", out).code == 0
    again = run("plan", "import", tmp_path / "metadata.yaml", "--out", out)
    assert again.err == f"Error: {out} exists and is kept. Choose another name, or pass --overwrite.\n"


def test_a_table_is_no_metadata(run, people, tmp_path):
    outcome = run("plan", "import", people, "--out", tmp_path / "plan.yaml")
    assert (outcome.code, outcome.err) == (
        2,
        f"Error: {people}: this must be keys with values, each as 'key: value'. "
        "Metadata of SmartNoise (YAML) or of the SDV (JSON) are expected.\n",
    )


@pytest.mark.parametrize("role", ["-q", "-s"])
def test_roles_are_for_columns_of_the_metadata(run, tmp_path, role):
    (tmp_path / "metadata.yaml").write_text(METADATA, encoding="utf-8")
    outcome = run("plan", "import", tmp_path / "metadata.yaml", role, "sxe", "--out", tmp_path / "plan.yaml")
    assert outcome.err == "Error: There is no column 'sxe'; the table has age, sex, job. Did you mean 'sex'?\n"
    assert not (tmp_path / "plan.yaml").exists()


def test_metadata_that_make_no_plan(run, tmp_path):
    metadata = tmp_path / "metadata.yaml"
    metadata.write_text(METADATA.replace("20", "60"), encoding="utf-8")
    outcome = run("plan", "import", metadata, "--out", tmp_path / "plan.yaml")
    assert outcome.err == (
        f"Error: {metadata}: high must be in [60, inf), got 50.0. It is the largest value there may be.\n"
    )
    assert not (tmp_path / "plan.yaml").exists()
