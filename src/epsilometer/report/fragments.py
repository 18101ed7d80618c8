"""Results inside a notebook: the answer in words, the picture, and folded what it rests on.

The card keeps its white paper, since a notebook need not follow the colours of the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from epsilometer.report.bibliography import works
from epsilometer.report.figures import picture
from epsilometer.report.odds import SPEAKERS, said
from epsilometer.report.passport_page import limits, protects, published
from epsilometer.report.templating import environment
from epsilometer.vocabulary.wording import CONFIDENTIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from epsilometer.vocabulary.passport import Passport
    from epsilometer.vocabulary.shown import Shown

# By name: the classes themselves would load every engine and every attack.
RESTS_ON: Final[Mapping[str, Callable[[Any], Iterable[object]]]] = {
    "Assessment": lambda assessment: [attribute.people for attribute in assessment.attributes],
    "AttributeAssessment": lambda attribute: [attribute.people],
    "LocalRelease": lambda made: [made.risk],
    "Released": lambda released: [released.composition],
    "SampleAssessment": lambda assessment: [*assessment.at_size.risks, assessment.at_size.loss],
    "Statement": lambda statement: [account.composition for account in statement.accounts],
}


class Words(NamedTuple):
    """What a result says before its picture, and behind it how that is known."""

    answer: tuple[str, ...]
    known: str


def card(result: Shown) -> str:
    """Return a result as a piece of HTML that needs nothing from elsewhere."""
    chart = result.plot()
    parts = [result, *RESTS_ON.get(type(result).__name__, lambda _: ())(result)]
    return (
        environment()
        .get_template("card.html.j2")
        .render(
            confidential=CONFIDENTIAL if result.confidential else "",
            words=words_of(result, finding=str(chart.description)),
            chart=picture(chart),
            lines=_gathered(parts, "assumptions", "caveats", "notes"),
            works=works(_gathered(parts, "source")),
        )
    )


def passport_card(passport: Passport) -> str:
    """Return a passport as a piece of HTML: what was published and what it protects, then the files."""
    template = environment().get_template("passport_card.html.j2")
    lines = (published(passport), protects(passport), *limits(passport))
    return template.render(passport=passport, lines=lines, chart=picture(passport.plot()))


def words_of(result: Shown, *, finding: str) -> Words:
    """Return what a result says; one without words of its own says the finding of its picture."""
    if type(result).__name__ in SPEAKERS:
        spoken = said(result)
        return Words((spoken.finding, spoken.baseline, spoken.attacker), spoken.known)
    own = getattr(result, "in_words", "") or getattr(result, "summary", "") or f"{finding}."
    evidence = getattr(result, "evidence", "")
    return Words(tuple(own.split("\n")), f"How it is known: {evidence}." if evidence else "")


def _gathered(parts: Iterable[object], *names: str) -> list[Any]:
    """Return what several results hold under some names, each thing once."""
    return list(dict.fromkeys(thing for name in names for part in parts for thing in getattr(part, name, ())))
