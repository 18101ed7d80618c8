"""Make the passport of a release from what was published and what it cost."""

from __future__ import annotations

import hashlib
import platform
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

from epsilometer.publication.any_table import any_table_risks, expected_errors
from epsilometer.releases.accounting import added_up, composed, in_units
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import Guarantee, Output, Passport, Protection, Versions
from epsilometer.vocabulary.privacy_loss import PERSON, ROW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from epsilometer.vocabulary.passport import MechanismUsed, Support
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

SAMPLE: Final = (
    "Whoever was drawn is not protected: their rows are published as they are. Whoever was not drawn is hidden only by "
    "the chance of not having been drawn, and what the sample shows of people like them is shown of them too. How many "
    "rows there are to draw from is not hidden."
)
REPORT: Final = (
    "What each person said is protected: they changed it by chance before anybody saw it. Who took part is not hidden."
)


def make_passport(
    *,
    dataset: str,
    kind: str,
    ledger_entry: str,
    plan: Mapping[str, Any],
    protection: Protection,
    guarantee: Guarantee,
    looks: Sequence[PrivacyLoss],
    mechanisms: Sequence[MechanismUsed],
    outputs: Sequence[Output],
    input_commitment: str | None,
    support: Support | None = None,
    post_processing: Sequence[str] = (),
    unsafe_seed: int | None = None,
    released_at: datetime | None = None,
) -> Passport:
    """Return the passport of a release; its risks and errors follow from the mechanism.

    The table's address is taken out of the plan. The arguments are those of :class:`Passport`, ``released_at`` is now
    if it is not said; what would not pass for a passport is refused.
    """
    risks = any_table_risks(kind, guarantee, in_units(looks), adjacency=protection.adjacency, support=support)
    made = Passport(
        dataset=dataset,
        kind=kind,
        released_at=(released_at or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        ledger_entry=ledger_entry,
        plan={name: value for name, value in plan.items() if name != "table"},
        protection=protection,
        guarantee=guarantee,
        looks=tuple(looks),
        mechanisms=tuple(mechanisms),
        support=support,
        post_processing=tuple(post_processing),
        risks=risks,
        utility=expected_errors(kind, mechanisms, [output.rows for output in outputs]),
        outputs=tuple(outputs),
        input_commitment=input_commitment,
        unsafe_seed=unsafe_seed,
        versions=Versions(
            epsilometer=metadata.version("epsilometer"),
            opendp=metadata.version("opendp"),
            python=platform.python_version(),
        ),
    )
    return Passport.from_dict(made.to_dict())


def guaranteed(looks: Sequence[PrivacyLoss], *, delta: float | None = None) -> Guarantee:
    """Return what looks guarantee together: added up, or at this delta by the accountant if it finds less.

    >>> from epsilometer.vocabulary.privacy_loss import PrivacyLoss
    >>> guaranteed([PrivacyLoss(what="counts", noise="any", epsilon=0.5, delta=0.0)] * 2)
    Guarantee(epsilon=1.0, delta=0.0, accounting='added up')
    """
    epsilon, added_delta = added_up(looks)
    together = None if delta is None else composed(looks, delta)
    if together is None or together.added_up <= together.tight:
        return Guarantee(epsilon=epsilon, delta=min(1.0, added_delta), accounting="added up")
    return Guarantee(epsilon=together.tight, delta=together.delta, accounting="composed")


def protected(
    kind: str, *, adjacency: str, contributions: int = 1, unit: str | None = ROW, rows_per_person: int | None = None
) -> Protection:
    """Say whose part in the table a release hides.

    Args:
        kind: kind of release.
        adjacency: what one person may change.
        contributions: the most counts of a published table that one person adds to.
        unit: ``"person"`` if a column says whose row it is, ``"row"`` if each row is protected by itself.
        rows_per_person: the most rows that one person has, if somebody declared it.
    """
    if kind in ("sample", "local"):
        words = SAMPLE if kind == "sample" else REPORT
        return Protection(in_words=words, adjacency=Adjacency.REPLACE.value, contributions=1)
    counts = "one count" if contributions == 1 else f"{contributions:,} counts"
    one = "person" if unit == PERSON else "row"
    whose = f"All rows of a person, which add to {counts} of a table at most, are" if unit == PERSON else "Each row is"
    hidden = (
        f"whether that {one} is in the table at all"
        if Adjacency(adjacency) is Adjacency.ADD_REMOVE
        else f"which values that {one} has; how many there are is not hidden"
    )
    words = f"{whose} protected: nobody can be sure {hidden}.{_of_several_rows(unit, rows_per_person)}"
    return Protection(in_words=words, adjacency=adjacency, contributions=contributions)


def _of_several_rows(unit: str | None, rows_per_person: int | None) -> str:
    """Say what the protection of rows means for a person who has several."""
    if unit == PERSON or rows_per_person == 1:
        return ""
    if rows_per_person is None:
        return " A person with several rows is protected less: with k rows, ε is k times as large."
    return f" A person has {rows_per_person:,} rows at most, for whom ε is up to {rows_per_person:,} times as large."


def output_of(file: str, content: bytes, *, rows: int, columns: Sequence[str]) -> Output:
    """Describe a published file, whose columns are named as in the file."""
    digest = hashlib.sha256(content).hexdigest()
    return Output(file=file, sha256=digest, bytes=len(content), rows=rows, columns=tuple(columns))


def file_hash(file: Path) -> bytes:
    """Return the SHA-256 of a file, which is read piece by piece."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").digest()
