"""``epsilometer ledger``: what it shows, what it sets, and what verify finds in a ledger that is whole."""

import getpass
import json

import jsonschema
import pytest
from typer.testing import CliRunner

from epsilometer.cli.ledger import app
from epsilometer.errors import BadLedger, EpsilometerError, OverBudget, UnknownChoice
from epsilometer.releases.appearing import publish, stage
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_events import Fingerprint
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


def enter(ledger, name, **keywords):
    settings = {"dataset": "people", "kind": "counts", "plan": {}}
    output = ledger.file.path.with_name(name)
    return ledger.enter(**{**settings, "looks": [LOOK], "output": output, **keywords})


def release(path, name, internal=None, **keywords):
    with open_ledger(path) as ledger:
        entry, content = enter(ledger, name, **keywords), {path.with_name(name): name.encode()}
        return publish(ledger, entry, content, overwrite=True, internal=internal or {"risk": 0.125})


def run(*arguments):
    outcome = CliRunner().invoke(app, list(map(str, arguments)))
    if outcome.exception and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    return outcome


def found(path):
    outcome = run("verify", "--ledger", path)
    assert outcome.exit_code == 1
    return outcome.stdout.splitlines()


def test_a_ledger_in_order_is_well(path):
    assert run("budget", "people", "--epsilon", 1).stdout == (
        "people: no releases were published. Of a budget of ε = 1 at δ = 0, 0 is spent and 1 is left.\n"
    )
    assert run("verify").stdout.startswith("All is well: 0 entries, unchanged and within the budgets.")
    release(path, "a.csv")
    assert run("verify").stdout.startswith("All is well: 1 entry, unchanged and within the budgets.")
    anchor = run("anchor").stdout.strip()
    assert run("verify", "--anchor", anchor).stdout == "All is well: 1 entry, unchanged and within the budgets.\n"


def test_the_answer_comes_first_then_the_releases_then_what_they_come_to(path):
    run("budget", "people", "-e", 1)
    release(path, "a.csv")
    release(path, "b.csv")
    lines = run("show").stdout.splitlines()
    assert lines[0] == (
        "people: 2 releases were published. Of a budget of ε = 1 at δ = 0, 1 is spent and nothing is left."
    )
    assert lines[2].rstrip() == "Releases of people"
    assert lines[3].split() == ["number", "time", "release", "state", "ε", "δ", "per", "output"]
    assert lines[4].split()[2:6] == ["counts", "done", "0.5", "0"]
    text = " ".join(" ".join(lines).split())
    assert "2 looks at the data together: ε = 1 at δ = 0." in text
    assert "Adding up holds however the releases were chosen." in text
    assert CONFIDENTIAL not in text


def test_data_without_a_budget_or_a_release_are_shown_too(path):
    release(path, "a.csv")
    run("budget", "others", "-e", 2, "--delta", 1e-6)
    with open_ledger(path) as ledger:
        enter(ledger, "b.csv")
        ledger.fail(enter(ledger, "c.csv"), "stopped")
    lines = run("show").stdout.splitlines()
    assert (
        lines[0] == "others: no releases were published. Of a budget of ε = 2 at δ = 1e-06, 0 is spent and 2 is left."
    )
    assert " ".join(" ".join(lines[1:4]).split()).startswith(
        "people: 1 release was published; begun, paid for and not finished: 1; failed, and paid for: 1. "
        "There is no budget, so no release is refused. Set one: epsilometer ledger budget."
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
        enter(ledger, "a.csv")
        ledger.seal(enter(ledger, "b.csv"), [])
        ledger.fail(enter(ledger, "c.csv"), "error")
    begun, sealed = found(path)
    assert begun.startswith(f"Entry 1: the release to {path.parent.resolve() / 'a.csv'} was begun")
    assert sealed.startswith(f"Entry 2: the release to {path.parent.resolve() / 'b.csv'} is paid for and was not put")


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
        entry = enter(ledger, "a.csv")
        pending = stage(path.with_name("a.csv"), b"rows", entry.id)
        ledger.fail(entry, "error")
    assert found(path) == [f"Entry 1: {pending.partial} was left behind by a release that is failed. Remove it."]


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


def test_a_budget_says_who_set_it_and_why(path):
    run("budget", "people", "-e", 1, "--who", "Ann", "--why", "agreed in spring")
    run("budget", "others", "-e", 1)
    people, others = (json.loads(run("show", "--json", "--dataset", name).stdout)["datasets"][0]["budget"]
                      for name in ("people", "others"))  # fmt: skip
    assert (people["who"], people["why"]) == ("Ann", "agreed in spring")
    assert (others["who"], others["why"]) == (getpass.getuser(), "")


def test_a_budget_for_the_name_of_a_file_says_how_its_releases_are_called(path):
    assert "'people'" in run("budget", "people.csv", "-e", 1).stdout
    assert len(run("budget", "v1.2", "-e", 1).stdout.splitlines()) == 2  # and that it is new here


@pytest.mark.parametrize("arguments", [("people", "-e", -1), ("people", "-e", "nan"), ("people", "-e", 1, "--delta", 2),
                                       (" ", "-e", 1)])  # fmt: skip
def test_a_budget_that_cannot_be_one_starts_no_ledger(path, arguments):
    with pytest.raises(EpsilometerError):
        run("budget", *arguments)
    assert not path.exists()


def test_who_has_no_name_is_unknown(path, monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: (_ for _ in ()).throw(KeyError("uid")))
    run("budget", "people", "-e", 1)
    with open_ledger(path) as ledger:
        assert ledger.budget("people").who == "unknown"


def test_rows_under_an_older_name_are_shown_there_too(path):
    same = Fingerprint(file="ab")
    release(path, "a.csv", fingerprint=same)
    entry = release(path, "b.csv", dataset="others", fingerprint=same)
    assert entry.also == ("people",)
    shown = " ".join(run("show", "--dataset", "people").stdout.split())
    assert "2 releases were published" in shown
    (people,) = json.loads(run("show", "--json", "--dataset", "people").stdout)["datasets"]
    assert [each["also"] for each in people["releases"]] == [[], ["people"]]
    assert people["composition"]["added_up"] == 1.0
