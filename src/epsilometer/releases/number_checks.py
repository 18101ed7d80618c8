"""The numbers of a passport computed again from its looks and its noise, and held against what it states."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.formulas.discrete_gaussian import delta_from_sigma
from epsilometer.publication.any_table import LAWS, any_table_risks, expected_errors, listed_by_one
from epsilometer.releases.accounting import added_up, composed, in_units
from epsilometer.vocabulary.passport_check import FAILED, PASSED, Finding, compared, not_possible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from epsilometer.vocabulary.passport import Passport, StatedNumber, Support
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

CLOSE: Final = 1e-9
ROUNDING: Final = 1e-12  # machines may differ in the last digits, and no number is held to them
CLOSED_FORM: Final = 2  # moved counts up to which the delta of Gaussian noise has one


def check_numbers(passport: Passport) -> Iterator[Finding]:
    """Check that total, looks, noise, risks and errors of a passport follow from each other."""
    yield from _total(passport)
    for look in passport.looks:
        if (
            look.epsilon
        ):  # a look that costs delta alone, such as a list of combinations, has no noise to hold it against
            yield _look(look)
    yield from _mechanisms(passport)
    if passport.support is not None and passport.support.kind == "thresholded":
        yield _threshold(passport, passport.support)
    risks = any_table_risks(
        passport.kind,
        passport.guarantee,
        in_units(passport.looks),
        adjacency=passport.protection.adjacency,
        support=passport.support,
    )
    yield from _stated("risk", passport.risks, risks)
    errors = expected_errors(passport.kind, passport.mechanisms, [output.rows for output in passport.outputs])
    yield from _stated("utility", passport.utility, errors)
    seed = "the operating system" if passport.unsafe_seed is None else f"a fixed seed, {passport.unsafe_seed}"
    yield compared("randomness", "the operating system", seed)


def same_number(what: str, expected: float, found: float) -> Finding:
    """Hold a stated number against the true one: equal to nine digits, and never below."""
    slack = max(abs(expected), ROUNDING)
    if -ROUNDING * slack <= found - expected <= CLOSE * slack:
        return Finding(what=what, outcome=PASSED)
    return Finding(what=what, outcome=FAILED, expected=_shown(expected), found=_shown(found))


def _at_least(what: str, expected: float, found: float, *, slack: float = ROUNDING) -> Finding:
    if found >= expected * (1 - slack):
        return Finding(what=what, outcome=PASSED)
    return Finding(what=what, outcome=FAILED, expected=f"at least {_shown(expected)}", found=_shown(found))


def _total(passport: Passport) -> Iterator[Finding]:
    guarantee, looks = passport.guarantee, passport.looks
    if guarantee.accounting == "composed":
        needed = composed(looks, guarantee.delta).epsilon
        yield _at_least("total ε, composed from the looks", needed, guarantee.epsilon, slack=CLOSE)
        return
    epsilon, delta = added_up(looks)
    yield _at_least("total ε, added up from the looks", epsilon, guarantee.epsilon)
    yield _at_least("total δ, added up from the looks", min(delta, 1.0), guarantee.delta)


def _look(look: PrivacyLoss) -> Finding:
    what = f"ε, δ and scale of the noise: {look.what}"
    if look.scale is None or look.moved_counts is None:
        return not_possible(what, "the law of the noise; only its guarantee is known")
    if look.noise == "geometric":
        return same_number(what, look.moved_counts / look.scale, look.epsilon)
    if look.moved_counts <= CLOSED_FORM:
        needed = delta_from_sigma(look.scale, epsilon=look.epsilon, moved_counts=look.moved_counts)
        return _at_least(what, needed, look.delta)
    return _at_least(what, composed([look], look.delta).tight, look.epsilon, slack=CLOSE)


def _mechanisms(passport: Passport) -> Iterator[Finding]:
    """Check that what is said to protect a table is what its look paid for."""
    looks = {look.what: (look.noise, look.scale, look.moved_counts) for look in passport.looks}
    for used in passport.mechanisms:
        if used.name in LAWS:
            stated = (used.name, used.scale, used.moved_counts)
            yield compared(f"mechanism and look: {used.what}", looks.get(used.what), stated)


def _threshold(passport: Passport, support: Support) -> Finding:
    """Check that one person makes a combination be listed with the stated chance at most."""
    what = "δ and threshold of the listed combinations"
    log_unlisted = 0.0
    for used in passport.mechanisms:
        if used.threshold is None or used.scale is None or used.moved_counts is None or used.name not in LAWS:
            return Finding(
                what=what, outcome=FAILED, expected="a noise with a threshold", found=f"none for {used.what}"
            )
        listed = listed_by_one(used.name, used.scale, threshold=used.threshold, moved_counts=used.moved_counts)
        log_unlisted += math.log1p(-listed) if listed < 1 else -math.inf
    return _at_least(what, -math.expm1(log_unlisted), support.delta)


def _stated(kind: str, stated: Sequence[StatedNumber], recomputed: Sequence[StatedNumber]) -> Iterator[Finding]:
    """Check that the same numbers are stated, and that each is right."""
    found = {number.name: number.value for number in stated}
    names = [number.name for number in recomputed]
    if sorted(found) != sorted(names):
        yield compared(f"{kind}: numbers that are stated", "; ".join(names), "; ".join(found))
    for number in recomputed:
        value = found.get(number.name)
        if number.value is None or value is None:
            yield compared(f"{kind}: {number.name}", number.value, value)
        else:
            yield same_number(f"{kind}: {number.name}", number.value, value)


def _shown(number: float) -> str:
    return f"{number:.12g}"
