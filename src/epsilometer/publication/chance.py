"""Everything that chance decides in a release, in one place: real for a release, replayed for a transcript."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.randomizers.drawing import draw
from epsilometer.randomizers.randomness import random_numbers, random_order
from epsilometer.synthesizers.noise import ReleaseNoise

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.randomizers.drawing import Reports
    from epsilometer.randomizers.randomizer import Randomizer
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import ArrayLike, IntArray


@dataclass(frozen=True, kw_only=True)
class Chance:
    """What a release asks of chance; as it is, the operating system's randomness.

    Attributes:
        noise: on counts, and wherever else privacy depends on it.
        order: the first numbers of a random permutation: who is drawn, and in which order reports appear.
        numbers: independent uniform whole numbers below a bound: what stands for a value that is missing.
        reports: what people report, by a randomiser and their values.
        rows: draws synthetic rows from a fitted model; privacy does not depend on it.
    """

    noise: Noise = field(default_factory=ReleaseNoise)
    order: Callable[[int, int], IntArray] = random_order
    numbers: Callable[[int, int], IntArray] = random_numbers
    reports: Callable[[Randomizer, ArrayLike], Reports] = draw
    rows: np.random.Generator = field(default_factory=np.random.default_rng)
