"""The numbers that Paper 004 prints, next to ours.

The columns that its tables call predicted follow from three of the real ones each, which is what is compared here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.formulas.disclosure_noise import published_epsilon_for_noise
from epsilometer.formulas.risk_curves import fit_risk_curve
from epsilometer.mechanisms import Laplace
from epsilometer.neighbors import candidate_probability
from epsilometer.reproduction.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.arrays import FloatArray

PAPER: Final = "004"


class Table(NamedTuple):
    """A table of the paper: what a curve through some of its rows says at all of them.

    Attributes:
        place: its number.
        quantity: what was measured.
        family: the kind of curve.
        trained_on: the epsilons that the curve was fitted to; the paper does not say which in Table 1.
        real: what was measured, by epsilon.
        predicted: what the curve says, as printed.
        why_not: what explains a difference.
    """

    place: str
    quantity: str
    family: str
    trained_on: tuple[float, ...]
    real: dict[float, float]
    predicted: tuple[str, ...]
    why_not: str = ""

    def ours(self) -> FloatArray:
        """Predict all rows, those outside the training range too, as the paper does."""
        curve = fit_risk_curve(self.trained_on, [self.real[epsilon] for epsilon in self.trained_on], self.family)
        return curve.predictor(np.array(list(self.real)))

    def held_out(self) -> list[tuple[float, str, float]]:
        """Return epsilon, prediction as printed and real value of the rows that the curve was not fitted to."""
        return [
            (epsilon, printed, real)
            for (epsilon, real), printed in zip(self.real.items(), self.predicted, strict=True)
            if epsilon not in self.trained_on
        ]


VARIANCE_ERRORS: Final = {
    0.01: 91.1924361,
    0.05: 9.1253869,
    0.1: 3.1175912,
    0.5: 0.6377946,
    1.0: 0.4102599,
    5.0: 0.1385792,
    10.0: 0.1335111,
}
TRAINING: Final = (0.01, 0.5, 10.0)
RISK: Final = Table(
    place="Table 1",
    quantity="risk distance",
    family="reciprocal-2",
    trained_on=(0.02, 0.1, 1.0),
    real={0.02: 37, 0.05: 34, 0.1: 18, 0.5: 6, 1.0: 6, 5.0: 5, 10.0: 5},
    predicted=("37", "28", "18", "7", "6", "5", "5"),
)
FIRST_DEGREE: Final = Table(
    place="Table 2",
    quantity="variance error, %",
    family="reciprocal-1",
    trained_on=TRAINING,
    real=VARIANCE_ERRORS,
    predicted=("91.1805406", "17.7786689", "8.6034350", "1.2632478", "0.3457244", "-0.3882943", "-0.4800466"),
)
SECOND_DEGREE: Final = Table(
    place="Table 3",
    quantity="variance error, %",
    family="reciprocal-2",
    trained_on=TRAINING,
    real=VARIANCE_ERRORS,
    predicted=("91.1924361", "7.7767367", "3.2832387", "0.6377946", "0.3664488", "0.1588656", "0.1335111"),
    why_not="Within what the seven decimals of the three errors it is fitted to leave open.",
)
TABLES: Final = (RISK, FIRST_DEGREE, SECOND_DEGREE)

ORIGINAL: Final = ((3, 5, 1, 2, 3), (8, 1, 2, 3, 4), (2, 2, 3, 4, 5))
SYNTHETIC: Final = ((4, 5, 1, 2, 3), (8, 7, 2, 3, 4), (3, 1, 2, 3, 4))
CLIQUES: Final = ((0,), (1,), (2, 3, 4))


def all_comparisons() -> tuple[Comparison, ...]:
    """Return the printed numbers in the order of the paper."""
    return (*_example(), *_baseline(), *(row for table in TABLES for row in _predictions(table)))


def _row(place: str, quantity: str, printed: str, ours: float, why_not: str = "") -> Comparison:
    return Comparison(paper=PAPER, place=place, quantity=quantity, printed=printed, ours=ours, why_not=why_not)


def _example() -> Iterator[Comparison]:
    p = candidate_probability(ORIGINAL, SYNTHETIC, CLIQUES)
    yield _row("Section 3.2.4", "attack probability p of the example", "2/27", float(p))


def two_deviations() -> tuple[float, float]:
    """Probability that Laplace noise stays within plus or minus two standard deviations, and below two."""
    below = float(Laplace(epsilon=published_epsilon_for_noise(1.0)).probability_below(1.0))
    return 2 * below - 1, below


def _baseline() -> Iterator[Comparison]:
    for side, ours in zip(("within ± 2σ", "below 2σ"), two_deviations(), strict=True):
        yield _row("Section 3.2.5", f"Laplace noise stays {side}", "95%", ours, "R4.")


def _predictions(table: Table) -> Iterator[Comparison]:
    for epsilon, printed, ours in zip(table.real, table.predicted, table.ours().tolist(), strict=True):
        role = "training point" if epsilon in table.trained_on else "predicted"
        yield _row(table.place, f"{table.quantity}, ε = {epsilon:g} ({role})", printed, ours, table.why_not)
