"""``epsilometer ledger``: what it shows, what it sets, and everything that verify finds."""

import json
import sqlite3

import jsonschema
import pytest
from typer.testing import CliRunner

from epsilometer.cli.ledger import app
from epsilometer.errors import BadLedger, OverBudget, UnknownChoice
from epsilometer.releases.appearing import publish, stage
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_statement import statement
from epsilometer.report.documents import schema_text
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.joint_risk import JointRisk
from epsilometer.vocabulary.privacy_loss import PrivacyLoss
from epsilometer.vocabulary.wording import CONFIDENTIAL

LOOK = PrivacyLoss(what="counts", noise="geometric", epsilon=0.5, delta=0.0, scale=2.0, moved_counts=1)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "epsilometer-ledger.sqlite"


def reserve(ledger, name, **keywords):
    settings = {"dataset": "people", "kind": "counts", "plan": {}, "fingerprint": None, "internal": {"risk": 0.125}}
    output = ledger.file.path.with_name(name)
    return ledger.reserve(**{**settings, "looks": [LOOK], "output": output, **keywords})


def release(path, name, **keywords):
    with open_ledger(path) as ledger:
        output = path.with_name(name)
        return publish(ledger, reserve(ledger, name, **keywords), {output: name.encode()}, overwrite=True)


def run(*arguments):
    outcome = CliRunner().invoke(app, list(map(str, arguments)))
    if outcome.exception and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    return outcome


def tampered(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for trigger in ("entries_stay", "entries_only_move_on"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement_ in statements:
        connection.execute(statement_)
    connection.close()


def found(path):
    outcome = run("verify", "--ledger", path)
    assert outcome.exit_code == 1
    return outcome.stdout.splitlines()


def test_a_ledger_in_order_is_well(path):
    assert run("budget", "people", "--epsilon", 1).stdout == (
        "people: no releases were published. Of a budget of ε = 1 at δ = 0, 0 is spent and 1 is left.\n"
    )
    assert run("verify").stdout == "All is well: 0 entries, unchanged and within the budgets.\n"
    release(path, "a.csv")
    assert run("verify").stdout == "All is well: 1 entry, unchanged and within the budgets.\n"


def test_the_answer_comes_first_then_the_releases_then_what_they_come_to(path):
    run("budget", "people", "-e", 1)
    release(path, "a.csv")
    release(path, "b.csv")
    lines = run("show").stdout.splitlines()
    assert lines[0] == (
        "people: 2 releases were published. Of a budget of ε = 1 at δ = 0, 1 is spent and nothing is left."
    )
    assert lines[2].rstrip() == "Releases of people"
    assert lines[3].split() == ["number", "time", "release", "state", "ε", "δ", "output"]
    assert lines[4].split()[2:6] == ["counts", "done", "0.5", "0"]
    text = " ".join(" ".join(lines).split())
    assert "2 looks at the data together: ε = 1 at δ = 0." in text
    assert "Adding up holds however the releases were chosen." in text
    assert CONFIDENTIAL not in text


def test_data_without_a_budget_or_a_release_are_shown_too(path):
    release(path, "a.csv")
    run("budget", "others", "-e", 2, "--delta", 1e-6)
    with open_ledger(path) as ledger:
        reserve(ledger, "b.csv")
    lines = run("show").stdout.splitlines()
    assert (
        lines[0] == "others: no releases were published. Of a budget of ε = 2 at δ = 1e-06, 0 is spent and 2 is left."
    )
    assert " ".join(" ".join(lines[1:3]).split()) == (
        "people: 1 release was published; begun, paid for and not finished: 1. There is no budget, so no "
        "release is refused. Set one: epsilometer ledger budget."
    )
    assert "Releases of others" not in " ".join(lines)
    assert "What to keep in mind" not in run("show", "--dataset", "others").stdout


def test_an_empty_ledger_says_so(path):
    with open_ledger(path):
        pass
    assert run("show").stdout == "Nothing was published, and nothing is planned.\n"


def test_the_document_follows_the_schema(path):
    run("budget", "people", "-e", 1)
    release(path, "a.csv")
    document = json.loads(run("show", "--json").stdout)
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(document)
    (people,) = document["datasets"]
    assert (people["remaining"], people["composition"]["added_up"], people["joint_risk"]) == (0.5, 0.5, None)
    assert people["releases"][0]["looks"] == [LOOK.to_dict()]
    assert "0.125" not in json.dumps(document)  # the risk of this very table stays in the ledger


def test_a_joint_risk_makes_the_statement_confidential(path, capsys):
    from rich.console import Console

    from epsilometer.cli.ledger_tables import print_statement

    joint = JointRisk(answer=Exact(0.25), each=(0.25,), no_release=(0.5,), left_out=("a sample",))
    release(path, "a.csv", internal={"joint": joint.to_dict()})
    with open_ledger(path) as ledger:
        told = statement(ledger)
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(told.to_dict())
    assert told.to_dict()["confidential"]
    print_statement(told, Console(width=200))
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "The published table shows about 250 of 1,000 people with their own value as the only one of their cell."
        in shown
    )
    assert "Not counted in it: a sample." in shown
    assert "Without any release, naming the most common value for everyone is right for 500 of 1,000 people" in shown
    assert shown.rstrip().endswith(CONFIDENTIAL)


def test_another_ledger_is_named_by_option_or_by_environment(path, tmp_path, monkeypatch):
    other = tmp_path / "other.sqlite"
    run("budget", "people", "-e", 1, "--ledger", other)
    with pytest.raises(BadLedger, match=r"There is no ledger epsilometer-ledger\.sqlite"):
        run("show")
    monkeypatch.setenv("EPSILOMETER_LEDGER", str(other))
    assert run("show").stdout.startswith("people: ")
    assert not path.exists()


def test_wrong_names_and_small_budgets_are_told(path):
    release(path, "a.csv")
    with pytest.raises(UnknownChoice) as error:
        run("show", "--dataset", "peple")
    expected = "dataset must be one of people; got 'peple'. Those are the data sets of the ledger."
    assert str(error.value) == expected
    with pytest.raises(OverBudget):
        run("budget", "people", "-e", 0.25)


def test_unfinished_releases_are_found(path):
    with open_ledger(path) as ledger:
        reserve(ledger, "a.csv")
        ledger.seal(reserve(ledger, "b.csv"), [])
    folder = path.parent.resolve()
    assert found(path) == [
        f"Entry 1: the release to {folder / 'a.csv'} was begun and counts as spent. "
        "If it is not running any more, run it again: that costs nothing.",
        f"Entry 2: the release to {folder / 'b.csv'} is paid for and was not put in place. "
        "Run it again: that costs nothing if its files still wait there.",
    ]


def test_published_files_that_were_changed_are_found_and_those_moved_away_are_not(path):
    for name in ("a.csv", "b.csv", "b.csv"):
        release(path, name)
    path.with_name("a.csv").unlink()
    assert run("verify").exit_code == 0
    path.with_name("b.csv").write_bytes(b"other")
    assert found(path) == [
        f"Entry 3: {path.with_name('b.csv')} is not what was published: it was changed since.",
    ]


def test_files_left_behind_are_found(path):
    with open_ledger(path) as ledger:
        entry = reserve(ledger, "a.csv")
        pending = stage(path.with_name("a.csv"), b"rows", entry.id)
        ledger.abandon(entry)
    assert found(path) == [f"Entry 1: {pending.partial} was left behind by a release that is void. Remove it."]


@pytest.mark.parametrize(
    ("statement_", "findings"),
    [
        (
            "UPDATE entry SET looks = '[]' WHERE number = 2",
            ["Entry 2 does not have the hash it was entered with: it was changed."],
        ),
        (
            "DELETE FROM entry WHERE number = 2",
            ["Entry 3 does not follow the one before it: entries were removed or changed."],
        ),
        (
            "UPDATE entry SET previous = '' WHERE number = 3",
            [
                "Entry 3 does not follow the one before it: entries were removed or changed.",
                "Entry 3 does not have the hash it was entered with: it was changed.",
            ],
        ),
        ("DELETE FROM entry WHERE number = 3", ["The last entry is 2, but 3 were entered: entries were removed."]),
        (
            "UPDATE entry SET state = 'hidden' WHERE number = 2",
            ["The file is damaged (CHECK constraint failed in entry). Restore it from a backup."],
        ),
        ("UPDATE dataset SET epsilon = 1.25", ["'people' has spent more than its budget of ε = 1.25 at δ = 0."]),
    ],
)
def test_a_changed_record_is_found(path, statement_, findings):
    run("budget", "people", "-e", 2)
    for name in ("a.csv", "b.csv", "c.csv"):
        release(path, name)
    tampered(path, statement_)
    assert found(path) == findings


def test_a_damaged_file_is_found(path):
    for number in range(40):
        with open_ledger(path) as ledger:
            reserve(ledger, f"{number}.csv", plan={"text": "x" * 2000})
    content = bytearray(path.read_bytes())
    page = 4096
    content[-3 * page : -2 * page] = bytes(page)
    path.write_bytes(content)
    (line,) = found(path)
    assert line.startswith("The file is damaged (")
    assert line.endswith("). Restore it from a backup.")


def test_a_budget_that_changes_says_what_it_was(path):
    assert run("budget", "people", "-e", 1).stdout.count("\n") == 1
    changed = run("budget", "people", "-e", 2, "--delta", 0.5).stdout
    assert "The budget was ε = 1 at δ = 0.\n" in changed
    assert "δ = 0.5 is large: with that chance a release may show a person as they are.\n" in changed
    assert "poeple is new in this ledger, which knows people.\n" in run("budget", "poeple", "-e", 1).stdout


def test_what_is_spent_is_also_added_up(path):
    run("budget", "people", "-e", 9, "--delta", 0.5)
    for name in "abcd":
        release(path, f"{name}.csv")
    assert "is spent" in run("show").stdout
    assert "(added up: 2)" in " ".join(run("show").stdout.split())


def test_void_releases_cost_nothing(path):
    with open_ledger(path) as ledger:
        ledger.abandon(reserve(ledger, "a.csv"))
    (line,) = (line for line in run("show").stdout.splitlines() if " void " in line)
    assert line.split().count("–") == 2
