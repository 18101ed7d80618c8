"""What a comparison of releases comes to, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import joined, percent, percent_at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.currency.frontier import Found, Targets
    from epsilometer.assessments.currency.subject import Subject
    from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint

ASSUMPTIONS: Final = (
    (
        "Risk: a person of the table is drawn at random; the attacker knows their quasi-identifiers, how the "
        "release is made, and the release, and names one sensitive value. It is the probability that the name "
        "is right. Where the most common value of all is the better guess, the attacker names that."
    ),
    (
        "Loss: mean total variation distance between the shares over one column and over two columns with a "
        "role that an analyst reads off the release, and those of the table."
    ),
)
TOGETHER: Final = "Several sensitive columns count as one attribute: the combination of their values."
ROWS: Final = (
    "Counts take a person once in each cell; samples, synthetic tables and local reports are about rows, "
    "and a person may have several."
)
CAVEATS: Final = (
    (
        "The risk is a mean over people. A sample shows the rows of some of them as they are, and no noise "
        "hides them; only a release with an ε limits what a person's own record can change."
    ),
    (
        "Of equally risky releases the one with the stronger guarantee is recommended: one with an ε before a "
        "sample, a smaller ε before a larger one."
    ),
    "An ε does not promise the same in every kind of release: for local reports it covers the person's report alone.",
    "This was found by looking at the table: a choice made by it tells a little about the table, and no ε covers that.",
)


HELD_ALREADY: Final = (
    "Local reports are for records that nobody has collected yet. Whoever holds the table can compare the other kinds "
    "alone."
)


def in_words(subject: Subject, curves: Sequence[FrontierCurve], found: Found, targets: Targets) -> str:
    """Say which release to take, or why none will do, or without targets what is worth looking at."""
    between = (
        f"Without a release an attacker who knows {joined(subject.plan.quasi_identifiers)} names "
        f"{joined(subject.plan.sensitive)} right for {percent_at_least(subject.no_release)} of the people, "
        f"with the raw table for {percent(subject.raw)}."
    )
    if targets == (None, None):
        names = list(dict.fromkeys(curves[place.curve].name for place in found.pareto))
        if len(names) == 1:
            return f"{between} Nothing on the curves beats {names[0]}."
        return f"{between} No kind is best everywhere; each of these is somewhere: {'; '.join(names)}."
    if found.recommended is None:
        return f"No release on the curves has {asked(targets)}. {_why(subject, curves, targets)} {between}"
    curve = curves[found.recommended.curve]
    point = curve.points[found.recommended.point]
    return (
        f"{release_in_words(curve, point)} has {asked(targets)}: an attacker is right about at most "
        f"{percent(point.risk_at_most)} of the people, and shares are on average off by at most "
        f"{ENGLISH.points(point.loss_at_most)}. {between}"
    )


def asked(targets: Targets) -> str:
    """Say the targets."""
    goals = (("a risk", targets.max_risk), ("a loss", targets.max_loss))
    return " and ".join(f"{name} of at most {100 * goal:.4g} %" for name, goal in goals if goal is not None)


def release_in_words(curve: FrontierCurve, point: FrontierPoint) -> str:
    """Name one release, as the beginning of a sentence."""
    at = curve.label(point)
    if curve.parameter == "rows":
        return f"A random sample of {at}"
    names = {"counts": "Publishing counts", "local": "Collecting local reports", "synthetic": "A synthetic table"}
    name = names[curve.kind]
    detail = curve.name.partition(", ")[2]
    return f"{name}{f' ({detail})' if detail else ''} at {at}"


def _why(subject: Subject, curves: Sequence[FrontierCurve], targets: Targets) -> str:
    """Say what stands in the way: the nearest misses, or a target that nothing can meet."""
    if targets.max_risk is not None and targets.max_risk < subject.no_release:
        return "That risk is below what a guess achieves without any release, so that no release can have it."
    points = [(curve, point) for curve in curves for point in curve.points if curve.kind != "raw"]
    accurate = [pair for pair in points if targets.max_loss is None or pair[1].loss_at_most <= targets.max_loss]
    safe = [pair for pair in points if targets.max_risk is None or pair[1].risk_at_most <= targets.max_risk]
    safest = min(accurate or points, key=lambda pair: pair[1].risk_at_most)
    nearest = min(safe or points, key=lambda pair: pair[1].loss_at_most)
    return (
        f"The safest {'that is accurate enough' if accurate else 'of them, none of which is accurate enough,'} has a "
        f"risk of {percent(safest[1].risk_at_most)} ({_at(*safest)}); the most accurate "
        f"{'that is safe enough' if safe else 'of them, none of which is safe enough,'} a loss of "
        f"{ENGLISH.points(nearest[1].loss_at_most)} ({_at(*nearest)})."
    )


def _at(curve: FrontierCurve, point: FrontierPoint) -> str:
    return f"{curve.name}, {curve.label(point)}"
