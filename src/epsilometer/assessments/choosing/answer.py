"""The answer: what to publish, what sets the limits, why nothing will do and what would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.assessments.choosing.search import Targets
from epsilometer.assessments.choosing.subject import consequences, trade_off
from epsilometer.assessments.numbers import is_number
from epsilometer.errors import OutOfRange
from epsilometer.vocabulary.choice import Choice
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.relaxation import cheapest_first
from epsilometer.vocabulary.stretch import not_looked_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from epsilometer.assessments.choosing.axis import Axis
    from epsilometer.assessments.choosing.search import Found, Problem
    from epsilometer.vocabulary.relaxation import Relaxation
    from epsilometer.vocabulary.stretch import Stretch

LOOKED: Final = "It was found by looking at the table: the choice itself tells a little about it."
NOT_LOOKED: Final = "It was found without looking at any table: only what was declared went into it."


class RiskPhrase(NamedTuple):
    """How the risk that a target is about is spoken of; ``{}`` stands for the target.

    Attributes:
        met: what holds when it is met: "at most {} of the people are disclosed".
        meets: what a parameter does that meets it: "discloses at most {} of the people".
    """

    met: str
    meets: str


PEOPLE: Final = RiskPhrase("at most {} of the people are disclosed", "discloses at most {} of the people")


class Telling(NamedTuple):
    """What an answer says of itself.

    Attributes:
        phrase: what the risk target is about.
        looked: whether a table was looked at.
        based_on: what was used.
    """

    phrase: RiskPhrase
    looked: bool
    based_on: Mapping[str, object]


def checked_targets(max_risk: object, max_loss: object) -> Targets:
    """Return the targets, or say what is wrong with them."""
    return Targets(_target("max_risk", max_risk), _target("max_loss", max_loss))


def _target(name: str, value: object) -> float:
    if not is_number(value) or not 0 <= value <= 1:
        raise OutOfRange(name, value, "[0, 1]", hint="Choosing needs both targets: max_risk and max_loss.")
    return value


def answer(
    problem: Problem,
    found: Found,
    relaxations: Iterable[Relaxation],
    telling: Telling,
    caveats: tuple[str, ...],
    *,
    warnings: tuple[str, ...] = (),
) -> Choice:
    """Put what was found into numbers and words."""
    axis, point = problem.axis, found.recommended
    changes, reason = cheapest_first(relaxations), "" if point is not None else certificate(found, problem)
    if point is None:
        low, high = axis.between
        words = refusal(found, f"{axis.name} from {low:g} to {high:g}", telling.phrase, reason, changes)
    else:
        words = recommendation(found, axis, point, telling.phrase)
    return Choice(
        parameter=axis.name,
        looked_at_the_data=telling.looked,
        based_on=telling.based_on,
        max_risk=found.targets.max_risk,
        max_loss=found.targets.max_loss,
        stretches=found.stretches,
        risk_stretches=found.risk_stretches,
        loss_stretches=found.loss_stretches,
        recommended=point,
        consequences=None if point is None else consequences(problem.subjects, axis, point),
        binding=binding(found),
        certificate=reason,
        relaxations=changes,
        in_words=f"{words} {LOOKED if telling.looked else NOT_LOOKED}",
        mechanism=(axis.mechanism if point is None else axis.at(point)).describe(),
        curves=tuple(trade_off(subject, axis) for subject in problem.subjects),
        caveats=(*warnings, *caveats),
        warnings=warnings,
    )


def binding(found: Found) -> str:
    """Say what sets the two ends of the stretch of the recommended point, or what rules everything out."""
    if not found.risk_stretches:
        return "risk"
    if not found.loss_stretches:
        return "loss"
    if found.within is None:
        return "risk and loss together"
    low, high = found.within.low, found.within.high
    by_loss_below = any(stretch.low == low and stretch.bounded_below for stretch in found.loss_stretches)
    by_risk_above = any(stretch.high == high and stretch.bounded_above for stretch in found.risk_stretches)
    below = ("loss" if by_loss_below else "risk") if found.within.bounded_below else "nothing"
    above = ("risk" if by_risk_above else "loss") if found.within.bounded_above else "nothing"
    return f"{below} below, {above} above"


def shown(stretches: Iterable[Stretch]) -> str:
    """Write stretches with their ends rounded inwards, to so few digits as leave something between them."""
    return " or ".join(" to ".join(stretch.shown()) for stretch in stretches)


def shown_point(point: float) -> str:
    """Write a point: a whole number in full, any other with all of the digits that are shown of a stretch around it."""
    return f"{point:,.0f}" if point == int(point) else f"{point:.7g}"


def recommendation(found: Found, axis: Axis, point: float, phrase: RiskPhrase) -> str:
    """Say what to publish with, and what else would do."""
    noise = axis.at(point)
    if axis.name == "epsilon":
        with_what = f"epsilon = {shown_point(point)}{f' and delta = {noise.delta:g}' if noise.delta else ''}"
        why = _smallest(found)
    else:
        with_what = f"threshold = {shown_point(point)} at epsilon = {noise.epsilon:g}"
        why = "the one of least risk among those tried"
    words = (
        f"Publish with {with_what}. From {shown(found.stretches)} {phrase.met.format(f'{found.targets.max_risk:g}')} "
        f"and at most {found.targets.max_loss:g} of the accuracy is lost; {shown_point(point)} is {why}."
    )
    return " ".join(filter(None, (words, not_looked_at(found.stretches, ENGLISH))))


def _smallest(found: Found) -> str:
    """Say why the recommended epsilon is: none that is smaller will do, or none was looked at."""
    if found.within is not None and found.within.bounded_below:
        return "the smallest, with the strongest guarantee"
    return "the smallest that was looked at, with the strongest guarantee of these"


def refusal(found: Found, searched: str, phrase: RiskPhrase, reason: str, changes: Sequence[Relaxation]) -> str:
    """Say that nothing that was searched meets both targets, why, and what the cheapest change is."""
    cheapest = f"The cheapest change: {changes[0].in_words}" if changes else "No single change was found that would do."
    return (
        f"No {searched} {phrase.meets.format(f'{found.targets.max_risk:g}')} and loses at most "
        f"{found.targets.max_loss:g} of the accuracy. {reason} {cheapest}"
    )


def certificate(found: Found, problem: Problem) -> str:
    """Say what rules out what: the risk by certified bounds, the loss by simulation at the points tried."""
    name, (max_risk, max_loss) = problem.axis.name, found.targets
    reasons = []
    if not found.risk_stretches:
        missed = [risk.in_words for risk in found.risks if not risk.stretches]
        reasons += missed or [f"No {name} suits all attributes: {'; '.join(risk.in_words for risk in found.risks)}"]
    if not found.loss_stretches:
        best = min(problem.axis.points, key=problem.loss)
        reasons.append(
            f"The smallest loss on the grid is {problem.loss(best):.3g}, at {name} = {best:.3g}: simulated, at the "
            "worse end of its interval."
        )
    if found.risk_stretches and found.loss_stretches:
        accurate, private = _where(problem, found.loss_stretches), _where(problem, found.risk_stretches)
        reasons.append(
            f"The risk is at most {max_risk:g} for {name} from {shown(found.risk_stretches)} only, certified; the "
            f"smallest loss seen there is {min(map(problem.loss, private)):.3g}. The loss is at most {max_loss:g} for "
            f"{name} from {shown(found.loss_stretches)} only; the smallest risk seen there is "
            f"{min(map(problem.risk, accurate)):.3g}."
        )
    return " ".join(reasons)


def _where(problem: Problem, stretches: Iterable[Stretch]) -> list[float]:
    """Return the ends of stretches, and the points tried between them."""
    return [
        point
        for stretch in stretches
        for point in (stretch.low, *(p for p in problem.axis.points if stretch.low < p < stretch.high), stretch.high)
    ]
