"""``epsilometer reproduce``: the papers' numbers and figures next to ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.progress import progress
from epsilometer.errors import BadOutput, UnknownChoice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.reproduction.figure import Figure


def reproduce(
    subject: Annotated[
        str,
        typer.Argument(help="homogeneity (papers 000, 001), sampling (002), guessing (003) or synthetic (004)."),
    ],
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with adult.csv (and bankruptcy.csv), to count or measure anew what comes with the package.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Existing folder for the figures, as SVG and CSV files.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace figures that exist.")] = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Print the numbers of the papers next to ours, and what is wrong in the papers."""
    from epsilometer.reproduction.subjects import SUBJECTS

    if subject not in SUBJECTS:
        raise UnknownChoice("subject", subject, SUBJECTS)
    if out is not None and not out.is_dir():
        raise BadOutput(f"There is no folder {out}. Make it, or choose one that exists.")
    with progress("Working through the papers", quiet=quiet):
        worked = SUBJECTS[subject](data)
    if out is not None:
        with progress("Drawing the figures", quiet=quiet):
            _write_figures(worked.figures(), out, overwrite=overwrite)
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(worked.reproduction.to_dict()))
    else:
        from epsilometer.cli.rendering import standard_output
        from epsilometer.cli.reproduction_tables import print_reproduction

        print_reproduction(worked.reproduction, standard_output())


def _write_figures(figures: Iterable[Figure], directory: Path, *, overwrite: bool) -> None:
    from epsilometer.charts.export import to_svg
    from epsilometer.report.files import write_atomically
    from epsilometer.reproduction.drawing import draw_figure

    for figure in figures:
        write_atomically(directory / f"{figure.name}.csv", figure.to_csv(), overwrite=overwrite)
        picture = to_svg(draw_figure(figure)).encode()
        write_atomically(directory / f"{figure.name}.svg", picture, overwrite=overwrite)
