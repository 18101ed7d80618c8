"""Reports that people randomised themselves, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.report.odds.crowd import Crowd
from epsilometer.report.odds.saying import Said

if TYPE_CHECKING:
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.local_release import LocalRelease
    from epsilometer.vocabulary.local_risk import LocalRisk


def local_risk(result: LocalRisk, words: Language) -> Said:
    """Say how often a person's value is named right from their report, and from the shuffled ones."""
    crowd = Crowd.of(result.value, words, result.n_people)
    own = words.text(
        "odds.local.reported",
        randomizer=words.text(f"odds.randomizer.{result.randomizer['name']}"),
        epsilon=words.number(result.local_epsilon),
        n=crowd.answered(result.answer),
        base=crowd.size,
    )
    return Said(
        f"{own} {_shuffled(crowd, result)}",
        _baseline(crowd, result),
        words.text("odds.local.attacker"),
        f"{crowd.known(result.answer)} {crowd.known(result.shuffled, 'odds.local.after_shuffling')}",
    )


def local_release(result: LocalRelease, words: Language) -> Said:
    """Say what was released, and what it tells an attacker."""
    released = words.text(
        "odds.local.released",
        people=words.people(result.n_people),
        column=result.column,
        randomizer=words.text(f"odds.randomizer.{result.drawing['name']}"),
        epsilon=words.number(result.drawing["epsilon"]),
        order=words.text(f"odds.local.{'in_random_order' if result.shuffled else 'in_order'}"),
    )
    risk = result.risk
    if risk is None:
        return Said(
            released,
            words.text("odds.local.numbers"),
            words.text("odds.local.numbers_attacker"),
            words.text("odds.local.numbers_known", epsilon=words.number(result.drawing["epsilon"])),
        )
    crowd = Crowd.of(risk.value, words, result.n_people)
    finding = [released, words.text("odds.local.own", base=crowd.size, n=crowd.answered(risk.answer))]
    known = [crowd.known(risk.answer)]
    if result.shuffled:
        finding.append(_shuffled(crowd, risk))
        known.append(crowd.known(risk.shuffled, "odds.local.after_shuffling"))
    return Said(" ".join(finding), _baseline(crowd, risk), words.text("odds.local.attacker_estimated"), " ".join(known))


def _shuffled(crowd: Crowd, risk: LocalRisk) -> str:
    return crowd.words.text("odds.local.shuffled", n=crowd.answered(risk.shuffled))


def _baseline(crowd: Crowd, risk: LocalRisk) -> str:
    return crowd.words.text("odds.local.baseline", n=crowd.down(risk.no_release), base=crowd.size)
