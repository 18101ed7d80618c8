"""What a release draws where the noise assessed is of real numbers, and what that gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.vocabulary.wording import hundredths_up

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable

OPENING: Final = "A release publishes whole numbers:"
NAMES: Final = {"geometric": "geometric", "discrete-gaussian": "discrete Gaussian"}
LARGEST_SCALE: Final = 10_000  # of Gaussian noise: with more of it whole numbers make no difference


def drawn_instead(noise: Mechanism) -> Mechanism | None:
    """Return the noise of whole numbers that a release draws for noise of real numbers; none where they are alike.

    >>> drawn_instead(Laplace(epsilon=0.5)).name
    'geometric'
    """
    if isinstance(noise, Laplace):
        return Geometric(epsilon=noise.epsilon, adjacency=noise.adjacency, threshold=noise.threshold)
    if (
        isinstance(noise, Gaussian)
        and noise.calibration == "analytic"  # a release keeps no other one
        and np.max(noise.sigma) <= LARGEST_SCALE
    ):
        return DiscreteGaussian(
            epsilon=noise.epsilon, delta=noise.delta, adjacency=noise.adjacency, threshold=noise.threshold
        )
    return None


def whole_number_note(freq: FrequencyTable, noise: Mechanism) -> str | None:
    """Say how many people the noise that a release draws discloses, at the first epsilon; exact, rounded up.

    >>> from epsilometer import FrequencyTable
    >>> whole_number_note(FrequencyTable.from_counts([[2, 0], [0, 2]]), Laplace(epsilon=1.0)).partition(".")[0]
    'A release publishes whole numbers: it draws geometric noise at the same ε'
    """
    one = noise.at(noise.epsilon[0] if isinstance(noise.epsilon, tuple) else noise.epsilon)
    drawn = drawn_instead(one)
    if drawn is None:
        return None
    there, here = (hundredths_up(float(homogeneity_risk(freq, each, average="records").value)) for each in (drawn, one))
    return (
        f"{OPENING} it draws {NAMES[drawn.name]} noise at the same ε. "
        f"At ε = {one.epsilon:g} it discloses the {' and '.join(freq.sensitive)} of at most {there} % of the people, "
        f"against at most {here} % with the noise assessed."
    )
