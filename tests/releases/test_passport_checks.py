"""Checks of a passport: what holds passes, and every single thing that differs is found."""

import json
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from epsilometer.errors import BadLedger
from epsilometer.mechanisms import DiscreteGaussian, Geometric
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts, CountsOf, Sample
from epsilometer.publication.any_table import LAWS, any_table_risks, expected_errors, listed_by_one
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.passport_checks import check_passport
from epsilometer.releases.passports import guaranteed, make_passport, output_of, protected
from epsilometer.releases.release import release
from epsilometer.releases.this_table import this_table_risks
from epsilometer.vocabulary.passport import Guarantee, MechanismUsed, Passport, Support
from epsilometer.vocabulary.passport_check import FAILED, NOT_POSSIBLE, PASSED
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

EXAMPLES = json.loads((Path(__file__).parents[1] / "reference" / "passports.json").read_text(encoding="utf-8"))


def lay(folder, document, files):
    """Put a passport and its files into a folder."""
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    path = folder / "passport.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def outcomes(checked, outcome):
    return {finding.what: finding for finding in checked.findings if finding.outcome == outcome}


def changed(example, *place_and_value):
    document = json.loads(json.dumps(EXAMPLES[example]["passport"]))
    *place, last, value = place_and_value
    inside = document
    for key in place:
        inside = inside[key]
    inside[last] = value
    return document


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_passport_from_the_definitions_holds(name, tmp_path):
    """The numbers of the examples are sums over the noise's probabilities in 30 digits, not of the code under test."""
    checked = check_passport(lay(tmp_path, EXAMPLES[name]["passport"], EXAMPLES[name]["files"]))
    assert checked.passed, outcomes(checked, FAILED)
    assert {"entry in the ledger", "fingerprint and risk of the table"} <= outcomes(checked, NOT_POSSIBLE).keys()
    assert checked.in_words.startswith("The passport holds: all ")


JOB = "counts of sex, job"
LISTED = "δ and threshold of the listed combinations"
DIFFERENCES = {
    "less epsilon in total": ("counts", ("guarantee", "epsilon", 0.9), "total ε, added up from the looks"),
    "less delta in total": ("thresholded", ("guarantee", "delta", 1e-7), "total δ, added up from the looks"),
    "less epsilon by an accountant": (
        "two tables",
        ("guarantee", {"epsilon": 0.9, "delta": 1e-9, "accounting": "composed"}),
        "total ε, composed from the looks",
    ),
    "less epsilon than the noise": ("counts", ("looks", 0, "epsilon", 0.9), f"ε, δ and scale of the noise: {JOB}"),
    "more epsilon than the noise": ("counts", ("looks", 0, "epsilon", 1.1), f"ε, δ and scale of the noise: {JOB}"),
    "less delta than the noise": ("gaussian", ("looks", 0, "delta", 1e-9), f"ε, δ and scale of the noise: {JOB}"),
    "less noise than paid for": ("counts", ("mechanisms", 0, "scale", 0.5), f"mechanism and look: {JOB}"),
    "noise nobody paid for": (
        "counts",
        ("mechanisms", 0, "what", "counts of age"),
        "mechanism and look: counts of age",
    ),
    "a low threshold": (
        "thresholded",
        ("mechanisms", 0, "threshold", 14.0),
        LISTED,
    ),
    "everything listed": (
        "thresholded",
        ("mechanisms", 0, "threshold", -1e9),
        LISTED,
    ),
    "no threshold": ("thresholded", ("mechanisms", 0, "threshold", None), LISTED),
    "a smaller risk": ("counts", ("risks", 0, "value", 0.46), "risk: membership advantage"),
    "a larger risk": ("counts", ("risks", 0, "value", 0.47), "risk: membership advantage"),
    "a bound where there is none": ("local", ("risks", 0, "value", 0.1), "risk: membership advantage"),
    "no bound where there is one": ("counts", ("risks", 2, "value", None), "risk: belief in a yes/no fact"),
    "another risk": ("counts", ("risks", 1, "name", "luck"), "risk: numbers that are stated"),
    "no risks": ("counts", ("risks", []), "risk: numbers that are stated"),
    "a smaller error": ("counts", ("utility", 1, "value", 2.0), f"utility: error of 95 % of counts: {JOB}"),
    "an error out of nowhere": (
        "synthetic",
        ("utility", EXAMPLES["counts"]["passport"]["utility"]),
        "utility: numbers",
    ),
    "a fixed seed": ("counts", ("unsafe_seed", 7), "randomness"),
    "another hash": ("counts", ("outputs", 0, "sha256", "0" * 64), "counts.csv: SHA-256"),
    "another size": ("counts", ("outputs", 0, "bytes", 1), "counts.csv: bytes"),
    "other rows": ("counts", ("outputs", 0, "rows", 5), "counts.csv: rows"),
    "other columns": ("counts", ("outputs", 0, "columns", ["sex", "job"]), "counts.csv: columns"),
    "an absent file": ("counts", ("outputs", 0, "file", "absent.csv"), "absent.csv is there"),
}


@pytest.mark.parametrize(("example", "change", "what"), DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_every_difference_is_found(example, change, what, tmp_path):
    checked = check_passport(lay(tmp_path, changed(example, *change), EXAMPLES[example]["files"]))
    failed = outcomes(checked, FAILED)
    assert any(found.startswith(what) for found in failed), failed
    assert not checked.passed
    assert "does NOT hold" in checked.in_words
    assert all(finding.expected != finding.found for finding in failed.values())


def test_more_than_the_guarantee_needs_is_no_difference(tmp_path):
    """A guarantee may be stated weaker than it is, never stronger; its risks are then those that are stated."""
    document = changed("two tables", "guarantee", "epsilon", 1.5)
    failed = outcomes(check_passport(lay(tmp_path, document, EXAMPLES["two tables"]["files"])), FAILED)
    assert failed
    assert all(what.startswith("risk: ") for what in failed)


def test_gaussian_noise_on_many_counts_is_checked_by_the_accountant(tmp_path):
    document = changed("gaussian", "looks", 0, "moved_counts", 4)
    what = f"ε, δ and scale of the noise: {JOB}"
    assert what in outcomes(check_passport(lay(tmp_path, document, EXAMPLES["gaussian"]["files"])), FAILED)
    document["looks"][0]["epsilon"] = 3.0
    assert what in outcomes(check_passport(lay(tmp_path, document, EXAMPLES["gaussian"]["files"])), PASSED)


@given(data=st.data())
def test_a_changed_byte_is_found(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    example = EXAMPLES["counts"]
    path = lay(folder, example["passport"], example["files"])
    content = bytearray((folder / "counts.csv").read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    (folder / "counts.csv").write_bytes(content)
    checked = check_passport(path)
    assert "counts.csv: SHA-256" in outcomes(checked, FAILED)


SHAPES = {
    "line ends inside values": (b'a,b\n"x\ny",1\n"z",2\n', 2, ["a", "b"]),
    "empty values of one column": (b"a\n\n\nx\n", 3, ["a"]),
    "no rows": (b"a,b\n", 0, ["a", "b"]),
    "a comma in a name": (b'"a,b",c\n1,2\n', 1, ["a,b", "c"]),
    "words after numbers": (b"a\n" + b"1\n" * 200_000 + b"x\n", 200_001, ["a"]),
}


@pytest.mark.parametrize(("content", "rows", "columns"), SHAPES.values(), ids=SHAPES.keys())
def test_rows_and_columns_of_any_csv_are_counted(content, rows, columns, tmp_path):
    (tmp_path / "counts.csv").write_bytes(content)
    outputs = [described(tmp_path / "counts.csv", rows, columns)]
    assert check_passport(lay(tmp_path, changed("counts", "outputs", outputs), {})).passed


def described(path, rows, columns):
    return asdict(output_of(path.name, path.read_bytes(), rows=rows, columns=columns))


def test_parquet_and_other_files(tmp_path):
    table = tmp_path / "counts.parquet"
    parquet.write_table(pa.table({"sex": ["f", "m"], "count": [1, 2]}), table)
    note = tmp_path / "notes.txt"
    note.write_text("hello", encoding="utf-8")
    broken = tmp_path / "broken.parquet"
    broken.write_text("hello", encoding="utf-8")
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("a,b\n1\n", encoding="utf-8")
    foreign = tmp_path / "foreign.csv"
    foreign.write_bytes(b"a\xff,b\n1,2\n")
    outputs = [
        described(table, 2, ["sex", "count"]),
        *(described(each, 1, ["x"]) for each in (note, broken, ragged, foreign)),
    ]
    checked = check_passport(lay(tmp_path, changed("counts", "outputs", outputs), {}))
    assert outcomes(checked, FAILED).keys() == {f"{each.name} is a table" for each in (broken, ragged, foreign)}
    assert (
        outcomes(checked, NOT_POSSIBLE)["notes.txt: rows and columns"].missing == "a file that ends in .csv or .parquet"
    )


# Numbers for any table


@pytest.mark.parametrize("mechanism", [Geometric(epsilon=0.7), DiscreteGaussian(epsilon=0.7, delta=1e-5)])
def test_the_laws_are_those_of_the_mechanisms(mechanism):
    law, scale = LAWS[mechanism.name], float(mechanism.scale)
    assert law.membership(scale) == pytest.approx(float(mechanism.membership_advantage), rel=1e-13)
    assert law.value(scale) == pytest.approx(float(mechanism.value_advantage), rel=1e-13)
    for k in (-9, -1, 0, 1, 2, 30, 10_000):
        assert law.beyond(scale, k) == pytest.approx(float(mechanism.probability_at_least(k)), rel=1e-12, abs=1e-300)


@given(st.sampled_from(sorted(LAWS)), st.floats(0.05, 200))
def test_mean_and_spread_of_the_noise(noise, scale):
    """Held against sums over the probabilities, out to where they vanish."""
    law, far = LAWS[noise], int(60 * max(scale, 1)) + 10
    tails = np.array([law.beyond(scale, k) for k in range(1, far)])
    mean, within = (number.value for number in expected_errors("counts", [used(noise, scale)], []))
    assert mean == pytest.approx(2 * tails.sum(), rel=1e-9)
    assert within == int(np.argmax(2 * tails <= 0.05))


def used(noise, scale, **more):
    return MechanismUsed(what="counts", name=noise, scale=scale, moved_counts=1, **more)


@given(st.floats(0.01, 20), st.sampled_from([0.0, 1e-6, 0.3]), st.sampled_from(["add-remove", "replace"]))
def test_known_noise_never_allows_more_than_its_guarantee(epsilon, delta, adjacency):
    moved = 1 if adjacency == "add-remove" else 2
    guarantee = Guarantee(epsilon=epsilon, delta=delta, accounting="added up")
    known = PrivacyLoss(
        what="c", noise="geometric", epsilon=epsilon, delta=0.0, scale=moved / epsilon, moved_counts=moved
    )
    unknown = PrivacyLoss(what="c", noise="any", epsilon=epsilon, delta=delta)
    tight, loose = (
        any_table_risks("counts", guarantee, [look], adjacency=adjacency, support=Support(kind="declared"))
        for look in (known, unknown)
    )
    for small, large in zip(tight, loose, strict=True):
        assert large.value is None or small.value <= large.value * (1 + 1e-12)
        assert small.value is None or 0 <= small.value <= 1


def test_a_list_of_counts_says_more_than_its_noise():
    """With a threshold the noise is not all there is: the guarantee decides."""
    look = PrivacyLoss(what="c", noise="geometric", epsilon=1.0, delta=1e-3, scale=1.0, moved_counts=1)
    guarantee = Guarantee(epsilon=1.0, delta=1e-3, accounting="added up")
    membership = any_table_risks(
        "counts", guarantee, [look], adjacency="add-remove", support=Support(kind="thresholded", delta=1e-3)
    )[0]
    assert membership.value == pytest.approx(np.tanh(0.5) + 1e-3 * (1 - np.tanh(0.5)), rel=1e-12)


def test_the_chance_to_be_listed():
    one = LAWS["geometric"].beyond(2.0, 9)
    assert listed_by_one("geometric", 2.0, threshold=10, moved_counts=1) == pytest.approx(one, rel=1e-12)
    assert listed_by_one("geometric", 2.0, threshold=9.5, moved_counts=3) == pytest.approx(1 - (1 - one) ** 3, rel=1e-9)
    assert listed_by_one("discrete-gaussian", 0.01, threshold=-5, moved_counts=1) == 1


def test_a_sample_of_nobody_has_no_error():
    (share,) = expected_errors("sample", [], [0])
    assert share.value is None


# Making passports


LOOKS = (PrivacyLoss(what="counts of job", noise="geometric", epsilon=1.0, delta=0.0, scale=1.0, moved_counts=1),)


def test_a_passport_is_made_from_what_was_published(tmp_path):
    content = b"job,count\ncook,2\n"
    made = make_passport(
        dataset="stays",
        kind="counts",
        ledger_entry="1",
        plan={"table": "postgres://me:secret@host/x::t", "sensitive": ("job",)},
        protection=protected("counts", adjacency="add-remove"),
        guarantee=guaranteed(LOOKS),
        looks=LOOKS,
        mechanisms=[MechanismUsed(what="counts of job", name="geometric", scale=1.0, moved_counts=1)],
        outputs=[output_of("job.csv", content, rows=1, columns=["job", "count"])],
        input_commitment=None,
        support=Support(kind="declared"),
    )
    assert "secret" not in json.dumps(made.to_dict())
    assert made.plan == {"sensitive": ["job"]}
    assert Passport.from_dict(made.to_dict()) == made
    path = lay(tmp_path, made.to_dict(), {"job.csv": content.decode()})
    assert check_passport(path).passed


def test_the_accountant_is_asked_for_less_than_the_sum():
    looks = [replace(LOOKS[0], epsilon=0.1, scale=10.0)] * 100
    together = guaranteed(looks, delta=1e-6)
    assert together.accounting == "composed"
    assert together.delta == 1e-6
    assert together.epsilon < guaranteed(looks).epsilon == pytest.approx(10.0)
    assert guaranteed(LOOKS, delta=0.0) == Guarantee(epsilon=1.0, delta=0.0, accounting="added up")


PROTECTED = {
    "rows": ({"adjacency": "add-remove"}, "Each row is protected: nobody can be sure whether that row is in the table"),
    "people": (
        {"adjacency": "add-remove", "contributions": 3, "unit": "person"},
        "All rows of a person, which add to 3 counts of a table at most, are protected",
    ),
    "values": ({"adjacency": "replace"}, "which values that row has; how many there are is not hidden"),
}


@pytest.mark.parametrize(("given_", "words"), PROTECTED.values(), ids=PROTECTED.keys())
def test_the_unit_of_protection_in_words(given_, words):
    assert words in protected("counts", **given_).in_words


def test_samples_and_reports_say_whom_they_do_not_protect():
    assert protected("sample", adjacency="replace").in_words.startswith("Whoever was drawn is not protected")
    assert "Who took part is not hidden" in protected("local", adjacency="replace").in_words


# With the ledger and the table


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    rows = [("sex", "job"), *(("fm"[i % 2], ("cook", "nurse")[i % 3 // 2]) for i in range(60))]
    path.write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def plan(table):
    domain = {"sex": ["f", "m"], "job": ["cook", "nurse"]}
    return Plan(table=str(table), quasi_identifiers=("sex",), sensitive=("job",), unit="row", domain=domain)


@pytest.fixture
def released(plan, tmp_path):
    """A folder with a real release, and its ledger elsewhere."""
    out = tmp_path / "out"
    out.mkdir()
    release(plan, out=out / "counts.csv", ledger=tmp_path / "ledger.sqlite")
    return out / "counts.csv.passport.json", tmp_path / "ledger.sqlite"


def test_a_real_release_holds_with_everything_at_hand(released, table):
    path, ledger = released
    checked = check_passport(path, ledger=ledger, table=str(table))
    assert checked.passed, outcomes(checked, FAILED)
    assert not outcomes(checked, NOT_POSSIBLE)
    assert "table: people disclosed of their job" in outcomes(checked, PASSED)
    assert "table: commitment" in outcomes(checked, PASSED)
    assert "ledger: SHA-256 of counts.csv" in outcomes(checked, PASSED)


def test_the_risk_in_the_ledger_is_that_of_the_assessment(plan):
    from epsilometer import assess

    drawn = replace(plan, release=Counts(mechanism=Geometric(epsilon=1.0)))
    value = float(assess(drawn).attributes[0].people.value)
    assert this_table_risks(plan) == {"people disclosed of their job": pytest.approx(value, rel=1e-12)}


def test_no_risk_of_this_table_is_known_for_other_releases(plan):
    assert this_table_risks(replace(plan, release=Sample(size=5))) == {}
    single = Counts(tables=(CountsOf(columns=("job",)),))
    assert this_table_risks(replace(plan, release=single)) == {}
    both = Counts(tables=(CountsOf(columns=("job", "sex")),))
    assert this_table_risks(replace(plan, release=both)) == this_table_risks(plan)


def test_another_table_is_noticed(released, table):
    path, ledger = released
    table.write_text(table.read_text(encoding="utf-8") + "f,nurse\n", encoding="utf-8")
    failed = outcomes(check_passport(path, ledger=ledger, table=str(table)), FAILED)
    assert failed.keys() == {"table: commitment", "table: people disclosed of their job"}


def test_a_table_that_does_not_fit_the_plan_is_a_difference(released, tmp_path):
    path, ledger = released
    other = tmp_path / "other.csv"
    other.write_text("age\n1\n", encoding="utf-8")
    failed = outcomes(check_passport(path, ledger=ledger, table=str(other)), FAILED)
    assert "There is no column" in failed["table: plan of the passport"].found


def test_a_table_without_the_ledger_proves_nothing(released, table):
    unknown = outcomes(check_passport(released[0], table=str(table)), NOT_POSSIBLE)
    assert unknown["table: commitment"].missing == "--ledger with the entry of the release"
    assert "table: risk of this very table" in unknown


def test_a_table_that_is_no_file_is_not_held_against_one(released, tmp_path):
    path, ledger = released
    database = tmp_path / "people.db"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE t (sex TEXT, job TEXT)")
        connection.execute("INSERT INTO t VALUES ('f', 'cook')")
    connection.close()
    unknown = outcomes(check_passport(path, ledger=ledger, table=f"{database}::t"), NOT_POSSIBLE)
    assert unknown["table: commitment"].missing == "the file that was released"


def rewritten(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")


ENTRIES = {
    "an unknown entry": ({"ledger_entry": "0" * 32}, "ledger: entry 0000"),
    "another data set": ({"dataset": "others"}, "ledger: entry "),
    "another commitment": ({"input_commitment": "0" * 64}, "ledger: commitment to the table"),
    "another plan": ({"plan": {}}, "ledger: plan"),
    "another time": ({"released_at": "2020-01-01T00:00:00Z"}, "ledger: SHA-256 of this passport"),
}


@pytest.mark.parametrize(("changes", "what"), ENTRIES.values(), ids=ENTRIES.keys())
def test_a_passport_that_the_ledger_does_not_know_is_found(released, changes, what):
    path, ledger = released
    rewritten(path, **changes)
    failed = outcomes(check_passport(path, ledger=ledger), FAILED)
    assert any(found.startswith(what) for found in failed), failed


def test_looks_and_files_are_held_against_the_ledger(released):
    """Both the file and its hash in the passport were changed: only the ledger can tell."""
    path, ledger = released
    document = json.loads(path.read_text(encoding="utf-8"))
    forged = b"sex,job,count\nf,cook,1000\n"
    (path.parent / "counts.csv").write_bytes(forged)
    output = described(path.parent / "counts.csv", 1, ["sex", "job", "count"])
    rewritten(path, outputs=[output], looks=[document["looks"][0] | {"what": "counts"}])
    failed = outcomes(check_passport(path, ledger=ledger), FAILED)
    assert {"ledger: SHA-256 of counts.csv", "ledger: looks", "ledger: SHA-256 of this passport"} <= failed.keys()


def test_a_release_that_never_appeared_is_found(released, plan):
    path, ledger = released
    looks = json.loads(path.read_text(encoding="utf-8"))["looks"]
    with open_ledger(ledger) as opened:
        looks = [PrivacyLoss.from_dict(look) for look in looks]
        entry = opened.enter(dataset="people", kind="counts", plan={}, looks=looks, output=path.parent / "more.csv")
        dataset = entry.dataset
    rewritten(path, ledger_entry=entry.id, dataset=dataset)
    failed = outcomes(check_passport(path, ledger=ledger), FAILED)
    assert (failed["ledger: state"].expected, failed["ledger: state"].found) == ("sealed or done", "spent")


def test_a_risk_that_was_changed_or_forgotten_is_found(released, table, monkeypatch):
    from epsilometer.releases import ledger_checks

    path, ledger = released
    monkeypatch.setattr(ledger_checks, "this_table_risks", lambda plan: {"people disclosed of their age": 0.5})
    failed = outcomes(check_passport(path, ledger=ledger, table=str(table)), FAILED)
    assert failed.keys() == {"table: people disclosed of their age", "table: people disclosed of their job"}


def test_a_ledger_that_is_not_there_is_said(released, tmp_path):
    with pytest.raises(BadLedger, match="There is no ledger"):
        check_passport(released[0], ledger=tmp_path / "absent.sqlite")


def test_two_releases_of_the_same_bytes_have_nothing_in_common(released, plan, table, tmp_path):
    path, ledger = released
    again = tmp_path / "again"
    again.mkdir()
    release(plan, out=again / "counts.csv", ledger=ledger)
    ours, theirs = (json.loads(each.read_text(encoding="utf-8"))["input_commitment"]
                    for each in (path, again / path.name))  # fmt: skip
    assert ours != theirs
    for each in (path, again / path.name):
        assert "table: commitment" in outcomes(check_passport(each, ledger=ledger, table=str(table)), PASSED)
    assert not {ours, theirs} & set(ledger.read_bytes().decode("latin-1").split('"'))


def test_without_the_key_a_table_cannot_be_held_against_its_release(released, table, tmp_path, monkeypatch):
    path, ledger = released
    monkeypatch.setenv("EPSILOMETER_LEDGER_KEY", str(tmp_path / "other.key"))
    for rekeyed in (False, True):
        checked = check_passport(path, ledger=ledger, table=str(table))
        assert "table: commitment" in outcomes(checked, NOT_POSSIBLE)
        assert "ledger: commitment to the table" in outcomes(checked, PASSED)
        if not rekeyed:
            with open_ledger(ledger) as opened:
                opened.rekey(who="Ann", why="lost")
