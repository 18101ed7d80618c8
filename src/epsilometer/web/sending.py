"""Files for the browser to keep."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

TYPES: Final = {
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".yaml": "application/yaml",
    ".zip": "application/zip",
}


def attached(content: bytes, name: str) -> Response:
    """Send a file to be kept under this name, and not to be shown: what is in it may come from anywhere."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=TYPES[PurePosixPath(name).suffix], headers=headers)


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return several files as one archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packing:
        for name, content in files.items():
            packing.writestr(name, content)
    return archive.getvalue()


def file_name(table_name: str) -> str:
    """Return a name for files about a table that is safe everywhere.

    >>> file_name("Stays 2024 (final).csv"), file_name("???")
    ('Stays-2024-final', 'table')
    """
    words = re.findall(r"[A-Za-z0-9]+", PurePosixPath(table_name).stem)
    return "-".join(words)[:60] or "table"
