"""A search for attackers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.counting import JointCounts
    from epsilometer.vocabulary.attackers import Attackers, Knowledge

ASSUMPTIONS: Final = (
    "The target is a person of the table, drawn at random; the attacker knows exactly the columns said.",
    "From the raw table the attacker names the most frequent value of the cell.",
)
WITH_NOISE: Final = (
    "From counts with noise the attacker names the value published largest in the cell, ties at random.",
    "Where nothing is published for the cell, the attacker names the most common value overall.",
    "The counts of the cells of exactly the known columns are published, with the whole noise budget for that table.",
)
CAVEATS: Final = (
    "Only the smallest sets that break the target are listed: whoever knows more can ignore it, and breaks it too.",
    "What a column adds: the mean increase of the raw share, over all pairs of sets looked at that differ by it.",
    "That mean goes first over pairs of one size, then over the sizes; sets beyond a breaking one were not looked at.",
)


def assumptions(mechanism: Mechanism | None) -> tuple[str, ...]:
    """Say what the numbers take for granted."""
    return ASSUMPTIONS if mechanism is None else (*ASSUMPTIONS, *WITH_NOISE)


def caveats(joint: JointCounts, where_counted: str) -> tuple[str, ...]:
    """Say what to keep in mind."""
    if joint.max_cells_per_person == 1:
        return (*CAVEATS, where_counted, *joint.notes)
    several = (
        "A person counts once in each combination of all candidate columns they have rows in, up to "
        f"{joint.max_cells_per_person}: with fewer columns known, several times in a cell."
    )
    return (*CAVEATS, several, where_counted, *joint.notes)


def in_words(found: Attackers) -> str:
    """Say who breaks the target, what they must know, and which column helps most."""
    target, without = percent_at_least(found.max_risk), percent_at_least(found.no_release)
    if found.no_release > found.max_risk:
        return (
            f"Anybody breaks the target of {target}: without any release, naming the most common value of "
            f"{found.sensitive} is right for {without} of the people. No release meets a target below that."
        )
    if found.all_known <= found.max_risk:
        return (
            f"Nobody breaks the target of {target}: even an attacker who knows all {len(found.costs)} candidate "
            f"columns and has the raw table names {found.sensitive} right for {percent(found.all_known)} of the "
            f"people. Without any release it is {without}."
        )
    who = _somebody(found, target) if found.breaking else _nobody(found, target)
    most = found.contributions[0]
    helps = f"{most.column} contributes most: knowing it as well adds {_points(most.increase)} on average"
    within = f", and it is in {most.n_breaking or 'none'} of them" if len(found.breaking) > 1 else ""
    return f"{who} {helps}{within}."


def _somebody(found: Attackers, target: str) -> str:
    cheapest, n_breaking = found.breaking[0], len(found.breaking)
    n_evaluated = sum(level.n_evaluated for level in found.levels)
    number = "1 smallest set breaks" if n_breaking == 1 else f"{n_breaking:,} smallest sets break"
    return (
        f"The cheapest attacker who breaks the target of {target} knows {known(cheapest)}: {_source(found)} they name "
        f"{found.sensitive} right for {percent(cheapest.at_most)} of the people; without any release it is "
        f"{percent_at_least(found.no_release)}. {number} the target, of {n_evaluated:,} looked at."
    )


def _nobody(found: Attackers, target: str) -> str:
    strongest = max(found.evaluated, key=lambda one: one.at_most)
    return (
        f"Nobody who knows {budget(found)} breaks the target of {target}: {_source(found)} the strongest of them, "
        f"who knows {known(strongest)}, names {found.sensitive} right for at most {percent(strongest.at_most)} of "
        f"the people; without any release it is {percent_at_least(found.no_release)}."
    )


def budget(found: Attackers) -> str:
    """Say how much an attacker may know."""
    if set(found.costs.values()) == {1.0}:
        columns = int(found.max_known)
        return "at most 1 column" if columns == 1 else f"at most {columns} columns"
    return f"columns of a total cost of at most {found.max_known:g}"


def known(knowledge: Knowledge) -> str:
    """Name what somebody knows."""
    return ", ".join(knowledge.columns) or "nothing"


def _source(found: Attackers) -> str:
    return "from the raw table" if found.mechanism is None else f"from counts at ε = {found.mechanism['epsilon']:g}"


def _points(increase: float) -> str:
    return percent(increase).replace(" %", " percentage points")
