"""``epsilometer schema``: the JSON Schema of every result, and of passports."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from epsilometer.errors import UnknownChoice

DOCUMENTS: Final = ("result", "passport")


def schema(
    *,
    of: Annotated[
        str, typer.Option("--of", help="result: everything printed with --json; passport: the record of a release.")
    ] = "result",
) -> None:
    """Print the JSON Schema that everything printed with --json follows, or that of passports."""
    if of not in DOCUMENTS:
        raise UnknownChoice("--of", of, DOCUMENTS)
    from epsilometer.report.documents import schema_text
    from epsilometer.report.passport_document import passport_schema

    typer.echo(schema_text() if of == "result" else passport_schema())
