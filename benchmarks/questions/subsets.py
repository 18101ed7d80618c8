"""How often the sensitive value is named right by somebody who knows some of the columns: every set of them."""

from itertools import chain, combinations

from benchmarks.comparison import Comparison, Way
from benchmarks.pins import BVMLIB, PRIVATTACKS

ROWS = 1_000_000
ROWS_OF_SLOW_PEERS = 20_000
N_VALUES = {"age": 70, "sex": 2, "region": 9, "education": 7, "occupation": 20, "household": 5}
KEYS = list(N_VALUES)
SECRET = "disease"
SUBSETS = list(chain.from_iterable(combinations(KEYS, size) for size in range(1, len(KEYS) + 1)))
SAME = "Bayes vulnerability of the sensitive column for each of the 63 sets of six columns, from a frame in memory."


def ours(path):
    import pandas as pd

    import epsilometer as em

    rows = pd.read_parquet(path)
    plan = em.Plan(table=rows, quasi_identifiers=tuple(KEYS), sensitive=(SECRET,), release=em.Raw())
    all_known = em.find_attackers(plan, max_known=1, max_risk=0.999).all_known

    def work():
        found = em.find_attackers(plan, max_known=len(KEYS), max_risk=all_known - 1e-9)
        shares = {one.columns: one.raw for one in found.evaluated}
        return [shares[known] for known in SUBSETS]

    return work


def by_pandas(path):
    import pandas as pd

    rows = pd.read_parquet(path)

    def named_right(known):
        sizes = rows.groupby([*known, SECRET], sort=False).size()
        return sizes.groupby(level=list(known), sort=False).max().sum() / len(rows)

    return lambda: [named_right(known) for known in SUBSETS]


def by_duckdb(path):
    """One statement: all sets with the sensitive column, then the largest count of each cell."""
    import duckdb
    import pandas as pd

    rows = pd.read_parquet(path)
    names = ", ".join(KEYS)
    sets = ", ".join(f"({', '.join([*known, SECRET])})" for known in SUBSETS)
    query = f"""
        WITH counts AS (
            SELECT grouping({names}) AS absent, {names}, {SECRET}, count(*) AS n
            FROM rows GROUP BY GROUPING SETS ({sets})
        ), best AS (SELECT absent, max(n) AS n FROM counts GROUP BY absent, {names})
        SELECT absent, sum(n) FROM best GROUP BY absent
    """
    bit = {name: 1 << len(KEYS) - 1 - place for place, name in enumerate(KEYS)}

    def work():
        with duckdb.connect() as connection:
            connection.register("rows", rows)
            named = dict(connection.execute(query).fetchall())
        return [float(named[sum(bit[k] for k in KEYS if k not in known)]) / len(rows) for known in SUBSETS]

    return work


def by_bvmlib(path):
    import bvmlib
    import pandas as pd

    rows = pd.read_parquet(path)

    def named_right(known):
        assessor = bvmlib.BVM(rows)
        assessor.qids(list(known))
        assessor.sensitive([SECRET])
        return assessor.assess()["att_inf"].iloc[0]["Posterior"]

    return lambda: [named_right(known) for known in SUBSETS]


def by_privattacks(path):
    import pandas as pd
    import privattacks

    rows = pd.read_parquet(path)

    def work():
        attack = privattacks.Attack(privattacks.Data(dataframe=rows))
        sizes = list(range(1, len(KEYS) + 1))
        found = attack.posterior_vulnerability("ai", KEYS, SECRET, combinations=sizes, n_processes=2)
        shares = dict(zip(found["qids"], found[f"posterior_{SECRET}"], strict=True))
        return [shares[",".join(known)] for known in SUBSETS]

    return work


def comparisons(folder, scale):
    from benchmarks.made_tables import written

    skewed = ", ".join(f"floor({n} * pow(random(), 2))::INTEGER AS {name}" for name, n in N_VALUES.items())
    secret = "(age // 10 + sex + floor(2 * random())::INTEGER) % 3"
    query = f"SELECT *, {secret} AS {SECRET} FROM (SELECT {skewed} FROM range({{rows}}))"
    several = {
        int(ROWS * scale): (Way("DuckDB, by hand", by_duckdb, "duckdb"), Way("pandas", by_pandas, "pandas")),
        int(ROWS_OF_SLOW_PEERS * scale): (
            Way("bvmlib", by_bvmlib, "bvmlib", BVMLIB),
            Way("privattacks", by_privattacks, "privattacks", PRIVATTACKS),
        ),
    }
    for rows, peers in several.items():
        yield Comparison(
            work="What every set of columns gives away",
            size=f"{rows:,} rows, 63 sets",
            same=SAME,
            ours=ours,
            peers=peers,
            arguments={"path": written(query, rows, folder / f"subsets_{rows}.parquet")},
            tolerance=1e-7,  # privattacks rounds to eight digits
        )
