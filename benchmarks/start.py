"""How fast the command line starts, against a bare interpreter, in one run: python benchmarks/start.py."""

import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

REPEATS = 7
EPSILOMETER = str(Path(sysconfig.get_path("scripts")) / "epsilometer")
ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv"
ROLES = [
    *(f for q in ("age", "relationship", "education", "race", "sex", "hours_per_week") for f in ("-q", q)),
    "-s",
    "income",
]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import ibis, duckdb'": [sys.executable, "-c", "import ibis, duckdb; ibis.duckdb.connect()"],
    "epsilometer --help": [EPSILOMETER, "--help"],
    "epsilometer assess (Adult)": [EPSILOMETER, "assess", str(ADULT), *ROLES],
}


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    commands = {name: command for name, command in COMMANDS.items() if str(ADULT) not in command or ADULT.exists()}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(REPEATS):
        for name, command in commands.items():
            times[name].append(seconds(command))
    bare = statistics.median(times["python -c pass"])
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:34} {median:6.2f} s (best {min(measured):.2f})   {median / bare:5.1f} x a bare interpreter")


if __name__ == "__main__":
    main()
