"""Results as JSON documents, and the schema they follow."""

from __future__ import annotations

import json
from importlib import metadata, resources
from typing import Any


def as_document(result: dict[str, Any]) -> str:
    """Return a result, ready for JSON, as the text of a document that names the version that made it."""
    document = {**result, "epsilometer": metadata.version("epsilometer")}
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def schema_text() -> str:
    """Return the JSON Schema that every result follows."""
    return resources.files("epsilometer.report").joinpath("result.schema.json").read_text(encoding="utf-8")
