"""Count ten million rows: our frequency table against the same query written by hand in raw DuckDB.

Each run is a process of its own, so that peak memory is that of one variant; variants take turns, so that a
busy machine slows both. Run: python benchmarks/counting.py [rows] [repeats]
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

QUASI_IDENTIFIERS = ["age", "sex", "region", "education", "occupation", "household"]
SKEWED = """
    SELECT (18 + 70 * pow(random(), 1.4))::INTEGER AS age,
           ['female', 'male'][1 + (random() < 0.48)::INTEGER] AS sex,
           'region ' || (9 * pow(random(), 3))::INTEGER AS region,
           'level ' || (6 * pow(random(), 3))::INTEGER AS education,
           'occupation ' || (20 * pow(random(), 5))::INTEGER AS occupation,
           (1 + 4 * pow(random(), 4))::INTEGER AS household,
           ['high', 'low', 'middle'][1 + (3 * pow(random(), 2))::INTEGER % 3] AS income
    FROM range({rows})
"""
NEARLY_UNIQUE = """
    SELECT (random() * 1e9)::INTEGER AS age, ['female', 'male'][1 + (random() < 0.48)::INTEGER] AS sex,
           'region ' || (40 * random())::INTEGER AS region, 'level ' || (8 * random())::INTEGER AS education,
           'occupation ' || (60 * random())::INTEGER AS occupation, (1 + 6 * random())::INTEGER AS household,
           ['high', 'low', 'middle'][1 + (3 * pow(random(), 2))::INTEGER % 3] AS income
    FROM range({rows})
"""


def by_hand(path):
    """The joint count, the pivot and the profile as a person who knows the three values would write them."""
    keys = ", ".join(QUASI_IDENTIFIERS)
    connection = duckdb.connect()
    connection.execute(f"CREATE TEMP TABLE joint AS SELECT {keys}, income, count(*) AS n FROM '{path}' GROUP BY ALL")
    values = [v for (v,) in connection.sql("SELECT DISTINCT income FROM joint ORDER BY income").fetchall()]
    pivot = ", ".join(f"sum(CASE WHEN income = '{v}' THEN n ELSE 0 END) AS c{k}" for k, v in enumerate(values))
    columns = ", ".join(f"c{k}" for k in range(len(values)))
    profile = connection.sql(
        f"SELECT {columns}, count(*) AS cells FROM (SELECT {pivot} FROM joint GROUP BY {keys}) GROUP BY {columns}"
    ).to_arrow_table()
    return sum(profile["cells"].to_pylist()), profile.num_rows


def ours(path):
    from epsilometer.tables.counting import frequency_table

    freq = frequency_table(path, quasi_identifiers=QUASI_IDENTIFIERS, sensitive="income")
    return freq.n_cells, len(freq.profile.n_cells)


VARIANTS = {"by hand": by_hand, "ours": ours}


def measure_here(variant, path):
    """Time one variant in this process; imports are not part of the time."""
    import epsilometer.tables.counting  # noqa: F401

    start = time.perf_counter()
    n_cells, n_vectors = VARIANTS[variant](path)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(json.dumps({"seconds": seconds, "peak": peak, "cells": n_cells, "vectors": n_vectors}))


def measure(variant, path):
    command = [sys.executable, __file__, "--measure", variant, str(path)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def compare(title, path, repeats):
    runs = {variant: [] for variant in VARIANTS}
    for _ in range(repeats):
        for variant, measured in runs.items():
            measured.append(measure(variant, path))
    seconds = {variant: statistics.median(run["seconds"] for run in runs[variant]) for variant in runs}
    peaks = {variant: max(run["peak"] for run in runs[variant]) for variant in runs}
    if len({(run["cells"], run["vectors"]) for measured in runs.values() for run in measured}) > 1:
        raise SystemExit(f"{title}: the variants disagree")
    cells = runs["ours"][0]["cells"]
    columns = [f"{variant} {seconds[variant]:6.2f} s {peaks[variant]:5.2f} GB" for variant in VARIANTS]
    ratio = seconds["ours"] / seconds["by hand"]
    print(f"{title:<14}{cells:>12,} cells  {'  '.join(columns)}  ratio {ratio:.2f}")


def main(rows=10_000_000, repeats=3):
    with tempfile.TemporaryDirectory() as folder:
        for title, query in (("skewed", SKEWED), ("nearly unique", NEARLY_UNIQUE)):
            path = Path(folder) / f"{title}.parquet"
            connection = duckdb.connect()
            connection.execute("SELECT setseed(0.5)")
            connection.execute(f"COPY ({query.format(rows=rows)}) TO '{path}'")
            connection.close()
            compare(title, path, repeats)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure_here(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
