"""``epsilometer plan``: show what a plan file asks for, or begin one from what another tool knows of a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epsilometer.cli import options
from epsilometer.errors import BadPlan, EpsilometerError, UnknownColumn

if TYPE_CHECKING:
    from epsilometer.plans.importing.imported import Imported

app = typer.Typer(
    help="Show what a plan file asks for, or begin one from metadata.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("show")
def show(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="Plan file, in YAML or JSON.")],
    *,
    as_json: options.Json = False,
) -> None:
    """Check a plan file and say what it asks for; the table is not opened."""
    from epsilometer.plans.files import read_plan

    read = read_plan(plan)
    if as_json:
        import json

        from epsilometer.plans.plain_data import plain_data

        typer.echo(json.dumps(plain_data(read), indent=2, ensure_ascii=False))
        return
    from rich.text import Text

    from epsilometer.cli.rendering import standard_output
    from epsilometer.plans.in_words import plan_in_words

    console = standard_output()
    for sentence in plan_in_words(read):
        console.print(Text(sentence))


@app.command("import")
def import_(
    metadata: Annotated[
        str, typer.Argument(metavar="METADATA", help="Metadata of SmartNoise (YAML) or of the SDV (JSON).")
    ],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.yaml", help="Where to write the plan.")],
    table: Annotated[str | None, typer.Option(help="The table that the metadata describe.")] = None,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    only: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which of the tables, if the metadata describe several.")
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Begin a plan file with what metadata say: ranges, values, whose row it is. Roles are yours to give."""
    from epsilometer.plans.importing.read import read_metadata
    from epsilometer.plans.locations import seen_from
    from epsilometer.report.files import check_free, write_atomically

    check_free(out, overwrite=overwrite, source=metadata)
    given = {
        "table": None if table is None else seen_from(out.parent, table),
        "quasi_identifiers": quasi_identifiers,
        "sensitive": sensitive,
    }
    imported = read_metadata(metadata, only)
    for column in (*quasi_identifiers, *sensitive):
        if column not in imported.described:
            raise UnknownColumn(column, imported.described)
    begun = replace(imported, settings={key: value for key, value in given.items() if value} | imported.settings)
    _check(begun, metadata)
    write_atomically(out, begun.text(Path(metadata).name).encode(), overwrite=overwrite)
    typer.echo(f"Plan written to {out}. {_what_next(begun, out)}")


def _check(begun: Imported, metadata: str) -> None:
    """Check what is there as part of a plan, with something in the place of what is not."""
    from epsilometer.plans.reading import Source
    from epsilometer.plans.validation import plan_from

    roles = {"table": "table", "quasi_identifiers": ["known"], "sensitive": ["wanted"]}
    try:
        plan_from(Source(data=roles | begun.settings))
    except EpsilometerError as error:
        raise BadPlan(f"{metadata}: {error}") from None


def _what_next(begun: Imported, out: Path) -> str:
    to_say = begun.to_say()
    if to_say:
        return f"Say in it: {', '.join(to_say)}. Columns that may play a part: {', '.join(begun.columns)}."
    return f"Try: epsilometer plan show {out}"
