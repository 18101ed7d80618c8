"""All measures of an unprotected table against one of pycanon's, on Adult's six quasi-identifiers.

pycanon 1.3.6 pins an old numpy and runs in an environment made for the occasion. It is given the counted
column of cells and its rows in memory; only its t_closeness is timed. Needs uv and ../shared/data/adult.csv:

    python benchmarks/raw_risk.py
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from epsilometer.assessments.raw import raw_risk
from epsilometer.tables.counting import frequency_table

ROOT = Path(__file__).parents[1]
ADULT = ROOT.parent / "shared" / "data" / "adult.csv"
COMPLETE = " and ".join(f"{name} is not null" for name in ("workclass", "occupation", "native_country"))
TIME_PYCANON = """
import sys, time
sys.path.insert(0, "tests/reference")
from pycanon import anonymity
from pycanon_vectors import adult_rows
rows = adult_rows()
rows["value"] = "v" + rows["value"].astype(str)
start = time.perf_counter()
t = anonymity.t_closeness(rows, ["cell"], ["value"])
print(time.perf_counter() - start, t)
"""


def count_adult():
    """The rows and bins of Paper 001."""
    return frequency_table(
        ADULT,
        quasi_identifiers=["age", "education", "relationship", "race", "sex", "hours_per_week"],
        sensitive="income",
        bins={
            "age": {"width": 5, "origin": 15, "closed": "right"},
            "hours_per_week": {"width": 10, "origin": 0, "closed": "right"},
        },
        where=f"split = 'train' and native_country = 'United-States' and {COMPLETE}",
        missing=["?"],
    )


def seconds(action, times):
    """Median wall time."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        action()
        taken.append(perf_counter() - start)
    return sorted(taken)[times // 2]


def pycanon_seconds_and_t():
    with tempfile.TemporaryDirectory() as environment:
        python = Path(environment) / "bin" / "python"
        subprocess.run(["uv", "venv", "--quiet", "--python", "3.11", environment], check=True)
        subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, "pycanon==1.3.6"], check=True)
        run = subprocess.run([python, "-c", TIME_PYCANON], check=True, capture_output=True, text=True, cwd=ROOT)
    return map(float, run.stdout.split())


def main():
    freq = count_adult()
    t = raw_risk(freq).closeness.equal_distance
    measuring = seconds(lambda: raw_risk(freq), times=101)
    counting_too = seconds(lambda: raw_risk(count_adult()), times=5)
    theirs, their_t = pycanon_seconds_and_t()
    if abs(t - their_t) > 1e-12:
        raise SystemExit(f"The two do not measure the same table: t = {t} here, {their_t} there.")
    print(f"Adult: {freq.n_records} records, {freq.n_cells} cells; t = {t:.6f} on both sides")
    for what, ours in (("raw_risk, every measure", measuring), ("the same with counting the CSV", counting_too)):
        print(f"{what:32}{ours * 1e3:9.2f} ms, {theirs / ours:.0f} times faster")
    print(f"{'pycanon, t_closeness alone':32}{theirs * 1e3:9.2f} ms")


if __name__ == "__main__":
    main()
