"""``epsilometer serve``: the local page, for the person who starts it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from epsilometer.cli.ledger import LedgerFile
from epsilometer.errors import BadOutput, MissingExtra, UnreadableFile
from epsilometer.releases.ledger import DEFAULT_LEDGER

NEEDED: Final = ("fastapi", "python_multipart", "uvicorn")
HIGHEST_PORT: Final = 65_535


def serve(
    table: Annotated[
        Path | None,
        typer.Argument(metavar="TABLE_OR_FOLDER", help="A file, or a folder of them. Files can also be sent later."),
    ] = None,
    *,
    port: Annotated[int, typer.Option(min=0, max=HIGHEST_PORT, help="Port; a free one if not said.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
    max_upload: Annotated[int, typer.Option(metavar="MIB", min=1, help="Largest file that can be sent.")] = 512,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where releases are written; only to download if not said.")
    ] = None,
    ledger: LedgerFile = DEFAULT_LEDGER,
) -> None:
    """Open the page on this computer: choose a table, move epsilon, see what changes, make the release."""
    if any(find_spec(name) is None for name in NEEDED):
        raise MissingExtra("The page", "web")
    from epsilometer.web.serving import serve_page
    from epsilometer.web.uploads import ENDINGS, is_table

    if table is not None and not table.exists():
        raise UnreadableFile(f"There is no file or folder {table}. Check the name.")
    if table is not None and table.is_file() and not is_table(table.name):
        raise UnreadableFile(f"{table} is not a kind of table that can be read: it must end in {', '.join(ENDINGS)}.")
    if out is not None and not out.is_dir():
        raise BadOutput(f"Cannot write to {out}: there is no such folder. Choose a folder that exists.")
    serve_page(
        source=table,
        port=port,
        max_upload=max_upload,
        ledger=ledger.absolute(),
        out=out,
        browser=browser,
        say=typer.echo,
    )
