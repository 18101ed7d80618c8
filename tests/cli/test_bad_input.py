"""Bad input: one line that says what to do, exit code 2, no traceback, nothing written."""

import math
import re

import pyarrow as pa
import pytest
from pyarrow import parquet

ROLES = ("-q", "age", "-q", "sex", "-s", "job")

BAD = {
    "unknown column, with near names": (
        ("-q", "agee", "-s", "job"),
        "There is no column 'agee'; .* Did you mean 'age'",
    ),
    "both roles": (("-q", "age", "-q", "job", "-s", "job"), "Column 'job' is both quasi-identifier and sensitive"),
    "given twice": (("-q", "age", "-q", "age", "-s", "job"), "Column 'age' is given twice"),
    "filter leaves nothing": ((*ROLES, "--where", "age > 900", "--type", "age=integer"), "leaves no row"),
    "filter is not a condition": ((*ROLES, "--where", "age >"), "filter|predicate|condition"),
    "filter with an unknown column": ((*ROLES, "--where", "agee > 1"), "There is no column 'agee'"),
    "bins on text": ((*ROLES, "--bin", "sex=5"), "Column 'sex' is read as number, and no value of it is one"),
    "bins of no width": ((*ROLES, "--bin", "age=0"), "width"),
    "bins given twice": (
        (*ROLES, "--bin", "age=10", "--bin", "age=5"),
        "bins of 'age' were given twice. Give --bin age=… once",
    ),
    "bins that say nothing": ((*ROLES, "--bin", "age"), "age"),
    "epsilon zero": ((*ROLES, "--epsilon", "0"), r"epsilon must be in \(0, inf\), got 0.0"),
    "epsilon negative": ((*ROLES, "--epsilon", "-1"), r"epsilon must be in \(0, inf\), got -1.0"),
    "epsilon not a number": ((*ROLES, "--epsilon", "nan"), r"epsilon must be in \(0, inf\), got nan"),
    "delta of one": ((*ROLES, "--mechanism", "gaussian", "--delta", "1"), r"delta must be in \(0, 1\), got 1.0"),
    "delta lacking": ((*ROLES, "--mechanism", "gaussian"), "gaussian noise needs one"),
    "delta with Laplace": ((*ROLES, "--delta", "1e-5"), "laplace noise has none"),
    "classic from one on": (
        (*ROLES, "--mechanism", "gaussian", "--delta", "1e-5", "--calibration", "classic"),
        r"epsilon must be in \(0, 1\), got 1.0.*use 'analytic'",
    ),
    "calibration without Gaussian": ((*ROLES, "--calibration", "classic"), "calibration"),
    "unknown mechanism": ((*ROLES, "--mechanism", "lapalce"), "mechanism must be one of laplace, .*'lapalce'"),
    "unknown adjacency": ((*ROLES, "--adjacency", "nearby"), "adjacency must be one of add-remove, replace"),
    "risk target above one": ((*ROLES, "--fail-above", "1.5"), r"--fail-above must be in \[0, 1\], got 1.5"),
}


@pytest.mark.parametrize(("flags", "message"), BAD.values(), ids=BAD.keys())
def test_bad_flags(run, people, flags, message):
    before = sorted(people.parent.iterdir())
    outcome = run("assess", people, *flags, "--quiet")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("Error: ")
    assert re.search(message, outcome.err), outcome.err
    assert sorted(people.parent.iterdir()) == before


def content(text):
    return lambda path: path.write_bytes(text)


def infinite(path):
    parquet.write_table(pa.table({"age": [1.5, math.inf], "sex": ["f", "m"], "job": ["cook", "cook"]}), path)


FILES = {
    "no such file": ("absent.csv", lambda path: None, "absent.csv"),
    "a folder": ("folder.csv", lambda path: path.mkdir(), "folder.csv"),
    "an empty file": ("empty.csv", content(b""), "empty.csv"),
    "only a header": ("header.csv", content(b"age,sex,job\n"), "no rows"),
    "a row too short": ("short.csv", content(b"age,sex,job\n1,f,cook\n2,m\n3,f,cook\n"), "short.csv.*line 3"),
    "a row too long": ("long.csv", content(b"age,sex,job\n1,f,cook\n2,m,cook,9\n"), "long.csv.*line 3"),
    "duplicate names": ("twice.csv", content(b"age,age,sex,job\n1,2,f,cook\n"), "age"),
    "nothing but missing": ("null.csv", content(b"age,sex,job\n,f,cook\n,m,cook\n"), "'age' has no value"),
    "infinities": ("inf.parquet", infinite, "'age' is infinite in 1 record"),
    "not Parquet": ("fake.parquet", content(b"age,sex,job\n1,f,cook\n"), "fake.parquet"),
    "not Excel": ("fake.xlsx", content(b"age,sex,job\n1,f,cook\n"), "fake.xlsx"),
    "not Arrow": ("fake.feather", content(b"age,sex,job\n1,f,cook\n"), "fake.feather"),
    "not JSON lines": ("fake.jsonl", content(b"age,sex,job\n1,f,cook\n"), "fake.jsonl"),
    "not a database": ("fake.sqlite", content(b"age,sex,job\n1,f,cook\n"), "fake.sqlite"),
    "an unknown suffix": ("people.pickle", content(b"\x80"), "people.pickle"),
}


@pytest.mark.parametrize(("name", "make", "message"), FILES.values(), ids=FILES.keys())
def test_bad_files(run, tmp_path, name, make, message):
    path = tmp_path / name
    make(path)
    before = sorted(tmp_path.iterdir())
    outcome = run("assess", path, *ROLES, "--quiet")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("Error: ")
    assert re.search(message, outcome.err), outcome.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("arguments", [(), ("nosuch",), ("assess",), ("assess", "x.csv"), ("assess", "--nosuch")])
def test_usage_errors_show_usage(run, arguments):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert "Usage" in outcome.out + outcome.err
