"""Charts as files, of the kind their name says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import BadOutput

if TYPE_CHECKING:
    from pathlib import Path

KINDS: Final = (".svg", ".png", ".json")


def check_picture(path: Path | None, *, overwrite: bool) -> None:
    """Raise before any work is done if a chart cannot be written there."""
    if path is None:
        return
    from epsilometer.report.files import check_free

    if path.suffix not in KINDS:
        raise BadOutput(f"{path} is no kind of picture I draw. Name it {', '.join(f'*{end}' for end in KINDS)}.")
    check_free(path, overwrite=overwrite)


def write_picture(chart: Any, path: Path, *, overwrite: bool) -> None:  # noqa: ANN401  (a chart of any shape)
    """Draw a chart into a file."""
    from epsilometer.charts.export import to_json, to_png, to_svg
    from epsilometer.report.files import write_atomically

    content = {
        ".svg": lambda: to_svg(chart).encode(),
        ".png": lambda: to_png(chart),
        ".json": lambda: to_json(chart).encode(),
    }
    write_atomically(path, content[path.suffix](), overwrite=overwrite)
