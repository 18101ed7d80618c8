"""Files appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from epsilometer.errors import BadOutput, EpsilometerError, OutputExists

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_free(path: Path, *, overwrite: bool, source: str | None = None) -> None:
    """Raise before any work is done if a file stands in the way, or its folder is not there.

    The ``source`` that the content is made from is never overwritten.
    """
    try:
        _check_free(path, overwrite=overwrite, source=source)
    except EpsilometerError:
        raise
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise BadOutput(f"Cannot write {path}: {error.strerror}. Choose another name.") from error


def _check_free(path: Path, *, overwrite: bool, source: str | None) -> None:
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

    The content goes to a temporary file beside the target, which is then put in place.
    """
    check_free(path, overwrite=overwrite)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        write_new(temporary, [content])
        put_in_place(temporary, path, overwrite=overwrite)
    finally:
        with suppress(OSError):  # it is empty or a second name, and in nobody's way
            temporary.unlink(missing_ok=True)


def write_new(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file that only its owner may read, and wait until the disk has it."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _cannot_write(path, error) from error


def put_in_place(temporary: Path, path: Path, *, overwrite: bool) -> None:
    """Give a file its final name in one step, and wait until the disk has it.

    That is ``os.replace`` to overwrite, and ``os.link`` otherwise, which fails if somebody else was faster.
    """
    try:
        if overwrite:
            temporary.replace(path)
        else:
            path.hardlink_to(temporary)
    except FileExistsError:
        raise OutputExists(path) from None
    except OSError as error:
        raise _cannot_write(path, error) from error
    settle_name(temporary, path)


def settle_name(temporary: Path, path: Path) -> None:
    """Take the other name from a file that has its final one, and wait until the disk has it."""
    try:
        temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _sync_folder(folder: Path) -> None:
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders, and needs no such thing
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _cannot_write(path: Path, error: OSError) -> BadOutput:
    return BadOutput(f"Cannot write {path}: {error.strerror or error}. Choose a folder that can be written to.")
