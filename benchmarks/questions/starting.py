"""How long it takes until a tool is there: the command line, the import, and a first answer from nothing."""

import subprocess
import sys
from pathlib import Path

from benchmarks.comparison import Comparison, Limit, Way, seconds
from benchmarks.pins import PYCANON


def help_of_ours(path):  # noqa: ARG001  (every way is given the same)
    return _started(Path(sys.executable).parent / "epsilometer", "--help")


def import_ours(path):  # noqa: ARG001
    return _started(sys.executable, "-c", "import epsilometer")


def bare_interpreter(path):  # noqa: ARG001
    start = _started(sys.executable, "-c", "pass")
    return lambda: [seconds(start)]


def answer_of_ours(path):
    return _started(
        sys.executable, "-c", f"from benchmarks.questions.raw_tables import ours_of_a_file; ours_of_a_file({path!r})()"
    )


def answer_of_pycanon(path):
    return _started(
        sys.executable, "-c", f"from benchmarks.questions.raw_tables import by_pycanon; by_pycanon({path!r})()"
    )


def _started(*command):
    def work():
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        return [0.0]

    return work


def comparisons(folder, scale):
    from benchmarks.questions.raw_tables import comparisons as of_raw_tables

    (raw_table,) = of_raw_tables(folder, scale)
    bare = Limit("a bare interpreter", bare_interpreter)
    for work, ours in (("The command line shows its help", help_of_ours), ("The import", import_ours)):
        yield Comparison(
            work=work, size="one process", same="Ours alone.", ours=ours, limits=(bare,), arguments=raw_table.arguments
        )
    yield Comparison(
        work="k, l and t from nothing",
        size=raw_table.size,
        same="A process starts, imports the tool, reads the file, and has the three numbers.",
        ours=answer_of_ours,
        peers=(Way("pycanon", answer_of_pycanon, "pycanon", PYCANON),),
        arguments=raw_table.arguments,
    )
