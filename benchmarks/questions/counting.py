"""From a Parquet file to the counts of every cell, and how often each vector of counts occurs."""

import math
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.comparison import Comparison, Limit, Way

ROWS = 10_000_000
MANY_ROWS = 100_000_000
KEYS = ["age", "sex", "region", "education", "occupation", "household"]
SECRET = "disease"
BATCH = 200_000
TURNS = {"Counting skewed text": 3, "Counting nearly unique rows": 7}  # more where tools differ by less than turns do
SAME = "Cells by six columns, the counts of the seventh in each, and the number of cells of each vector of counts."


def ours(path):
    import epsilometer as em

    def work():
        freq = em.frequency_table(path, quasi_identifiers=KEYS, sensitive=SECRET)
        return freq.n_records, freq.n_cells, len(freq.profile.n_cells)

    return work


def rows_alone(path):
    """The rows, and not yet the vectors of counts that cells have."""
    from epsilometer.tables.counting import count_table
    from epsilometer.tables.opening import open_table
    from epsilometer.tables.roles import assign_roles

    def work():
        table = open_table(path)
        return [count_table(table, assign_roles(table.columns, KEYS, [SECRET])).n_records]

    return work


def by_duckdb(path):
    """The joint count, the pivot and the profile, as somebody who knows SQL would write them."""
    import duckdb

    def work():
        keys = ", ".join(KEYS)
        with duckdb.connect() as connection:
            connection.execute(
                f"CREATE TEMP TABLE joint AS SELECT {keys}, {SECRET}, count(*) AS n FROM '{path}' GROUP BY ALL"
            )
            values = [v for (v,) in connection.sql(f"SELECT DISTINCT {SECRET} FROM joint ORDER BY ALL").fetchall()]
            sums = ", ".join(
                f"coalesce(sum(n) FILTER ({SECRET} = {v!r}), 0)::BIGINT AS c{k}" for k, v in enumerate(values)
            )
            counts = ", ".join(f"c{k}" for k in range(len(values)))
            profile = connection.sql(
                f"SELECT {counts}, count(*) AS cells FROM (SELECT {sums} FROM joint GROUP BY {keys}) GROUP BY {counts}"
            ).to_arrow_table()
        cells = profile["cells"].to_numpy()
        records = sum((profile[f"c{k}"].to_numpy() * cells).sum() for k in range(len(values)))
        return records, cells.sum(), len(cells)

    return work


def by_polars(path):
    import polars as pl

    def work():
        joint = (
            pl.scan_parquet(path)
            .group_by([*KEYS, SECRET])
            .agg(n=pl.len())
            .collect(engine="streaming")
        )  # fmt: skip
        values = joint[SECRET].unique().to_list()
        sums = [pl.col("n").filter(pl.col(SECRET) == value).sum().alias(f"c{k}") for k, value in enumerate(values)]
        cells = joint.lazy().group_by(KEYS).agg(sums).drop(KEYS)
        profile = cells.group_by(pl.all()).agg(cells=pl.len()).collect(engine="streaming")
        records = sum((profile[f"c{k}"] * profile["cells"]).sum() for k in range(len(values)))
        return records, profile["cells"].sum(), len(profile)

    return work


def by_pandas(path):
    import pandas as pd

    def work():
        rows = pd.read_parquet(path)
        joint = rows.groupby([*KEYS, SECRET], sort=False).size()
        cells = joint.unstack(fill_value=0)  # noqa: PD010  (pivot_table would group once more)
        profile = cells.groupby(list(cells.columns), sort=False).size()
        return len(rows), len(cells), len(profile)

    return work


def scan_and_increments(path):
    """Read the columns, and add one at a random place of the counts for every row, with all cores at work."""
    import duckdb
    import numpy as np

    from benchmarks.made_tables import INTEGERS

    n_counts = math.prod(INTEGERS.values())
    columns = ", ".join(f"sum({name})" for name in INTEGERS)
    with duckdb.connect() as connection:
        (rows,) = connection.execute(f"SELECT count(*) FROM '{path}'").fetchone()
    places = np.random.default_rng(0).integers(0, n_counts, rows, dtype=np.int32)

    def work():
        started = time.process_time()
        with duckdb.connect() as connection:
            connection.sql(f"SELECT {columns} FROM '{path}'").fetchall()
        counts = np.zeros(n_counts, np.int64)
        for first in range(0, rows, BATCH):
            np.add.at(counts, places[first : first + BATCH], 1)
        return [(time.process_time() - started) / os.cpu_count()]

    return work


def by_command_line(path):
    """The whole command: start, count, assess at one epsilon, write the answer."""
    command = [str(Path(sys.executable).parent / "epsilometer"), "assess", path, "-s", SECRET, "--json"]
    command += [part for name in KEYS for part in ("-q", name)]

    def work():
        subprocess.run(command, check=True, capture_output=True)
        return [0.0]

    return work


def script_of_duckdb(path):
    """The whole script: start, count."""
    script = f"from benchmarks.questions.counting import by_duckdb; by_duckdb({path!r})()"

    def work():
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
        return [0.0]

    return work


def comparisons(folder, scale):
    from benchmarks.made_tables import INTEGERS, NEARLY_UNIQUE, SKEWED, uniform, written

    rows = int(ROWS * scale)
    integers = written(uniform(INTEGERS), rows, folder / f"integers_{rows}.parquet")
    everyone = (
        Way("DuckDB, by hand", by_duckdb, "duckdb"),
        Way("Polars", by_polars, "polars"),
        Way("pandas", by_pandas, "pandas"),
    )
    yield Comparison(
        work="Counting integers",
        size=f"{rows:,} rows, 7 columns",
        same=SAME,
        ours=ours,
        peers=everyone,
        arguments={"path": integers},
    )
    for work, query in (("Counting skewed text", SKEWED), ("Counting nearly unique rows", NEARLY_UNIQUE)):
        yield Comparison(
            work=work,
            size=f"{rows:,} rows, 7 columns",
            same=SAME,
            ours=ours,
            peers=everyone,
            arguments={"path": written(query, rows, folder / f"{work.split()[-1]}_{rows}.parquet")},
            turns=TURNS[work],
        )
    many_rows = int(MANY_ROWS * scale)
    many_integers = written(uniform(INTEGERS), many_rows, folder / f"integers_{many_rows}.parquet")
    yield Comparison(
        work="Counting integers, the rows alone",
        size=f"{many_rows:,} rows, 7 columns",
        same="Ours alone.",
        ours=rows_alone,
        limits=(Limit("bare scan and one increment a row", scan_and_increments),),
        arguments={"path": many_integers},
    )
    yield Comparison(
        work="A whole command: start, count, answer",
        size=f"{many_rows:,} rows, 7 columns",
        same="Start and count; ours also assesses the risk at one ε and words the answer, the script counts only.",
        ours=by_command_line,
        peers=(Way("DuckDB, by hand", script_of_duckdb, "duckdb"),),
        arguments={"path": many_integers},
    )
