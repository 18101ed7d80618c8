"""How well an attacker names one person's value after a sample was published."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.sampling.setting import TWO, check_adversary, checked_setting
from epsilometer.errors import OutOfRange
from epsilometer.formulas import sampling
from epsilometer.formulas.sampling.bracket import Bracket
from epsilometer.vocabulary.profile import whole_counts
from epsilometer.vocabulary.sample_risk import SampleRisk
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.sampling.setting import Setting
    from epsilometer.mechanisms import Mechanism
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.source import Source

SHORT: Final = 30  # sample sizes up to this are also answered as a fraction
KNOWS: Final = {
    "in": "knows that the target is in the sample",
    "out": "knows that the target is not in the sample",
    "unknown": "does not know whether the target is in the sample",
}
BELIEVES: Final = {
    "frequencies": "Before the release every share of every value is equally likely to the attacker.",
    "datasets": "Before the release every table is equally likely to the attacker: people are independent.",
    "Dirichlet": "Before the release the shares have a symmetric Dirichlet distribution to the attacker.",
}
NO_OTHER_FACTS: Final = (
    "The number is about a person for whom the attacker has no other facts; one whose group is known can be told from "
    "the shares of that group."
)
INDEPENDENT: Final = (
    "People who are independent of each other tell nothing about those outside the sample; in real tables they do. "
    "The prior on frequencies is the safer reading."
)


def sampling_risk(
    *,
    population: int,
    sample: int | Sequence[int] | None = None,
    adversary: str = "unknown",
    prior: str | float = "frequencies",
    n_values: int | None = None,
    mechanism: Mechanism | None = None,
    histogram: ArrayLike | None = None,
) -> SampleRisk:
    """Probability that an attacker names a person's value once the histogram of a random sample is published.

    Args:
        population: number of people.
        sample: number of people in the sample; several ask for a curve.
        adversary: ``"in"`` or ``"out"`` if the attacker knows where the target is, else ``"unknown"``.
        prior: what the attacker believes of the shares: ``"frequencies"`` (every share equally likely),
            ``"datasets"`` (every table equally likely), or the strength of a symmetric Dirichlet.
        n_values: number of values of the attribute; two if nothing else is said.
        mechanism: noise on the histogram: on the one count that two values need, or on each of several.
        histogram: the published counts, to ask about this one sample instead of the average over samples.

    >>> sampling_risk(population=2, sample=1).fraction
    Fraction(5, 6)
    >>> round(sampling_risk(population=1_000_000, sample=500, adversary="in").value, 6)
    0.750499
    """
    if histogram is not None:
        counts = whole_counts([histogram])[0]  # type: ignore[arg-type]
        _check_redundant(counts, sample, n_values, mechanism)
        return _given(counts, population=population, adversary=adversary, prior=prior)
    if sample is None:
        raise OutOfRange("sample", None, f"[1, {population}]", hint="Give the sample's size or its histogram.")
    setting = checked_setting(
        population=population,
        sample=sample,
        prior=prior,
        n_values=TWO if n_values is None else n_values,
        mechanism=mechanism,
    )
    check_adversary(adversary, setting)
    brackets = [vulnerability_of(setting, m, adversary) for m in setting.samples]
    return SampleRisk(
        question=f"How likely does an attacker who {KNOWS[adversary]} name the target's value?",
        release=setting.release,
        adversary=adversary,
        answer=setting.answer(brackets),
        fraction=_fraction(setting, adversary),
        no_release=1 / setting.n_values,
        any_table=_any_table(setting),
        assumptions=_assumptions(setting),
        caveats=_caveats(setting),
        source=_source(setting, adversary),
    )


def vulnerability_of(setting: Setting, m: int, adversary: str) -> Bracket:
    """Return the attacker's chance for one sample size."""
    n, k, alpha = setting.population, setting.n_values, setting.alpha
    named = _named_count(m, k, alpha, setting.mechanism)
    chance = {
        "in": sampling.inside_of(named, m),
        "out": sampling.outside_of(named, m, k, alpha),
        "unknown": sampling.unknown_of(named, n, m, k, alpha),
    }[adversary]
    return Bracket(*(min(1.0, number) for number in chance))  # rounding may have added to a certainty


@lru_cache(maxsize=1024)  # all three adversaries rest on it
def _named_count(m: int, n_values: int, alpha: float, noise: Mechanism | None) -> Bracket:
    """Return how many people in the sample have the value that the attacker names, on average."""
    if noise is None:
        return sampling.expected_largest_count(m, n_values, alpha)
    if n_values == TWO:
        return Bracket.exactly(m * float(sampling.noisy_inside(m, alpha, noise)))
    return sampling.expected_winner_count(m, n_values, alpha, noise)


def _check_redundant(
    counts: IntArray, sample: ArrayLike | None, n_values: ArrayLike | None, mechanism: Mechanism | None
) -> None:
    """Refuse what contradicts the histogram."""
    drawn, length = counts.sum(), len(counts)
    if mechanism is not None:
        raise OutOfRange("mechanism", mechanism.name, "the releases without noise", hint="Leave the noise out.")
    if sample is not None and not np.array_equal(sample, drawn):
        raise OutOfRange("sample", sample, f"{{{drawn}}}, the sum of the histogram", hint="Leave it out.")
    if n_values is not None and not np.array_equal(n_values, length):
        raise OutOfRange("n_values", n_values, f"{{{length}}}, the length of the histogram", hint="Leave it out.")


def _given(counts: IntArray, *, population: int, adversary: str, prior: str | float) -> SampleRisk:
    """Return the attacker's chance after one particular histogram."""
    setting = checked_setting(
        population=population, sample=int(counts.sum()), prior=prior, n_values=len(counts), mechanism=None
    )
    check_adversary(adversary, setting)
    chances = {
        "in": sampling.inside_given(counts),
        "out": sampling.outside_given(counts, setting.alpha),
        "unknown": sampling.unknown_given(setting.population, counts, setting.alpha),
    }
    shown = ", ".join(f"{count:,}" for count in counts)
    return SampleRisk(
        question=f"How likely does an attacker who {KNOWS[adversary]} name the target's value after seeing {shown}?",
        release=setting.release,
        adversary=adversary,
        answer=setting.answer([Bracket.exactly(chances[adversary])]),
        fraction=None,
        no_release=1 / setting.n_values,
        any_table=1.0,
        assumptions=_assumptions(setting),
        caveats=_caveats(setting),
        source=_source(setting, adversary),
    )


def _fraction(setting: Setting, adversary: str) -> Fraction | None:
    """Return the answer as a fraction, if it is exact and the sample small."""
    if not setting.single or setting.mechanism is not None or setting.samples[0] > SHORT:
        return None
    strength = exact_strength(setting.alpha)
    if strength is None:
        return None
    m, k = setting.samples[0], setting.n_values
    if adversary == "unknown":
        return sampling.exact_fractions.unknown(setting.population, m, k, strength)
    return (sampling.exact_fractions.inside if adversary == "in" else sampling.exact_fractions.outside)(m, k, strength)


def exact_strength(alpha: float) -> Fraction | float | None:
    """Return a Dirichlet strength as a simple fraction or as infinity; ``None`` if it is neither.

    >>> exact_strength(0.1), exact_strength(math.pi)
    (Fraction(1, 10), None)
    """
    if math.isinf(alpha):
        return alpha
    simple = Fraction(alpha).limit_denominator(1_000)
    return simple if float(simple) == alpha else None


def _any_table(setting: Setting) -> float | FloatArray:
    """Everybody has the same value: the attacker is right, unless noise hides it."""
    noise = setting.mechanism
    if noise is None:
        return 1.0
    worst = [sampling.noisy_any_population(m, setting.n_values, noise) for m in setting.samples]
    return setting.answer([Bracket.exactly(float(each)) for each in worst]).value


def _assumptions(setting: Setting) -> tuple[str, ...]:
    published = "the histogram of the sample is published as it is"
    if setting.mechanism is not None:
        what = "one count" if setting.n_values == TWO else "each count"
        published = f"the histogram of the sample is published with noise on {what}; the size of the sample is public"
    return (
        f"Every group of so many people is equally likely to be drawn; {published}.",
        BELIEVES[setting.prior],
        "The attacker knows nothing else of anybody, and always names the most probable value.",
    )


def _caveats(setting: Setting) -> tuple[str, ...]:
    return (NO_OTHER_FACTS, *((INDEPENDENT,) if setting.prior == "datasets" else ()))


def _source(setting: Setting, adversary: str) -> tuple[Source, ...]:
    if setting.mechanism is not None:
        return sources_of(sampling.noisy_inside if setting.n_values == TWO else sampling.noisy_counts_inside)
    return sources_of({"in": sampling.inside, "out": sampling.outside}.get(adversary, sampling.unknown))
