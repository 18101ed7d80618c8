"""Files appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from epsilometer.errors import BadOutput, OutputExists

if TYPE_CHECKING:
    from collections.abc import Callable


def check_free(path: Path, *, overwrite: bool, source: str | None = None) -> None:
    """Raise before any work is done if a file stands in the way, or its folder is not there.

    The ``source`` that the content is made from is never overwritten.
    """
    if source is not None and path.exists() and Path(source).exists() and path.samefile(source):
        raise BadOutput(f"Cannot write {path}: it is the table itself. Choose another name.")
    if path.is_dir():
        raise BadOutput(f"Cannot write {path}: it is a folder. Name a file in it.")
    if path.exists() and not overwrite:
        raise OutputExists(path)
    if not path.parent.is_dir():
        raise BadOutput(f"Cannot write {path}: there is no folder {path.parent}. Choose a folder that exists.")


def write_atomically(path: Path, content: bytes, *, overwrite: bool) -> None:
    """Write a file so that a crash leaves the old one or the new one, never a part of it.

    The content goes to a temporary file beside the target and is put in place in one step: ``os.replace`` to
    overwrite, ``os.link`` otherwise, which fails if somebody else was faster.
    """
    check_free(path, overwrite=overwrite)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadOutput(f"Cannot write {path}: {error.strerror}. Choose a folder that exists.") from None
    put: Callable[[str, Path], None] = os.replace if overwrite else os.link
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        put(temporary, path)
    except FileExistsError:
        raise OutputExists(path) from None
    finally:
        Path(temporary).unlink(missing_ok=True)
