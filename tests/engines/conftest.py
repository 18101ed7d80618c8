"""One fixture for three engines: the embedded one, Spark, and a PostgreSQL server that is started here."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

SPARK = "spark://local[1]"
POSTGRES_TYPES = {
    pa.int64(): "bigint", pa.string(): "text", pa.float64(): "double precision", pa.bool_(): "boolean",
    pa.date32(): "date", pa.decimal128(10, 2): "numeric(10, 2)", pa.timestamp("us"): "timestamp",
}  # fmt: skip


class Engine:
    """Where tables are put for an engine, and what its tables are called; each is put there once."""

    def __init__(self, folder):
        self.folder, self.sources = folder, {}

    def source(self, name, rows):
        if name not in self.sources:
            self.sources[name] = self.put(name, rows)
        return self.sources[name]


class Embedded(Engine):
    def put(self, name, rows):
        parquet.write_table(rows, self.folder / f"{name}.parquet")
        return str(self.folder / f"{name}.parquet")


class Spark(Embedded):
    def put(self, name, rows):
        return f"{SPARK}::{super().put(name, rows)}"


class Postgres(Engine):
    def __init__(self, folder, url):
        super().__init__(folder)
        self.url = url

    def put(self, name, rows):
        psycopg = pytest.importorskip("psycopg", reason="PostgreSQL needs the extra postgres")
        columns = ", ".join(f'"{field.name}" {POSTGRES_TYPES[field.type]}' for field in rows.schema)
        places = ", ".join("%s" for _ in rows.schema)
        with psycopg.connect(self.url) as connection:
            connection.execute(f'CREATE TABLE "{name}" ({columns})')
            values = list(zip(*rows.to_pydict().values(), strict=True))
            connection.cursor().executemany(f'INSERT INTO "{name}" VALUES ({places})', values)
        return f"{self.url}::{name}"


@pytest.fixture(scope="session")
def needs_java():
    pytest.importorskip("pyspark", reason="Spark needs the extra spark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")


@pytest.fixture(scope="session")
def postgres_url():
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        pytest.skip("the PostgreSQL server is not installed")
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:  # of which another run of pytest knows nothing
        yield from _served(Path(folder), programs[-1])


def _served(folder, programs):
    as_server = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if as_server:  # the server refuses to run as root
        for parent in (folder, *folder.parents):
            if parent.stat().st_mode & 0o777 == 0o700:
                parent.chmod(0o755)
        shutil.chown(folder, "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    control = [*as_server, programs / "pg_ctl", "-D", folder / "data", "-w"]
    creation = [*as_server, programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "tester"]
    subprocess.run(creation, check=True, capture_output=True)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True, capture_output=True)
    yield f"postgres://tester@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)


@pytest.fixture(scope="session", params=["embedded", "spark", "postgres"])
def engine(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "spark":
        request.getfixturevalue("needs_java")
        return Spark(folder)
    if request.param == "postgres":
        return Postgres(folder, request.getfixturevalue("postgres_url"))
    return Embedded(folder)


@pytest.fixture
def run(run, monkeypatch, tmp_path):
    """Run the command line with a ledger of its own."""
    monkeypatch.setenv("EPSILOMETER_LEDGER", str(tmp_path / "ledger.sqlite"))
    return run
