"""What every command with ``--report`` does: check first, write last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from epsilometer.cli.progress import progress
from epsilometer.errors import BadOutput, BadQuestion

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.report.model import Report


def report_target(report: str | None, *, language: str, overwrite: bool, public: bool = False) -> Path | None:
    """Return where a report is to be written, if anywhere, or say before any work is done why it cannot be."""
    from epsilometer.vocabulary.language import language as language_named

    language_named(language)
    if report is None:
        if public:
            raise BadQuestion("--public is about what --report writes. Name a file with --report, or leave it out.")
        return None
    from epsilometer.report.writing import check_report

    check_report(Path(report), overwrite=overwrite)
    return Path(report)


def check_apart(target: Path, *others: Path) -> None:
    """Raise if a report would take the place of a file that the command writes besides."""
    if target.absolute() in [other.absolute() for other in others]:
        raise BadOutput(f"Cannot write {target}: the release writes it too. Choose another name for the report.")


def work_out(build: Callable[[], Report], target: Path, *, overwrite: bool, quiet: bool) -> None:
    """Build a report and write it, with signs of life: drawing its charts takes a moment.

    That it was written is said where it does not get into what a program reads.
    """
    from epsilometer.report.writing import write_report

    with progress("Working out the report", quiet=quiet):
        write_report(build(), target, overwrite=overwrite)
    typer.echo(f"Report written to {target}.", err=True)
