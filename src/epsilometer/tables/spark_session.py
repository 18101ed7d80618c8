"""The Spark session that tables are read with: the one that runs in this process, or one that ends with it."""

from __future__ import annotations

import atexit
import os
import re
import socket
import sys
import tempfile
from threading import Lock
from typing import IO, Any, Final, TypeAlias

from epsilometer.errors import BadTable, MissingExtra
from epsilometer.tables.engine_errors import first_line, is_engine_error

Session: TypeAlias = Any  # of a package that need not be installed

SCHEME: Final = "spark://"
_THIS_MACHINE: Final = re.compile(r"local(\[(\d+|\*)\])?")
_MASTERS: Final = re.compile(r"[^\s:/,@]+:\d+(,[^\s:/,@]+:\d+)*")
_SECONDS: Final = 5.0  # for a master to answer; Spark itself would try for a minute
_STARTING: Final = Lock()


def session_at(location: str) -> Session:
    """Return the session that is running, whoever started it, or start the one that the location describes.

    Args:
        location: ``spark://host:7077``, ``spark://local[2]``, or ``spark://`` for the session that is running or that
            Spark's own settings describe.
    """
    try:
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("Reading spark:// tables", "spark") from None
    master = location.removeprefix(SCHEME)
    with _STARTING:
        try:
            session = SparkSession.active()
        except PySparkRuntimeError:  # there is none
            return _started(_settings(master))
    running = session.sparkContext.master
    if master and running not in (master, location):
        raise BadTable(f"A Spark session on {running} runs in this process already. Call it spark://, with ::table.")
    return session


def _settings(master: str) -> dict[str, str]:
    settings = {"spark.app.name": "epsilometer", "spark.ui.showConsoleProgress": "false"}
    if not master:
        return settings
    if _THIS_MACHINE.fullmatch(master):
        return settings | _on_this_machine() | {"spark.master": master}
    if not _MASTERS.fullmatch(master):
        raise BadTable(
            "A Spark session is named by its master, as in spark://host:7077::people, or spark://local[2]::people "
            "for this machine; spark://::people is the one that is running or that Spark's own settings describe."
        )
    _check_answer(master)
    return settings | {"spark.master": f"{SCHEME}{master}"}


def _on_this_machine() -> dict[str, str]:
    """Settings of a session that nobody else is to reach, and that leaves nothing behind."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # for those who call Python functions in it
    folder = tempfile.TemporaryDirectory(prefix="epsilometer-")
    atexit.register(folder.cleanup)
    return {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": folder.name,
        "spark.sql.shuffle.partitions": "8",  # enough for one machine; each of them costs time
        "spark.sql.warehouse.dir": folder.name,
        "spark.ui.enabled": "false",
    }


def _check_answer(masters: str) -> None:
    """Refuse masters none of which can be reached, where Spark would try again for minutes."""
    for master in masters.split(","):
        host, _, port = master.partition(":")
        try:
            socket.create_connection((host, int(port)), _SECONDS).close()
        except (OSError, OverflowError):
            continue
        return
    raise BadTable(f"No Spark master answers at {masters}. Check the name and the port, and whether it is running.")


def _started(settings: dict[str, str]) -> Session:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = SparkConf().setAll(list(settings.items()))
    with tempfile.TemporaryFile() as log:  # what Spark has to say goes there, and not to the screen
        try:
            gateway = launch_gateway(conf, {"stdout": log, "stderr": log})  # type: ignore[no-untyped-call]
            context = SparkContext(conf=conf, gateway=gateway)
        except Exception as error:
            if not is_engine_error(error):
                raise
            raise BadTable(
                f"Spark did not start: {_first_words(log) or first_line(error)}. It needs Java 17 or later, found on "
                "the PATH or by JAVA_HOME."
            ) from None
    atexit.register(context.stop)
    return SparkSession.builder.getOrCreate()


def _first_words(log: IO[bytes]) -> str:
    log.seek(0)
    return log.readline().decode(errors="replace").strip().rstrip(".")
