"""What ``spark://`` leads to: sessions, tables of the catalogue, files, and what is said where there are none."""

import gzip
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from epsilometer import open_table
from epsilometer.errors import BadTable, MissingExtra, UnreadableFile
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.engine import fetch

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

SPARK = "spark://local[1]"
ROWS = pa.table({"sex": ["f", "m", "m", None], "job": ["cook", "cook", "nurse", "cook"]})


@pytest.fixture
def session(needs_java, tmp_path):
    """The session that the first table starts; later ones find it running."""
    from pyspark.sql import SparkSession

    parquet.write_table(ROWS, tmp_path / "started.parquet")
    open_table(f"{SPARK}::{tmp_path / 'started.parquet'}")
    return SparkSession.active()


def rows_of(table):
    return fetch(table.expression).to_pylist()


def profile_of(source):
    profile = frequency_table(source, quasi_identifiers="sex", sensitive="job").profile
    return Counter(dict(zip(map(tuple, profile.counts.tolist()), profile.n_cells.tolist(), strict=True)))


@pytest.mark.parametrize("location", [SPARK, "spark://"])
def test_a_running_session_is_used_and_left_running(location, session, tmp_path):
    session.createDataFrame(ROWS).createOrReplaceTempView("people")
    assert profile_of(f"{location}::people") == {(1, 0): 2, (1, 1): 1}
    assert profile_of(session.table("people")) == {(1, 0): 2, (1, 1): 1}
    assert session.range(3).count() == 3
    with pytest.raises(BadTable, match=r"has no table 'persons'; its current database has .*people"):
        open_table(f"{location}::persons")


def test_another_master_than_that_of_the_running_session_is_refused(session):
    with pytest.raises(BadTable, match=r"^A Spark session on local\[1\] runs in this process already\. Call it spark"):
        open_table("spark://local[2]::people")


def test_files_are_known_by_the_end_of_their_name(session, tmp_path):
    parquet.write_table(ROWS.slice(0, 2), tmp_path / "part-1.parquet")
    parquet.write_table(ROWS.slice(2), tmp_path / "part-2.pq")
    parquet.write_table(ROWS.slice(2), tmp_path / "part-2.parquet")
    (tmp_path / "t.jsonl").write_text('{"sex": "f", "job": "cook", "n": 1}\n{"sex": "m", "n": 2.5}\n', encoding="utf-8")
    assert profile_of(f"{SPARK}::{tmp_path}/part-*.parquet") == {(1, 0): 2, (1, 1): 1}
    assert open_table(f"{SPARK}::file://{tmp_path}/part-2.pq").columns == ("sex", "job")
    assert rows_of(open_table(f"{SPARK}::{tmp_path}/t.jsonl")) == [
        {"job": "cook", "n": "1", "sex": "f"}, {"job": None, "n": "2.5", "sex": "m"},
    ]  # fmt: skip


CSV = (
    'id,code,size,note,mark, none \n1,007,1.50,"two\nlines, ""so"" called",4,\n'
    "2,8,-2e3, ,?,\n-3,12345678901234567890,nan,\\,5,\n"
)


@pytest.mark.parametrize("opened", [open, gzip.open], ids=["plain", "gzip"])
def test_csv_is_read_as_the_embedded_engine_reads_it(opened, session, tmp_path):
    path = tmp_path / ("t.csv.gz" if opened is gzip.open else "t.csv")
    with opened(path, "wt", encoding="utf-8-sig", newline="") as file:
        file.write(CSV)
    here, there = open_table(path, missing=["?"]), open_table(f"{SPARK}::{path}", missing=["?"])
    assert {str(kind) for kind in there.expression.schema().types} == {"string"}
    assert str(rows_of(there)) == str(rows_of(here))  # as text, where not-a-number is itself
    assert rows_of(there)[0] == {
        "id": "1", "code": "007", "size": "1.50", "note": 'two\nlines, "so" called', "mark": "4", "none": None,
    }  # fmt: skip


def test_a_newline_belongs_to_its_field(session, tmp_path):
    (tmp_path / "t.tsv").write_text('a\tb\n1\t"2\n"\n', encoding="utf-8", newline="")
    assert rows_of(open_table(f"{SPARK}::{tmp_path}/t.tsv")) == [{"a": "1", "b": "2\n"}]


BROKEN = {
    "too few fields": ("t.csv", b"a,b\n1\n", "a row of it has too few or too many fields, or does not end"),
    "too many fields": ("t.csv", b"a,b\n1,2,3\n", "a row of it has too few or too many fields, or does not end"),
    "an open quote": ("t.csv", b'a,b\n1,"2\n3,4\n', r"t\.csv: a quoted value does not end, or a quote stands in"),
    "a quote within": ("t.csv", b'a,b\n1,"5" long\n2,"6"""\n', "a quoted value goes on after its last quote"),
    "a name twice": ("t.csv", b"a,A\n1,2\n", "the first lines of the files differ, or name a column twice"),
    "Latin letters": ("t.csv", "a\né\n".encode("latin-1"), r"t\.csv: the text is not UTF-8"),
    "nothing": ("t.csv", b"", r"t\.csv is empty"),
    "half an object": ("t.json", b'{"a": 1}\n{"a"\n', "a row of it has too few or too many fields, or does not end"),
    "no Parquet": ("t.parquet", b"hello", "it is not a Parquet file, though its name says so"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused(case, session, tmp_path):
    name, content, message = BROKEN[case]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=message):
        open_table(f"{SPARK}::{tmp_path / name}").check()


def test_a_file_that_is_not_there_is_named(session, tmp_path):
    with pytest.raises(UnreadableFile, match=r"gone\.parquet cannot be read by Spark: there is no such file"):
        open_table(f"{SPARK}::{tmp_path}/gone.parquet")
    with pytest.raises(UnreadableFile, match=r"cannot be read by Spark: No FileSystem for scheme \"moon\"\.$"):
        open_table(f"{SPARK}::moon://base/x.parquet")


BAD_NAMES = {
    "no table": (SPARK, "^Say which table or file Spark is to read, as in spark://::people"),
    "no kind": (f"{SPARK}::/data/people", r"^/data/people: the kind of file is told by the end of its name, one of"),
    "a secret": (f"{SPARK}::s3a://key:secret@box/x.csv", "^A password stands in the name of a file. Leave it to"),
}


@pytest.mark.parametrize("case", BAD_NAMES)
def test_names_that_lead_nowhere_are_refused(case):
    location, message = BAD_NAMES[case]
    with pytest.raises(BadTable, match=message) as refused:
        open_table(location)
    assert "secret" not in str(refused.value)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(MissingExtra, match=r"Reading spark:// tables needs .*the optional part spark"):
        open_table(f"{SPARK}::people")


def in_a_process_of_its_own(location, folder, **environment):
    """Open a table where no session is running; return the exit code and everything that is said."""
    command = [Path(sys.executable).with_name("epsilometer"), "assess", location, "-q", "sex", "-s", "job", "--quiet"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("master", "message"),
    [
        ("localhost:1", "No Spark master answers at localhost:1. Check the name and the port"),
        ("localhost:1,localhost:2", "No Spark master answers at localhost:1,localhost:2."),
        ("nowhere", "A Spark session is named by its master, as in spark://host:7077::people"),
        ("ann:secret@localhost:1", "A Spark session is named by its master, as in spark://host:7077::people"),
    ],
)
def test_a_master_that_is_not_there_is_told_at_once(needs_java, master, message, tmp_path):
    code, _, said = in_a_process_of_its_own(f"spark://{master}::people", tmp_path, PATH="/usr/bin:/bin")
    assert code == 2
    assert message in " ".join(said.split())
    assert "secret" not in said


def test_without_java_the_error_says_so(needs_java, tmp_path):
    code, _, said = in_a_process_of_its_own(f"{SPARK}::people", tmp_path, PATH="/usr/bin:/bin", JAVA_HOME="/nowhere")
    assert code == 2
    assert "Spark did not start:" in said
    assert "It needs Java 17 or later, found on the PATH or by JAVA_HOME." in " ".join(said.split())


def test_a_session_of_our_own_is_silent_and_ends_with_the_program(needs_java, tmp_path):
    parquet.write_table(ROWS, tmp_path / "people.parquet")
    code, told, said = in_a_process_of_its_own(f"{SPARK}::people.parquet", tmp_path, PATH="/usr/bin:/bin")
    assert (code, said) == (0, "")
    assert "can be certain of the job" in " ".join(told.split())
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]
