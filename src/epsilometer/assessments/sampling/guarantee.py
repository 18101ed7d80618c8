"""What sampling followed by noise guarantees to everybody in the population."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.formulas.amplification import (
    discrete_gaussian_guarantee,
    epsilon_after_sampling,
    gaussian_guarantee,
    laplace_guarantee,
)
from epsilometer.mechanisms import DiscreteGaussian, Gaussian
from epsilometer.vocabulary.sample_release import SampleGuarantee

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism


def guarantee_of(mechanism: Mechanism, population: int, sample: int, n_values: int) -> SampleGuarantee:
    """Return the guarantee for replacing one person's value; the size of the sample is public.

    Two values are published as one count, which a replacement moves by one; more values as their counts, of which
    a replacement moves two. What the noise guarantees is read off its scale, whatever it was calibrated for.
    """
    scale, delta, rate = float(mechanism.scale), mechanism.delta, sample / population  # type: ignore[arg-type]
    if isinstance(mechanism, DiscreteGaussian):
        epsilon = discrete_gaussian_guarantee(scale, n_values, delta=delta)
    elif isinstance(mechanism, Gaussian):
        epsilon = gaussian_guarantee(scale, n_values, delta=delta)
    else:
        epsilon = laplace_guarantee(scale, n_values)
    return SampleGuarantee(
        noise_epsilon=epsilon,
        noise_delta=delta,
        epsilon=epsilon_after_sampling(epsilon, rate),
        delta=rate * delta,
    )
