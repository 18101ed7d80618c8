"""What frames reports of every kind but counts: who may see them, the first numbers, and the last sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.report.building.parts import assumptions_section, method_section, plan_section, versions_section
from epsilometer.report.model import KeyNumber, Picture, Section
from epsilometer.report.odds.saying import noting_no_gain
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from epsilometer.charts.theme import AnyChart
    from epsilometer.report.model import Block
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.source import Source

REAL_NUMBERS: Final = frozenset({"laplace", "gaussian"})  # no release draws them: their floating point leaks


def audience(words: Language, *, confidential: bool) -> str:
    """Say who may see a report that was computed from a table, or only from numbers that were given."""
    return words.text("report.confidential" if confidential else "report.shared.numbers_given")


def named_right(
    words: Language, *, before: float, this: float, worst: float, meaning: str = "report.number.named_right"
) -> tuple[KeyNumber, ...]:
    """Return how often a value is named right: without a release, after it, and in the worst case there could be."""
    return (
        baseline(words, before, words.text("report.number.named_right_before")),
        KeyNumber(
            value=words.percent(this),
            name=words.text("report.this_release"),
            meaning=noting_no_gain(words, words.text(meaning), this, before),
            place="this",
        ),
        KeyNumber(
            value=words.percent(worst),
            name=words.text("report.any_table"),
            meaning=words.text("report.number.named_right_worst"),
            place="worst",
        ),
    )


def baseline(words: Language, share: float, meaning: str) -> KeyNumber:
    """Return what holds without a release, rounded down: risks are held against it."""
    return KeyNumber(
        value=words.percent_at_least(share), name=words.text("report.without_release"), meaning=meaning, place="before"
    )


def maybe_percent(words: Language, share: float | None) -> str:
    """Write a risk that there may not be."""
    return "–" if share is None else words.percent(share)


def as_given(words: Language, share: float) -> str:
    """Write a share that was given, such as a limit, as a percentage that is not rounded."""
    return words.text("writing.percent", number=words.number(100 * share))


def whole_numbers(words: Language, mechanism: Mapping[str, Any]) -> str:
    """Say which whole numbers a release draws where the noise assessed is of real numbers; otherwise nothing."""
    name = str(mechanism.get("name"))
    return words.text(f"report.whole_numbers.{name}") if name in REAL_NUMBERS else ""


def how_known(words: Language, kind: str) -> str:
    """Name how a number is known, as :mod:`epsilometer.vocabulary.evidence` has it."""
    return words.text(f"report.shared.{kind.replace(' ', '_')}")


def first_chart(words: Language, name: str, draw: Callable[[int], AnyChart]) -> Picture:
    """Return the one chart of the first page, with how to read it in the reader's language."""
    return Picture(name=name.replace("_", "-"), draw=draw, caption=words.text(f"report.chart.{name}"))


def evidence(words: Language, *blocks: Block | None) -> Section:
    """Return the numbers and charts behind the first page; what there is not is left out."""
    present = tuple(block for block in blocks if block is not None)
    return Section(name="evidence", heading=words.text("report.evidence"), blocks=present)


def cited(*formulas: Callable[..., object]) -> tuple[Source, ...]:
    """Return where formulas come from, for results that do not say so themselves."""
    return tuple(source for formula in formulas for source in sources_of(formula))


def closing(
    words: Language,
    *,
    assumptions: Iterable[str] = (),
    caveats: Iterable[str] = (),
    methods: Mapping[str, Sequence[Source]] | None = None,
    asked: Mapping[str, str],
    seeds: Mapping[str, str] | None = None,
) -> tuple[Section, ...]:
    """Return what every report ends with: what is taken for granted, the method, what was asked for, the versions."""
    sections = (
        assumptions_section(words, assumptions=assumptions, caveats=caveats),
        method_section(words, methods or {}),
        plan_section(words, asked),
        versions_section(words, seeds=seeds),
    )
    return tuple(section for section in sections if section.blocks)
