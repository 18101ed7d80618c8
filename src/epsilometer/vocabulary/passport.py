"""The passport of a release: a public record of what was published, what it guarantees, and how to check it.

Nothing in it is computed from the table except through the mechanism: its risks are those of *any table*, its
utility is that of the noise alone. What this very table gives away stands in the curator's ledger.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final

from epsilometer.errors import BadPassport
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.privacy_loss import PERSON, UNITS, PrivacyLoss
from epsilometer.vocabulary.shown import Shown
from epsilometer.vocabulary.strict_reading import (
    Reader,
    mapping,
    matching,
    maybe,
    number,
    one_of,
    record,
    several,
    text,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

RELEASED: Final = ("counts", "sample", "synthetic", "local")
KNOWN_NOISES: Final = ("geometric", "discrete-gaussian")
ACCOUNTINGS: Final = ("added up", "composed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """The unit of protection: whose part in the table the guarantee hides, and how large that part may be.

    Attributes:
        in_words: the same in words.
        adjacency: what one person may change: ``"add-remove"`` or ``"replace"``.
        contributions: the most counts of a published table that one person adds to.
    """

    in_words: str
    adjacency: str
    contributions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What the whole release guarantees, all looks together.

    Attributes:
        epsilon: privacy parameter; zero for a sample.
        delta: chance that the guarantee fails; for a sample, the chance to be drawn.
        accounting: ``"added up"``, or ``"composed"`` where an accountant found less than the sum.
    """

    epsilon: float
    delta: float
    accounting: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismUsed:
    """What protects one published table.

    Attributes:
        what: what it protects, as the look of the same name has it.
        name: ``"geometric"``, ``"discrete-gaussian"``, or the name of a method.
        scale: scale of the noise on one count; ``None`` where there is no such number.
        threshold: a noisy count below this is not listed, or shown as zero where the whole domain is.
        moved_counts: how many counts one person moves, each by one; ``None`` where nothing is counted.
    """

    what: str
    name: str
    scale: float | None = None
    threshold: float | None = None
    moved_counts: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Which combinations a table of counts lists.

    Attributes:
        kind: ``"declared"`` for all of a declared domain, ``"thresholded"`` for those with a high noisy count.
        delta: chance that any combination of any table is listed because of one person; zero for a declared domain.
    """

    kind: str
    delta: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedNumber:
    """A number that holds for any table.

    Attributes:
        name: what it is called.
        value: the number; ``None`` where there is no bound.
        evidence: ``"exact"`` or ``"upper bound"``.
        meaning: what it says, in words.
    """

    name: str
    value: float | None
    evidence: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One published file.

    Attributes:
        file: its name, without a folder: it lies beside the passport.
        sha256: hash of its bytes.
        bytes: how many there are.
        rows: number of rows.
        columns: names of its columns.
    """

    file: str
    sha256: str
    bytes: int
    rows: int
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The programs that made the release."""

    epsilometer: str
    opendp: str
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passport(Shown):
    """The public record of a release.

    Attributes:
        dataset: what the curator calls the data.
        kind: ``"counts"``, ``"sample"``, ``"synthetic"`` or ``"local"``.
        released_at: when, in UTC: ``2026-01-31T12:00:00Z``.
        ledger_entry: the entry of the curator's ledger.
        plan: the plan, without the table's address, which may hold a password.
        protection: the unit of protection.
        guarantee: what the release guarantees.
        looks: each look at the data, and what it cost.
        mechanisms: what protects each published table.
        support: which combinations tables of counts list; ``None`` for other kinds.
        post_processing: what was done to the protected numbers afterwards.
        risks: what anyone can learn about one person at most, from any table.
        utility: how far off the published numbers are, by the noise alone.
        outputs: the published files.
        input_commitment: HMAC-SHA-256 of the table's files. The key stays in the curator's ledger, because a plain
            hash of a confidential table would let anyone confirm a guess of its last unknown record. ``None`` for a
            table that is not a file.
        unsafe_seed: ``None``; a number only for a release that was made for tests, whose noise can be taken away
            again.
        versions: what made it.
    """

    schema: ClassVar[str] = "epsilometer/passport/1"

    dataset: str
    kind: str
    released_at: str
    ledger_entry: str
    plan: Mapping[str, Any]
    protection: Protection
    guarantee: Guarantee
    looks: tuple[PrivacyLoss, ...]
    mechanisms: tuple[MechanismUsed, ...]
    support: Support | None
    post_processing: tuple[str, ...]
    risks: tuple[StatedNumber, ...]
    utility: tuple[StatedNumber, ...]
    outputs: tuple[Output, ...]
    input_commitment: str | None
    unsafe_seed: int | None
    versions: Versions

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {"schema": self.schema, **{field.name: plain(getattr(self, field.name)) for field in fields(self)}}

    @classmethod
    def from_dict(cls, given: object) -> Passport:
        """Read what :meth:`to_dict` wrote; anything else is refused, as by the published JSON Schema.

        >>> Passport.from_dict({"schema": "epsilometer/passport/2"})
        Traceback (most recent call last):
        epsilometer.errors.BadPassport: schema must be epsilometer/passport/1, got 'epsilometer/passport/2'.
        """
        held = dict(mapping(given, "The passport"))
        schema = held.pop("schema", None)
        if schema != cls.schema:
            raise BadPassport(f"schema must be {cls.schema}, got {schema!a:.60}.")
        return _read(held, "passport")

    def plot(self) -> alt.LayerChart:
        """Draw what anyone can learn at most."""
        from epsilometer.charts.passport import draw_passport

        return draw_passport(self)

    def _repr_html_(self) -> str:
        from epsilometer.report.fragments import passport_card

        return passport_card(self)


LARGEST: Final = sys.float_info.max
PROBABILITY: Final = number(0, 1)
SCALE: Final = number(1e-6, 1e6)
COUNT: Final = whole(0, 2**63 - 1)
MOVED: Final = whole(1, 1_000_000)
HASH: Final = matching(re.compile("[0-9a-f]{64}"), "64 hexadecimal digits")
MOMENT: Final = matching(
    re.compile("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"),
    "a time such as 2026-01-31T12:00:00Z",
)
FILE_NAME: Final = matching(
    re.compile("(?![.]{1,2}$)[^/\\\\\x00-\x1f\ud800-\udfff]{1,255}"), "the name of a file beside the passport"
)


def _look(**given: Any) -> PrivacyLoss:  # noqa: ANN401  (checked by the readers of its fields)
    if given["unit"] == PERSON and given["rows_per_person"] is not None:
        raise BadPassport("A look that is about people has no rows_per_person: that is for looks at rows.")
    look = PrivacyLoss(**given)
    known = look.noise in KNOWN_NOISES
    if (look.scale is not None) != known or (look.moved_counts is not None) != known:
        raise BadPassport(f"A look has scale and moved_counts if its noise is known, got {look.noise} noise.")
    return look


def _mechanism(**given: Any) -> MechanismUsed:  # noqa: ANN401
    mechanism = MechanismUsed(**given)
    if mechanism.name in KNOWN_NOISES and None in (mechanism.scale, mechanism.moved_counts):
        raise BadPassport(f"A mechanism with {mechanism.name} noise needs scale and moved_counts.")
    return mechanism


def _support(*, kind: str, delta: float) -> Support:
    if (delta > 0) != (kind == "thresholded"):
        raise BadPassport(f"The delta of a support is above 0 if it is thresholded, got {kind} with {delta:g}.")
    return Support(kind=kind, delta=delta)


def _passport(**given: Any) -> Passport:  # noqa: ANN401
    made = Passport(**given)
    if "table" in made.plan:
        raise BadPassport("passport.plan names the table: its address may hold a password and is not published.")
    if (made.support is not None) != (made.kind == "counts"):
        raise BadPassport(f"Counts have a support, and nothing else does; this is a release of {made.kind}.")
    if made.kind == "sample" and made.guarantee.epsilon:
        raise BadPassport(f"A sample has epsilon 0, got {made.guarantee.epsilon:g}.")
    return made


_read: Final[Reader[Passport]] = record(
    _passport,
    {
        "dataset": text,
        "kind": one_of(*RELEASED),
        "released_at": MOMENT,
        "ledger_entry": text,
        "plan": mapping,
        "protection": record(
            Protection,
            {"in_words": text, "adjacency": one_of(*(member.value for member in Adjacency)), "contributions": MOVED},
        ),
        "guarantee": record(
            Guarantee, {"epsilon": number(0, LARGEST), "delta": PROBABILITY, "accounting": one_of(*ACCOUNTINGS)}
        ),
        "looks": several(
            record(
                _look,
                {
                    "what": text,
                    "noise": one_of(*KNOWN_NOISES, "any"),
                    "epsilon": number(0, LARGEST),
                    "delta": PROBABILITY,
                    "scale": maybe(SCALE),
                    "moved_counts": maybe(MOVED),
                    "adjacency": one_of(*(member.value for member in Adjacency)),
                    "unit": one_of(*UNITS),
                    "rows_per_person": maybe(MOVED),
                },
            ),
            least=1,
        ),
        "mechanisms": several(
            record(
                _mechanism,
                {
                    "what": text,
                    "name": text,
                    "scale": maybe(SCALE),
                    "threshold": maybe(number(-LARGEST, LARGEST)),
                    "moved_counts": maybe(MOVED),
                },
            ),
            least=1,
        ),
        "support": maybe(record(_support, {"kind": one_of("declared", "thresholded"), "delta": PROBABILITY})),
        "post_processing": several(text, least=0),
        **dict.fromkeys(
            ("risks", "utility"),
            several(
                record(
                    StatedNumber,
                    {
                        "name": text,
                        "value": maybe(number(0, LARGEST)),
                        "evidence": one_of("exact", "upper bound"),
                        "meaning": text,
                    },
                ),
                least=0,
            ),
        ),
        "outputs": several(
            record(
                Output,
                {"file": FILE_NAME, "sha256": HASH, "bytes": COUNT, "rows": COUNT, "columns": several(text, least=1)},
            ),
            least=1,
        ),
        "input_commitment": maybe(HASH),
        "unsafe_seed": maybe(COUNT),
        "versions": record(Versions, {"epsilometer": text, "opendp": text, "python": text}),
    },
)
