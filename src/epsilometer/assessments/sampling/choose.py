"""Choose the size of a sample: little enough risk, little enough loss."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.assessments.numbers import is_number
from epsilometer.assessments.sampling.loss import loss_of
from epsilometer.assessments.sampling.risk import KNOWS, vulnerability_of
from epsilometer.assessments.sampling.setting import TWO, check_adversary, checked_setting
from epsilometer.errors import OutOfRange
from epsilometer.solvers.whole_numbers import first_meeting
from epsilometer.vocabulary.sample_choice import Exposure, SampleChoice
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.assessments.sampling.setting import Setting

REFINEMENTS: Final = 4  # of a guessed size, before the exact search begins


class _Sizes(NamedTuple):
    """Sizes that one target allows, and what the target is."""

    low: int
    high: int
    target: str


def choose_sample(
    *,
    population: int,
    max_risk: float | None = None,
    max_loss: float | None = None,
    max_gap: float | None = None,
    adversary: str = "unknown",
    prior: str | float = "frequencies",
    n_values: int = TWO,
) -> SampleChoice:
    """Find every sample size that meets the targets, or say why there is none.

    For an attacker who knows the target to be outside, or does not know, the risk never falls as the sample grows:
    there is a largest size. For one who knows the target to be in the sample it never rises: one of many is safer
    than one of few. The loss never rises, and neither does the gap between people inside and outside.

    Args:
        population: number of people.
        max_risk: largest probability with which the attacker may name a person's value.
        max_loss: largest expected error of the analyst's shares.
        max_gap: by how much more a person in the sample may be exposed than one outside, at most.
        adversary: whose risk ``max_risk`` is about, as in :func:`sampling_risk`.
        prior: what attacker and analyst believe of the shares, as there.
        n_values: number of values of the attribute.

    >>> choice = choose_sample(population=1_000_000, max_risk=0.749, max_loss=0.05)
    >>> choice.smallest, choice.largest
    (38, 248)
    """
    setting = checked_setting(population=population, sample=1, prior=prior, n_values=n_values, mechanism=None)
    check_adversary(adversary, setting)
    targets = {"max_risk": max_risk, "max_loss": max_loss, "max_gap": max_gap}
    _check_targets(targets)
    largest = setting.population - 1 if adversary == "out" else setting.population
    allowed = [
        _allowed(name, target, setting, adversary, largest) for name, target in targets.items() if target is not None
    ]
    low, high = max(sizes.low for sizes in allowed), min(sizes.high for sizes in allowed)
    feasible = low <= high
    small_is_best = max_loss is not None or max_gap is not None or adversary == "in"
    recommended = (low if small_is_best else high) if feasible else None
    ends = tuple(exposure(setting, m) for m in dict.fromkeys((low, high))) if feasible else ()
    choice = SampleChoice(
        release=replace(setting.release, sample=recommended),
        adversary=adversary,
        max_risk=max_risk,
        max_loss=max_loss,
        max_gap=max_gap,
        smallest=low if feasible else None,
        largest=high if feasible else None,
        recommended=recommended,
        binding=_binding(allowed, low, high, largest),
        ends=ends,
        evidence=_evidence(setting, [low, high] if feasible else [1]),
        in_words="",
    )
    return replace(choice, in_words=_in_words(choice, setting, allowed))


def exposure(setting: Setting, m: int) -> Exposure:
    """Say what one sample size means, each number on its safe side."""
    everybody = m == setting.population
    return Exposure(
        sample=m,
        inside=vulnerability_of(setting, m, "in").high,
        outside=None if everybody else vulnerability_of(setting, m, "out").high,
        unknown=vulnerability_of(setting, m, "unknown").high,
        loss=loss_of(setting, m).high,
    )


def _evidence(setting: Setting, sizes: list[int]) -> str:
    numbers = [number for m in sizes for number in (vulnerability_of(setting, m, "unknown"), loss_of(setting, m))]
    return "exact" if all(number.exact for number in numbers) else "upper bound"


def _check_targets(targets: dict[str, float | None]) -> None:
    if all(target is None for target in targets.values()):
        raise OutOfRange("max_risk", None, "[0, 1]", hint="Give max_risk, max_loss or max_gap, or several of them.")
    for name, target in targets.items():
        if target is not None and not (is_number(target) and 0 <= target <= 1):
            raise OutOfRange(name, target, "[0, 1]", hint="It is a probability or a share.")


def _allowed(name: str, target: float, setting: Setting, adversary: str, largest: int) -> _Sizes:
    """Return the sizes that meet one target; an empty stretch has its low end above its high end."""
    if name == "max_risk" and adversary != "in":
        exceeded = first_meeting(lambda m: vulnerability_of(setting, m, adversary).high > target, 1, largest, guess=1)
        return _Sizes(1, largest if exceeded is None else exceeded - 1, name)
    meets, guess = {
        "max_risk": (lambda m: vulnerability_of(setting, m, "in").high <= target, 1),
        "max_gap": (lambda m: exposure_gap(setting, m) <= target, 1),
        "max_loss": (_accurate(setting, target), _guessed_size(setting, target)),
    }[name]
    met = first_meeting(meets, 1, largest, guess)
    return _Sizes(largest + 1 if met is None else met, largest, name)


def exposure_gap(setting: Setting, m: int) -> float:
    """How much more a person in the sample is exposed than one outside, on the safe side."""
    if m == setting.population:
        return 0.0
    return vulnerability_of(setting, m, "in").high - vulnerability_of(setting, m, "out").low


def _accurate(setting: Setting, target: float) -> Callable[[int], bool]:
    @cache
    def meets(m: int) -> bool:
        return loss_of(setting, m).high <= target

    return meets


def _guessed_size(setting: Setting, target: float) -> int:
    """Guess where the loss meets its target: it goes with the root of 1/m - 1/n, nearly."""
    n, m = setting.population, 1
    if target == 0:
        return n
    for _ in range(REFINEMENTS):
        lost = loss_of(setting, m).high
        if not lost:
            break
        inverse = 1 / n + (1 / m - 1 / n) * (target / lost) ** 2
        m = min(n, max(1, math.ceil(1 / inverse)))
    return m


def _binding(allowed: list[_Sizes], low: int, high: int, largest: int) -> str:
    below = next((sizes.target for sizes in allowed if sizes.low == low), "")
    above = next((sizes.target for sizes in allowed if sizes.high == high), "")
    if low > high:
        if high < 1:  # nothing is small enough: the other target does not matter
            return above
        return below if low > largest else f"{below} and {above} together"
    return f"{below if low > 1 else 'nothing'} below, {above if high < largest else 'nothing'} above"


def _in_words(choice: SampleChoice, setting: Setting, allowed: list[_Sizes]) -> str:
    wishes = {
        "max_risk": (
            f"an attacker who {KNOWS[choice.adversary]} names a value with probability at most {choice.max_risk}"
        ),
        "max_loss": f"an analyst is off by at most {choice.max_loss} on average",
        "max_gap": f"a person in the sample is exposed by at most {choice.max_gap} more than one outside",
    }
    asked = " and ".join(wishes[sizes.target] for sizes in allowed)
    n = setting.population
    if choice.smallest is None or choice.largest is None:
        reasons = "; ".join(_reason(sizes, setting, choice.adversary) for sizes in allowed)
        return f"No sample of {n:,} people is such that {asked}: {reasons}."
    best = next(end for end in choice.ends if end.sample == choice.recommended)
    stretch = f"{choice.smallest:,} to {choice.largest:,}" if choice.smallest < choice.largest else f"{best.sample:,}"
    chosen = f"all {n:,} people" if best.sample == n else f"{best.sample:,} of the {n:,} people, drawn at random"
    small = "the smallest" if choice.adversary == "in" else "the smallest, and so the most private"
    why = small if best.sample == choice.smallest else "the most accurate"
    return (
        f"Publish the histogram of {chosen}. With {stretch} people {asked}; "
        f"{best.sample:,} is {why}.{_gap_in_words(best)}"
    )


def _gap_in_words(best: Exposure) -> str:
    if best.outside is None:
        return " Everybody is in the sample."
    return (
        f" The value of a person known to be in the sample is then named right with {percent(best.inside)}, of one "
        f"known to be outside with {percent(best.outside)}."
    )


def _reason(sizes: _Sizes, setting: Setting, adversary: str) -> str:
    n = setting.population
    match sizes:
        case _Sizes(low, _, "max_loss"):
            return f"accuracy needs at least {low:,} people"
        case _Sizes(low, high, "max_gap") if low > high:
            least = percent_at_least(exposure_gap(setting, n - 1))
            return f"being drawn costs {least} even if only one person is outside"
        case _Sizes(1, high, "max_risk") if high >= 1:
            return f"the risk allows at most {high:,}"
        case _Sizes(low, high, _) if low <= high:
            return f"a person in the sample is hidden well enough among {low:,} or more"
        case _:
            least = percent(min(vulnerability_of(setting, m, adversary).high for m in (1, n)))
            before = percent_at_least(1 / setting.n_values)
            return f"at best the risk is {least}, against {before} without a release"
