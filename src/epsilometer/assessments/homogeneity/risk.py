"""Risk of the homogeneity attack on noisy counts of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.errors import UnknownChoice
from epsilometer.formulas import homogeneity
from epsilometer.vocabulary.evidence import AsPrinted, Exact
from epsilometer.vocabulary.risk import Risk
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise
    from epsilometer.vocabulary.profile import Profile

    Formula = Callable[[ArrayLike, Noise], FloatArray]

BLOCK: Final = 2**22  # numbers per intermediate array: 32 MiB, whatever the profile and the curve

ASSUMPTIONS: Final = (
    "The attacker knows the quasi-identifiers of the target exactly, and that the target is in the table.",
    "Every count of a listed cell gets independent noise; a noisy count below the threshold shows as zero.",
    "The non-empty cells are taken as listed: the risk is that of the counts, not of the list.",
)
CAVEATS: Final = (
    "A published cell with a single value is no proof: other values may have vanished in the noise.",
    "Listing only the cells that are not empty is itself not differentially private.",
)


class _Average(NamedTuple):
    formula: Formula
    largest: Callable[[int, Noise], FloatArray]
    question: str


AVERAGES: Final = {
    "cells": _Average(
        homogeneity.local,
        homogeneity.largest_local,
        "In how many of the cells does the published table show a single value that a member really has?",
    ),
    "records": _Average(
        homogeneity.local_records,
        homogeneity.largest_local_records,
        "For how many people does the published table show their own value as the only one in their cell?",
    ),
}


def homogeneity_risk(freq: FrequencyTable, mechanism: Mechanism, *, average: str = "cells") -> Risk:
    """Probability that noisy counts show a cell with a single, true value: the homogeneity attack. Exact.

    Args:
        freq: the counted table.
        mechanism: the noise; with several epsilons the answer is a curve.
        average: ``"cells"`` is the papers' mean over the cells; ``"records"`` the share of people disclosed.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> risk = homogeneity_risk(FrequencyTable.from_counts([[19, 1]]), Laplace(epsilon=1.0), average="records")
    >>> round(risk.value, 6), risk.no_release, round(risk.any_table, 6)
    (0.288102, 0.95, 0.696735)
    """
    if average not in AVERAGES:
        raise UnknownChoice("average", average, AVERAGES)
    profile, (formula, largest, question) = freq.profile, AVERAGES[average]
    weights = profile.n_cells if average == "cells" else profile.n_cells * profile.sizes
    return Risk(
        question=question,
        measure="homogeneity local",
        average=average,
        answer=Exact(_number(_weighted_mean(formula, profile, mechanism, weights))),
        no_release=float(profile.shares.max()),
        any_table=_number(largest(profile.n_values, mechanism)),
        mechanism=mechanism.describe(),
        assumptions=ASSUMPTIONS,
        caveats=(*CAVEATS, *_contribution_caveats(freq)),
        source=sources_of(formula),
    )


def homogeneity_risk_of_pieces(freq: FrequencyTable, mechanism: Mechanism) -> Risk:
    """Corollaries 3 and 6 of paper 001 over the pieces that it counts: quasi-identifiers and sensitive value.

    The papers' Adult figures are of this kind. It is the risk of the cells themselves only if each of them is
    homogeneous; otherwise it is a number about another table (erratum E4).
    """
    profile = freq.profile
    n_pieces = int(((profile.counts > 0).sum(axis=1) * profile.n_cells).sum())
    total = _weighted_sum(homogeneity.homogeneous_pieces, profile, mechanism, profile.n_cells)
    return Risk(
        question=f"What does Corollary 3 or 6 give for the {n_pieces:,} pieces of cell and sensitive value?",
        measure="homogeneity of pieces",
        average="cells",
        answer=AsPrinted(_number(total / n_pieces)),
        no_release=float(profile.shares.max()),
        any_table=_number(homogeneity.largest_local_records(profile.n_values, mechanism)),
        mechanism=mechanism.describe(),
        assumptions=ASSUMPTIONS,
        caveats=("Pieces of a cell are homogeneous by construction: not the risk of the cells.",),
        source=sources_of(homogeneity.homogeneous_pieces),
    )


def _weighted_mean(formula: Formula, profile: Profile, noise: Noise, weights: IntArray) -> FloatArray:
    return _weighted_sum(formula, profile, noise, weights) / weights.sum()


def _weighted_sum(formula: Formula, profile: Profile, noise: Noise, weights: IntArray) -> FloatArray:
    """Sum a formula over the profile in blocks, so that memory stays bounded for any curve."""
    n_parameters = noise.probability_below(0.0).size
    n_rows = max(1, BLOCK // (n_parameters * profile.n_values))
    starts = range(0, len(weights), n_rows)
    blocks = [formula(profile.counts[i : i + n_rows], noise) @ weights[i : i + n_rows] for i in starts]
    return np.sum(blocks, axis=0)


def _number(value: FloatArray) -> float | FloatArray:
    """Return a plain float for one privacy parameter, an array for several."""
    return float(value) if np.ndim(value) == 0 else value


def _contribution_caveats(freq: FrequencyTable) -> tuple[str, ...]:
    cells = freq.max_cells_per_person
    if cells == 1:
        return ()
    return (f"One person appears in up to {cells} cells: their own guarantee is {cells} times epsilon.",)
