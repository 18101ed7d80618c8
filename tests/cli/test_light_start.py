"""Heavy modules load where they are used: the command line answers fast because it does not load the rest."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from epsilometer.cli.main import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
print(*sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def loaded_by(*arguments):
    command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [("--help",), ("assess", "--help"), ("sample", "--help")], ids=" ".join)
def test_help_loads_neither_engine_nor_numbers(arguments):
    assert not loaded_by(*arguments) & {"numpy", "scipy", "pandas", "ibis", "duckdb", "pyarrow", "altair", "jinja2"}


def test_an_assessment_with_laplace_noise_needs_no_scipy_and_no_pandas(people):
    loaded = loaded_by("assess", people, "-q", "age", "-s", "job", "--quiet")
    assert "duckdb" in loaded
    assert not loaded & {"scipy", "pandas", "altair", "jinja2"}


@pytest.mark.parametrize("asked", [("--sample", "10", "--epsilon", "1"), ("--max-risk", "0.7", "--json")], ids=" ".join)
def test_a_sample_without_a_table_needs_no_engine_and_without_a_chart_no_pictures(asked):
    loaded = loaded_by("sample", "--population", "1000", *asked, "--quiet")
    assert "numpy" in loaded
    assert not loaded & {"pandas", "ibis", "duckdb", "pyarrow", "altair", "jinja2"}


def test_a_sample_of_a_table_needs_no_pictures(people):
    loaded = loaded_by("sample", people, "-q", "age", "-s", "job", "--sample", "10", "--quiet")
    assert "duckdb" in loaded
    assert not loaded & {"altair", "jinja2"}
