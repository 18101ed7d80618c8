"""A real release from a plan to files, passport and ledger, for every kind."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

import epsilometer as em
from epsilometer.errors import (
    BadOutput,
    BadQuestion,
    EpsilometerError,
    OutputExists,
    OverBudget,
    ReleaseFailed,
)
from epsilometer.releases import appearing
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.passport_checks import check_passport
from epsilometer.releases.release import carry_out, release
from epsilometer.releases.this_table import this_table_risks
from epsilometer.report.passport_document import read_passport

REASONS = ["birth", "circulatory", "digestive", "injury", "mental health", "respiratory"]
DISTRICTS = [
    *("Altmarkt", "Brook", "Castle Hill", "Dockside", "Eastfield", "Fairview", "Greenacre", "Harbour Isle"),
    None,
]
DOMAIN = {"sex": ["female", "male"], "district": DISTRICTS, "reason": REASONS, "age": {"low": 0, "high": 109}}


@pytest.fixture
def stays(tmp_path):
    from pyarrow import csv as arrow_csv

    path = tmp_path / "stays.csv"
    arrow_csv.write_csv(em.example_table(), path)
    return path


@pytest.fixture
def plan(stays):
    return em.Plan(
        table=str(stays),
        dataset="stays",
        quasi_identifiers=("age", "sex", "district"),
        unit="row",
        sensitive=("reason",),
        bins={"age": 10},
        domain=DOMAIN,
        release=em.Counts(mechanism=em.Laplace(epsilon=1.0)),
    )


KINDS = {
    "counts": em.Counts(mechanism=em.Geometric(epsilon=1.0)),
    "gaussian counts": em.Counts(mechanism=em.DiscreteGaussian(epsilon=1.0, delta=1e-6)),
    "thresholded counts": em.Counts(support="thresholded", support_delta=1e-6),
    "several tables": em.Counts(
        tables=(em.CountsOf(columns=("sex", "reason")), em.CountsOf(columns=("district", "reason"), weight=2.0)),
        post_processing=("non-negative", "whole", "totals"),
    ),
    "several gaussian tables": em.Counts(
        mechanism=em.Gaussian(epsilon=1.0, delta=1e-6),
        tables=(em.CountsOf(columns=("sex", "reason")), em.CountsOf(columns=("district", "reason"))),
        split="optimised",
    ),
    "sample": em.Sample(size=100),
    "stratified sample": em.Sample(size=100, strata=("sex",)),
    "synthetic": em.Synthetic(method="contingency", epsilon=2.0, columns=("sex", "district", "reason")),
    "local": em.Local(epsilon=1.0),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@every_kind
def test_every_kind_is_entered_published_and_holds_against_everything_that_is_at_hand(tmp_path, plan, kind):
    out, ledger = tmp_path / "out.csv", tmp_path / "ledger.sqlite"
    passport = release(replace(plan, release=KINDS[kind]), out=out, ledger=ledger)
    assert rows(out)
    assert read_passport(tmp_path / "out.csv.passport.json") == passport
    page = (tmp_path / "out.csv.passport.html").read_text(encoding="utf-8")
    assert passport.outputs[0].sha256 in page
    with open_ledger(ledger) as opened:
        (entry,) = opened.entries("stays")
    assert (entry.state, entry.kind, entry.id) == ("done", passport.kind, passport.ledger_entry)
    checked = check_passport(tmp_path / "out.csv.passport.json", ledger=ledger, table=str(plan.table))
    assert [finding for finding in checked.findings if finding.outcome == "failed"] == []


@every_kind
def test_the_guarantee_is_the_one_that_was_asked_for(tmp_path, plan, kind):
    passport = release(replace(plan, release=KINDS[kind]), out=tmp_path / "out.csv", ledger=tmp_path / "l.sqlite")
    asked = KINDS[kind]
    epsilon, delta = {
        "counts": (1.0, 0.0),
        "thresholded counts": (1.0, 1e-6),
        "several tables": (1.0, 0.0),
        "gaussian counts": (1.0, 1e-6),
        "several gaussian tables": (1.0, 1e-6),
        "synthetic": (2.0, 0.0),
        "local": (1.0, 0.0),
        "sample": (0.0, 100 / 2400),
        "stratified sample": (0.0, 0.0418),
    }[kind]
    assert passport.guarantee.epsilon <= epsilon * (1 + 1e-12)
    assert passport.guarantee.epsilon >= 0.95 * epsilon
    assert passport.guarantee.delta == pytest.approx(delta, rel=5e-3)
    assert passport.kind == asked.kind


def test_nothing_of_the_table_is_in_the_passport_but_through_the_noise(tmp_path, plan, stays):
    """Two tables that differ in every count have passports that differ in hashes, times and names alone."""
    documents = []
    for name, text in (("one", stays.read_text()), ("other", stays.read_text().replace("female", "male"))):
        table = tmp_path / f"{name}.csv"
        table.write_text(text)
        passport = release(
            replace(plan, table=str(table), dataset=name),
            out=tmp_path / f"{name}.out.csv",
            ledger=tmp_path / "l.sqlite",
        )
        document = passport.to_dict()
        for varying in ("dataset", "released_at", "ledger_entry", "input_commitment"):
            document.pop(varying)
        document["plan"].pop("dataset")
        document["outputs"][0] |= {"file": "", "sha256": "", "bytes": 0}
        documents.append(document)
    assert documents[0] == documents[1]


def test_a_release_beyond_the_budget_is_refused_and_leaves_nothing(tmp_path, plan):
    ledger = tmp_path / "ledger.sqlite"
    with open_ledger(ledger) as opened:
        opened.set_budget("stays", epsilon=1.5, delta=0.0)
    release(plan, out=tmp_path / "first.csv", ledger=ledger)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(OverBudget, match=r"asks for ε = 1 .*of 'stays', which has spent ε = 1 of 1\.5.*0\.5 is left"):
        release(plan, out=tmp_path / "second.csv", ledger=ledger)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    half = replace(plan, release=em.Counts(mechanism=em.Laplace(epsilon=0.5)))
    assert release(half, out=tmp_path / "second.csv", ledger=ledger).guarantee.epsilon == 0.5


def test_a_sample_is_refused_by_a_budget_with_a_small_delta(tmp_path, plan):
    with open_ledger(tmp_path / "l.sqlite") as opened:
        opened.set_budget("stays", epsilon=10.0, delta=1e-6)
    with pytest.raises(OverBudget):
        release(replace(plan, release=em.Sample(size=10)), out=tmp_path / "s.csv", ledger=tmp_path / "l.sqlite")
    assert not (tmp_path / "s.csv").exists()


def test_later_releases_are_judged_together_with_earlier_ones(tmp_path, plan):
    ledger = tmp_path / "l.sqlite"
    made = [
        carry_out(plan, out=tmp_path / f"{i}.csv", ledger=ledger, overwrite=False).entry.internal["joint"]
        for i in range(3)
    ]
    one = made[0]["value"]
    assert [len(joint["each"]) for joint in made] == [1, 2, 3]
    assert one < made[1]["value"] < made[2]["value"] < 3 * one
    sampled = carry_out(
        replace(plan, release=em.Sample(size=5)), out=tmp_path / "s.csv", ledger=ledger, overwrite=False
    )
    assert sampled.entry.internal["joint"]["left_out"] == ["this release of a sample"]


@pytest.mark.parametrize("kind", ["counts", "gaussian counts", "thresholded counts"])
def test_one_release_gives_away_together_what_it_gives_away_alone(tmp_path, plan, kind):
    asked = replace(plan, release=KINDS[kind])
    internal = carry_out(asked, out=tmp_path / "o.csv", ledger=tmp_path / "l.sqlite", overwrite=False).entry.internal
    alone = this_table_risks(asked)  # by the profile of the table, not by who is in which cell
    assert internal["risks"] == pytest.approx(alone, rel=1e-9)
    assert [internal["joint"]["value"]] == pytest.approx(list(alone.values()), rel=1e-9)


def test_releases_of_other_rows_are_left_out_by_name(tmp_path, plan):
    ledger = tmp_path / "l.sqlite"
    release(replace(plan, where="age < 50"), out=tmp_path / "young.csv", ledger=ledger)
    joint = carry_out(plan, out=tmp_path / "all.csv", ledger=ledger, overwrite=False).entry.internal["joint"]
    assert len(joint["each"]) == 1
    assert joint["left_out"][0].startswith("the release of counts to young.csv on 20")


def test_a_release_that_was_sealed_and_cut_off_is_completed_and_paid_for_once(tmp_path, plan, monkeypatch):
    ledger, out = tmp_path / "l.sqlite", tmp_path / "out.csv"
    with open_ledger(ledger) as opened:
        opened.set_budget("stays", epsilon=1.0, delta=0.0)

    def power_cut(*_args, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(appearing, "put", power_cut)
        with pytest.raises(KeyboardInterrupt):
            release(plan, out=out, ledger=ledger)
    assert not out.exists()
    passport = release(plan, out=out, ledger=ledger)
    assert out.exists()
    with open_ledger(ledger) as opened:
        (entry,) = opened.entries()
    assert (entry.id, entry.state) == (passport.ledger_entry, "done")


BROKEN = {
    "a field too few": b"34,female\n",
    "no UTF-8": b'34,"\xff",Eastfield,planned,birth\n',
    "an open quote": b'"34,x\n',
}


@pytest.mark.parametrize("row", BROKEN.values(), ids=BROKEN.keys())
def test_a_failure_that_depends_on_rows_is_paid_for_and_tells_nothing(tmp_path, plan, row):
    table, ledger = tmp_path / "broken.csv", tmp_path / "l.sqlite"
    table.write_bytes(Path(plan.table).read_bytes() + row)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(ReleaseFailed) as told:
        release(replace(plan, table=str(table)), out=tmp_path / "out.csv", ledger=ledger)
    assert str(told.value) == str(ReleaseFailed())
    with open_ledger(ledger) as opened:
        (entry,) = opened.entries()
        assert (entry.state, opened.composition("stays").epsilon) == ("failed", 1.0)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "l.sqlite"])


def test_what_is_wrong_with_a_plan_is_told_before_it_is_paid_for(tmp_path, plan):
    ledger = tmp_path / "l.sqlite"
    for changes in ({"where": "no such"}, {"where": "age"}, {"where": "weight > 3"}, {"sensitive": ("weight",)},
                    {"release": em.Local(epsilon=1.0), "sensitive": ("weight",)},
                    {"release": em.Synthetic(method="contingency", columns=("weight",))},
                    {"release": em.Synthetic(method="mst", delta=0.0)},
                    {"release": em.Local(epsilon=1.0), "where": "weight > 3"},
                    {"release": em.Synthetic(method="contingency"), "where": "weight > 3"}):  # fmt: skip
        with pytest.raises(EpsilometerError) as told:
            release(replace(plan, **changes), out=tmp_path / "out.csv", ledger=ledger)
        assert not isinstance(told.value, ReleaseFailed)
    assert not ledger.exists()


@every_kind
def test_it_is_spent_before_a_row_is_read_or_noise_is_drawn(tmp_path, plan, kind, monkeypatch):
    """When the maker of the release is called, another process already finds its cost in the ledger."""
    from epsilometer.releases import release as module

    ledger, seen = tmp_path / "l.sqlite", []
    honest = module.prepare

    def watched(*arguments):
        prepared = honest(*arguments)

        def make():
            with open_ledger(ledger, must_exist=True) as other:
                seen.append([(entry.state, entry.looks) for entry in other.entries()])
            return prepared.make()

        return replace(prepared, make=make)

    monkeypatch.setattr(module, "prepare", watched)
    passport = release(replace(plan, release=KINDS[kind]), out=tmp_path / "out.csv", ledger=ledger)
    assert seen == [[("spent", passport.looks)]]


def test_a_risk_that_cannot_be_worked_out_does_not_stop_a_release(tmp_path, plan, monkeypatch):
    from epsilometer.releases import release as module

    def failing(*_):
        raise ValueError("Bob")

    monkeypatch.setattr(module, "joint_risk_of", failing)
    done = carry_out(plan, out=tmp_path / "o.csv", ledger=tmp_path / "l.sqlite", overwrite=False)
    assert (done.entry.state, dict(done.entry.internal)) == ("done", {})


def test_what_this_table_gives_away_is_not_in_the_answer(tmp_path, plan):
    done = carry_out(plan, out=tmp_path / "o.csv", ledger=tmp_path / "l.sqlite", overwrite=False)
    assert {"joint", "risks"} == set(done.entry.internal)
    assert not {"internal", "joint", "risks"} & set(done.to_dict())
    assert str(done.entry.internal["joint"]["value"]) not in json.dumps(done.to_dict())


def test_a_seed_is_for_tests_and_the_passport_says_so(tmp_path, plan):
    first, again = (
        release(plan, out=tmp_path / f"{name}.csv", ledger=tmp_path / "l.sqlite", unsafe_seed=5)
        for name in ("first", "again")
    )
    assert first.unsafe_seed == 5
    assert first.outputs[0].sha256 == again.outputs[0].sha256
    page = (tmp_path / "first.csv.passport.html").read_text(encoding="utf-8")
    assert "seed" in page
    unseeded = [release(plan, out=tmp_path / f"{i}.csv", ledger=tmp_path / "l.sqlite") for i in range(2)]
    assert unseeded[0].outputs[0].sha256 != unseeded[1].outputs[0].sha256


def test_tables_in_memory_need_a_name(tmp_path, plan):
    in_memory = replace(plan, table=em.example_table())
    assert release(in_memory, out=tmp_path / "o.csv", ledger=tmp_path / "l.sqlite").dataset == "stays"
    with pytest.raises(BadQuestion, match=r"A table in memory has no name\. Give the plan a dataset"):
        release(replace(in_memory, dataset=None), out=tmp_path / "p.csv", ledger=tmp_path / "l.sqlite")


def test_a_file_names_its_data_set(tmp_path, plan):
    passport = release(replace(plan, dataset=None), out=tmp_path / "o.parquet", ledger=tmp_path / "l.sqlite")
    assert passport.dataset == "stays"
    from pyarrow import parquet

    assert parquet.read_table(tmp_path / "o.parquet").num_rows == passport.outputs[0].rows


WRONG = {
    "raw": ({"release": em.Raw()}, BadQuestion, "Rows as they are protect nobody"),
    "two columns to report on": (
        {"release": em.Local(), "sensitive": ("reason", "sex"), "quasi_identifiers": ("age",)},
        BadQuestion,
        "People report on one column, the sensitive one; the plan has 2",
    ),
    "synthetic with a person id": (
        {"release": em.Synthetic(), "unit": None, "person_id": "admission"},
        BadQuestion,
        "A synthetic table takes each row for a person",
    ),
}


@pytest.mark.parametrize(("changes", "error", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_released_is_refused_before_anything_is_written(tmp_path, plan, changes, error, message):
    before = sorted(tmp_path.iterdir())
    with pytest.raises(error, match=message):
        release(replace(plan, **changes), out=tmp_path / "o.csv", ledger=tmp_path / "l.sqlite")
    assert sorted(tmp_path.iterdir()) == before


def test_seeds_endings_and_files_in_the_way(tmp_path, plan):
    ledger = tmp_path / "l.sqlite"
    with pytest.raises(BadQuestion, match="An unsafe seed is for counts only; a release of sample has none"):
        release(replace(plan, release=em.Sample(size=5)), out=tmp_path / "o.csv", ledger=ledger, unsafe_seed=1)
    with pytest.raises(BadOutput, match=r"o\.xlsx: its name must end in \.csv or \.parquet"):
        release(plan, out=tmp_path / "o.xlsx", ledger=ledger)
    (tmp_path / "o.csv.passport.json").write_text("mine")
    with pytest.raises(OutputExists, match=r"o\.csv\.passport\.json exists and is kept"):
        release(plan, out=tmp_path / "o.csv", ledger=ledger)
    assert not ledger.exists()


def test_hostile_names_stay_text(tmp_path):
    from pyarrow import table

    column = "=cmd|'/C calc'!A0<script>"
    people = table({column: ["a", "b"], "job": ["<b>x", "=1+1"]})
    plan = em.Plan(
        table=people,
        dataset="<script>alert(1)</script>",
        quasi_identifiers=(column,),
        unit="row",
        sensitive=("job",),
        domain={column: ["a", "b"], "job": ["<b>x", "=1+1"]},
    )
    release(plan, out=tmp_path / "o.csv", ledger=tmp_path / "l.sqlite")
    text = (tmp_path / "o.csv").read_text(encoding="utf-8")
    assert text.startswith("\"'=cmd")
    assert '"\'=1+1"' in text
    assert "<script>" not in (tmp_path / "o.csv.passport.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "o.csv.passport.json").read_text(encoding="utf-8"))["dataset"] == plan.dataset
    checked = check_passport(tmp_path / "o.csv.passport.json", ledger=tmp_path / "l.sqlite")
    assert [finding for finding in checked.findings if finding.outcome == "failed"] == []


def test_who_refuses_to_let_the_files_appear_has_paid_for_the_draw(tmp_path, plan):
    """The noise was drawn: whoever may stop it then may have seen it."""

    def stop(step, _share):
        if step == appearing.APPEARING:
            raise KeyboardInterrupt

    ledger = tmp_path / "ledger.sqlite"
    with pytest.raises(KeyboardInterrupt):
        carry_out(plan, out=tmp_path / "out.csv", ledger=ledger, overwrite=False, tell=stop)
    with open_ledger(ledger) as opened:
        assert [entry.state for entry in opened.entries()] == ["failed"]
    assert not list(tmp_path.glob("*out.csv*"))
