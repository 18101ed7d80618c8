"""Noise for synthesizers: OpenDP's for a real release, a seeded simulation for experiments that release nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from opendp.mod import Measurement

    from epsilometer.vocabulary.arrays import FloatArray, IntArray


class Noise(Protocol):
    """What a synthesizer asks of chance where privacy depends on it.

    ``scale`` is the sensitivity over epsilon throughout; the caller knows the sensitivity of what it asks.
    """

    def whole(self, values: IntArray, scale: float) -> IntArray:
        """Add two-sided geometric noise, the Laplace of whole numbers, independently to each of the numbers."""

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        """Add Laplace noise independently to each of the numbers."""

    def choose(self, scores: FloatArray, scale: float) -> int:
        """Choose the position of the largest score after exponential noise of twice the scale on each.

        That is permute-and-flip, never worse than the exponential mechanism of the same epsilon.
        """


class ReleaseNoise:
    """OpenDP's noise, from the operating system's randomness; it has no seed."""

    def whole(self, values: IntArray, scale: float) -> IntArray:
        flat = _laplace("i64", scale)(values.ravel().tolist())
        return np.array(flat, dtype=np.int64).reshape(values.shape)

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        flat = _laplace("f64", scale)(values.ravel().tolist())
        return np.array(flat, dtype=np.float64).reshape(values.shape)

    def choose(self, scores: FloatArray, scale: float) -> int:
        import opendp.prelude as dp

        dp.enable_features("contrib")
        space = dp.vector_domain(dp.atom_domain(T="f64", nan=False)), dp.linf_distance(T="f64")
        pick = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2 * scale)
        return int(pick(scores.tolist()))


@lru_cache(maxsize=64)
def _laplace(kind: str, scale: float) -> Measurement:
    """OpenDP's noise of one scale, for vectors of one kind of numbers; building it takes longer than a small draw."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=kind, nan=False)), dp.l1_distance(T=kind)
    return dp.m.make_laplace(*space, scale=scale)


class SimulatedNoise:
    """The same laws from a seed: for measuring what a method does at some epsilon, never for a release."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def whole(self, values: IntArray, scale: float) -> IntArray:
        stop = -np.expm1(-1 / scale)
        return values + self._rng.geometric(stop, values.shape) - self._rng.geometric(stop, values.shape)

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        return values + self._rng.laplace(0.0, scale, values.shape)

    def choose(self, scores: FloatArray, scale: float) -> int:
        return int(np.argmax(scores + self._rng.exponential(2 * scale, scores.shape)))
