"""A release is made in the engine that holds the table, by the same plan on every engine."""

import csv
from collections import Counter
from datetime import date

import pyarrow as pa
import pytest
import yaml

import epsilometer as em
from epsilometer.errors import BadTable
from epsilometer.publication.sample import read_population
from epsilometer.randomizers.randomness import random_order
from epsilometer.tables.opening import open_table
from epsilometer.tables.people_drawn import people_to_draw
from epsilometer.tables.roles import assign_roles

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

ROWS = pa.Table.from_pylist(
    [
        {"who": i if i % 9 else None, "age": 20 + i * i % 23, "sex": ["f", "m", None][i % 5 % 3],
         "job": ["cook", "nurse", "judge"][i * i % 11 % 3], "since": date(2020, 1 + i % 3, 1)}
        for i in range(200)
    ]
)  # fmt: skip
HERE = ROWS.to_pylist()
DOMAIN = {"sex": ["f", "m", None], "job": ["cook", "nurse", "judge", "smith"]}
HARDLY_ANY_NOISE = em.Geometric(epsilon=40.0)  # a count is off once in 10 ** 17 times


def shown(value):
    return "(missing)" if value is None else str(value)


@pytest.fixture
def people(engine):
    return engine.source("employed", ROWS)


def plan_of(table, release, **settings):
    roles = {"quasi_identifiers": ("sex",), "sensitive": ("job",)} | settings
    unit = None if "person_id" in roles else "row"
    return em.Plan(table=table, release=release, unit=unit, **roles)


def published(folder, plan):
    em.release(plan, out=folder / "out.csv", ledger=folder / "ledger.sqlite")
    with (folder / "out.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_counts_of_a_declared_domain(people, tmp_path):
    rows = published(tmp_path, plan_of(people, em.Counts(mechanism=HARDLY_ANY_NOISE), domain=DOMAIN))
    by_hand = Counter((shown(row["sex"]), row["job"]) for row in HERE)
    assert {(row["sex"], row["job"]): int(row["count"]) for row in rows} == {
        (shown(sex), job): by_hand[shown(sex), job] for sex in DOMAIN["sex"] for job in DOMAIN["job"]
    }


def test_counts_that_are_large_enough_are_listed(people, tmp_path):
    counts = em.Counts(mechanism=HARDLY_ANY_NOISE, support="thresholded", support_delta=1e-6)
    settings = {"quasi_identifiers": ("age", "since"), "bins": {"age": 10}, "where": "age >= 30"}
    rows = published(tmp_path, plan_of(people, counts, **settings))
    by_hand = Counter(
        (f"[{row['age'] // 10 * 10}, {row['age'] // 10 * 10 + 10})", str(row["since"]), row["job"])
        for row in HERE
        if row["age"] >= 30
    )
    listed = {(row["age"], row["since"], row["job"]): int(row["count"]) for row in rows}
    assert listed == {key: count for key, count in by_hand.items() if count > 1}


def test_a_person_adds_to_one_count(people, tmp_path):
    """Everybody with an id has one row; with the month as the id, whole months count as one person."""
    release = em.Counts(mechanism=HARDLY_ANY_NOISE, cells_per_person=1)
    rows = published(tmp_path, plan_of(people, release, person_id="since", domain=DOMAIN))
    assert sum(int(row["count"]) for row in rows) == 3


@pytest.mark.parametrize("strata", [(), ("sex",), ("sex", "since")], ids=["simple", "by sex", "by sex and month"])
def test_a_sample_has_rows_of_the_table(people, strata, tmp_path):
    settings = {"quasi_identifiers": ("sex", "age", "since"), "bins": {"age": 5}, "person_id": "who"}
    drawn = published(tmp_path, plan_of(people, em.Sample(size=40, strata=strata), **settings))
    known = Counter(
        (row["sex"] or "", f"[{row['age'] // 5 * 5}, {row['age'] // 5 * 5 + 5})", str(row["since"]), row["job"])
        for row in HERE
    )
    found = Counter((row["sex"], row["age"], row["since"], row["job"]) for row in drawn)
    assert found.total() == 40
    assert found <= known
    for stratum, size in Counter(tuple(shown(row[name]) for name in strata) for row in HERE).items():
        n_drawn = sum(tuple(row[name] or "(missing)" for name in strata) == stratum for row in drawn)
        assert abs(n_drawn - 40 * size / 200) < 1


def test_every_row_has_one_place_of_its_stratum(people):
    table = open_table(people)
    roles = assign_roles(table.columns, ["sex", "since", "age"], ["job", "who"])
    drawn = people_to_draw(table, roles, ["since", "sex"], where="age < 40")
    left = [row for row in HERE if row["age"] < 40]
    assert sorted(drawn.sizes.tolist()) == sorted(Counter((row["since"], row["sex"]) for row in left).values())
    rows = drawn.fetch(random_order(len(left), len(left))).to_pylist()
    assert Counter(map(str, rows)) == Counter(str({name: row[name] for name in rows[0]}) for row in left)
    first = drawn.fetch(random_order(int(drawn.sizes[0]))).to_pylist()
    assert len({(row["since"], row["sex"]) for row in first}) == 1


def test_a_place_beyond_the_rows_is_noticed(people):
    """What a table that changed while it was read would come to."""
    table = open_table(people)
    drawn = people_to_draw(table, assign_roles(table.columns, ["sex"], "job"), ["sex"])
    drawn.n_rows[-1] += 1
    with pytest.raises(BadTable, match=r"employed.* changed while it was read\. Try again"):
        drawn.fetch(random_order(201))


def test_a_sample_has_one_row_of_people_with_several(people):
    assert read_population(plan_of(people, em.Sample(size=3), person_id="since")).sizes.tolist() == [3]


RELEASES = {
    "counts": {"kind": "counts", "mechanism": "geometric", "epsilon": 40, "support": "declared"},
    "sample": {"kind": "sample", "size": 20, "strata": ["sex"]},
}


@pytest.mark.parametrize("kind", RELEASES)
def test_a_plan_file_names_the_table(people, kind, run, tmp_path):
    plan = {"table": people, "unit": "row", "quasi_identifiers": ["sex"], "sensitive": ["job"], "domain": DOMAIN}
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(plan | {"release": RELEASES[kind]}), encoding="utf-8")
    outcome = run("release", "--plan", tmp_path / "plan.yaml", "--out", tmp_path / "out.csv", "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == {"counts": 12, "sample": 20}[kind]


def test_the_command_line_takes_the_same_names(people, run):
    outcome = run("assess", people, "-q", "sex", "-q", "age", "-s", "job", "--bin", "age=5", "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    assert "of 200 people" in outcome.out or "Of 1,000 people in this table" in " ".join(outcome.out.split())
