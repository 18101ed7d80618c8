"""A passport as a page for people: what was published and what it protects, then the numbers, then the evidence."""

from __future__ import annotations

import json
import shlex
from datetime import datetime
from typing import TYPE_CHECKING, Final

from epsilometer.report.templating import environment
from epsilometer.vocabulary.wording import joined, percent, rounded_up, shown_up

if TYPE_CHECKING:
    from epsilometer.vocabulary.passport import Passport, StatedNumber

NOISES: Final = {"geometric": "two-sided geometric noise", "discrete-gaussian": "discrete Gaussian noise"}


def passport_page(passport: Passport) -> str:
    """Return a passport as a self-contained HTML document, which may be published with it."""
    return (
        environment()
        .get_template("passport.html.j2")
        .render(
            passport=passport,
            published=published(passport),
            protects=protects(passport),
            limits=limits(passport),
            tiles=_tiles(passport),
            released=_date(passport),
            plan={key: json.dumps(value, ensure_ascii=False) for key, value in passport.plan.items()},
            noises=NOISES,
            number=shown,
            quoted=shlex.quote,
        )
    )


def published(passport: Passport) -> str:
    """Say what was published."""
    rows = sum(output.rows for output in passport.outputs)
    tables = "a table" if len(passport.mechanisms) == 1 else f"{len(passport.mechanisms)} tables"
    what = {
        "counts": f"{tables} of counts, each with {_noise(passport)}",
        "sample": f"a random sample of {rows:,} rows{_divided(passport)}, without noise",
        "synthetic": f"a synthetic table of {rows:,} rows that nobody is behind",
        "local": f"{rows:,} reports that people changed by chance before they were collected",
    }
    return f"Published on {_date(passport)} of the data set “{passport.dataset}”: {what[passport.kind]}."


def _noise(passport: Passport) -> str:
    """Name the noise on the counts; who asked for Laplace noise should know it again."""
    name = passport.mechanisms[0].name
    also = ", the Laplace noise of whole numbers" if name == "geometric" else ""
    return f"{NOISES.get(name, 'random noise')}{also}"


def strata(passport: Passport) -> tuple[str, ...]:
    """Return the columns in whose groups the same part of a sample was drawn."""
    return tuple(passport.plan.get("release", {}).get("strata", ()))


def _divided(passport: Passport) -> str:
    return f", the same part of each group by {joined(strata(passport))}" if strata(passport) else ""


def protects(passport: Passport) -> str:
    """Say whom the release protects, and how strongly."""
    if passport.kind == "sample":
        strength = f"Each person was drawn with a chance of {percent(passport.guarantee.delta)} at most"
    else:
        strength = f"The guarantee is {_guarantee(passport)}"
    return f"{passport.protection.in_words} {strength}."


def limits(passport: Passport) -> tuple[str, ...]:
    """Say what the release does not promise."""
    seeded = () if passport.unsafe_seed is None else ("Its noise comes from a fixed seed and can be taken away again.",)
    if passport.kind == "sample":
        hidden = "Nothing hides how many people there are, nor the rows of those who were drawn."
        by = joined(strata(passport)) if strata(passport) else ""
        divided = (f"Nor does it hide how many people there are in each group by {by}.",) if by else ()
        return (*seeded, hidden, *divided)
    fails = f"The guarantee may fail with a chance of δ = {shown_up(passport.guarantee.delta)}."
    return (
        *seeded,
        "What the records of others give away about a group, with or without a person's own record, is not hidden.",
        *((fails,) if passport.guarantee.delta else ()),
        "Other releases of the same data add to what can be learned; the curator's ledger keeps their sum.",
    )


def shown(stated: StatedNumber) -> str:
    """Write a number that holds for any table: a chance as a percentage, an error rounded up."""
    if stated.value is None:
        return "no bound"
    if stated.evidence == "upper bound":
        return percent(stated.value)
    return f"± {rounded_up(stated.value, 3) if stated.value else 0:,g}"


def _guarantee(passport: Passport) -> str:
    epsilon, delta = passport.guarantee.epsilon, passport.guarantee.delta
    return f"ε = {shown_up(epsilon)}" + (f", δ = {shown_up(delta)}" if delta else "")


def _tiles(passport: Passport) -> list[tuple[str, str, str]]:
    """Return the three numbers that a reader sees first: number, heading, meaning."""
    guarantee = passport.guarantee
    kept = (
        (percent(guarantee.delta), "chance to be drawn", "For each person. Whoever was drawn is published as they are.")
        if passport.kind == "sample"
        else (_guarantee(passport).partition(",")[0], "privacy parameter", _meaning(guarantee.delta))
    )
    first = [next((number for number in stated if number.value), None) for stated in (passport.risks, passport.utility)]
    rest = [number for number in first if number is not None]
    return [kept, *((shown(each), each.name.partition(":")[0], _sentence(each.meaning)) for each in rest)]


def _meaning(delta: float) -> str:
    factor = "Smaller is safer: with or without one person, no output is likelier by more than a factor of e^ε"
    return f"{factor}, but for a chance of δ = {shown_up(delta)}." if delta else f"{factor}."


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _date(passport: Passport) -> str:
    moment = datetime.fromisoformat(passport.released_at)
    return f"{moment.day} {moment:%B %Y}"
