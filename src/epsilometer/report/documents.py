"""Results as JSON documents, and the schema they follow."""

from __future__ import annotations

import json
from importlib import metadata, resources
from typing import TYPE_CHECKING, Any

from epsilometer.report.sentences import answer

if TYPE_CHECKING:
    from epsilometer.assessments.assess import Assessment
    from epsilometer.vocabulary.choice import Choice


def assessment_document(assessment: Assessment) -> dict[str, Any]:
    """Return an assessment with its answer in words and the version that made it."""
    return {
        **assessment.to_dict(),
        "answer": answer(assessment),
        "epsilometer": metadata.version("epsilometer"),
    }


def as_json_text(assessment: Assessment) -> str:
    """Return the document of an assessment as text."""
    return json.dumps(assessment_document(assessment), indent=2, ensure_ascii=False, allow_nan=False)


def choice_as_json(choice: Choice) -> str:
    """Return the document of a choice as text."""
    document = {**choice.to_dict(), "epsilometer": metadata.version("epsilometer")}
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def schema_text() -> str:
    """Return the JSON Schema that every result follows."""
    return resources.files("epsilometer.report").joinpath("result.schema.json").read_text(encoding="utf-8")
