"""The parts that reports of every kind share: what is taken for granted, how it was computed, what was asked for."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TYPE_CHECKING, Final

from epsilometer.report.bibliography import works
from epsilometer.report.model import BLANK, Block, Citations, Facts, Heading, Lines, Section, Text
from epsilometer.report.odds.bins import planned_bins

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from epsilometer.report.bibliography import Work
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.source import Source

LIBRARIES: Final = ("epsilometer", "numpy", "scipy")


def decision(words: Language, publish: str) -> tuple[str, ...]:
    """Return what can be signed: to publish, in words that may end in a blank, or not to publish."""
    return (publish, f"{words.text('report.do_not_publish')} {words.text('report.reason')} {BLANK}")


def assumptions_section(words: Language, *, assumptions: Iterable[str], caveats: Iterable[str]) -> Section:
    """Return what the numbers take for granted and what to keep in mind, each line once."""
    granted = once(words.line(line) for line in assumptions)
    kept = tuple(line for line in once(words.line(line) for line in caveats) if line not in granted)
    named = {"report.assumptions": granted, "report.caveats": kept}
    return Section(
        name="assumptions",
        heading=words.text("report.assumptions_and_caveats"),
        blocks=tuple(
            block for name, said in named.items() if said for block in (Heading(words.text(name)), Lines(said))
        ),
    )


def method_section(words: Language, methods: Mapping[str, Iterable[Source]]) -> Section:
    """Return the works that each number rests on, by what the number is called."""
    cited = (
        block
        for name, sources in methods.items()
        if (found := works(sources))
        for block in (Heading(name), Citations(tuple(_noted(words, work) for work in found)))
    )
    return Section(name="method", heading=words.text("report.method"), blocks=tuple(cited))


def _noted(words: Language, work: Work) -> Work:
    return work._replace(locators=tuple(map(words.line, work.locators)))


def plan_section(words: Language, *facts: Mapping[str, str]) -> Section:
    """Return what was asked for: names in the reader's language, with what they are."""
    together = {name: value for part in facts for name, value in part.items()}
    return Section(name="plan", heading=words.text("report.plan"), blocks=(Facts(together),))


def plan_facts(words: Language, plan: Mapping[str, str]) -> dict[str, str]:
    """Return how the table was read, as :meth:`Plan.described` has it, under names in the reader's language."""
    said = {**plan, "bins": planned_bins(plan["bins"], words)} if "bins" in plan else plan
    return {words.text(f"report.asked.{name.replace('-', '_').replace(' ', '_')}"): text for name, text in said.items()}


def versions_section(words: Language, *, seeds: Mapping[str, str] | None = None) -> Section:
    """Return the programs that made the report, and the seeds with which its simulations can be repeated."""
    blocks: list[Block] = [Facts({**versions(), **(seeds or {})})]
    if seeds:
        blocks.append(Text(words.text("report.repeat"), quiet=True))
    return Section(name="versions", heading=words.text("report.versions_and_seeds"), blocks=tuple(blocks))


def versions() -> dict[str, str]:
    """Return the versions of what computed the numbers."""
    return {**{name: metadata.version(name) for name in LIBRARIES}, "Python": platform.python_version()}


def promises_section(words: Language, *keys: str) -> Section:
    """Return what a number promises: a paragraph for each key, whose first sentence stands out."""
    said = (words.text(f"report.promise.{key}").partition(". ") for key in keys)
    paragraphs = tuple(Text(rest, lead=first + mark.strip()) for first, mark, rest in said)
    return Section(name="promises", heading=words.text("report.promises"), blocks=paragraphs)


def limits_section(words: Language, *keys: str) -> Section:
    """Return what a number does not cover."""
    said = Lines(tuple(words.text(f"report.limit.{key}") for key in keys))
    more = Text(words.text("report.documentation"), quiet=True)
    return Section(name="limits", heading=words.text("report.limits"), blocks=(said, more))


def once(lines: Iterable[str]) -> tuple[str, ...]:
    """Return each line once, in the order of its first mention."""
    return tuple(dict.fromkeys(lines))
