"""Open a table of ten million rows for the page: summarise it, count it, move the sliders; Adult next to it.

The floor is DuckDB's own scan of the columns that are needed. Numbers of one run are compared with each other only:
a busy machine slows all of them. Adult is ../shared/data/adult.csv, left out where it is absent. The last table has a
profile of some hundred thousand count vectors of fifteen values, about the most that ten million people can have; its
curve is also computed cell by cell, the way of a single assessment. Run: python benchmarks/opening.py [rows]
"""

import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np

from epsilometer import FrequencyTable, frequency_table, homogeneity_risk
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer, CountsSetting
from epsilometer.assessments.exploring.suggestions import suggest_roles

ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv"
REPEATS = 4
ROLES = {"quasi_identifiers": ["age", "sex", "education"], "sensitive": "occupation"}
COLUMNS = {
    "age": "(17 + 73 * pow(random(), 1.4))::INTEGER",
    "workclass": "'class ' || (8 * pow(random(), 3))::INTEGER",
    "fnlwgt": "(12285 + 1472420 * pow(random(), 2))::INTEGER",
    "education": "'level ' || (15 * pow(random(), 1.5))::INTEGER",
    "education_num": "(1 + 15 * pow(random(), 1.5))::INTEGER",
    "marital_status": "'status ' || (6 * pow(random(), 2))::INTEGER",
    "occupation": "CASE WHEN random() < 0.05 THEN NULL ELSE 'occupation ' || (13 * random())::INTEGER END",
    "relationship": "'relation ' || (5 * random())::INTEGER",
    "race": "'race ' || (4 * pow(random(), 4))::INTEGER",
    "sex": "['female', 'male'][1 + (random() < 0.67)::INTEGER]",
    "capital_gain": "CASE WHEN random() < 0.08 THEN (1e5 * pow(random(), 3))::INTEGER ELSE 0 END",
    "capital_loss": "CASE WHEN random() < 0.05 THEN (4356 * random())::INTEGER ELSE 0 END",
    "hours_per_week": "(1 + 98 * random())::INTEGER",
    "native_country": "'country ' || (41 * pow(random(), 6))::INTEGER",
    "income": "['<=50K', '>50K'][1 + (random() < 0.24)::INTEGER]",
}


def write_people(path, rows):
    selected = ", ".join(f"{expression} AS {name}" for name, expression in COLUMNS.items())
    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(f"COPY (SELECT {selected} FROM range({rows})) TO '{path}'")


def seconds(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def median_of_moves(explorer, settings):
    return float(np.median([seconds(explorer.at, setting)[0] for setting in settings]))


def scanned_by_hand(path):
    """What each column holds, as a sketch: a bare scan of all columns."""
    sketches = ", ".join(f"count({name}), approx_count_distinct({name})" for name in COLUMNS)
    with duckdb.connect() as connection:
        return connection.sql(f"SELECT {sketches} FROM '{path}'").to_arrow_table()


def counted_by_hand(path):
    """The joint counts of the columns with a role: a bare scan of four."""
    keys = ", ".join([*ROLES["quasi_identifiers"], ROLES["sensitive"]])
    with duckdb.connect() as connection:
        return connection.sql(f"SELECT {keys}, count(*) FROM '{path}' GROUP BY ALL").to_arrow_table()


def moves(freq):
    built, explorer = seconds(CountsExplorer, freq)
    explorer.at(CountsSetting())
    epsilons = [CountsSetting(epsilon=epsilon) for epsilon in explorer.grid[::3].tolist()]
    thresholds = [CountsSetting(threshold=threshold) for threshold in np.linspace(1, 9, 9).tolist()]
    return built, median_of_moves(explorer, epsilons), median_of_moves(explorer, thresholds)


def many_vectors(cells=150_000, n_values=15, mean_size=70):
    rng = np.random.default_rng(0)
    sizes = 1 + rng.negative_binomial(1, 1 / mean_size, cells)
    shares = rng.dirichlet(np.linspace(0.1, 1.5, n_values), cells)
    return FrequencyTable.from_counts(rng.multinomial(sizes, shares))


def report_moves(title, freq):
    built, epsilon, threshold = moves(freq)
    vectors = len(freq.profile.n_cells)
    print(
        f"{title:<16}{freq.n_records:>12,} people {freq.n_cells:>9,} cells {vectors:>9,} vectors   explorer "
        f"{1e3 * built:7.1f} ms   epsilon move {1e3 * epsilon:6.1f} ms   threshold move {1e3 * threshold:6.1f} ms"
    )
    return epsilon, threshold


def best_of_turns(*functions):
    """The shortest time of each, taking turns, so that a busy machine slows all of them."""
    return [min(times) for times in zip(*([seconds(f)[0] for f in functions] for _ in range(REPEATS)), strict=True)]


def report_opening(title, path):
    ours = [lambda: suggest_roles(path), lambda: frequency_table(path, **ROLES)]
    if path.suffix != ".parquet":
        suggested, counted = best_of_turns(*ours)
        print(f"{title:<16}suggest roles {suggested:6.2f} s   count {counted:6.2f} s")
    else:
        by_hand = [lambda: scanned_by_hand(path), lambda: counted_by_hand(path)]
        suggested, counted, *floor = best_of_turns(*ours, *by_hand)
        print(
            f"{title:<16}suggest roles {suggested:6.2f} s ({suggested / floor[0]:.1f} x the scan of {floor[0]:.2f} s)  "
            f"count {counted:6.2f} s ({counted / floor[1]:.1f} x the scan of {floor[1]:.2f} s)"
        )
    return frequency_table(path, **ROLES)


def main(rows=10_000_000):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        write_people(path, rows)
        large = report_opening(f"{rows:,} rows", path)
        moved = {"large": report_moves("the same", large)}
        if ADULT.exists():
            moved["adult"] = report_moves("Adult", report_opening("Adult", ADULT))
            ratios = [big / small for big, small in zip(moved["large"], moved["adult"], strict=True)]
            print(f"large / Adult: epsilon move {ratios[0]:.1f}, threshold move {ratios[1]:.1f}")
    many = many_vectors()
    report_moves("many vectors", many)
    grid = tuple(CountsExplorer(many).grid.tolist())
    cell_by_cell, _ = seconds(homogeneity_risk, many, CountsSetting().noise().at(grid), "local", "exact", "records")
    print(f"many vectors, one curve cell by cell: {1e3 * cell_by_cell:.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
