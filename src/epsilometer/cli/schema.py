"""``epsilometer schema``: the JSON Schema of every result."""

from __future__ import annotations

import typer


def schema() -> None:
    """Print the JSON Schema that everything printed with --json follows."""
    from epsilometer.report.documents import schema_text

    typer.echo(schema_text())
