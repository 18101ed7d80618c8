"""``epsilometer reproduce``: the papers' numbers and figures next to ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.progress import progress
from epsilometer.errors import BadOutput, UnknownChoice

if TYPE_CHECKING:
    from epsilometer.reproduction.homogeneity.experiments import Experiments
    from epsilometer.reproduction.result import Reproduction

SUBJECTS: Final = ("homogeneity",)


def reproduce(
    subject: Annotated[str, typer.Argument(help="homogeneity: the homogeneity attack, papers 000 and 001.")],
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with adult.csv and bankruptcy.csv; counts that come with the package are used otherwise.",
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
    if subject not in SUBJECTS:
        raise UnknownChoice("subject", subject, SUBJECTS)
    if out is not None and not out.is_dir():
        raise BadOutput(f"There is no folder {out}. Make it, or choose one that exists.")
    with progress("Working through the papers", quiet=quiet):
        from epsilometer.reproduction.homogeneity.experiments import from_files, from_profiles
        from epsilometer.reproduction.homogeneity.reproduce import reproduce_homogeneity

        experiments = from_profiles() if data is None else from_files(data)
        reproduction = reproduce_homogeneity(experiments)
    if out is not None:
        with progress("Drawing the figures", quiet=quiet):
            _write_figures(experiments, reproduction, out, overwrite=overwrite)
    if as_json:
        import json
        from importlib import metadata

        document = {**reproduction.to_dict(), "epsilometer": metadata.version("epsilometer")}
        typer.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        from epsilometer.cli.rendering import standard_output
        from epsilometer.cli.reproduction_tables import print_reproduction

        print_reproduction(reproduction, standard_output())


def _write_figures(experiments: Experiments, reproduction: Reproduction, directory: Path, *, overwrite: bool) -> None:
    from epsilometer.charts.export import to_svg
    from epsilometer.report.files import write_atomically
    from epsilometer.reproduction.drawing import draw_figure
    from epsilometer.reproduction.homogeneity.figures import all_figures

    for figure in all_figures(experiments, reproduction.confirmations):
        write_atomically(directory / f"{figure.name}.csv", figure.to_csv(), overwrite=overwrite)
        picture = to_svg(draw_figure(figure)).encode()
        write_atomically(directory / f"{figure.name}.svg", picture, overwrite=overwrite)
