"""How a command shows its result: as a document for programs, or as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console


def show(to_dict: Callable[[], dict[str, Any]], to_console: Callable[[Console], None], *, as_json: bool) -> None:
    """Write the document that ``to_dict`` makes, or let ``to_console`` print on standard output."""
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(to_dict()))
        return
    from epsilometer.cli.rendering import standard_output

    to_console(standard_output())
