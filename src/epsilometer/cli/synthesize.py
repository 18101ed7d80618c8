"""``epsilometer synthesize``: a synthetic table, made under differential privacy with real noise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.domains import domain_from
from epsilometer.cli.progress import progress
from epsilometer.errors import BadOutput

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from rich.console import Console

    from epsilometer.vocabulary.synthetic_table import SyntheticTable

KINDS: Final = (".csv", ".parquet")


def synthesize(
    table: options.Table,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it: .csv or .parquet.")],
    method: options.Method = "mst",
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="Privacy parameter. Smaller is safer.")] = 1.0,
    delta: Annotated[float, typer.Option(help="Chance that the guarantee fails; spent only by what needs one.")] = 1e-6,
    columns: options.Columns = [],  # noqa: B006  (never changed)
    domain: options.Domains = [],  # noqa: B006
    domain_table: options.DomainTable = None,
    bins: options.NumberOfBins = 20,
    rows: Annotated[
        int | None, typer.Option(help="Number of synthetic rows; about as many as the table has if not said.")
    ] = None,
    hold_out: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Keep a random share of the rows out of it, and write both parts beside it, for `epsilometer audit`.",
        ),
    ] = None,
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a synthetic table with the columns and types of a table, and a record of what it cost beside it."""
    if out.suffix not in KINDS:
        raise BadOutput(f"Cannot write {out}: its name must end in {' or '.join(KINDS)}.")
    from epsilometer.report.files import check_free, write_atomically

    beside = [out.with_name(f"{out.name}.json")]
    if hold_out is not None:
        beside += [out.with_name(f"{out.stem}.{part}{out.suffix}") for part in ("training", "holdout")]
    for path in (out, *beside):
        check_free(path, overwrite=overwrite, source=table)
    source: object = table
    with progress("Making the synthetic table", quiet=quiet) as tell:
        from epsilometer.assessments.synthetic.splitting import split_off
        from epsilometer.assessments.synthetic.synthesize import synthesize as synthesized
        from epsilometer.report.documents import as_document

        parts: tuple[pa.Table, ...] = ()
        if hold_out is not None:
            parts = split_off(table, hold_out, columns=columns, where=where, missing=missing)
            source, where = parts[0], None  # the filter has done its work
        made = synthesized(
            source,
            method=method,
            epsilon=epsilon,
            delta=delta,
            columns=columns,
            domain=domain_from(domain),
            public_table=domain_table,
            bins=bins,
            rows=rows,
            where=where,
            missing=missing,
            tell=tell,
        )
        document = as_document(made.to_dict())
        contents = [document.encode(), *(_as_file(part, out.suffix) for part in parts), _as_file(made.rows, out.suffix)]
        for path, content in zip((*beside, out), contents, strict=True):
            write_atomically(path, content, overwrite=overwrite)
    if as_json:
        typer.echo(document)
        return
    from epsilometer.cli.rendering import standard_output

    _print(made, out, beside, standard_output())


def _as_file(rows: pa.Table, suffix: str) -> bytes:
    from epsilometer.report.delimited import as_csv, as_parquet, without_formulas

    return as_parquet(rows) if suffix == ".parquet" else as_csv(without_formulas(rows))


def _print(made: SyntheticTable, out: Path, beside: Sequence[Path], console: Console) -> None:
    from rich.text import Text

    from epsilometer.cli.rendering import print_list, titled_table

    console.print(Text(made.in_words))
    console.print()
    spent = titled_table("Where the budget went", plain=not console.is_terminal)
    for heading in ("looked at", "ε", "δ", "noise"):
        spent.add_column(heading, justify="right" if heading in "εδ" else "left")
    for look in made.spent:
        spent.add_row(Text(look.what), f"{look.epsilon:.4g}", f"{look.delta:.2g}", Text(look.noise))
    console.print(spent)
    console.print()
    domains = titled_table("What each column may hold", plain=not console.is_terminal)
    for heading in ("column", "domain", "how it is known"):
        domains.add_column(heading)
    for origin in made.domains:
        domains.add_row(Text(origin.column), Text(origin.domain), origin.origin)
    console.print(domains)
    print_list("What to keep in mind", made.caveats, console)
    console.print(Text(f"\nWritten to {out}, with a record of what it cost in {beside[0].name}."))
    if beside[1:]:
        parts = " and ".join(path.name for path in beside[1:])
        console.print(Text(f"{parts} hold the rows it was made from and those kept out: confidential.", style="bold"))
