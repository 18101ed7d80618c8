"""Guesses in words: which epsilon keeps them from getting better, and which knowledge they take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from epsilometer.report.odds.counts import luck
from epsilometer.report.odds.crowd import Crowd
from epsilometer.report.odds.saying import Said
from epsilometer.vocabulary.evidence import AsPrinted, Exact
from epsilometer.vocabulary.wording import shown_down

if TYPE_CHECKING:
    from epsilometer.vocabulary.attackers import Attackers, Knowledge
    from epsilometer.vocabulary.guess import Guess
    from epsilometer.vocabulary.language import Language


def guess(result: Guess, words: Language) -> Said:
    """Say how often fields are guessed right at an epsilon."""
    risk = min(1.0, result.no_release + result.advantage)
    crowd = Crowd.of(risk, words)
    event = words.text(f"odds.guess.{result.event}", fields=words.joined(field.name for field in result.fields))
    printed = isinstance(result.answer, AsPrinted)
    finding = words.text(
        f"odds.guess.{'no_noise' if result.no_noise else 'printed' if printed else 'finding'}",
        epsilon=_epsilon(result.value, words),
        event=event,
        n=crowd.at_most(risk),
        base=crowd.size,
    )
    safe = words.text("odds.guess.prior_free", epsilon=_epsilon(result.prior_free, words))
    several = len(result.fields) > 1
    return Said(
        f"{finding} {safe}",
        words.text("odds.guess.baseline", n=crowd.down(result.no_release), base=crowd.size),
        words.text("odds.guess.attacker_several" if several else "odds.guess.attacker"),
        words.text(f"odds.guess.{result.answer.kind.replace(' ', '-')}"),
    )


def _epsilon(epsilon: float, words: Language) -> str:
    """Write epsilon, rounded down; a printed formula can come out a rounding error below zero."""
    return words.number(shown_down(max(epsilon, 0.0))) if math.isfinite(epsilon) else "∞"


def attackers(result: Attackers, words: Language) -> Said:
    """Say who breaks the target knowing least, and which column helps most."""
    strongest = _strongest(result)
    risk = result.all_known if strongest is None else strongest.at_most
    crowd = Crowd.of(risk, words)
    finding = [
        words.text(
            f"odds.attackers.{_verdict(result)}",
            target=crowd.down(result.max_risk),
            base=crowd.size,
            sensitive=result.sensitive,
            columns=len(result.costs),
            known="" if strongest is None else _known(strongest, words),
            epsilon="" if result.mechanism is None else words.number(result.mechanism["epsilon"]),
            n=crowd.about(risk),
        )
    ]
    if strongest is not None:
        finding += _search(result, words)
    raw = "_raw" if result.mechanism is None else ""
    return Said(
        " ".join(finding),
        luck(crowd, result.no_release),
        words.text(f"odds.attackers.attacker{raw}"),
        crowd.known(Exact(risk)),
    )


def _strongest(result: Attackers) -> Knowledge | None:
    """Return the attacker to speak of: the cheapest who breaks the target, or the strongest who does not.

    There is none where the target is broken without any knowledge, or by nobody whatever they know.
    """
    if result.no_release > result.max_risk or result.all_known <= result.max_risk:
        return None
    return result.breaking[0] if result.breaking else max(result.evaluated, key=lambda one: one.at_most)


def _verdict(result: Attackers) -> str:
    if result.no_release > result.max_risk:
        return "anybody"
    if result.all_known <= result.max_risk:
        return "nobody_at_all"
    return ("somebody" if result.breaking else "nobody") + ("_raw" if result.mechanism is None else "")


def _search(result: Attackers, words: Language) -> list[str]:
    """Say how the search went, and which column helps most."""
    evaluated = sum(level.n_evaluated for level in result.levels)
    n = len(result.breaking)
    most = result.contributions[0]
    return [
        *([words.text("odds.attackers.sets", n=n, evaluated=evaluated)] if n else []),
        words.text("odds.attackers.most", column=most.column, points=words.points(most.increase)),
    ]


def _known(knowledge: Knowledge, words: Language) -> str:
    return words.joined(knowledge.columns) or words.text("odds.attackers.nothing")
