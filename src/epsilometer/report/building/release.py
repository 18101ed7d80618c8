"""The report of a release that was made: its passport, its entry in the ledger, and what only its owner may know."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Protocol

from epsilometer.charts.passport import draw_passport
from epsilometer.publication.any_table import BELIEF, MEMBERSHIP, VALUE
from epsilometer.report.building.framing import audience, baseline, closing, evidence, first_chart, how_known
from epsilometer.report.building.local import local_blocks
from epsilometer.report.building.synthetic_table import guarantee_in_words, synthetic_blocks
from epsilometer.report.model import Answer, Details, Facts, Heading, KeyNumber, Lines, Report, Table
from epsilometer.report.odds.guarantees import Published
from epsilometer.report.odds.guarantees import released as released_in_words
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.language import language as spoken
from epsilometer.vocabulary.local_release import LocalRelease
from epsilometer.vocabulary.passport import KNOWN_NOISES
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from epsilometer.report.model import Block
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.passport import Passport, StatedNumber
    from epsilometer.vocabulary.synthetic_table import SyntheticTable

NAMES: Final = {
    MEMBERSHIP: "membership",
    VALUE: "value",
    BELIEF: "belief",
    "mean error of a count": "mean_error",
    "error of 95 % of counts": "most_error",
    "standard error of a share": "share_name",
}


class Entered(Protocol):
    """The entry of a release in the ledger."""

    @property
    def number(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def dataset(self) -> str: ...
    @property
    def time(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def internal(self) -> Mapping[str, Any]: ...
    @property
    def mac(self) -> str: ...
    @property
    def previous(self) -> str: ...


class Made(Published, Protocol):
    """A release that is there for everybody to see, and what its owner should know about it."""

    @property
    def entry(self) -> Entered: ...
    @property
    def detail(self) -> LocalRelease | SyntheticTable | None: ...


def release_report(released: Made, *, language: str = "en") -> Report:
    """Report what was released and what it costs, for its owner: what the ledger holds makes it confidential."""
    words = spoken(language)
    passport = released.passport
    return Report(
        title=words.text("report.title.release"),
        audience=audience(words, confidential=True),
        confidential=True,
        scope=words.text("report.release.scope", dataset=passport.dataset, date=passport.released_at[:10]),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.release"),
                sentences=released_in_words(released, words).sentences,
                numbers=tuple(_numbers(words, released)),
                chart=first_chart(words, "release", lambda width: draw_passport(passport, width=width, language=words)),
            ),
        ),
        recommendation=words.text(
            "report.release.recommend_check" if passport.unsafe_seed is None else "report.release.recommend_seed"
        ),
        decision=(),
        sections=(
            evidence(words, *_confidential(words, released), *_public(words, passport), *_detail(words, released)),
            *closing(
                words,
                caveats=(*_limits(words, passport), *released.composition.caveats),
                asked=dict(_plan(passport.plan)),
                seeds=None if passport.unsafe_seed is None else {words.text("report.seed"): str(passport.unsafe_seed)},
            ),
        ),
        language=language,
    )


def _numbers(words: Language, released: Made) -> Iterator[KeyNumber]:
    guarantee = released.passport.guarantee
    sensitive, internal = _sensitive(words, released.passport), released.entry.internal
    for share in internal.get("risks", {}).values():
        for before in internal["joint"].get("no_release", ())[:1]:  # that of this release comes first
            yield baseline(words, before, words.text("report.number.without_release"))
        yield KeyNumber(
            value=words.percent(share),
            name=words.text("report.this_table"),
            meaning=words.text("report.release.this_disclosed", sensitive=sensitive),
            place="this",
        )
    if released.passport.kind == "sample":
        yield KeyNumber(
            value=words.percent(guarantee.delta),
            name=words.text("report.release.drawn_name"),
            meaning=words.text("report.release.drawn_number"),
            place="this",
        )
    else:
        yield KeyNumber(
            value=words.text("report.shared.point_epsilon", value=words.number(shown_up(guarantee.epsilon))),
            name=words.text("report.release.epsilon_name"),
            meaning=words.text("report.release.epsilon"),
            place="this",
        )
    told = "told_which" if released.composition.adjacency == Adjacency.REPLACE.value else "told_in"
    yield KeyNumber(
        value=words.percent(released.composition.membership_advantage),
        name=words.text("report.release.together_name"),
        meaning=words.text("report.release.together_number", told=words.text(f"report.release.{told}")),
        place="worst",
    )


def _confidential(words: Language, released: Made) -> Iterator[Block]:
    """What this very table gives away: it stands in the ledger, and in no passport."""
    internal, joint = released.entry.internal, released.entry.internal.get("joint")
    rows = [
        (words.text("report.release.alone", sensitive=_sensitive(words, released.passport)), words.percent(share))
        for share in internal.get("risks", {}).values()
    ]
    if joint and len(joint["each"]) > len(rows):
        rows.append((words.text("report.release.joint", n=len(joint["each"])), words.percent(joint["value"])))
    if rows:
        yield Table(
            columns=(words.text("report.shared.what"), words.text("report.shared.number")),
            rows=tuple(rows),
            numeric=frozenset({1}),
            caption=words.text("report.release.internal_title"),
        )
    elif released.entry.kind == "counts":
        yield Lines((words.text("report.release.not_computed"),))
    if joint and joint["left_out"]:
        yield Lines(tuple(words.text("report.release.left_out", what=words.line(line)) for line in joint["left_out"]))
    yield Heading(words.text("report.release.entry_title"))
    yield Facts(_entry(words, released))


def _sensitive(words: Language, passport: Passport) -> str:
    return words.joined(passport.plan["sensitive"])


def _entry(words: Language, released: Made) -> dict[str, str]:
    entry = released.entry
    number = words.text("report.release.entry_number", number=entry.number, dataset=entry.dataset)
    return {
        words.text("report.release.entry"): number,
        words.text("report.release.entry_id"): entry.id,
        words.text("report.release.time"): entry.time,
        words.text("report.release.hash"): entry.mac,
        words.text("report.release.previous"): entry.previous,
    }


def _public(words: Language, passport: Passport) -> Iterator[Block]:
    """What the passport says, and everybody may know."""
    yield _stated(words, (*passport.risks, *passport.utility))
    yield Table(
        columns=(
            words.text("report.table.look"),
            *(words.text(f"report.table.{name}") for name in ("epsilon", "delta", "noise", "scale")),
        ),
        rows=tuple(
            (
                look.what,
                words.number(shown_up(look.epsilon)),
                words.number(shown_up(look.delta)),
                _noise(words, look.noise),
                "" if look.scale is None else words.number(look.scale, ".4g"),
            )
            for look in passport.looks
        ),
        numeric=frozenset({1, 2, 4}),
        caption=words.text("report.release.looks_title"),
    )
    yield Table(
        columns=(
            *(words.text(f"report.table.{name}") for name in ("file", "rows", "bytes")),
            words.text("report.release.sha256"),
        ),
        rows=tuple(
            (output.file, words.number(output.rows), words.number(output.bytes), output.sha256)
            for output in passport.outputs
        ),
        numeric=frozenset({1, 2}),
        caption=words.text("report.release.files_title"),
    )
    guarantee = passport.guarantee
    yield Facts(
        {
            words.text("report.release.protection"): words.line(passport.protection.in_words),
            words.text("report.release.guarantee"): guarantee_in_words(words, guarantee.epsilon, guarantee.delta),
        }
    )


def _noise(words: Language, name: str) -> str:
    return words.text(f"report.release.noise.{name}") if name in KNOWN_NOISES else ""


def _stated(words: Language, numbers: tuple[StatedNumber, ...]) -> Table:
    """The numbers that hold for any table."""
    return Table(
        columns=(
            words.text("report.shared.what"),
            words.text("report.shared.number"),
            words.text("report.table.known"),
        ),
        rows=tuple(
            (_name(words, stated), _written(words, stated), how_known(words, stated.evidence)) for stated in numbers
        ),
        numeric=frozenset({1}),
        caption=f"{words.text('report.release.any_title')}. {words.text('report.promised.columns_note')}",
    )


def _name(words: Language, stated: StatedNumber) -> str:
    """Name a number in the reader's language, with the table that it is about."""
    name, colon, about = stated.name.partition(": ")
    return f"{words.text(f'report.promised.{NAMES[name]}')}{colon}{about}"


def _written(words: Language, stated: StatedNumber) -> str:
    if stated.value is None or math.isinf(stated.value):
        return words.text("report.shared.unbounded")
    if stated.evidence == "upper bound":
        return words.percent(stated.value)
    return f"± {words.number(shown_up(stated.value))}"


def _limits(words: Language, passport: Passport) -> Iterator[str]:
    """Say what the release does not promise."""
    if passport.kind == "sample":
        yield words.text("report.promised.rows_shown")
    else:
        yield words.text("report.promised.others")
    if passport.kind != "sample" and passport.guarantee.delta:
        yield words.text("report.promised.fails", delta=words.number(shown_up(passport.guarantee.delta)))
    yield words.text("report.promised.once")


def _plan(plan: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Return the plan line by line, as a plan file has it."""
    for name, value in plan.items():
        if isinstance(value, dict):
            yield from _plan(value, f"{above}{name}.")
        elif value not in (None, [], ()):
            written = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield f"{above}{name}", written


def _detail(words: Language, released: Made) -> Iterator[Block]:
    detail = released.detail
    if detail is None:
        return
    blocks = local_blocks(words, detail) if isinstance(detail, LocalRelease) else synthetic_blocks(words, detail)
    present = tuple(block for block in blocks if block is not None)
    yield Details(words.text("report.release.detail"), present)
