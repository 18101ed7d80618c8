"""What a browser is sent besides pages: where to go next, and files to keep."""

from __future__ import annotations

import io
import re
import zipfile
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Receive, Scope, Send

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


class SeeOther(RedirectResponse):
    """Leads to another page of this server; its address is completed by the path that is new at every start."""

    def __init__(self, address: str) -> None:
        super().__init__(address, HTTPStatus.SEE_OTHER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        self.headers["location"] = scope["root_path"] + self.headers["location"]
        await super().__call__(scope, receive, send)


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
