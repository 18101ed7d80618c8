"""Which epsilon keeps an attacker's guess from improving by more than an advantage, and the other way round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.assessments.guessing.fields import checked_fields
from epsilometer.assessments.numbers import is_number
from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.formulas import guessing
from epsilometer.vocabulary.evidence import AsPrinted, Exact
from epsilometer.vocabulary.guess import Guess
from epsilometer.vocabulary.source import sources_of
from epsilometer.vocabulary.wording import percent, rounded_down, rounded_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.guess import Field

METHODS: Final = ("exact", "published")
RELEASES: Final = ("separately", "jointly")
EVENTS: Final = {"single": "the field", "all": "every field", "any": "at least one field"}
NEARLY_SURE: Final = 0.9  # from this prior on the bound stops asking for protection
NO_NOISE: Final = 20.0  # a log-odds ratio that multiplies odds by 5e8 is no noise to speak of
EXACT: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    ("single", "separately"): guessing.epsilon_single,
    ("single", "jointly"): guessing.epsilon_single,
    ("all", "separately"): guessing.epsilon_all_separate,
    ("all", "jointly"): guessing.epsilon_all_joint,
    ("any", "separately"): guessing.epsilon_any,
}
PRINTED: Final[dict[str, Callable[..., Any]]] = {
    "single": guessing.published.epsilon_single,
    "all": guessing.published.epsilon_all,
    "any": guessing.published.epsilon_any,
}
ADVANTAGES: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    ("single", "separately"): guessing.advantage_single,
    ("single", "jointly"): guessing.advantage_single,
    ("all", "separately"): guessing.advantage_all_separate,
    ("all", "jointly"): guessing.advantage_all_joint,
    ("any", "separately"): guessing.advantage_any,
}


def epsilon_for_advantage(
    advantage: float,
    *,
    groups: Sequence[tuple[int, int]] | None = None,
    priors: Sequence[float] | None = None,
    event: str = "single",
    sensitivity: float | Sequence[float] = 1.0,
    method: str = "exact",
    released: str = "separately",
    names: Sequence[str] | None = None,
) -> Guess:
    """Find the largest epsilon at which no release raises the chance of a right guess by more than ``advantage``.

    Epsilon is counted per unit of the fields: noise of scale 1/epsilon on a field of range R multiplies the odds of
    a guess by at most e^(epsilon R).

    Args:
        advantage: by how much the chance may rise, in (0, 1).
        groups: for each field (k, n): the chance without a release is the birthday bound's probability that k draws
            from n values are all different.
        priors: these chances themselves, instead of groups.
        event: what the attacker wants: ``"single"`` field, ``"all"`` of them or ``"any"`` of them.
        sensitivity: range of the fields, one number or one for each.
        method: ``"exact"`` bounds the event; ``"published"`` is Paper 003 as printed, which need not.
        released: ``"separately"``, each field by its own mechanism, or ``"jointly"``, all by one that is private for
            the largest of the ranges.
        names: of the fields.

    >>> round(epsilon_for_advantage(0.1, groups=[(23, 365)]).value, 6)
    0.404341
    >>> [round(epsilon_for_advantage(0.1, priors=[0.1, 0.1], event="any", method=m).value, 6) for m in METHODS]
    [0.51941, 0.81093]
    """
    if not is_number(advantage) or not 0 < advantage < 1:
        raise OutOfRange("advantage", advantage, "(0, 1)", hint="It is by how much a chance may rise.")
    asked = _Asked(checked_fields(groups, priors, sensitivity, names, event), event, method, released)
    formula = EXACT[event, released] if method == "exact" else PRINTED[event]
    epsilon = float(np.ravel(formula(advantage, asked.priors, asked.ranges))[0])
    if math.isnan(epsilon):
        raise OutOfRange(
            "advantage",
            advantage,
            f"(0, {1 - float(asked.priors.max()):g}) for the printed formula",
            hint="It has no value where prior and advantage exceed one; the exact method has.",
        )
    return asked.answered(advantage, epsilon, formula, in_words=asked.epsilon_in_words(advantage, epsilon))


def advantage_at(
    epsilon: float,
    *,
    groups: Sequence[tuple[int, int]] | None = None,
    priors: Sequence[float] | None = None,
    event: str = "single",
    sensitivity: float | Sequence[float] = 1.0,
    released: str = "separately",
    names: Sequence[str] | None = None,
) -> Guess:
    """Find by how much a release at ``epsilon`` can raise the chance of a right guess: the inverse of the above.

    >>> round(advantage_at(0.40434082061, groups=[(23, 365)]).advantage, 6)
    0.1
    """
    if not is_number(epsilon) or not 0 < epsilon < math.inf:
        raise OutOfRange("epsilon", epsilon, "(0, inf)", hint="A smaller epsilon means more noise.")
    asked = _Asked(checked_fields(groups, priors, sensitivity, names, event), event, "exact", released)
    advantage = float(np.ravel(ADVANTAGES[event, released](epsilon, asked.priors, asked.ranges))[0])
    words = asked.advantage_in_words(advantage, epsilon)
    return asked.answered(advantage, epsilon, EXACT[event, released], in_words=words)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked, checked."""

    fields: tuple[Field, ...]
    event: str
    method: str
    released: str

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UnknownChoice("method", self.method, METHODS)
        if self.released not in RELEASES:
            raise UnknownChoice("released", self.released, RELEASES)
        if (self.event, self.released) not in EXACT:
            raise UnknownChoice(
                "released", self.released, ["separately"], hint="For any field, each is released by itself."
            )

    @property
    def priors(self) -> FloatArray:
        return np.array([field.prior for field in self.fields])

    @property
    def ranges(self) -> FloatArray:
        return np.array([field.sensitivity for field in self.fields])

    @property
    def prior(self) -> float:
        """Chance of the event without a release."""
        if self.event == "any":
            return float(1 - np.prod(1 - self.priors))
        return float(np.prod(self.priors))

    @property
    def reach(self) -> float:
        """By how much all releases together can move the odds, per unit of epsilon."""
        return float(self.ranges.sum() if self.released == "separately" else self.ranges.max())

    def prior_free(self, advantage: float) -> float:
        """Epsilon that keeps the advantage whatever the attacker knew before."""
        return float(guessing.worst_case_epsilon(min(advantage, 1 - 2**-53), self.reach))

    def no_noise(self, epsilon: float) -> bool:
        """Whether epsilon leaves no noise to speak of."""
        return epsilon * float(self.ranges.max()) > NO_NOISE

    def answered(self, advantage: float, epsilon: float, formula: Callable[..., Any], *, in_words: str) -> Guess:
        """Return epsilon and advantage as a result."""
        free, no_noise = self.prior_free(advantage), self.no_noise(epsilon)
        return Guess(
            question=f"How much does epsilon raise the chance that {EVENTS[self.event]} is guessed right?",
            event=self.event,
            method=self.method,
            released=self.released,
            fields=self.fields,
            no_release=self.prior,
            advantage=advantage,
            answer=AsPrinted(epsilon) if self.method == "published" else Exact(epsilon),
            prior_free=free,
            no_noise=no_noise,
            in_words=in_words,
            assumptions=(
                "The attacker knows the mechanism, and is right with the stated chance before the release.",
                "Epsilon is per unit of the fields: noise of scale 1/epsilon on each of them gives it.",
                *(("The fields are guessed independently of each other.",) if len(self.fields) > 1 else ()),
            ),
            caveats=tuple(self._caveats(free, no_noise=no_noise)),
            source=sources_of(formula),
        )

    @property
    def _attacker(self) -> str:
        return f"an attacker who guesses {EVENTS[self.event]} right with {percent(self.prior)} without a release"

    def advantage_in_words(self, advantage: float, epsilon: float) -> str:
        """Say what an epsilon that was given allows."""
        most = float(guessing.worst_case_advantage(epsilon, self.reach))
        return (
            f"At epsilon = {epsilon:g} per unit a release gives {self._attacker} at most {_up(advantage)} more; "
            f"whatever the attacker knew before, at most {_up(most)}."
        )

    def epsilon_in_words(self, advantage: float, epsilon: float) -> str:
        """Say which epsilon keeps an advantage that was given."""
        before, safe_epsilon = self._attacker, _down(self.prior_free(advantage))
        safe = f"epsilon = {safe_epsilon} holds whatever the attacker knew before"
        if self.no_noise(epsilon):
            return (
                f"Warning: the bound asks for no noise, or next to none. It only says that {before} gains at most "
                f"{_up(advantage)}; that does not make the records safe. Use the value that does not rest on that "
                f"chance: {safe}."
            )
        bound = "is said to give" if self.method == "published" else "gives"
        return (
            f"With epsilon = {_down(epsilon)} per unit a release {bound} {before} at most {_up(advantage)} more; "
            f"{safe}."
        )

    def _caveats(self, free: float, *, no_noise: bool) -> Sequence[str]:
        found = []
        if no_noise or self.priors.max() >= NEARLY_SURE:
            found.append(
                "The chance without a release decides this epsilon: close to one, where records are almost surely "
                "unique, and close to zero the bound asks for little or no noise. Prefer the prior-free epsilon, "
                f"{_down(free)}."
            )
        if any(field.k is not None for field in self.fields):
            found.append(
                "The chance without a release is taken from the birthday bound: it says whether values are unique, "
                "not what an attacker knows."
            )
        if self.method == "published" and self.event != "single":
            found.append("As printed, the formula does not bound the event for several fields; the exact method does.")
        return found


def _down(number: float) -> str:
    """Write epsilon, rounded down; a printed formula can come out as zero or a rounding error below it."""
    return f"{rounded_down(number, 4) if number > 0 else 0:g}"


def _up(advantage: float) -> str:
    """Write an advantage, rounded up; it is zero where nothing can be gained."""
    return f"{rounded_up(advantage, 4) if advantage > 0 else 0:g}"
