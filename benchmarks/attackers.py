"""How fast attackers are found: Adult, every subset of six columns by six ways, and twenty candidate columns.

The six ways give the share named right for all 64 subsets of six columns, in one process and on the same rows; they
must agree. bvmlib takes minutes for a million rows, so it is given a tenth of them, and compared on those.
Needs bvmlib and, for Adult, ../shared/data/adult.csv. Run: python benchmarks/attackers.py [rows]
"""

import resource
import sys
import time
import warnings
from itertools import chain, combinations
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

import epsilometer as em
from epsilometer.assessments.attackers.find import find_attackers
from epsilometer.tables.counting import count_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles
from epsilometer.tables.subset_counts import subset_counts
from epsilometer.tables.subset_queries import SubsetQueries

ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv"
ADULT_COLUMNS = (
    "age", "workclass", "education", "marital_status", "occupation", "relationship",
    "race", "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country",
)  # fmt: skip
SIX = {"age": 70, "sex": 2, "region": 9, "education": 7, "occupation": 20, "household": 5}
VALUES = 3
SUBSETS = list(chain.from_iterable(combinations(SIX, size) for size in range(len(SIX) + 1)))


def people(n_rows, columns):
    """Rows with skewed columns, as codes; the sensitive one depends on the first two columns."""
    rng = np.random.default_rng(0)
    rows = {name: (size * rng.random(n_rows) ** 2).astype(np.int64) for name, size in columns.items()}
    first, second, *_ = rows.values()
    luck = rng.integers(0, 6, n_rows)
    return pd.DataFrame(rows | {"s": (first // 10 + second + luck // 3) % VALUES})


def joint_counts(rows):
    table = open_table(rows)
    return count_table(table, assign_roles(table.columns, tuple(SIX), "s"))


def ours(rows):
    return shares_of_all(subset_counts(joint_counts(rows)))


def in_the_engine(rows):
    """Our own way for tables that do not fit in memory, here inside DuckDB."""
    return shares_of_all(SubsetQueries(joint_counts(rows), ""))


def shares_of_all(counts):
    bit = {name: 1 << place for place, name in enumerate(counts.columns)}
    by_bits = {sum(bit[name] for name in known): known for known in SUBSETS}
    return {by_bits[known]: n / counts.n_records for known, n in counts.named_right(sorted(by_bits))}


def with_pandas(rows):
    shares = {}
    for known in SUBSETS:
        sizes = rows.groupby([*known, "s"], sort=False).size()
        best = sizes.groupby(level=list(range(len(known))), sort=False).max().sum() if known else sizes.max()
        shares[known] = best / len(rows)
    return shares


def with_grouping_sets(rows):
    """One statement by hand: all subsets with the sensitive column, then the largest count of each cell."""
    names = ", ".join(SIX)
    sets = ", ".join(f"({', '.join([*known, 's'])})" for known in SUBSETS)
    query = f"""
        WITH counts AS (
            SELECT grouping({names}) AS which, {names}, s, count(*) AS n FROM rows GROUP BY GROUPING SETS ({sets})
        ), best AS (SELECT which, max(n) AS n FROM counts GROUP BY which, {names})
        SELECT which, sum(n) FROM best GROUP BY which
    """
    connection = duckdb.connect()
    connection.register("rows", rows)
    bit = {name: 1 << len(SIX) - 1 - place for place, name in enumerate(SIX)}
    by_absent = {sum(bit[name] for name in SIX if name not in known): known for known in SUBSETS}
    return {by_absent[which]: float(n) / len(rows) for which, n in connection.execute(query).fetchall()}


def dense(rows):
    """The floor: columns are codes already, one array holds the count of every possible combination."""
    shape = (*SIX.values(), VALUES)
    key = np.ravel_multi_index([rows[name].to_numpy() for name in (*SIX, "s")], shape)
    counts = np.bincount(key, minlength=np.prod(shape)).reshape(shape)
    shares = {}
    for known in SUBSETS:
        absent = tuple(place for place, name in enumerate(SIX) if name not in known)
        shares[known] = counts.sum(axis=absent).max(axis=-1).sum() / len(rows)
    return shares


def with_bvmlib(rows):
    import bvmlib

    warnings.simplefilter("ignore")  # it calls pandas in ways that pandas 3 deprecates
    shares = {}
    for known in SUBSETS[1:]:
        assessor = bvmlib.BVM(rows)
        assessor.qids(list(known))
        assessor.sensitive(["s"])
        shares[known] = assessor.assess()["att_inf"].iloc[0]["Posterior"]
    return shares


def timed(way, rows):
    start = time.perf_counter()
    shares = way(rows)
    return time.perf_counter() - start, shares


def compare(n_rows, ways):
    rows = people(n_rows, SIX)
    seconds, expected = timed(ours, rows)
    print(f"\nAll {len(SUBSETS)} subsets of six columns, {n_rows:,} rows")
    print(f"  {'epsilometer':<24}{seconds:9.2f} s")
    for name, way in ways.items():
        theirs, shares = timed(way, rows)
        if any(abs(share - expected[known]) > 1e-9 for known, share in shares.items()):
            raise SystemExit(f"{name} disagrees")
        print(f"  {name:<24}{theirs:9.2f} s, {theirs / seconds:6.2f} times ours")


def search(title, plan, **about):
    start = time.perf_counter()
    found = find_attackers(plan, **about)
    seconds = time.perf_counter() - start
    n_sets, n_evaluated = (sum(getattr(level, n) for level in found.levels) for n in ("n_sets", "n_evaluated"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"  {title:<44}{n_evaluated:6,} of {n_sets:6,} sets {seconds:7.2f} s, peak of the process {peak:.2f} GB")


def adult():
    print("Adult, 12 candidate columns, up to 4 known")
    for max_risk in (0.8, 0.85, 0.9):
        for release in (em.Raw(), *(em.Counts(mechanism=em.Laplace(epsilon=e)) for e in (1.0, 0.1))):
            plan = em.Plan(
                table=ADULT, quasi_identifiers=ADULT_COLUMNS, sensitive=("income",), missing=("?",), release=release
            )
            noise = f", epsilon {release.mechanism.epsilon:g}" if isinstance(release, em.Counts) else ""
            search(f"target {max_risk:g}, {release.kind}{noise}", plan, max_known=4, max_risk=max_risk)


def twenty(n_rows):
    """Nearly every row is a combination of its own; nobody reaches the first target, so every set is looked at."""
    sizes = (70, 40, 20, 15, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2)
    columns = {f"c{place}": size for place, size in enumerate(sizes)}
    rows = people(n_rows, columns)
    print(f"\n20 candidate columns, up to 4 known, {n_rows:,} rows")
    for release, max_risk in ((em.Raw(), 0.9999), (em.Raw(), 0.6), (em.Counts(mechanism=em.Laplace(epsilon=1.0)), 0.8)):
        plan = em.Plan(table=rows, quasi_identifiers=tuple(columns), sensitive=("s",), release=release)
        search(f"target {max_risk:g}, {release.kind}", plan, max_known=4, max_risk=max_risk)


def main(n_rows=1_000_000):
    if ADULT.exists():
        adult()
    ways = {
        "epsilometer in DuckDB": in_the_engine,
        "dense, codes given": dense,
        "DuckDB grouping sets": with_grouping_sets,
        "pandas": with_pandas,
    }
    compare(n_rows, ways)
    compare(n_rows // 10, {"bvmlib": with_bvmlib})
    twenty(n_rows // 10)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
