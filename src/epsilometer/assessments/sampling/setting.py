"""What is asked about a sample, checked once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.numbers import LARGEST_COUNT, is_number, whole
from epsilometer.assessments.sampling.guarantee import guarantee_of
from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval, UpperBound
from epsilometer.vocabulary.sample_release import SampleRelease

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.formulas.sampling.bracket import Bracket
    from epsilometer.mechanisms import Mechanism
    from epsilometer.vocabulary.evidence import Answer

ADVERSARIES: Final = ("in", "out", "unknown")
PRIORS: Final = {"frequencies": 1.0, "datasets": math.inf}
TWO: Final = 2
CERTAIN: Final = 1.0  # confidence of an interval that follows from a proof
STRENGTHS: Final = (1e-100, 1e100)  # beyond them products of doubles overflow; the answers have long stopped to change


@dataclass(frozen=True, slots=True)
class Setting:
    """A release by sampling, with the numbers the formulas want.

    Attributes:
        population: number of people.
        samples: the sample sizes asked for.
        single: whether one size was asked for, and not a curve.
        n_values: number of values.
        prior: word for the belief about the shares.
        alpha: its strength.
        mechanism: the noise on the histogram, if any.
    """

    population: int
    samples: tuple[int, ...]
    single: bool
    n_values: int
    prior: str
    alpha: float
    mechanism: Mechanism | None

    @property
    def release(self) -> SampleRelease:
        """The release as a part of a result."""
        guarantee = None
        if self.mechanism is not None and self.single:
            guarantee = guarantee_of(self.mechanism, self.population, self.samples[0], self.n_values)
        return SampleRelease(
            population=self.population,
            sample=self.samples[0] if self.single else self.samples,
            n_values=self.n_values,
            prior=self.prior,
            alpha=self.alpha,
            mechanism=None if self.mechanism is None else self.mechanism.describe(),
            guarantee=guarantee,
        )

    def answer(self, brackets: Sequence[Bracket]) -> Answer:
        """Return one bracket per sample size as a number that says how it is known."""
        value, low, high = (np.array(part) for part in zip(*brackets, strict=True))
        if self.single:
            value, low, high = value[0].item(), low[0].item(), high[0].item()
        if np.array_equal(low, high):
            return Exact(value)
        if np.array_equal(value, high):
            return UpperBound(value)
        return Estimate(value, Interval(low, high, CERTAIN))


def checked_setting(
    *,
    population: object,
    sample: object,
    prior: object,
    n_values: object,
    mechanism: Mechanism | None,
) -> Setting:
    """Return the setting, or say which part of it cannot be."""
    people = whole("population", population, 1, LARGEST_COUNT, hint="It is a number of people.")
    values = whole("n_values", n_values, TWO, LARGEST_COUNT, hint="An attribute has at least two values.")
    single = isinstance(sample, Real)
    sizes = np.ravel(np.array(sample, dtype=object)).tolist()
    if not sizes:
        raise OutOfRange("sample", sample, f"[1, {people}]", hint="Give at least one sample size.")
    hint = "A sample has at least one person and at most the whole population."
    samples = tuple(whole("sample", size, 1, people, hint=hint) for size in sizes)
    if mechanism is not None and isinstance(mechanism.epsilon, tuple):
        raise OutOfRange("epsilon", mechanism.epsilon, "the single numbers", hint="Name one: mechanism.at(1.0).")
    word, alpha = belief(prior)
    return Setting(people, samples, single, values, word, alpha, mechanism)


def belief(prior: object) -> tuple[str, float]:
    """Return the word for a belief about the shares and its strength.

    >>> belief("frequencies"), belief(0.5)
    (('frequencies', 1.0), ('Dirichlet', 0.5))
    """
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise UnknownChoice("prior", prior, PRIORS, hint="A positive number stands for a symmetric Dirichlet.")
        return prior, PRIORS[prior]
    low, high = STRENGTHS
    if not is_number(prior) or not (low <= prior <= high or prior == math.inf):
        allowed = f"[{low:g}, {high:g}]"
        raise OutOfRange("prior", prior, allowed, hint="Or say 'frequencies' (1) or 'datasets' (infinity).")
    strength = float(prior)
    return next((word for word, alpha in PRIORS.items() if alpha == strength), "Dirichlet"), strength


def check_adversary(adversary: str, setting: Setting) -> None:
    """Refuse adversaries that are unknown, or impossible: nobody is outside a sample of everybody."""
    if adversary not in ADVERSARIES:
        raise UnknownChoice("adversary", adversary, ADVERSARIES)
    if adversary == "out" and max(setting.samples) == setting.population:
        raise OutOfRange(
            "sample",
            setting.population,
            f"[1, {setting.population - 1}] for adversary 'out'",
            hint="When everybody is in the sample, nobody is outside.",
        )
