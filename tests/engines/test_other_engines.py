"""Spark and PostgreSQL count in their own engines, and count the same as a plain loop over the rows."""

import os
import shutil
import socket
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from epsilometer.errors import BadBins, BadTable
from epsilometer.tables import profiling
from epsilometer.tables.column_summaries import summarise_columns
from epsilometer.tables.counting import frequency_table

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

ROWS = [
    {"age": age, "region": region, "income": income, "who": who}
    for age, region, income, who in [
        (31, "north", 10.5, "a"), (31, "north", 2.0, "b"), (31, "north", 2.0, "b"), (45, "south", 2.0, "c"),
        (45, None, 2.0, "c"), (45, None, float("nan"), "d"), (None, "south", 2.0, "e"), (7, "east", 2.0, None),
    ]
]  # fmt: skip


@pytest.fixture(scope="module")
def spark_table():
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    pyspark_sql = pytest.importorskip("pyspark.sql")
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # its workers must run the same Python as this process
    session = (
        pyspark_sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )
    schema = "age int, region string, income double, who string"
    yield session.createDataFrame([tuple(row.values()) for row in ROWS], schema)
    session.stop()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory):
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        pytest.skip("the PostgreSQL server is not installed")
    folder = Path(tmp_path_factory.mktemp("postgres"))
    as_server = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if as_server:  # the server refuses to run as root
        for parent in (folder, *folder.parents):
            if parent.stat().st_mode & 0o777 == 0o700:  # pytest keeps its folders to itself
                parent.chmod(0o755)
        shutil.chown(folder, "postgres")
    port = _free_port()
    control = [*as_server, programs[-1] / "pg_ctl", "-D", folder / "data", "-w"]
    creation = [*as_server, programs[-1] / "initdb", "-D", folder / "data", "-A", "trust", "-U", "tester"]
    subprocess.run(creation, check=True, capture_output=True)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True, capture_output=True)
    yield f"postgres://tester@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)


@pytest.fixture(scope="module")
def postgres_table(postgres_url):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE people (age int, region text, income double precision, who text)")
        connection.cursor().executemany("INSERT INTO people VALUES (%(age)s, %(region)s, %(income)s, %(who)s)", ROWS)
    return f"{postgres_url}::people"


@pytest.fixture(params=["spark_table", "postgres_table"])
def source(request):
    return request.getfixturevalue(request.param)


def count_by_hand(rows, quasi_identifiers, sensitive, values):
    cells = defaultdict(Counter)
    for row in rows:
        cells[tuple(row[name] for name in quasi_identifiers)][str(row[sensitive])] += 1
    return Counter(tuple(cell[value] for value in values) for cell in cells.values())


def as_counter(profile):
    return Counter(dict(zip(map(tuple, profile.counts.tolist()), profile.n_cells.tolist(), strict=True)))


def test_counts_are_those_of_a_plain_loop(source):
    freq = frequency_table(source, quasi_identifiers=["age", "region"], sensitive="income")
    assert as_counter(freq.profile) == count_by_hand(ROWS, ["age", "region"], "income", ["2.0", "10.5", "nan"])
    assert freq.profile.values == ("2", "10.5", "(missing)")
    assert "1 record has no value for income; missing is counted as a value of its own." in freq.notes
    assert {"age": "31", "region": "north", "2": 2, "10.5": 1, "(missing)": 0} in freq.cells().to_pylist()


def test_many_values_are_counted_by_signature(source, monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_PIVOTED_VALUES", 1)
    freq = frequency_table(source, quasi_identifiers=["age", "region"], sensitive="income")
    assert as_counter(freq.profile) == count_by_hand(ROWS, ["age", "region"], "income", ["2.0", "10.5", "nan"])


def test_bins_filter_and_marks(source):
    freq = frequency_table(
        source,
        quasi_identifiers="region",
        sensitive="age",
        bins={"age": {"width": 10, "closed": "right"}},
        where="income < 5 and region is not null",
        missing=["east"],
    )
    assert freq.profile.values == ("(30, 40]", "(40, 50]", "(missing)")
    assert as_counter(freq.profile) == {(2, 0, 0): 1, (0, 1, 1): 1}


def test_a_person_counts_once_per_cell(source):
    freq = frequency_table(source, quasi_identifiers="region", sensitive="income", person_id="who")
    assert freq.n_records == 7
    assert freq.max_cells_per_person == 2
    assert freq.notes[-2] == (
        "7 records are counted: 5 people, each once in each of their cells, and 1 without a person id, "
        "each taken as a further person."
    )


TIES = [(who, value) for who in range(2000) for value in ("no", "yes")]


@pytest.fixture
def tied_spark_table(spark_table):
    return spark_table.sparkSession.createDataFrame([("all", *row) for row in TIES], "q string, who int, s string")


@pytest.fixture
def tied_postgres_table(postgres_url):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE ties (q text, who int, s text)")
        connection.cursor().executemany("INSERT INTO ties VALUES ('all', %s, %s)", TIES)
    return f"{postgres_url}::ties"


@pytest.mark.parametrize("tied", ["tied_spark_table", "tied_postgres_table"])
def test_ties_do_not_shift_the_shares(tied, request):
    freq = frequency_table(request.getfixturevalue(tied), quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.n_records == 2000
    assert freq.profile.shares == pytest.approx([0.5, 0.5], abs=5 * 0.5 * 2000**-0.5)  # five standard deviations
    assert freq.notes[-1].endswith("one of theirs was picked by a hash of the id.")


def test_bins_on_text_say_what_the_text_is(source):
    with pytest.raises(BadBins, match=r"column 'region' holds text, such as 'north'. Leave out its bins"):
        frequency_table(source, quasi_identifiers="region", sensitive="income", bins={"region": 5})


def test_an_unknown_table_is_named_with_those_there_are(postgres_url, postgres_table):
    with pytest.raises(BadTable, match="has no table 'persons'; it has people"):
        frequency_table(f"{postgres_url}::persons", quasi_identifiers="a", sensitive="b")


def test_columns_are_summarised(source):
    found = [(each.n_missing, each.n_distinct) for each in summarise_columns(source)]
    assert found == [(1, 3), (2, 3), (1, 2), (1, 5)]
