"""Reports as files: the ending of the name says in which form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadOutput, OutputExists, UnknownChoice
from epsilometer.report.files import check_free, write_atomically
from epsilometer.report.rendering.document import as_document
from epsilometer.report.rendering.html import as_html
from epsilometer.report.rendering.markdown import as_markdown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from epsilometer.report.model import Report

PAGE: Final = (".html", ".htm")
MARKDOWN: Final = ".md"
DOCUMENT: Final = ".json"
ENDINGS: Final = (*PAGE, MARKDOWN, DOCUMENT)


def check_report(path: Path, *, overwrite: bool) -> None:
    """Raise before any work is done if a report cannot be written there."""
    form = path.suffix.lower()
    if form not in ENDINGS:
        hint = "A report is a web page, Markdown or JSON."
        raise UnknownChoice("ending of the report's name", path.suffix, ENDINGS, hint=hint)
    check_free(path, overwrite=overwrite)
    charts = _charts(path)
    if form == MARKDOWN and charts.exists() and not (overwrite and charts.is_dir()):
        raise OutputExists(charts)


def write_report(report: Report, path: Path, *, overwrite: bool) -> None:
    """Write a report in the form that the name of the file asks for.

    The charts of ``report.md`` are files in the folder ``report-charts``. They are written first, so that the text
    never speaks of a picture that is not there.
    """
    check_report(path, overwrite=overwrite)
    form = path.suffix.lower()
    if form == MARKDOWN:
        written = as_markdown(report, folder=_charts(path).name)
        _write_pictures(written.pictures, path.parent, overwrite=overwrite)
        text = written.text
    else:
        text = as_html(report) if form in PAGE else as_document(report)
    write_atomically(path, _encoded(text), overwrite=overwrite)


def _charts(path: Path) -> Path:
    return path.with_name(f"{path.stem}-charts")


def _write_pictures(pictures: Mapping[str, str], folder: Path, *, overwrite: bool) -> None:
    for name, picture in pictures.items():
        path = folder / name
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise BadOutput(f"Cannot make the folder {path.parent}: {error.strerror}. Choose another place.") from error
        write_atomically(path, _encoded(picture), overwrite=overwrite)


def _encoded(text: str) -> bytes:
    """Return text as UTF-8; half a character, which a name in a table may hold, becomes a question mark."""
    return text.encode(errors="replace")
