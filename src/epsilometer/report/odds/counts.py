"""Noisy counts in words, and the table as it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.report.odds.crowd import Crowd, first, one_of
from epsilometer.report.odds.noise import noise, noises
from epsilometer.report.odds.saying import Said
from epsilometer.report.odds.stretches import stretches_in_words
from epsilometer.vocabulary.evidence import Estimate, Exact

if TYPE_CHECKING:
    from epsilometer.assessments.assess import Assessment, AttributeAssessment
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.cell_risk import CellRisk
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.feasible import Feasible
    from epsilometer.vocabulary.joint_risk import JointRisk
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.raw_risk import RawRisk
    from epsilometer.vocabulary.risk import Risk

HOMOGENEITY = "homogeneity"


def assessment(result: Assessment, words: Language) -> Said:
    """Say what an attacker learns who knows the quasi-identifiers, of one attribute after the other."""
    parts = each_attribute(result, words)
    return Said(
        " ".join(part.finding for part in parts),
        " ".join(part.baseline for part in parts),
        parts[0].attacker,
        " ".join(dict.fromkeys(part.known for part in parts)),
    )


def each_attribute(result: Assessment, words: Language) -> tuple[Said, ...]:
    """Say what an attacker learns about each sensitive attribute by itself."""
    known = words.joined(result.quasi_identifiers)
    return tuple(_attribute(part, known, words) for part in result.attributes)


def attribute(result: AttributeAssessment, words: Language) -> Said:
    """Say what an attacker learns about one attribute; the columns they know are not part of the result."""
    return _attribute(result, words.text("odds.assessment.quasi_identifiers"), words)


def _attribute(result: AttributeAssessment, known: str, words: Language) -> Said:
    wanted, raw, people = result.sensitive, result.raw, result.people
    crowd = Crowd.of(first(people.value), words, raw.n_records)
    certain = crowd.up(raw.diversity.homogeneous_share)
    finding = (
        words.text(
            "odds.assessment.certain" if certain else "odds.assessment.certain_of_nobody",
            crowd=crowd.opening,
            known=known,
            sensitive=wanted,
            n=certain,
        ),
        words.text(
            "odds.assessment.disclosed",
            noise=noise(people.mechanism, words),
            n=crowd.answered(people.answer),
            base=crowd.size,
            sensitive=wanted,
        ),
        words.text("odds.any_table.records", n=crowd.about(first(people.any_table)), base=crowd.size),
        _no_proof(first(result.precision), words),
    )
    return Said(
        " ".join(finding),
        words.text("odds.assessment.baseline", sensitive=wanted, n=crowd.down(people.no_release), base=crowd.size),
        words.text("odds.assessment.attacker"),
        known_beside_luck(crowd, people.answer),
    )


def _no_proof(precision: float, words: Language) -> str:
    if math.isnan(precision):  # no cell is ever published with a single value
        return words.text("odds.assessment.no_proof")
    return words.text("odds.assessment.no_proof_of", right=math.ceil(precision * 100 - 1e-9))


def risk(result: Risk, words: Language) -> Said:
    """Say how often an attack on noisy counts works; of several epsilons, where least often and where most."""
    epsilons = np.atleast_1d(result.mechanism["epsilon"])
    at_most = int(np.argmax(result.value))
    most = one_of(result.answer, at_most)
    crowd = Crowd.of(first(most.value), words)
    attack, rule = result.measure.split(" ")
    reading = f"{attack}.{rule}" if attack == HOMOGENEITY else attack
    finding = words.text(
        f"odds.risk.{reading}.{result.average}",
        noise=noises(result.mechanism, words),
        n=_between(result.answer, epsilons, crowd),
        base=crowd.size,
    )
    worst = words.text(
        f"odds.any_table.{result.average}",
        n=_between(Exact(result.any_table), epsilons, crowd),
        base=crowd.size,
    )
    what = "odds.known.risk_at" if len(epsilons) > 1 and isinstance(most, Estimate) else "odds.known.risk"
    return Said(
        f"{finding} {worst}",
        luck(crowd, result.no_release),
        words.text(f"odds.risk.attacker.{attack if attack == HOMOGENEITY else rule}"),
        known_beside_luck(crowd, most, what, epsilon=words.number(float(epsilons[at_most]))),
    )


def _between(answer: Answer, epsilons: FloatArray, crowd: Crowd) -> str:
    """Say how many people a risk comes to: at one epsilon, or where it is least and where it is most."""
    if len(epsilons) == 1:
        return crowd.answered(answer)
    low, high = int(np.argmin(answer.value)), int(np.argmax(answer.value))
    words = crowd.words
    return words.text(
        "odds.between",
        low=crowd.answered(one_of(answer, low)),
        low_at=words.number(float(epsilons[low])),
        high=crowd.answered(one_of(answer, high)),
        high_at=words.number(float(epsilons[high])),
    )


def luck(crowd: Crowd, no_release: float) -> str:
    """Say what naming the most common value achieves."""
    return crowd.words.text("odds.luck", n=crowd.down(no_release), base=crowd.size)


def known_beside_luck(crowd: Crowd, answer: Answer, what: str = "odds.known.risk", **values: str) -> str:
    """Say how a risk is known, and that the luck it is held against is rounded the other way."""
    return f"{crowd.known(answer, what, **values)} {crowd.words.text('odds.known.luck')}"


def raw_risk(result: RawRisk, words: Language) -> Said:
    """Say what the table gives away as it is."""
    share = result.diversity.homogeneous_share
    crowd = Crowd.of(share, words, result.n_records)
    finding = words.text(
        "odds.raw.finding", crowd=crowd.opening, n=crowd.up(share), named=crowd.about(result.inference.posterior)
    )
    return Said(
        finding,
        luck(crowd, result.inference.prior),
        words.text("odds.raw.attacker"),
        known_beside_luck(crowd, Exact(share)),
    )


def cell_risk(result: CellRisk, words: Language) -> Said:
    """Say what noisy counts give away of one cell."""
    people = sum(result.counts.values())
    crowd = Crowd(people, words, people)
    return Said(
        words.text(
            "odds.cell.finding",
            people=words.people(people),
            n=crowd.about(result.own_value),
            named=max(result.counts.values()),
        ),
        words.text("odds.cell.baseline", n=crowd.down(result.no_release)),
        words.text("odds.cell.attacker"),
        known_beside_luck(crowd, Exact(result.own_value)),
    )


def joint_risk(result: JointRisk, words: Language) -> Said:
    """Say what several tables give away together."""
    crowd = Crowd.of(result.value, words)
    finding = words.text(
        "odds.joint.finding",
        n=len(result.each),
        disclosed=crowd.about(result.value),
        base=crowd.size,
        riskiest=crowd.about(max(result.each)),
    )
    if result.left_out:
        left_out = "; ".join(map(words.line, result.left_out))
        finding += f" {words.text('odds.joint.left_out', left_out=left_out)}"
    return Said(finding, _luck_of_each(crowd, result), words.text("odds.joint.attacker"), crowd.known(result.answer))


def _luck_of_each(crowd: Crowd, result: JointRisk) -> str:
    """Say what naming the most common value of each table achieves; an old ledger may not know."""
    words = crowd.words
    before = [words.number(crowd.down(share)) for share in result.no_release]
    if not before:
        return words.text("odds.joint.no_baseline")
    if len(set(before)) == 1:
        return luck(crowd, result.no_release[0])
    return words.text("odds.joint.baseline", each=words.joined(before), base=crowd.size)


def feasible(result: Feasible, words: Language) -> Said:
    """Say which parameters keep a risk within its target."""
    crowd = Crowd.of(result.max_risk, words)
    finding = words.text(
        "odds.feasible.finding" if result else "odds.feasible.nothing",
        n=crowd.down(result.max_risk),
        base=crowd.size,
        parameter=words.text(f"odds.parameter.{result.parameter}"),
        stretches=stretches_in_words(result.stretches, words),
        smallest=crowd.about(result.smallest_risk),
        at=words.number(result.smallest_at, ".4g"),
    )
    return Said(
        finding,
        luck(crowd, result.no_release),
        words.text("odds.feasible.attacker"),
        words.text("odds.feasible.known"),
    )
