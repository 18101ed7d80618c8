"""What the server has at hand: the tables it was given or sent, and those that are open, with their roles."""

from __future__ import annotations

import glob
import hashlib
import secrets
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException

from epsilometer.assessments.counted import counted
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer
from epsilometer.assessments.exploring.suggestions import suggest_roles
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts
from epsilometer.tables.time_limit import time_limit
from epsilometer.vocabulary.privacy_loss import PERSON, ROW
from epsilometer.web.seen_file import SeenFile
from epsilometer.web.uploads import is_table, keep_upload, sheets_of, write_example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from epsilometer.assessments.counted import Counted
    from epsilometer.plans.release_kinds import ReleaseKind
    from epsilometer.tables.bins import Bins
    from epsilometer.web.settings import Settings

EXAMPLE: Final = "Example: invented hospital stays"
LONGEST_NAME: Final = 255
ROLES_CHANGED: Final = "The columns' roles were changed in another tab. Load this page again."
NO_TABLE: Final = "There is no such table here. It may have been open before the last start; open it again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """How a table is read, as a person has chosen on the page.

    Attributes:
        quasi_identifiers: columns the attacker knows.
        sensitive: columns the attacker wants to know.
        person_id: column that says whose row it is; ``None`` if each row is a person.
        types: what columns of text hold, by column, where they are not to be read as text.
        bins: bins by column.
        bins_written: the bins as they were written, also of columns that are not counted now.
        missing: texts that stand for a missing value.
        where: row filter.
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    person_id: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    bins: Mapping[str, Bins] = field(default_factory=dict)
    bins_written: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    where: str | None = None

    @property
    def fingerprint(self) -> str:
        """A few letters that are others as soon as the table is read in another way.

        >>> ages, sexes = (Roles(quasi_identifiers=(known,), sensitive=("job",)) for known in ("age", "sex"))
        >>> ages.fingerprint == sexes.fingerprint
        False
        """
        read = (self.quasi_identifiers, self.sensitive, self.person_id, self.missing, self.where)
        bins = sorted((column, str(bins)) for column, bins in self.bins.items())
        types = sorted(self.types.items())
        return hashlib.sha256(repr((read, types, bins)).encode(errors="replace")).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class Offer:
    """A table that can be opened.

    Attributes:
        id: what addresses and forms call it.
        name: what its owner calls it.
        path: where it is.
    """

    id: str
    name: str
    path: Path


class NeedsRoles(Exception):
    """Somebody asked for numbers of a table before saying what its columns are."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        super().__init__(f"The columns of table {table_id} have no roles yet.")


class Opened:
    """An open table; its methods may be called from several threads.

    Args:
        name: what its owner calls it.
        source: what :func:`open_table` takes.
        seconds: how long a row filter may keep the engine busy, besides the time that it took to open the table.

    Attributes:
        id: what addresses call it.
        name: what its owner calls it.
        source: what :func:`open_table` takes; to be read only as :attr:`file` allows.
        file: the file that was opened.
        suggestions: what is known of each column, and the role it may have.
        lock: to be held by whoever else works with the engine of this table.
    """

    def __init__(self, name: str, source: str, *, seconds: float) -> None:
        self.id = secrets.token_urlsafe(12)
        self.name, self.source = name, source
        self.file = SeenFile.at(Path(source.partition("::")[0]))
        self.lock = threading.RLock()
        start = time.perf_counter()
        with self.file.unchanged():
            self.suggestions = suggest_roles(source)
        self._seconds = seconds + time.perf_counter() - start
        self._roles: Roles | None = None
        self._counted: Counted | None = None
        self._explorers: dict[str, CountsExplorer] = {}
        self._asked: dict[str, Mapping[str, str]] = {}  # by kind of release

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(suggestion.column for suggestion in self.suggestions)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.suggestions[0].summary.n_rows

    @property
    def roles(self) -> Roles | None:
        """How the table is read; ``None`` before anybody has chosen."""
        return self._roles

    def choose(self, roles: Roles) -> None:
        """Read the table with these roles from now on, if it can be counted with them."""
        plan = self._plan(roles, Counts())
        with self.lock:
            with self.reading():
                counts = counted(plan)
            self._counted, self._roles, self._explorers = counts, roles, {}

    def plan(self, release: ReleaseKind | None = None) -> Plan:
        """Return a plan for this table as it is read now."""
        return self._plan(self.chosen(), release or Counts())

    def counted(self) -> Counted:
        """Return the table, counted once for each choice of roles."""
        with self.lock:
            self.chosen()
            assert self._counted is not None  # noqa: S101  (roles are chosen by counting)
            return self._counted

    def explorer(self, sensitive: str) -> CountsExplorer:
        """Return what answers questions about one sensitive attribute; it keeps what it has worked out."""
        with self.lock:
            if sensitive not in self.chosen().sensitive:
                raise HTTPException(HTTPStatus.NOT_FOUND, f"{sensitive!r} is not a sensitive column of this table.")
            if sensitive not in self._explorers:
                place = self.chosen().sensitive.index(sensitive)
                self._explorers[sensitive] = CountsExplorer(self.counted().tables[place])
            return self._explorers[sensitive]

    def remember(self, asked: Mapping[str, str]) -> None:
        """Keep what was asked last of this kind of release: its pages begin with it when nothing else is asked."""
        self._asked[asked["kind"]] = asked

    def remembered(self, kind: str) -> Mapping[str, str]:
        """Return what was asked last of this kind of release; nothing if it was about other roles than those of now."""
        asked = self._asked.get(kind, {})
        return asked if asked.get("roles") == self.chosen().fingerprint else {}

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read the file: not another one in its place, and no longer than a filter may take."""
        with self.file.unchanged(), time_limit(self._seconds):
            yield

    def chosen(self) -> Roles:
        """Return how the table is read; who asks before anybody has chosen is led to the page for it."""
        if self._roles is None:
            raise NeedsRoles(self.id)
        return self._roles

    def _plan(self, roles: Roles, release: ReleaseKind) -> Plan:
        return Plan(
            table=self.source,
            dataset=self.name,
            quasi_identifiers=roles.quasi_identifiers,
            sensitive=roles.sensitive,
            person_id=roles.person_id,
            unit=ROW if roles.person_id is None else PERSON,
            types=roles.types,
            bins=roles.bins,
            where=roles.where,
            missing=roles.missing,
            release=release,
        )


class Desk:
    """Everything that this server has at hand."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._ids: dict[Path, str] = {}
        self._uploads: dict[tuple[str, str], Offer] = {}  # by name and content
        self._led = False  # to the file that was given
        self._names: dict[Path, str] = {}  # of the files whose names on the disk say nothing
        self._opened: dict[str, Opened] = {}

    def offers(self) -> tuple[Offer, ...]:
        """Return the tables that can be opened: those that were given, as they are now, and those that were sent."""
        given = self._settings.source
        if given is None:
            paths: list[Path] = []
        elif given.is_dir():
            paths = sorted(path for path in given.iterdir() if _may_be_opened(path, given))
        else:
            paths = [given]
        with self._lock:
            offers = [Offer(self._ids.setdefault(path, _new_id()), path.name, path) for path in paths]
            return (*offers, *self._uploads.values())

    def given_at_first(self) -> Offer | None:
        """Return the file that the server was given, once: whoever starts it with a file wants to see that file."""
        with self._lock:
            led, self._led = self._led, True
        given = self._settings.source
        return None if led or given is None or given.is_dir() else self.offers()[0]

    def offer(self, offer_id: str) -> Offer:
        """Return a table that can be opened, or say that there is none of that name."""
        for offer in self.offers():
            if offer.id == offer_id:
                return offer
        raise HTTPException(HTTPStatus.NOT_FOUND, NO_TABLE)

    def take(self, name: str, content: BinaryIO) -> Offer:
        """Keep a file that was sent; what it is called on the disk is up to us. One that is here is not kept twice."""
        name = name.replace("\\", "/").rpartition("/")[2][-LONGEST_NAME:]
        path = keep_upload(self._settings.folder, name, content, limit=self._settings.max_upload)
        with path.open("rb") as kept:
            digest = hashlib.file_digest(kept, "sha256").hexdigest()
        offer = Offer(_new_id(), name, path)
        with self._lock:
            known = self._uploads.setdefault((name, digest), offer)
            self._names[known.path] = name
        if known is not offer:
            path.unlink()
        return known

    def drop(self, offer: Offer) -> None:
        """Forget a file that was sent and cannot be read; messages still call it by its name."""
        with self._lock:
            self._uploads = {key: kept for key, kept in self._uploads.items() if kept != offer}
        offer.path.unlink(missing_ok=True)

    def open(self, offer: Offer, sheet: str = "") -> Opened:
        """Open a table that is at hand; what was sent never changes, and is opened once."""
        if sheet and sheet not in sheets_of(offer.path):
            raise HTTPException(HTTPStatus.NOT_FOUND, NO_TABLE)
        part = f"::{sheet}" if sheet else ""
        source = f"{offer.path}{part}"
        if offer.path in self._names:
            open_already = next((table for table in self.opened() if table.source == source), None)
            if open_already is not None:
                return open_already
        return self._add(f"{offer.name}{part}", source)

    def open_example(self) -> Opened:
        """Open the built-in example."""
        path = self._settings.folder / "example.parquet"
        with self._lock:
            if path not in self._names:
                write_example(path)
                self._names[path] = EXAMPLE
        return self._add(EXAMPLE, str(path))

    def __getitem__(self, table_id: str) -> Opened:
        """Return an open table, or say that there is none."""
        with self._lock:
            if table_id in self._opened:
                return self._opened[table_id]
        raise HTTPException(HTTPStatus.NOT_FOUND, NO_TABLE)

    def opened(self) -> tuple[Opened, ...]:
        """Return the tables that are open, the latest first."""
        with self._lock:
            return tuple(reversed(self._opened.values()))

    def in_words(self, message: str) -> str:
        """Return a message that calls files what their owner calls them."""
        with self._lock:
            for path, name in self._names.items():
                message = message.replace(str(path), name)
        return message

    def _add(self, name: str, source: str) -> Opened:
        opened = Opened(name, source, seconds=self._settings.filter_seconds)
        with self._lock:
            self._opened[opened.id] = opened
        return opened


def _may_be_opened(path: Path, folder: Path) -> bool:
    """Whether a file of a folder is a table, and lies in that very folder.

    A link may lead anywhere, and a name may stand for several files, or for a part of another one.
    """
    plain = "::" not in path.name and not glob.has_magic(path.name)
    return plain and is_table(path.name) and path.is_file() and path.resolve().parent == folder.resolve()


def _new_id() -> str:
    return secrets.token_urlsafe(12)
