"""Choose epsilon without looking at any table: from public numbers alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.choosing.answer import Telling, answer, checked_targets
from epsilometer.assessments.choosing.axis import axis_named
from epsilometer.assessments.choosing.declared import N_CELLS, Cell, DeclaredCell, measures
from epsilometer.assessments.choosing.relaxations import larger_threshold, looser_target
from epsilometer.assessments.choosing.search import Problem
from epsilometer.assessments.numbers import whole
from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice
from epsilometer.formulas.empirical_bayes import CommonShares
from epsilometer.formulas.homogeneity import NegativeBinomial, Poisson
from epsilometer.formulas.homogeneity.expected import checked_shares
from epsilometer.mechanisms import Laplace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.choosing.declared import Measure
    from epsilometer.mechanisms import Mechanism
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.choice import Choice
    from epsilometer.vocabulary.relaxation import Relaxation

MOST_VALUES: Final = 1_000
LARGEST_CELL: Final = 100_000
LARGEST_OF_A_LAW: Final = 10_000  # every size up to it is gone through
LEFT_OVER: Final = 0.01
CAVEATS: Final = (
    "The choice is as good as what was declared: a table with smaller cells or other shares may fare worse.",
    "What is said of any table and of a person's own record holds whatever the table is.",
    "Loss is the mean total variation distance of the published shares of a cell from its own; an empty cell has 1.",
    f"The loss is simulated with {N_CELLS:,} declared cells, the same ones at every epsilon.",
)


def choose_without_looking(
    *,
    n_values: int,
    cell_size: int | Poisson | NegativeBinomial,
    max_risk: float,
    max_loss: float,
    mechanism: Mechanism | None = None,
    alpha: float | Sequence[float] | None = None,
    shares: Sequence[float] | None = None,
    risk: str = "declared",
) -> Choice:
    """Find every epsilon that meets two targets for a declared cell, without looking at any table.

    Args:
        n_values: number of sensitive values K.
        cell_size: people in a cell: a whole number, ``Poisson(rate)`` or ``NegativeBinomial(r, p)``.
        max_risk: the largest acceptable value of ``risk``.
        max_loss: the largest acceptable mean total variation distance of the published shares of a cell.
        mechanism: the noise; its own epsilon does not matter. Laplace noise if left out.
        alpha: what is believed of the shares of the values: weights of a Dirichlet law, one for all values or one
            for each; 1, all shares equally likely, if nothing is said.
        shares: or the shares themselves.
        risk: what ``max_risk`` is about: ``"declared"``, the share of such cells that are published with a single
            value that a member has; ``"any-table"``, the share of people disclosed in the worst table there could
            be; ``"own-record"``, how much better than a coin anyone tells a person's value from their own record.

    >>> choice = choose_without_looking(n_values=4, cell_size=40, max_risk=0.1, max_loss=0.1)
    >>> choice.looked_at_the_data, bool(0.4 < choice.recommended < 0.5)
    (False, True)
    """
    targets = checked_targets(max_risk, max_loss)
    noise = Laplace(epsilon=1.0) if mechanism is None else mechanism
    cell = Cell(_checked_size(cell_size), _prior(_checked_values(n_values), alpha, shares))
    measure = _measure(risk, cell)
    problem = _problem(cell, measure, noise)
    found = problem.search(targets)
    relaxations: list[Relaxation] = []
    if found.recommended is None:
        relaxations += looser_target(problem, found)
        relaxations += larger_threshold(noise, partial(_problem, cell, measure), targets)
    based_on = {
        "number of values": n_values,
        "people in a cell": _size_in_words(cell.size),
        "shares of the values": _prior_in_words(cell.prior),
        "risk": risk,
    }
    return answer(problem, found, relaxations, Telling(measure.phrase, looked=False, based_on=based_on), CAVEATS)


def _problem(cell: Cell, measure: Measure, noise: Mechanism) -> Problem:
    axis = axis_named("epsilon", noise)
    return Problem(axis, (DeclaredCell(cell, measure, axis),))


def _measure(name: str, cell: Cell) -> Measure:
    named = {measure.name: measure for measure in measures(cell)}
    if name not in named:
        raise UnknownChoice("risk", name, named)
    return named[name]


def _checked_values(n_values: object) -> int:
    return whole("n_values", n_values, 2, MOST_VALUES, hint="It is the number of sensitive values.")


def _checked_size(given: object) -> int | Poisson | NegativeBinomial:
    if isinstance(given, Poisson | NegativeBinomial):
        if given.probability_above(LARGEST_OF_A_LAW) > LEFT_OVER:
            likely = f"sizes up to {LARGEST_OF_A_LAW:,}"
            raise OutOfRange("cell_size", given, likely, hint="For larger cells give the people in one.")
        return replace(given, truncated=True)  # no cell of a table is empty
    return whole("cell_size", given, 1, LARGEST_CELL, hint="Give the people in a cell, or a law of them.")


def _prior(n_values: int, alpha: object, shares: Sequence[float] | None) -> FloatArray | CommonShares:
    if alpha is not None and shares is not None:
        raise BadQuestion("Give either alpha, what is believed of the shares, or the shares themselves.")
    if shares is not None:
        array = _numbers("shares", shares)
        if array.shape != (n_values,):
            raise BadQuestion(f"shares must be {n_values} numbers, one for each value, got {array.size}.")
        return CommonShares(checked_shares(shares))
    weights = _numbers("alpha", 1.0 if alpha is None else alpha)
    if weights.shape not in ((), (n_values,)) or not ((weights > 0) & (weights < np.inf)).all():
        raise OutOfRange("alpha", alpha, "(0, inf)", hint=f"Give one number, or one for each of the {n_values} values.")
    return np.broadcast_to(weights, n_values)


def _numbers(name: str, given: object) -> FloatArray:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise OutOfRange(name, given, "the numbers", hint="Give a number, or a list of them.") from None


def _size_in_words(size: int | Poisson | NegativeBinomial) -> str:
    match size:
        case Poisson():
            return f"one or more, Poisson of rate {size.rate:g}"
        case NegativeBinomial():
            return f"one or more, negative binomial with r = {size.r:g} and p = {size.p:g}"
        case _:
            return f"{size:,}"


def _prior_in_words(prior: FloatArray | CommonShares) -> str:
    numbers = prior.shares if isinstance(prior, CommonShares) else prior
    listed = ", ".join(f"{number:g}" for number in numbers)
    return listed if isinstance(prior, CommonShares) else f"drawn from a Dirichlet law with weights {listed}"
