"""Sets of columns are counted on Spark, and counted the same as in memory and as by a plain loop over the rows."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.attackers.find import find_attackers
from epsilometer.tables import subset_queries
from epsilometer.tables.column_sets import columns_of
from epsilometer.tables.counting import count_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles
from epsilometer.tables.spark_session import session_at
from epsilometer.tables.subset_counts import subset_counts
from epsilometer.tables.subset_queries import SubsetQueries

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

NAMES = ("a", "b", "c", "d")


def made_rows():
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 3, 90), rng.integers(0, 4, 90)
    s = np.where(rng.random(90) < 0.7, (a + b) % 3, rng.integers(0, 3, 90))
    rows = pd.DataFrame({"a": a, "b": b, "c": rng.integers(0, 2, 90), "d": rng.integers(0, 9, 90), "s": s, "t": b % 2})
    rows["b"] = rows["b"].map({0: "x", 1: "y", 2: None, 3: "z"}).astype(object)
    rows["t"] = rows["t"].map({0: "even", 1: None}).astype(object)
    return rows.astype(object).where(rows.notna(), None)


ROWS = made_rows()


@pytest.fixture(scope="module")
def spark_table(needs_java):
    session = session_at("spark://local[1]")
    rows = [tuple(row.values()) for row in ROWS.to_dict("records")]
    return session.createDataFrame(rows, "a int, b string, c int, d int, s int, t string")


def named_right_by_rows(known, sensitive):
    cells = defaultdict(Counter)
    for row in ROWS.to_dict("records"):
        cells[tuple(row[name] for name in known)][tuple(row[name] for name in sensitive)] += 1
    return sum(max(cell.values()) for cell in cells.values())


def counted(source, sensitive):
    table = open_table(source)
    return subset_counts(count_table(table, assign_roles(table.columns, NAMES, sensitive)))


@pytest.mark.parametrize("sensitive", [("s",), ("s", "t")], ids=["one column", "a combination"])
def test_every_set_is_counted_as_by_a_plain_loop(spark_table, sensitive, monkeypatch):
    monkeypatch.setattr(subset_queries, "SETS_AT_ONCE", 9)
    counts = counted(spark_table, sensitive)
    assert isinstance(counts, SubsetQueries)
    assert counts.note.endswith("added up on Spark; only the results came to this machine.")
    for known, n_records in counts.named_right(range(16)):
        assert n_records == named_right_by_rows([counts.columns[column] for column in columns_of(known)], sensitive)


@pytest.mark.parametrize("known", [(), ("b", "c")], ids=["nothing", "two columns"])
def test_a_profile_is_that_of_a_plain_loop(spark_table, known):
    counts = counted(spark_table, ("s",))
    profile = counts.profile(map(counts.columns.index, known))
    cells = defaultdict(Counter)
    for row in ROWS.to_dict("records"):
        cells[tuple(row[name] for name in known)][row["s"]] += 1
    found = dict(zip(map(tuple, profile.counts.tolist()), profile.n_cells.tolist(), strict=True))
    assert found == Counter(tuple(cell[value] for value in range(3)) for cell in cells.values())


def test_attackers_are_those_found_in_memory(spark_table):
    found = []
    for source in (spark_table, ROWS):
        plan = em.Plan(
            table=source,
            quasi_identifiers=NAMES,
            sensitive=("s",),
            release=em.Counts(mechanism=em.Laplace(epsilon=2.0)),
            max_risk=0.5,
        )
        found.append(find_attackers(plan, max_known=2))
    on_spark, in_memory = found
    assert [one.columns for one in on_spark.breaking] == [one.columns for one in in_memory.breaking] != []
    assert on_spark.in_words == in_memory.in_words
    shares = {one.columns: named_right_by_rows(one.columns, ("s",)) / len(ROWS) for one in on_spark.evaluated}
    assert {one.columns: one.raw for one in on_spark.evaluated} == shares
    assert any("added up on Spark" in line for line in on_spark.caveats)
