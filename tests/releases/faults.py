"""A disk that fails: each thing that is done to it can go wrong in turn, or be the last one before the power is cut.

Counted are, in one folder: files opened for writing, pieces written, files and folders made safe (fsync), names given
and taken (link, replace, unlink), and what a ledger does to its database (begin, insert, commit).
"""

import errno
import os
import sqlite3
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock


class PowerCut(BaseException):
    """Nothing is done any more, not even what should be done when something fails."""


FAULTS = {
    "full": lambda: OSError(errno.ENOSPC, "No space left on device"),
    "error": lambda: OSError(errno.EIO, "Input/output error"),
    "memory": MemoryError,
    "stopped": KeyboardInterrupt,
}


DATABASE = ("begin", "insert", "commit")


class Disk:
    """A folder of a disk, and what becomes of it.

    Args:
        folder: where things are counted.
        at: the so-manieth of them goes wrong; 0 for none.
        how: one of ``FAULTS``: it is not done, and an error says so; ``"late"``: it is done, and an error says
            that it was not; ``"lost"``, ``"cut"``: the power is cut before it, and what was not made safe is gone, or
            half of it is; ``"kept"``: the power is cut, and the disk has everything that it was told.
    """

    def __init__(self, folder, at=0, how="error"):
        self.folder, self.at, self.how = folder.resolve(), at, how
        self.count, self.dead = 0, False
        self.done = []
        self.handles = {}  # open file: its path
        self.unsafe = {}  # path whose content is not safe: True
        self.renamed = []  # how to undo names that are not safe

    def here(self, path):
        return isinstance(path, str | os.PathLike) and Path(path).parent.resolve() == self.folder

    def step(self, what, do):
        """Do something, or let it go wrong."""
        if self.dead:
            raise PowerCut
        self.count += 1
        self.done.append(what)
        if self.count != self.at:
            return do()
        if self.how in ("lost", "cut", "kept"):
            self.dead = True
            raise PowerCut
        if self.how == "late":
            do()
            raise sqlite3.OperationalError("disk I/O error") if what in DATABASE else FAULTS["error"]()
        if what in DATABASE and self.how in ("full", "error"):
            raise sqlite3.OperationalError("database or disk is full" if self.how == "full" else "disk I/O error")
        error = FAULTS[self.how]()
        raise error

    def after_the_cut(self):
        """Leave on the disk what was made safe, and of the rest nothing or half."""
        if not self.dead or self.how == "kept":
            return
        for undo in reversed(self.renamed):
            undo()
        for path in self.unsafe:
            if path.exists():
                content = path.read_bytes()
                path.write_bytes(content[: len(content) // 2] if self.how == "cut" else b"")

    @contextmanager
    def failing(self):
        """Let things go wrong as long as this lasts."""
        with ExitStack() as patches:
            calls = [(os, name) for name in ("open", "fdopen", "fsync", "link", "replace", "unlink")]
            for owner, name in (*calls, (sqlite3, "connect")):
                honest, faulty = getattr(owner, name), getattr(self, f"_{name}")
                patches.enter_context(mock.patch.object(owner, name, _bound(faulty, honest)))
            yield self

    def _open(self, honest, path, flags, *more, **options):
        if not (isinstance(path, str | os.PathLike) and flags & os.O_CREAT and self.here(path)):
            handle = honest(path, flags, *more, **options)
            if isinstance(path, str | os.PathLike) and Path(path).resolve() == self.folder:
                self.handles[handle] = self.folder
            return handle
        handle = self.step("open", lambda: honest(path, flags, *more, **options))
        self.handles[handle] = Path(path).resolve()
        self.unsafe[Path(path).resolve()] = True
        return handle

    def _fdopen(self, honest, handle, *more, **options):
        file = honest(handle, *more, **options)
        return _Written(file, self) if handle in self.handles else file

    def _fsync(self, honest, handle):
        path = self.handles.get(handle)
        if path is None:
            return honest(handle)
        self.step("fsync", lambda: honest(handle))
        if path == self.folder:
            self.renamed.clear()
        self.unsafe.pop(path, None)
        return None

    def _link(self, honest, source, target, **options):
        if not self.here(target):
            return honest(source, target, **options)
        self.step("link", lambda: honest(source, target, **options))
        self.renamed.append(lambda: Path(target).unlink())
        return None

    def _replace(self, honest, source, target, **options):
        if not self.here(target):
            return honest(source, target, **options)
        before = Path(target).read_bytes() if Path(target).exists() else None
        self.step("replace", lambda: honest(source, target, **options))

        def undo():
            Path(source).write_bytes(Path(target).read_bytes())
            Path(target).unlink() if before is None else Path(target).write_bytes(before)

        self.renamed.append(undo)
        return None

    def _unlink(self, honest, path, **options):
        if not self.here(path) or not Path(path).exists():
            return honest(path, **options)
        content = Path(path).read_bytes()
        self.step("unlink", lambda: honest(path, **options))
        self.renamed.append(lambda: Path(path).write_bytes(content))
        return None

    def _connect(self, honest, path, *more, **options):
        if not self.here(path):
            return honest(path, *more, **options)
        connection = honest(path, *more, factory=_Connection, **options)
        connection.disk = self
        return connection


class _Written:
    """An open file whose pieces are counted."""

    def __init__(self, file, disk):
        self.file, self.disk = file, disk

    def write(self, piece):
        return self.disk.step("write", lambda: self.file.write(piece))

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


class _Connection(sqlite3.Connection):
    disk = None

    def execute(self, statement, *values):
        if self.disk is None:
            return super().execute(statement, *values)
        for what in DATABASE:
            if statement.startswith(what.upper()):
                return self.disk.step(what, lambda: super(_Connection, self).execute(statement, *values))
        return super().execute(statement, *values)


def _bound(faulty, honest):
    return lambda *arguments, **options: faulty(honest, *arguments, **options)
