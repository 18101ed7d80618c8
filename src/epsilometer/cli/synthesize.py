"""``epsilometer synthesize``: a synthetic table, made under differential privacy with real noise."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.domains import domain_from
from epsilometer.cli.ledger import LedgerFile
from epsilometer.cli.output import show
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import check_apart, report_target, work_out
from epsilometer.errors import BadOutput
from epsilometer.releases.ledger import DEFAULT_LEDGER

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    types: options.Types = [],  # noqa: B006
    dataset: options.DataSet = None,
    ledger: LedgerFile = DEFAULT_LEDGER,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a synthetic table with the columns and types of a table, and a record of what it cost beside it."""
    if out.suffix not in KINDS:
        raise BadOutput(f"Cannot write {out}: its name must end in {' or '.join(KINDS)}.")
    target = report_target(report, language=language, overwrite=overwrite)
    if target is not None:
        check_apart(target, out.with_name(f"{out.name}.json"))
    with progress("Making the synthetic table", quiet=quiet) as tell:
        from epsilometer.releases.synthetic_files import synthesize_to
        from epsilometer.tables.types import parse_types

        made, beside = synthesize_to(
            out,
            table,
            {
                "method": method,
                "epsilon": epsilon,
                "delta": delta,
                "columns": columns,
                "domain": domain_from(domain),
                "public_table": domain_table,
                "bins": bins,
                "rows": rows,
                "types": parse_types(types),
            },
            hold_out=hold_out,
            where=where,
            missing=missing,
            dataset=dataset,
            ledger=ledger,
            overwrite=overwrite,
            tell=tell,
        )
    if target is not None:
        from epsilometer.report.building.synthetic_table import synthetic_table_report

        build = partial(synthetic_table_report, made, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    show(made.to_dict, partial(_print, made, out, beside), as_json=as_json)


def print_synthetic_table(made: SyntheticTable, console: Console) -> None:
    """Print what a synthetic table is, what it cost and what it rests on."""
    from rich.text import Text

    from epsilometer.cli.rendering import print_list, table_with_columns

    console.print(Text(made.in_words))
    console.print()
    plain = not console.is_terminal
    spent = table_with_columns("Where the budget went", ("looked at", "ε", "δ", "noise"), words=(0, 3), plain=plain)
    for look in made.spent:
        spent.add_row(Text(look.what), f"{look.epsilon:.4g}", f"{look.delta:.2g}", Text(look.noise))
    console.print(spent)
    console.print()
    headings = ("column", "domain", "how it is known")
    domains = table_with_columns("What each column may hold", headings, words=(0, 1, 2), plain=plain)
    for origin in made.domains:
        domains.add_row(Text(origin.column), Text(origin.domain), origin.origin)
    console.print(domains)
    print_list("What to keep in mind", made.caveats, console)


def _print(made: SyntheticTable, out: Path, beside: Sequence[Path], console: Console) -> None:
    from rich.text import Text

    print_synthetic_table(made, console)
    console.print(Text(f"\nWritten to {out}, with a record of what it cost in {beside[0].name}."))
    if beside[1:]:
        parts = " and ".join(path.name for path in beside[1:])
        console.print(Text(f"{parts} hold the rows it was made from and those kept out: confidential.", style="bold"))
