"""Noise for what is released: OpenDP's for a real release, a seeded simulation for experiments that release nothing."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opendp.mod import Measurement

    from epsilometer.vocabulary.arrays import FloatArray, IntArray

AT_ONCE: Final = 2**17  # numbers handed to OpenDP together, as Python objects
REACH: Final = 40  # standard deviations beyond which a Gaussian is zero in double precision


class Noise(Protocol):
    """What a release asks of chance where privacy depends on it.

    On a cluster each worker draws from a copy of its own: real noise has no state that the copies could share.

    ``scale`` is the sensitivity over epsilon throughout; the caller knows the sensitivity of what it asks.
    """

    def whole(self, values: IntArray, scale: float) -> IntArray:
        """Add two-sided geometric noise, the Laplace of whole numbers, independently to each of the numbers."""

    def whole_gaussian(self, values: IntArray, sigma: float) -> IntArray:
        """Add discrete Gaussian noise independently to each of the numbers."""

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        """Add Laplace noise independently to each of the numbers."""

    def choose(self, scores: FloatArray, scale: float) -> int:
        """Choose the position of the largest score after exponential noise of twice the scale on each.

        That is permute-and-flip, never worse than the exponential mechanism of the same epsilon.
        """

    def keyed(self, keys: Sequence[object], counts: IntArray, scale: float) -> IntArray:
        """Add noise as :meth:`whole` does to the counts of values that occur, of which only frequent ones are shown."""

    def measured(self, measurement: Measurement, data: Any) -> Any:  # noqa: ANN401  (what a measurement of OpenDP takes and gives)
        """Ask a measurement of OpenDP, which draws its own noise."""


class _OfOpenDP:
    """What is the same for every noise: the counts of values that occur, and the measurements of OpenDP."""

    def keyed(self: Noise, keys: Sequence[object], counts: IntArray, scale: float) -> IntArray:
        del keys
        return self.whole(counts, scale)

    def measured(self, measurement: Measurement, data: Any) -> Any:  # noqa: ANN401
        return measurement(data)


class ReleaseNoise(_OfOpenDP):
    """OpenDP's noise, from the operating system's randomness; it has no seed."""

    def whole(self, values: IntArray, scale: float) -> IntArray:
        return _measured(_laplace("i64", scale), np.asarray(values, dtype=np.int64))

    def whole_gaussian(self, values: IntArray, sigma: float) -> IntArray:
        return _measured(_gaussian(sigma), np.asarray(values, dtype=np.int64))

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        return _measured(_laplace("f64", scale), np.asarray(values, dtype=np.float64))

    def choose(self, scores: FloatArray, scale: float) -> int:
        return int(_largest(2 * scale)(scores.tolist()))


@lru_cache(maxsize=64)
def _laplace(kind: str, scale: float) -> Measurement:
    """OpenDP's noise of one scale, for vectors of one kind of numbers; building it takes longer than a small draw."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=kind, nan=False)), dp.l1_distance(T=kind)
    return dp.m.make_laplace(*space, scale=scale)


@lru_cache(maxsize=64)
def _gaussian(sigma: float) -> Measurement:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64", nan=False)), dp.l2_distance(T="i64")
    return dp.m.make_gaussian(*space, scale=sigma)


@lru_cache(maxsize=64)
def _largest(scale: float) -> Measurement:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="f64", nan=False)), dp.linf_distance(T="f64")
    return dp.m.make_noisy_max(*space, dp.max_divergence(), scale=scale)


def _measured(measurement: Measurement, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Each of the numbers with noise, a part of them at a time: as Python objects they take ten times the memory."""
    flat = values.ravel()
    noisy = np.empty_like(flat)
    for start in range(0, len(flat), AT_ONCE):
        noisy[start : start + AT_ONCE] = measurement(flat[start : start + AT_ONCE].tolist())
    return noisy.reshape(values.shape)


class SimulatedNoise(_OfOpenDP):
    """The same laws from a seed: for measuring what a method does at some epsilon, never for a release."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def whole(self, values: IntArray, scale: float) -> IntArray:
        stop = -np.expm1(-1 / scale)
        return values + self._rng.geometric(stop, values.shape) - self._rng.geometric(stop, values.shape)

    def whole_gaussian(self, values: IntArray, sigma: float) -> IntArray:
        steps = np.arange(-math.ceil(REACH * sigma), math.ceil(REACH * sigma) + 1)
        weights = np.exp(-0.5 * (steps / sigma) ** 2)
        return values + self._rng.choice(steps, values.shape, p=weights / weights.sum())

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        return values + self._rng.laplace(0.0, scale, values.shape)

    def choose(self, scores: FloatArray, scale: float) -> int:
        return int(np.argmax(scores + self._rng.exponential(2 * scale, scores.shape)))
