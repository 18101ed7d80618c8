"""Chance that is recorded in one run and replayed in another, and what the questions to it differ by.

A release is a chain of questions to noise and of what is made of the answers. If two neighbouring files get the same
answers, everything after them must be the same; and the questions themselves may differ by no more than was paid for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from epsilometer.publication.chance import Chance
from epsilometer.synthesizers.noise import SimulatedNoise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opendp.mod import Measurement

    from epsilometer.randomizers.randomizer import Randomizer
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


class Question(NamedTuple):
    """One question to chance.

    Attributes:
        kind: which noise was asked for.
        asked: the true numbers, or the true rows.
        scale: of the noise.
        answer: what came back.
    """

    kind: str
    asked: Any
    scale: float
    answer: Any


class QuestionsDiffer(Exception):
    """Two runs did not ask the same questions: what was asked depends on the rows."""


@dataclass
class Recorder:
    """Simulated noise that keeps every question with its answer; with ``silent`` it adds nothing."""

    seed: int
    silent: bool = False
    questions: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._noise = SimulatedNoise(self.seed)

    def _kept(self, kind: str, asked: Any, scale: float, answer: Any) -> Any:  # noqa: ANN401
        self.questions.append(Question(kind, asked, scale, answer))
        return answer

    def whole(self, values: IntArray, scale: float) -> IntArray:
        values = np.asarray(values)
        return self._kept("geometric", values, scale, values if self.silent else self._noise.whole(values, scale))

    def whole_gaussian(self, values: IntArray, sigma: float) -> IntArray:
        values = np.asarray(values)
        answer = values if self.silent else self._noise.whole_gaussian(values, sigma)
        return self._kept("gaussian", values, sigma, answer)

    def real(self, values: FloatArray, scale: float) -> FloatArray:
        return self._kept("laplace", np.asarray(values), scale, self._noise.real(np.asarray(values), scale))

    def choose(self, scores: FloatArray, scale: float) -> int:
        return self._kept("choice", np.asarray(scores), scale, self._noise.choose(np.asarray(scores), scale))

    def keyed(self, keys: Sequence[object], counts: IntArray, scale: float) -> IntArray:
        return self._kept("keyed", dict(zip(keys, counts.tolist(), strict=True)), scale, np.asarray(counts))

    def measured(self, measurement: Measurement, data: Any) -> Any:  # noqa: ANN401
        return self._kept("opendp", data, math.nan, measurement(data))

    def chance(self) -> Chance:
        """Return everything that chance decides, recorded."""

        def order(n: int, first: int) -> IntArray:
            return self._kept("order", n, math.nan, np.random.default_rng([self.seed, n]).permutation(n)[:first])

        def numbers(bound: int, n: int) -> IntArray:
            drawn = np.random.default_rng([self.seed, n, bound]).integers(0, bound, n)
            return self._kept("numbers", n, math.nan, drawn)

        def reports(randomizer: Randomizer, values: ArrayLike) -> Any:  # noqa: ANN401
            drawn = randomizer.simulate(np.asarray(values), np.random.default_rng(self.seed))
            return self._kept("reports", np.asarray(values), math.nan, drawn)

        return Chance(noise=self, order=order, numbers=numbers, reports=reports, rows=np.random.default_rng(self.seed))


@dataclass
class Replay(Recorder):
    """The answers of an earlier run, given again whatever is asked; the questions are kept to be compared."""

    earlier: Sequence[Question] = ()

    def _kept(self, kind: str, asked: Any, scale: float, answer: Any) -> Any:  # noqa: ANN401
        if len(self.questions) >= len(self.earlier):
            raise QuestionsDiffer(f"{len(self.questions) + 1} questions instead of {len(self.earlier)}")
        before = self.earlier[len(self.questions)]
        self.questions.append(Question(kind, asked, scale, answer))
        if (before.kind, before.scale) != (kind, scale) and not (before.kind == kind and math.isnan(scale)):
            raise QuestionsDiffer(f"{kind} noise of scale {scale:g} instead of {before.kind} of {before.scale:g}")
        if kind == "keyed":
            return np.array([before.asked.get(key, 0) for key in asked], dtype=np.int64)
        if self.silent:
            return answer
        if np.shape(asked) != np.shape(before.asked) and kind != "opendp":
            raise QuestionsDiffer(f"{np.shape(asked)} numbers instead of {np.shape(before.asked)}")
        return before.answer

    def measured(self, measurement: Measurement, data: Any) -> Any:  # noqa: ANN401
        del measurement
        return self._kept("opendp", data, math.nan, None)


def costs(one: Sequence[Question], other: Sequence[Question]) -> tuple[float, float]:
    """Return what the questions of two runs differ by: the epsilon of pure noises, and the rho of Gaussian ones.

    >>> before = Question("geometric", np.array([3, 1]), 2.0, None)
    >>> costs([before], [before._replace(asked=np.array([3, 2]))])
    (0.5, 0.0)
    """
    if len(one) != len(other):
        raise QuestionsDiffer(f"{len(other)} questions instead of {len(one)}")
    pairs = list(zip(one, other, strict=True))
    return math.fsum(_epsilon(*pair) for pair in pairs), math.fsum(_rho(*pair) for pair in pairs)


def _epsilon(one: Question, other: Question) -> float:
    if one.kind in {"geometric", "laplace"}:
        return float(np.abs(one.asked - other.asked).sum()) / one.scale
    if one.kind == "choice":
        return float(np.abs(one.asked - other.asked).max(initial=0.0)) / one.scale
    if one.kind == "keyed":
        return _apart(one.asked, other.asked) / one.scale
    return 0.0


def _apart(one: Mapping[object, int], other: Mapping[object, int]) -> int:
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other})


def _rho(one: Question, other: Question) -> float:
    if one.kind != "gaussian":
        return 0.0
    return float(((one.asked - other.asked) ** 2).sum()) / (2 * one.scale**2)


def positions_apart(one: Question, other: Question) -> int:
    """Return how many people have another value in two runs that ask for their reports."""
    return int((one.asked != other.asked).sum())
