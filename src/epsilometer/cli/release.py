"""``epsilometer release``: a real release, with real randomness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.domains import values_from
from epsilometer.cli.progress import progress
from epsilometer.errors import OutOfRange, UnknownChoice

if TYPE_CHECKING:
    from epsilometer.vocabulary.local_release import LocalRelease

KINDS: Final = ("local",)


def release(
    table: options.Table,
    *,
    kind: Annotated[str, typer.Option(help="local: each person randomises their own value.")],
    column: Annotated[str, typer.Option("--column", "-c", help="Column that people report on.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.csv", help="Where to write the reports.")],
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="Privacy parameter of each person's report.")],
    randomizer: Annotated[str, typer.Option(help="response, unary, exponential, laplace or gaussian.")] = "response",
    delta: options.Delta = None,
    domain: Annotated[
        str | None,
        typer.Option(metavar="A,B,… | @FILE", help="Every value there may be, or a file with one on each line."),
    ] = None,
    bounds: Annotated[
        str | None, typer.Option("--range", metavar="LOW:HIGH", help="Declared range, for laplace and gaussian.")
    ] = None,
    shuffle: Annotated[
        bool, typer.Option("--shuffle/--no-shuffle", help="Put the reports into a random order.")
    ] = True,
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006  (never changed)
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Release randomised reports of a column, with what an analyst and an attacker can read off them."""
    if kind not in KINDS:
        raise UnknownChoice("kind", kind, KINDS)
    from epsilometer.report.files import check_free, write_atomically

    check_free(out, overwrite=overwrite, source=table)
    with progress("Randomising the reports", quiet=quiet):
        from epsilometer.assessments.local.release import local_release, randomizer_named
        from epsilometer.report.local_reports import reports_as_csv

        values = values_from(domain) if domain else ()
        chosen = randomizer_named(randomizer, epsilon=epsilon, delta=delta, domain=values, bounds=_bounds(bounds))
        made = local_release(table, column, chosen, domain=values, shuffled=shuffle, where=where, missing=missing)
        write_atomically(out, reports_as_csv(made), overwrite=overwrite)
    _show(made, out, as_json=as_json)


def _bounds(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(end) for end in text.split(":"))
    except ValueError:
        raise OutOfRange("range", text, "low:high", hint="Such as 0:120.") from None
    return low, high


def _show(made: LocalRelease, out: Path, *, as_json: bool) -> None:
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(made.to_dict()))
        return
    from epsilometer.cli.local_tables import print_local_release
    from epsilometer.cli.rendering import standard_output

    print_local_release(made, out, standard_output())
