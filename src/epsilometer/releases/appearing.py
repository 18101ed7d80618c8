"""Files of a release: written beside their final names, sealed in the ledger, and only then put in place."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadLedger, BadOutput, OutputExists, ReleaseFailed
from epsilometer.releases.ledger import located
from epsilometer.releases.ledger_entries import FAILED
from epsilometer.releases.ledger_events import ERROR, LOST, STOPPED, PendingFile
from epsilometer.releases.passports import file_hash
from epsilometer.report.files import check_free, put_in_place, settle_name, write_new
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.vocabulary.telling import Tell

APPEARING: Final = "putting the files in place"  # the step from which on a release cannot be stopped


def publish(
    ledger: Ledger,
    entry: Entry,
    contents: Mapping[Path, bytes | Iterable[bytes]],
    *,
    overwrite: bool,
    internal: Mapping[str, Any] | None = None,
) -> Entry:
    """Let the files of a release appear that is paid for: all are written, then sealed, then put in place.

    The output comes last. So it never stands without the files that go with it, and none without its entry.
    """
    with failed_on_error(ledger, entry):
        for target in contents:
            if located(target).parent != entry.output.parent:
                raise BadOutput(f"Cannot write {target}: all files of a release stand in the folder of {entry.output}.")
            check_free(target, overwrite=overwrite)
        remove_leftovers(ledger, entry.output)
        in_order = sorted(contents, key=lambda target: located(target) == entry.output)
        staged = [stage(located(target), contents[target], entry.id) for target in in_order]
        sealed = ledger.seal(entry, staged, internal)
    return _put_all(ledger, sealed, overwrite=overwrite)


def resume(ledger: Ledger, entry: Entry, *, overwrite: bool, tell: Tell = silent) -> bool:
    """Put the files of a sealed release in place that a crash kept from it; say whether that could be done.

    If they are gone, the release will never appear: another run makes and pays for another one.
    """
    if not all(_holds(file.partial, file.sha256) or _holds(file.target, file.sha256) for file in entry.sealed):
        ledger.fail(entry, LOST)
        return False
    tell(APPEARING, 0.9)
    _put_all(ledger, entry, overwrite=overwrite)
    return True


def stage(target: Path, content: bytes | Iterable[bytes], entry_id: str) -> PendingFile:
    """Write what a file is to hold beside it, under a name that only this release uses."""
    partial = target.with_name(f".{target.name}.{entry_id}.partial")
    chunks = [content] if isinstance(content, bytes) else content
    sha256 = hashlib.sha256()

    def hashed() -> Iterator[bytes]:
        for chunk in chunks:
            sha256.update(chunk)
            yield chunk

    write_new(partial, hashed())
    return PendingFile(target=target, partial=partial, sha256=sha256.hexdigest())


def put(file: PendingFile, *, overwrite: bool) -> None:
    """Put a file of a sealed release in place, in one step; one that is there already stays."""
    try:
        put_in_place(file.partial, file.target, overwrite=overwrite)
    except (OutputExists, BadOutput):
        if not _holds(file.target, file.sha256):  # neither before a crash nor by another process that does the same
            raise
        settle_name(file.partial, file.target)


def remove_leftovers(ledger: Ledger, output: Path) -> None:
    """Remove what releases to this output have written that will never appear."""
    for entry in ledger.entries_to(output, FAILED):
        _remove_partials(entry)


def partials_of(entry: Entry) -> list[Path]:
    """Return the files that wait beside their final names."""
    return sorted(entry.output.parent.glob(f".*.{entry.id}.partial"))


@contextmanager
def failed_on_error(ledger: Ledger, entry: Entry) -> Iterator[None]:
    """Say in the ledger that a release failed if anything stops it before it is sealed, and remove what it has written.

    If that cannot be done either, the entry stays as it is, which is spent as well.
    """
    try:
        yield
    except BaseException as error:
        with suppress(BadLedger, OSError):
            code = ERROR if isinstance(error, Exception) else STOPPED
            if ledger.fail(entry, code).state == FAILED:
                _remove_partials(entry)
        raise


@contextmanager
def telling_nothing() -> Iterator[None]:
    """Turn whatever goes wrong while rows are read or a release is made into the same words.

    The release is paid for, but its price is for what it publishes: what an error says of the rows would come on top.
    """
    try:
        yield
    except Exception as error:
        raise ReleaseFailed from error


def _remove_partials(entry: Entry) -> None:
    """Remove what waits for a release that will never appear; what cannot be removed now, the next one may."""
    for partial in partials_of(entry):
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _put_all(ledger: Ledger, sealed: Entry, *, overwrite: bool) -> Entry:
    for file in sealed.sealed:
        put(file, overwrite=overwrite)
    return ledger.finish(sealed)


def _holds(path: Path, sha256: str) -> bool:
    """Whether a file is there and holds what it should."""
    with suppress(OSError):
        return path.is_file() and file_hash(path).hex() == sha256
    return False
