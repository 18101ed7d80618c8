"""``--report`` and ``--language`` of every command but ``assess``: checked before the work, written after it."""

import json

import pytest

ROLES = ("-q", "age", "-q", "sex", "-s", "job")
CONFIDENTIAL, GIVEN = "Vertraulich: ", "Aus den angegebenen Zahlen berechnet"
PROTECTED = "Öffentlich: was aus der Tabelle berechnet wurde, ging zuvor durch den Schutz."
DOMAIN = ("--domain", "age=0..100", "--domain", "sex=f,m", "--domain", "job=cook,nurse")
MADE = ("-c", "age", "-c", "sex", "-c", "job", "--method", "contingency", "--bins", "2", *DOMAIN)


def commands(people):
    """Each command with what its report says of who may see it, and its exit code."""
    choose = ("choose", people, *ROLES)
    measured = ("--release", "synthetic", "--method", "contingency", "--bins", "2", "--runs", "1", *DOMAIN)
    unseen = ("choose-without-looking", "--values", "2", "--cell-size", "20", "--max-risk", "0.9", "--max-loss")
    synthetic = people.with_name("copy.csv")
    synthetic.write_bytes(people.read_bytes())
    out = people.with_name
    return {
        "sample": (("sample", "-n", "1000", "-m", "10"), GIVEN, 0),
        "sample of a table": (("sample", people, *ROLES, "-m", "10"), CONFIDENTIAL, 0),
        "size of a sample": (("sample", "-n", "1000", "--max-loss", "0.1"), GIVEN, 0),
        "no size": (("sample", "-n", "1000", "--max-risk", "0.5"), GIVEN, 3),
        "guess": (("guess", "-a", "0.1", "-g", "23/365"), GIVEN, 0),
        "guess of a table": (
            ("guess", people, "-a", "0.1", "-c", "weight", "-b", "sex", "--range", "weight=0:200", "--event", "any"),
            CONFIDENTIAL,
            0,
        ),
        "choose": ((*choose, "--max-risk", "0.9", "--max-loss", "0.3"), CONFIDENTIAL, 0),
        "nothing to choose": ((*choose, "--max-risk", "0", "--max-loss", "0.3"), CONFIDENTIAL, 3),
        "choose a synthetic table": (
            (*choose, *measured, "--max-risk", "1", "-e", "1", "-e", "2", "-e", "4"),
            CONFIDENTIAL,
            0,
        ),
        "choose without looking": ((*unseen, "0.3"), GIVEN, 0),
        "compare": (
            ("compare", people, *ROLES, "--kind", "counts", "--kind", "raw", "--repeats", "2"),
            CONFIDENTIAL,
            0,
        ),
        "attackers": (("attackers", people, *ROLES, "--max-risk", "0.9"), CONFIDENTIAL, 0),
        "audit": (("audit", people, synthetic, "-c", "age", "-c", "job"), CONFIDENTIAL, 0),
        "release": (
            ("release", people, "--unit", "row", *ROLES, *DOMAIN, "--bin", "age=50", "-o", out("c.csv")),
            CONFIDENTIAL,
            0,
        ),
        "synthesize": (("synthesize", people, *MADE, "-o", out("s.csv")), PROTECTED, 0),
    }


NAMES = (
    "sample", "sample of a table", "size of a sample", "no size", "guess", "guess of a table", "choose",
    "nothing to choose", "choose a synthetic table", "choose without looking", "compare", "attackers", "audit",
    "release", "synthesize",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_written_after_the_work(run, people, tmp_path, name):
    command, audience, code = commands(people)[name]
    file = tmp_path / "r.json"
    outcome = run(*command, "--report", file, "--language", "de", "--quiet")
    assert (outcome.code, outcome.err) == (code, f"Report written to {file}.\n")
    document = json.loads(file.read_text(encoding="utf-8"))
    assert (document["schema"], document["language"]) == ("epsilometer/report/1", "de")
    assert document["audience"].startswith(audience)
    assert document["answers"][0]["sentences"]


def test_every_command_is_asked(people):
    assert set(commands(people)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_report_that_exists_is_kept_and_nothing_is_done(run, people, tmp_path, name):
    command, _, _ = commands(people)[name]
    file = tmp_path / "r.html"
    file.write_text("mine", encoding="utf-8")
    before = sorted(path.name for path in people.parent.iterdir())
    outcome = run(*command, "--report", file, "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"Error: {file} exists and is kept. Choose another name, or pass --overwrite.\n"
    assert file.read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in people.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--report", "r.pdf"), "ending of the report's name must be one of .html, .htm, .md, .json; got '.pdf'"),
        (("--report", "r.html", "--language", "xx"), "language must be one of en, de; got 'xx'"),
    ],
)
def test_what_cannot_be_written_is_said_first(run, monkeypatch, tmp_path, options, error):
    monkeypatch.chdir(tmp_path)
    outcome = run("guess", "-a", "0.1", "-g", "23/365", *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert error in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "out", "taken"),
    [
        (("release", "--unit", "row", *ROLES, *DOMAIN, "--bin", "age=50"), "c.csv", "c.csv.passport.json"),
        (("release", "--unit", "row", *ROLES, *DOMAIN, "--bin", "age=50"), "c.csv", "c.csv.passport.html"),
        (("synthesize", *MADE), "s.csv", "s.csv.json"),
    ],
)
def test_a_report_never_takes_the_place_of_what_the_release_writes(run, people, command, out, taken):
    name, *rest = command
    target = people.with_name(taken)
    outcome = run(name, people, *rest, "-o", people.with_name(out), "--report", target, "--overwrite", "--quiet")
    assert outcome.code == 2
    assert outcome.err == (
        f"Error: Cannot write {target}: the release writes it too. Choose another name for the report.\n"
    )
    assert not people.with_name(out).exists()


def test_the_typed_result_is_printed_all_the_same(run, people, tmp_path):
    outcome = run("guess", "-a", "0.1", "-g", "23/365", "--report", tmp_path / "r.md", "--json", "--quiet")
    assert json.loads(outcome.out)["kind"] == "guess"
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("**Computed from the numbers given")
    assert [path.name for path in (tmp_path / "r-charts").iterdir()] == ["01-guess.svg"]
