"""The questions people ask have the same answers on every engine."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations

import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.joint import NoisyTable, joint_risk
from epsilometer.tables.roles import Roles

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

KNOWN = ("sex", "district", "year")
ROWS = pa.Table.from_pylist(
    [
        {"sex": "fm"[i % 2], "district": ["north", "south", "east", None][i * i % 7 % 4], "year": 1950 + i % 5,
         "job": ["cook", "nurse", "judge"][(i % 2 + i % 5 // 2 + (i % 37 == 0)) % 3]}
        for i in range(120)
    ]
)  # fmt: skip
HERE = ROWS.to_pylist()


@pytest.fixture
def plan(engine):
    return em.Plan(table=engine.source("jobs", ROWS), quasi_identifiers=KNOWN, sensitive=("job",))


def jobs_by(columns):
    cells = defaultdict(Counter)
    for row in HERE:
        cells[tuple(row[name] for name in columns)][row["job"]] += 1
    return cells.values()


def jobs_of(one, columns):
    return {row["job"] for row in HERE if all(row[name] == one[name] for name in columns)}


def named_right(columns):
    return sum(max(cell.values()) for cell in jobs_by(columns)) / len(HERE)


def test_an_assessment_reads_the_table(plan):
    found = em.assess(plan).attributes[0].raw
    cells = jobs_by(KNOWN)
    assert (found.n_records, found.n_cells, found.n_values) == (120, len(cells), 3)
    assert found.anonymity.k == min(cell.total() for cell in cells)
    assert found.inference.posterior == pytest.approx(named_right(KNOWN))
    assert found.inference.prior == pytest.approx(named_right(()))


def test_risks_are_those_of_the_rows_at_hand(plan):
    ours, theirs = (em.assess(replace(plan, table=table)).attributes[0] for table in (plan.table, ROWS))
    assert ours.people.value == pytest.approx(theirs.people.value, rel=1e-12)
    targets = {"max_risk": 0.2, "max_loss": 0.2}
    ours, theirs = (em.choose(replace(plan, table=table, **targets)) for table in (plan.table, ROWS))
    assert ours.recommended == theirs.recommended is not None


def test_comparing_kinds_starts_from_what_the_table_alone_tells(plan):
    found = em.compare([replace(plan, release=em.Raw())], repeats=2)
    assert found.curves[0].points[0].risk.value == pytest.approx(named_right(KNOWN))


def test_several_releases_are_read_together(plan):
    """Without noise to speak of, whoever has the only job of their cell in either table is disclosed."""
    known = (("sex", "year"), ("district", "sex"), KNOWN)
    tables = [NoisyTable(Roles(each, ("job",)), em.Laplace(epsilon=200.0)) for each in known]
    found = joint_risk(plan.table, tables)
    disclosed = [[len(jobs_of(row, each)) == 1 for row in HERE] for each in known]
    assert found.each == pytest.approx([sum(each) / 120 for each in disclosed])
    assert found.value == pytest.approx(sum(map(max, *disclosed)) / 120)


def test_attackers_are_those_of_a_plain_search(plan):
    target = 0.6
    sets = [columns for size in range(4) for columns in combinations(KNOWN, size)]
    breaking = [set(columns) for columns in sets if named_right(columns) > target]
    smallest = [known for known in breaking if not any(less < known for less in breaking)]
    found = em.find_attackers(replace(plan, release=em.Raw(), max_risk=target))
    assert smallest
    assert sorted(sorted(known.columns) for known in found.breaking) == sorted(map(sorted, smallest))
    for known in found.evaluated:
        assert known.raw == pytest.approx(named_right(known.columns))
