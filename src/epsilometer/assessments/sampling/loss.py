"""How far off an analyst is who estimates the population's shares from a published sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.assessments.sampling.risk import exact_strength
from epsilometer.assessments.sampling.setting import TWO, checked_setting
from epsilometer.formulas import sampling
from epsilometer.vocabulary.sample_loss import SampleLoss
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from epsilometer.assessments.sampling.setting import Setting
    from epsilometer.formulas.sampling.bracket import Bracket
    from epsilometer.mechanisms import Mechanism

SHORT: Final = 100  # populations up to this are also answered as a fraction


def sampling_utility_loss(
    *,
    population: int,
    sample: int | Sequence[int],
    prior: str | float = "frequencies",
    n_values: int = TWO,
    mechanism: Mechanism | None = None,
) -> SampleLoss:
    """Expected error of the shares that an analyst estimates from the histogram of a random sample.

    For two values it is the expected distance of the best guess of one share from the truth, as in Paper 002; for
    more it is the expected total variation distance of the posterior mean from the true shares.

    Args:
        population: number of people.
        sample: number of people in the sample; several ask for a curve.
        prior: what the analyst believes of the shares, as in :func:`sampling_risk`.
        n_values: number of values of the attribute.
        mechanism: noise on the histogram.

    >>> sampling_utility_loss(population=2, sample=1).fraction
    Fraction(1, 6)
    >>> round(sampling_utility_loss(population=1_000_000, sample=100).value, 9)
    0.03108337
    """
    setting = checked_setting(population=population, sample=sample, prior=prior, n_values=n_values, mechanism=mechanism)
    best = "guesses the median" if setting.n_values == TWO else "takes the posterior mean"
    formula = sampling.median_loss if setting.n_values == TWO else sampling.shares_loss
    return SampleLoss(
        question="How far is an analyst's estimate of the population's shares from the truth?",
        release=setting.release,
        answer=setting.answer([loss_of(setting, m) for m in setting.samples]),
        fraction=_fraction(setting),
        no_release=prior_loss_of(setting),
        assumptions=(
            "Every group of so many people is equally likely to be drawn.",
            f"The analyst has the same prior belief as the attacker and {best} of what is left possible.",
        ),
        source=sources_of(formula),
    )


def loss_of(setting: Setting, m: int) -> Bracket:
    """Return the analyst's expected error for one sample size."""
    n, k, alpha, noise = setting.population, setting.n_values, setting.alpha, setting.mechanism
    if k == TWO:
        return sampling.median_loss(n, m, alpha) if noise is None else sampling.noisy_loss(n, m, alpha, noise)
    if noise is None:
        return sampling.shares_loss(n, m, k, alpha)
    return sampling.noisy_shares_loss(n, m, k, alpha, noise)


def prior_loss_of(setting: Setting) -> float:
    """Return the analyst's expected error without a release."""
    n, k, alpha = setting.population, setting.n_values, setting.alpha
    return float(sampling.prior_loss(n, alpha) if k == TWO else sampling.prior_shares_loss(n, k, alpha))


def _fraction(setting: Setting) -> Fraction | None:
    """Return the answer as a fraction, if it is exact and the population small."""
    strength = exact_strength(setting.alpha)
    if not setting.single or setting.mechanism is not None or setting.population > SHORT or strength is None:
        return None
    n, m, k = setting.population, setting.samples[0], setting.n_values
    if k == TWO:
        return sampling.loss_fractions.median_loss(n, m, strength)
    return sampling.loss_fractions.shares_loss(n, m, k, strength)
