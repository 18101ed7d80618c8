"""A file as it was when it was opened: what has taken its place since is not read."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from epsilometer.errors import UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFile:
    """What tells a file from another one under the same name, even if that is a link to somewhere else.

    Attributes:
        path: where it is.
        device, inode: which file it is, wherever the name leads.
        size, modified: what changes with its content.
    """

    path: Path
    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def at(cls, path: Path) -> SeenFile:
        """Return the file that is there now."""
        try:
            found = path.stat()
        except OSError as error:
            reason = str(error.strerror).lower()
            raise UnreadableFile(f"{path} cannot be read: {reason}. See where it is, and open it again.") from None
        return cls(path=path, device=found.st_dev, inode=found.st_ino, size=found.st_size, modified=found.st_mtime_ns)

    def check(self) -> None:
        """Refuse to go on with a file that is not what it was."""
        now = SeenFile.at(self.path)
        if (now.device, now.inode) != (self.device, self.inode):
            raise UnreadableFile(
                f"{self.path} is no longer the file that was opened, but another one or a link to it; it was not read. "
                "If that is meant, open it again."
            )
        if now != self:
            raise UnreadableFile(f"{self.path} has changed since it was opened. Open it again to read it as it is now.")

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Refuse what is read of the file meanwhile, unless it is what it was before and after."""
        self.check()
        yield
        self.check()
