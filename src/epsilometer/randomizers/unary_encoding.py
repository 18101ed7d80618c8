"""Optimised unary encoding: a yes or no for each value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.randomizers.randomizer import MarkingRandomizer, checked_codes

if TYPE_CHECKING:
    from epsilometer.randomizers.randomness import Bits
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

MOST_VALUES_LISTED: Final = 12  # 2^12 outputs


@dataclass(frozen=True, kw_only=True)
class UnaryEncoding(MarkingRandomizer):
    """One bit for each of K values: set with probability 1/2 for one's own, 1/(e^epsilon + 1) for others: epsilon-LDP.

    A report is a row of K bits. For many values its estimates vary less than those of randomised response.

    >>> UnaryEncoding(epsilon=1.0, n_values=2).channel().round(4)
    array([[0.3655, 0.3655, 0.1345, 0.1345],
           [0.3655, 0.1345, 0.3655, 0.1345]])
    """

    name: ClassVar[str] = "unary-encoding"

    @property
    def true_rate(self) -> float:
        return 0.5

    @property
    def false_rate(self) -> float:
        return math.exp(-self.epsilon) / (1 + math.exp(-self.epsilon))

    @property
    def guarantee(self) -> str:
        return (
            f"No row of bits is more than e^{self.epsilon:g} times as likely under one value as under another, and "
            "that factor is reached: pure local differential privacy, tight."
        )

    def channel(self) -> FloatArray:
        """Probabilities of each row of bits (column) given each value (row). Exact; for at most twelve values.

        Column o is the row of bits in which value k is marked if o // 2^k is odd.
        """
        if self.n_values > MOST_VALUES_LISTED:
            raise OutOfRange(
                "n_values", self.n_values, f"2, …, {MOST_VALUES_LISTED}",
                hint="The channel lists every row of bits; bayes_vulnerability answers for any number.",
            )  # fmt: skip
        marked = (np.arange(2**self.n_values) >> np.arange(self.n_values)[:, None]) & 1  # values x outputs
        q = self.false_rate
        unmarked_everywhere = q ** marked.sum(axis=0) * (1 - q) ** (1 - marked).sum(axis=0)
        return unmarked_everywhere * np.where(marked, 0.5 / q, 0.5 / (1 - q))

    def bayes_vulnerability(self, prior: ArrayLike) -> float:
        r"""How likely is the best guess of a value to be right, once its report is seen? Exact, any K.

        Seeing its bit multiplies the belief in a value by :math:`\tfrac1{2q}` or :math:`\tfrac1{2(1-q)}`, whatever
        the others' bits. The best guess is therefore the likeliest marked value, unless the likeliest of all,
        unmarked, still beats it. With :math:`\pi_1 \ge \pi_2 \ge \dots` and J values of
        :math:`\pi_j > \pi_1 e^{-\varepsilon}`,

        .. math:: V = \sum_{j \le J} \tfrac12 \pi_j (1-q)^{j-1} + \tfrac12 \pi_1 (1-q)^{J-1}.

        >>> round(UnaryEncoding(epsilon=1.0, n_values=3).bayes_vulnerability([0.5, 0.3, 0.2]), 6)
        0.546715
        """
        likeliest_first = np.sort(np.asarray(prior, dtype=np.float64))[::-1]
        contenders = likeliest_first[likeliest_first > likeliest_first[0] * math.exp(-self.epsilon)]
        all_before_unmarked = (1 - self.false_rate) ** np.arange(len(contenders))
        return float(0.5 * (contenders @ all_before_unmarked + contenders[0] * all_before_unmarked[-1]))

    def marks(self, reports: ArrayLike) -> IntArray:
        bits = np.asarray(reports)
        if bits.ndim != 2 or bits.shape[1] != self.n_values or not ((bits == 0) | (bits == 1)).all():  # noqa: PLR2004
            raise BadCounts(f"Reports of unary encoding are rows of {self.n_values} bits, 0 or 1; got {bits.shape}.")
        return bits.sum(axis=0, dtype=np.int64)

    def simulate(self, values: ArrayLike, rng: np.random.Generator) -> Bits:
        codes = checked_codes(values, self.n_values)
        bits = rng.random((len(codes), self.n_values)) < self.false_rate
        bits[np.arange(len(codes)), codes] = rng.random(len(codes)) < self.true_rate
        return bits.astype(np.uint8)
