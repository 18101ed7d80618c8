"""What a release draws where the noise assessed is of real numbers, and what that gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.vocabulary.wording import LEAST, hundredths_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable

OPENING: Final = "A release publishes whole numbers:"
NAMES: Final = {"geometric": "geometric", "discrete-gaussian": "discrete Gaussian"}
KEPT: Final = "The noise that a release draws keeps the risk target of {target}."
MISSED: Final = (
    "The noise that a release draws misses the risk target of {target}. Choose again for that noise: --mechanism "
    "{noise}."
)
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
    return None if drawn is None else _note(freq, one, drawn)


def release_warnings(tables: Sequence[FrequencyTable], noise: Mechanism, max_risk: float) -> tuple[str, ...]:
    """Say for each attribute what a release draws instead and discloses, then whether the worst keeps a target.

    >>> from epsilometer import FrequencyTable
    >>> release_warnings([FrequencyTable.from_counts([[2, 0], [0, 2]])], Laplace(epsilon=1.0), 0.7)[-1]
    'The noise that a release draws keeps the risk target of 0.7.'
    """
    drawn = drawn_instead(noise)
    if drawn is None:
        return ()
    verdict = KEPT if max(_disclosed(freq, drawn) for freq in tables) <= max_risk else MISSED
    return (*(_note(freq, noise, drawn) for freq in tables), verdict.format(target=f"{max_risk:g}", noise=drawn.name))


def _disclosed(freq: FrequencyTable, noise: Mechanism) -> float:
    return float(homogeneity_risk(freq, noise, average="records").value)


def _note(freq: FrequencyTable, one: Mechanism, drawn: Mechanism) -> str:
    there, here = (hundredths_up(max(_disclosed(freq, each), LEAST)) for each in (drawn, one))
    return (
        f"{OPENING} it draws {NAMES[drawn.name]} noise at the same ε. "
        f"At ε = {one.epsilon:g} it discloses the {' and '.join(freq.sensitive)} of at most {there} % of the people, "
        f"against at most {here} % with the noise assessed."
    )
