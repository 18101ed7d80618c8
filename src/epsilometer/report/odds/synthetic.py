"""Synthetic tables held against their originals, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.report.odds.crowd import Crowd
from epsilometer.report.odds.saying import Said

if TYPE_CHECKING:
    from epsilometer.assessments.synthetic.audit import Audit
    from epsilometer.assessments.synthetic.frame import Frame
    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.attacks.inference import InferenceRisk
    from epsilometer.vocabulary.language import Language


def proximity(result: Proximity, words: Language) -> Said:
    """Say how many synthetic records are original ones, as they are or put together from parts."""
    crowd = Crowd.of(result.hitting_rate, words, result.n_synthetic)
    pieces = result.candidates
    finding = words.text(
        "odds.proximity.finding",
        base=crowd.size,
        n=_equal(crowd, result.hitting_rate),
        found=pieces.n_found,
        originals=pieces.n_originals,
        candidates=pieces.n_candidates,
    )
    return Said(
        finding,
        words.text("odds.audit.no_holdout"),
        words.text("odds.proximity.attacker"),
        words.text("odds.audit.equal_known"),
    )


def audit(result: Audit, words: Language) -> Said:
    """Say whether a synthetic table gives people away."""
    near, inference = result.proximity, result.inference
    crowd = Crowd.of(near.hitting_rate, words, near.n_synthetic)
    finding = [words.text("odds.audit.equal", base=crowd.size, n=_equal(crowd, near.hitting_rate))]
    if result.frame is not None:
        finding += _leak(result.frame, words)
    if inference is None:
        baseline = words.text("odds.audit.no_holdout" if result.frame is None else "odds.audit.no_roles")
        attacker, known = words.text("odds.audit.attacker_none"), words.text("odds.audit.equal_known")
        return Said(" ".join(finding), baseline, attacker, known)
    people, best = Crowd.of(float(inference.best.training.value), words), inference.best
    how = words.text(f"odds.audit.{best.attacker.replace(' ', '_')}")
    return Said(
        " ".join([*finding, _named(people, inference)]),
        words.text("odds.audit.baseline", n=people.down(inference.no_release), base=people.size),
        words.text("odds.audit.attacker", attacker=how),
        f"{words.text('odds.audit.equal_known')} {people.known(best.training, 'odds.audit.guessed')}",
    )


def _equal(crowd: Crowd, share: float) -> str:
    """Say how many records are equal to an original one: none only if there is none at all."""
    return crowd.about(share) if share else crowd.words.number(0)


def _leak(frame: Frame, words: Language) -> list[str]:
    found, runs = round(float(frame.power.found.value) * frame.power.n_runs), frame.power.n_runs
    verdict = "leak" if frame.leak.found else "no_leak" if found else "blind"
    p, rate = words.number(frame.leak.p_value, ".3f"), words.number(frame.leak.error_rate)
    return [
        words.text(f"odds.audit.{verdict}", p=p, rate=rate),
        words.text("odds.audit.power", share=words.percent(frame.power.share), found=found, runs=runs),
    ]


def _named(people: Crowd, inference: InferenceRisk) -> str:
    best = inference.best
    return people.words.text(
        "odds.audit.named_more" if best.exceeds_control else "odds.audit.named",
        n=people.answered(best.training),
        base=people.size,
        control=people.down(float(best.control.value)),
    )
