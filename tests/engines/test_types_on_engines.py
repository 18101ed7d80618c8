"""Texts become the same values of every type on every engine, and none of them makes an engine fail."""

import datetime as dt
import json
from pathlib import Path

import pyarrow as pa
import pytest

from epsilometer import open_table
from epsilometer.tables.engine import fetch

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

VECTORS = json.loads((Path(__file__).parents[1] / "reference" / "converted_texts.json").read_text(encoding="utf-8"))
ROWS = pa.table({"i": range(len(VECTORS)), "x": [vector["text"] for vector in VECTORS]})


def plain(value):
    """Return a value as the vectors write it; Spark says of times that they are of the session's zone."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None).isoformat()
    return value.isoformat() if isinstance(value, dt.date) else value


@pytest.mark.parametrize("kind", ["text", "integer", "number", "date", "datetime", "boolean"])
def test_texts_become_the_same_values(engine, kind):
    table = open_table(engine.source("texts", ROWS), types={"x": kind})
    found = {row["i"]: plain(row["x"]) for row in fetch(table.expression.select("i", "x")).to_pylist()}
    assert [(vector, found[i]) for i, vector in enumerate(VECTORS) if repr(found[i]) != repr(vector.get(kind))] == []
