"""``epsilometer guess`` and ``epsilometer release``: what they print, what they write, and what they refuse."""

import csv
import json
import os
import re

import jsonschema
import pytest

from epsilometer.cli import progress as progress_module
from epsilometer.report.documents import schema_text

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
JOBS = ("--domain", "job=cook,nurse")


def one_line(text):
    return " ".join(text.split())


def document(outcome):
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    SCHEMA.validate(found)
    return found


def test_epsilon_from_a_group_in_words(run):
    outcome = run("guess", "--advantage", "0.1", "--group", "23/365")
    assert (outcome.code, outcome.err) == (0, "")
    assert one_line(outcome.out).startswith(
        "With epsilon = 0.4043 per unit a release gives an attacker who guesses the field right with 49.3 % without a "
        "release at most 0.1 more; epsilon = 0.4013 holds whatever the attacker knew before."
    )
    assert "What is guessed" in outcome.out
    assert re.search(r"field 1\s+23\s+365\s+49\.3 %\s+1\b", outcome.out)
    assert "What the numbers take for granted" in outcome.out
    assert "What to keep in mind" in outcome.out
    assert "Confidential" not in outcome.out


def test_a_prior_has_neither_k_nor_n(run):
    outcome = run("guess", "--advantage", "0.1", "--prior", "0.3", "--sensitivity", "20")
    assert re.search(r"field 1\s+–\s+–\s+30\.0 %\s+20\b", outcome.out)
    assert "What to keep in mind" not in outcome.out


def test_no_noise_is_a_warning_on_the_first_line(run):
    outcome = run("guess", "--advantage", "0.05", "--group", "3/365")
    assert outcome.code == 0
    assert outcome.out.startswith("Warning: ")
    assert "epsilon = 0.2001 holds whatever the attacker knew before" in one_line(outcome.out)
    assert document(run("guess", "--advantage", "0.05", "--group", "3/365", "--json"))["value"] is None


MODES = {
    "group": (("-a", "0.1", "-g", "23/365"), {"value": 0.404341, "event": "single", "evidence": "exact"}),
    "prior": (("-a", "0.1", "-p", "0.5"), {"value": 0.405465, "prior_free": 0.401341}),
    "any": (("-a", "0.1", "-p", "0.1", "-p", "0.1", "--event", "any"), {"value": 0.519410, "event": "any"}),
    "as printed": (
        ("-a", "0.1", "-p", "0.1", "-p", "0.1", "--event", "any", "--method", "published"),
        {"value": 0.810930, "evidence": "as printed"},
    ),
    "all, separately": (("-a", "0.1", "-p", "0.5", "-p", "0.5", "--event", "all"), {"value": 0.239787}),
    "all, jointly": (
        ("-a", "0.1", "-p", "0.5", "-p", "0.5", "--event", "all", "--released", "jointly"),
        {"value": 0.479573, "released": "jointly"},
    ),
    "one range for all": (
        ("-a", "0.1", "-p", "0.5", "-p", "0.5", "--event", "all", "-r", "2"),
        {"value": 0.119893},
    ),
    "a range for each": (
        ("-a", "0.1", "-p", "0.5", "-p", "0.5", "--event", "all", "-r", "1", "-r", "3"),
        {"value": 0.119893},
    ),
    "the other way round": (("-e", "1", "-p", "0.5"), {"value": 1.0, "advantage": 0.231059}),
}


@pytest.mark.parametrize(("flags", "expected"), MODES.values(), ids=MODES.keys())
def test_every_way_to_ask_as_json(run, flags, expected):
    found = document(run("guess", *flags, "--json"))
    assert found["kind"] == "guess"
    assert found["epsilometer"]
    for name, value in expected.items():
        assert found[name] == (pytest.approx(value, abs=5e-7) if isinstance(value, float) else value)


def test_fields_of_a_table(run, people):
    """Forty people: ages 20 and 40 among the 20 of one sex, 30 and 50 among the other."""
    flags = ("--column", "age", "--by", "sex", "--range", "age=0:1.2e+2", "--event", "any", "--advantage", "0.05")
    found = document(run("guess", people, *flags, "--json"))
    assert [(field["name"], field["k"], field["n"]) for field in found["fields"]] == [
        ("age, f", 2, 20),
        ("age, m", 2, 20),
    ]
    assert {field["sensitivity"] for field in found["fields"]} == {120.0}
    assert not any("read off the table" in caveat for caveat in found["caveats"])
    text = run("guess", people, *flags)
    assert re.search(r"age, f\s+2\s+20\s+95\.0 %\s+120\b", text.out)
    assert "Confidential: computed from the table itself" in one_line(text.out)


def test_a_range_that_is_read_off_the_table_is_a_caveat(run, people):
    flags = ("-c", "weight", "-e", "0.01", "--where", "age < 40", "--type", "age=integer")
    found = document(run("guess", people, *flags, "--json"))
    assert any(caveat.startswith("The range of weight was read off the table") for caveat in found["caveats"])
    assert found["fields"][0]["sensitivity"] == pytest.approx(37)
    assert "read off the table" in run("guess", people, *flags).out


GUESSES = {
    "nothing": ((), "Give --advantage to find epsilon, or --epsilon to find the advantage; neither was given"),
    "both": (("-a", "0.1", "-e", "1", "-p", "0.5"), "Give --advantage .*, or --epsilon .*; both were given"),
    "neither group nor prior": (("-a", "0.1"), "Give groups, .*, or the priors themselves; neither was given"),
    "group and prior": (("-a", "0.1", "-g", "2/3", "-p", "0.5"), "Give groups, .*; both were given"),
    "group of words": (("-a", "0.1", "-g", "two/three"), r"group must be in k/n, got 'two/three'\. Such as 23/365\."),
    "group of fractions": (("-a", "0.1", "-g", "2.5/3"), "group must be in k/n, got '2.5/3'"),
    "group of too many": (("-a", "0.1", "-g", f"1/{'9' * 400}"), "group must be in .* up to 1e"),
    "advantage of one": (("-a", "1", "-p", "0.5"), r"advantage must be in \(0, 1\), got 1\.0"),
    "advantage not a number": (("-a", "nan", "-p", "0.5"), r"advantage must be in \(0, 1\), got nan"),
    "epsilon zero": (("-e", "0", "-p", "0.5"), r"epsilon must be in \(0, inf\), got 0\.0"),
    "epsilon as printed": (
        ("-e", "1", "-p", "0.5", "--method", "published"),
        "method must be one of exact; got 'published'. The printed formulas give epsilon",
    ),
    "unknown event": (("-a", "0.1", "-p", "0.5", "--event", "one"), "event must be one of single, all, any; got 'one'"),
    "unknown method": (("-a", "0.1", "-p", "0.5", "--method", "x"), "method must be one of exact, published; got 'x'"),
    "unknown release": (("-a", "0.1", "-p", "0.5", "--released", "x"), "released must be one of separately, jointly"),
    "a column without a table": (("-a", "0.1", "-p", "0.5", "-c", "age"), "--column, .* are about a table"),
    "a filter without a table": (("-a", "0.1", "-p", "0.5", "--where", "age > 1"), "are about a table"),
}


@pytest.mark.parametrize(("flags", "message"), GUESSES.values(), ids=GUESSES.keys())
def test_guesses_that_cannot_be(run, flags, message):
    refused(run("guess", *flags), message)


def refused(outcome, message):
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("Error: ")
    assert re.search(message, outcome.err.strip()), outcome.err


TABLES = {
    "no column": ((), r"columns must be in at least one column, got \[\]"),
    "unknown column": (("-c", "agee"), "There is no column 'agee'.*Did you mean 'age'"),
    "text": (("-c", "job"), "Column 'job' is read as number, and no value of it is one, such as 'cook'"),
    "groups with a table": (("-c", "age", "-g", "2/3"), "groups and ranges are those of the table. Leave out --group"),
    "ranges with a table": (("-c", "age", "-r", "9"), "groups and ranges are those of the table"),
    "range without a column": (("-c", "age", "--range", "0:9"), "column=low:high|declared range"),
    "range of words": (
        ("-c", "age", "--range", "age=a:b"),
        r"range must be in column=low:high, got 'age=a:b'\. Such as",
    ),
    "range of dots": (("-c", "age", "--range", "age=1.2.3:9"), "range must be in column=low:high, got 'age=1.2.3:9'"),
    "range of three": (("-c", "age", "--range", "age=1:2:3"), "range must be in column=low:high, got 'age=1:2:3'"),
    "range upside down": (
        ("-c", "age", "--range", "age=9:0"),
        r"range of age must be in low < high, got \(9\.0, 0\.0\)",
    ),
    "range of another column": (("-c", "age", "--range", "job=0:9"), "column with a declared range must be one of age"),
    "several groups": (("-c", "age", "-b", "sex"), "event must be one of all, any; got 'single'. There are 2 fields"),
}


@pytest.mark.parametrize(("flags", "message"), TABLES.values(), ids=TABLES.keys())
def test_tables_that_cannot_be_guessed(run, people, flags, message):
    refused(run("guess", people, *flags, "-a", "0.1", "--quiet"), message)


def released(run, people, out, *flags, column="job", epsilon=1):
    settings = {"-s": column, "-e": epsilon}
    given = [part for flag, value in settings.items() if flag not in flags for part in (flag, value)]
    return run("release", people, "--unit", "row", "--kind", "local", *given, "-o", out, *flags)


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


RELEASES = {
    "response": ("job", JOBS, ["report"], r"cook|nurse"),
    "unary": ("job", ("--randomizer", "unary", *JOBS), ["report: cook", "report: nurse"], "0|1"),
    "exponential": ("age", ("--randomizer", "exponential", "--domain", "age=20,30,40,50"), ["report"], "20|30|40|50"),
    "laplace": ("age", ("--randomizer", "laplace", "--domain", "age=0..120"), ["report"], r"-?[0-9.]+(e-?\d+)?"),
    "gaussian": (
        "age",
        ("--randomizer", "gaussian", "--domain", "age=0..120", "--delta", "1e-5"),
        ["report"],
        r"-?[0-9.]+(e-?\d+)?",
    ),
}
every_release = pytest.mark.parametrize("name", RELEASES)


@every_release
def test_every_randomiser_in_words(run, people, tmp_path, name):
    (column, flags, header, cell), out = RELEASES[name], tmp_path / "reports.csv"
    outcome = released(run, people, out, *flags, column=column)
    assert outcome.code == 0, outcome.err
    words = one_line(outcome.out)
    assert words.startswith(f"40 people reported on {column} through ")
    assert "reports.csv" in outcome.out.replace("\n", "")
    assert f"What an analyst reads off the reports on {column}" in words
    assert "95% interval" in words
    assert "Randomness: the operating system's." in words
    written = rows(out)
    assert written[0] == header
    assert len(written) == 41
    assert all(re.fullmatch(cell, value) for row in written[1:] for value in row)


@every_release
def test_every_randomiser_as_json(run, people, tmp_path, name):
    column, flags, *_ = RELEASES[name]
    whole = document(released(run, people, tmp_path / "reports.csv", *flags, "--json", column=column))
    assert (whole["kind"], whole["passport"]["kind"]) == ("release", "local")
    found = whole["detail"]
    assert found["kind"] == "local-release"
    assert found["n_people"] == 40
    assert found["shuffled"] is True
    assert found["drawing"]["randomness"] == "operating system"
    assert (found["risk"] is None) == ("age=0..120" in flags)
    assert len(rows(tmp_path / "reports.csv")) == 41


def test_without_a_shuffler(run, people, tmp_path):
    """At epsilon 20 a report is false once in a hundred million."""
    out = tmp_path / "reports.csv"
    outcome = released(run, people, out, *JOBS, "--no-shuffle", epsilon=20)
    assert "in the order of the table" in one_line(outcome.out)
    assert "shuffled reports" not in one_line(outcome.out).partition("What an analyst")[0]
    jobs = [row[2] for row in rows(people)[1:]]
    assert [row[0] for row in rows(out)[1:]] == jobs


def test_estimates_that_tell_next_to_nothing_are_a_warning(run, people, tmp_path):
    """Forty people: at epsilon 0.1 a share has an interval wider than 1, at 20 next to none."""
    sharp, vague = (released(run, people, tmp_path / f"{e}.csv", *JOBS, epsilon=e).out for e in (20, 0.1))
    assert "What to keep in mind" not in sharp
    assert "these people are too few for so small an epsilon" in one_line(vague)


def test_filters_hold(run, people, tmp_path):
    out = tmp_path / "reports.csv"
    assert released(run, people, out, *JOBS, "--where", "age < 40", "--type", "age=integer").out.startswith("20 people")
    assert len(rows(out)) == 21


def test_an_existing_file_is_kept_unless_told(run, people, tmp_path):
    out = tmp_path / "reports.csv"
    out.write_text("mine", encoding="utf-8")
    refused(released(run, people, out, *JOBS), "exists and is kept. Choose another name, or pass --overwrite")
    assert out.read_text(encoding="utf-8") == "mine"
    assert released(run, people, out, *JOBS, "--overwrite").code == 0
    assert len(rows(out)) == 41


def test_a_crash_while_writing_leaves_the_old_file(run, people, tmp_path, monkeypatch):
    out = tmp_path / "reports.csv"
    out.write_text("mine", encoding="utf-8")
    before = sorted(tmp_path.iterdir())

    def power_cut(handle):
        raise OSError("no power")

    monkeypatch.setattr(os, "fsync", power_cut)
    outcome = released(run, people, out, *JOBS, "--overwrite", "--quiet")
    assert outcome.code != 0
    assert outcome.out == ""
    assert out.read_text(encoding="utf-8") == "mine"
    assert sorted(tmp_path.iterdir()) == before


def test_the_table_itself_is_never_overwritten(run, people):
    before = people.read_bytes()
    refused(released(run, people, people, *JOBS, "--overwrite"), "it is the table itself. Choose another name")
    assert people.read_bytes() == before


def test_a_long_domain_stands_in_a_file(run, people, tmp_path):
    """As an editor of Windows writes it: with a mark at the beginning, its own line ends, and a blank line."""
    domain = tmp_path / "jobs.txt"
    domain.write_bytes("\ufeffcook\r\nnurse\r\n\r\njudge, retired\r\n".encode())
    found = document(released(run, people, tmp_path / "r.csv", "--domain", f"job=@{domain}", "--json"))["detail"]
    assert found["labels"] == ["cook", "nurse", "judge, retired"]


def test_reports_are_safe_from_formula_injection(run, tmp_path):
    """At epsilon 20 a report is false once in a hundred million."""
    table = tmp_path / "odd.csv"
    table.write_text('x\n=1+1\n"@SUM(A1)"\n-5\nflu\n', encoding="utf-8")
    domain = ("--domain", "x==1+1,@SUM(A1),-5,flu")
    local = ("release", table, "--unit", "row", "--kind", "local", "-s", "x", "-e", "20", *domain)
    response = run(*local, "-o", tmp_path / "r.csv", "--no-shuffle")
    assert response.code == 0, response.err
    assert rows(tmp_path / "r.csv") == [["report"], ["'=1+1"], ["'@SUM(A1)"], ["-5"], ["flu"]]
    bits = run(*local, "-o", tmp_path / "b.csv", "--randomizer", "unary")
    assert bits.code == 0, bits.err
    assert rows(tmp_path / "b.csv")[0] == ["report: =1+1", "report: @SUM(A1)", "report: -5", "report: flu"]


LAPLACE = ("--randomizer", "laplace")
WRONG = {
    "unknown kind": (("--kind", "central", *JOBS), "kind must be one of counts, .*, local; got 'central'"),
    "unknown randomiser": (("--randomizer", "respond", *JOBS), "randomizer must be one of response, .* got 'respond'"),
    "unknown column": (("-s", "jbo", "--domain", "jbo=cook,nurse"), "There is no column 'jbo'.*Did you mean 'job'"),
    "no domain": ((), r"domain must be in two or more different values, got \[\].*--domain COLUMN=A,B.*would leak"),
    "no range": ((*LAPLACE,), r"range must be in low < high, got None. .* --domain COLUMN=LOW\.\.HIGH"),
    "range of words": ((*LAPLACE, "--domain", "job=a..b"), "The ends of a range must be numbers"),
    "range upside down": ((*LAPLACE, "--domain", "job=9..0"), r"high must be in \[9, inf\), got 0\.0"),
    "a domain for noise": ((*LAPLACE, *JOBS), "Noise on numbers needs a declared range"),
    "a range for values": (("--domain", "job=0..9"), "response takes a domain; leave the range out"),
    "a delta for values": ((*JOBS, "--delta", "1e-5"), "delta goes with the gaussian randomizer"),
    "no delta": (
        ("-s", "age", "--randomizer", "gaussian", "--domain", "age=0..9"),
        "delta goes with the gaussian randomizer",
    ),
    "epsilon zero": (("-e", "0", *JOBS), r"epsilon must be in \(0, inf\), got 0\.0"),
    "epsilon that hides nothing": (("-e", "30", *JOBS), r"epsilon of real reports must be in \[1e-06, 25\], got 30\.0"),
    "no domain file": (("--domain", "job=@absent.txt"), "The domain cannot be read from absent.txt: .*No such file"),
    "nobody": ((*JOBS, "--where", "age > 900", "--type", "age=integer"), "The release could not be made"),
    "a folder": ((*JOBS, "-o", "."), "it is a folder. Name a file in it"),
    "no folder": ((*JOBS, "-o", "absent/r.csv"), "Choose a folder that exists"),
}


@pytest.mark.parametrize(("flags", "message"), WRONG.values(), ids=WRONG.keys())
def test_bad_input_writes_nothing(run, people, tmp_path, flags, message):
    before = sorted(tmp_path.iterdir())
    refused(released(run, people, tmp_path / "reports.csv", *flags, "--quiet"), message)
    assert sorted(tmp_path.iterdir()) == before


def test_a_domain_file_has_to_be_text(run, people, tmp_path):
    (tmp_path / "d.txt").write_bytes(b"\xff\xfe\x00")
    domain = ("--domain", f"job=@{tmp_path / 'd.txt'}")
    refused(released(run, people, tmp_path / "r.csv", *domain), "domain cannot be read")
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize("flags", [("--quiet",), ()], ids=["quiet", "not quiet"])
def test_progress_is_told_on_stderr_unless_quiet(run, people, tmp_path, monkeypatch, flags):
    monkeypatch.setattr(progress_module, "PATIENCE", 0.0)
    release = released(run, people, tmp_path / "r.csv", *JOBS, *flags)
    guess = run("guess", people, "-c", "age", "--range", "age=0:120", "-a", "0.01", *flags)
    assert (release.code, guess.code) == (0, 0)
    told = not flags
    assert ("Making the release" in release.err) == told
    assert ("Counting the groups … 0 s" in guess.err) == told
    assert told or release.err == guess.err == ""


@pytest.mark.parametrize("arguments", [("release",), ("release", "x.csv"), ("guess", "--nosuch")])
def test_usage_errors_show_usage(run, arguments):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert "Usage" in outcome.out + outcome.err


def test_many_groups_are_cut_short(run):
    outcome = run("guess", "-a", "0.1", "--event", "any", *(flag for _ in range(25) for flag in ("-p", "0.01")))
    assert outcome.code == 0
    assert "field 20" in outcome.out
    assert "field 21" not in outcome.out
    assert "And 5 more." in outcome.out
