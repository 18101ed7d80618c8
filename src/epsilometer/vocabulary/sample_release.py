"""A release by sampling: the histogram of some of the people, with or without noise."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from epsilometer.vocabulary.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.vocabulary.arrays import IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleGuarantee:
    """What sampling followed by noise guarantees: one person's value may be replaced by another.

    Attributes:
        noise_epsilon, noise_delta: the guarantee of the noise alone, for people in the sample.
        epsilon, delta: the guarantee for everybody in the population, who may not have been drawn.
    """

    noise_epsilon: float
    noise_delta: float
    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRelease:
    """What is published, and what the attacker and the analyst believe before they see it.

    Attributes:
        population: number of people n.
        sample: number of people in the sample m, several of them for a curve, ``None`` if no size fits.
        n_values: number of values of the attribute K.
        prior: ``"frequencies"``, ``"datasets"`` or ``"Dirichlet"``.
        alpha: the strength of the symmetric Dirichlet belief about the shares; infinite for ``"datasets"``.
        mechanism: the noise on the histogram, as :meth:`Mechanism.describe` gives it; ``None`` without noise.
        guarantee: what sampling and noise guarantee together; ``None`` without noise.
    """

    population: int
    sample: int | tuple[int, ...] | None
    n_values: int
    prior: str
    alpha: float
    mechanism: Mapping[str, Any] | None = None
    guarantee: SampleGuarantee | None = None

    @property
    def sizes(self) -> IntArray:
        """The sizes as an array, also where there is only one, or none."""
        return np.array([] if self.sample is None else np.ravel(self.sample), dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "population": self.population,
            "sample": plain(self.sample),
            "n_values": self.n_values,
            "prior": self.prior,
            "alpha": plain(self.alpha),
            "mechanism": plain(self.mechanism),
            "guarantee": None if self.guarantee is None else plain(asdict(self.guarantee)),
        }
