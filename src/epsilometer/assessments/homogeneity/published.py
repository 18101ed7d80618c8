"""The measures as papers 000 and 001 print them, known errors included; the local one is in ``pieces``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.averaging import (
    number,
    sizes_and_weights,
    weighted_mean,
)
from epsilometer.assessments.homogeneity.fits import fitted_shares, in_words
from epsilometer.assessments.homogeneity.reading import Reading
from epsilometer.formulas.empirical_bayes import CommonShares, Dirichlet, HomogeneousCells
from epsilometer.formulas.homogeneity import published
from epsilometer.formulas.homogeneity.size_laws import Poisson, size_exceeded_with
from epsilometer.vocabulary.evidence import AsPrinted
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

NOT_A_BOUND: Final = "Printed as an upper bound; it is a lower one (erratum E1)."


def expected(freq: FrequencyTable, noise: Mechanism, average: str) -> Reading:
    """Equations (12) and (22) with the shares of each cell plugged in."""

    def plugged_in(counts: ArrayLike, noise: Noise) -> FloatArray:
        n = np.asarray(counts, dtype=np.float64)
        sizes = n.sum(axis=-1)
        return published.expected(sizes, n / sizes[..., None], noise)

    value = weighted_mean(plugged_in, freq.profile, noise, average)
    return Reading(AsPrinted(number(value)), sources_of(published.expected), caveats=(NOT_A_BOUND,))


def shrinkage(freq: FrequencyTable, noise: Mechanism, average: str) -> Reading:
    """Equations (13) and (23) at the maximum-likelihood weights; Appendix B's own estimator does not exist."""
    fit = fitted_shares(freq.profile)
    sizes, weights = sizes_and_weights(average, freq.profile)
    value = _shrinkage(sizes, fit, noise) @ weights / weights.sum()
    return Reading(AsPrinted(number(value)), sources_of(published.shrinkage), (in_words(fit),), (NOT_A_BOUND,))


def global_(freq: FrequencyTable, noise: Mechanism, _average: str) -> Reading:
    """Equations (14) and (24) with the papers' Poisson law: the plain mean, not truncated."""
    fit, weights = fitted_shares(freq.profile), _poisson_weights(freq)
    sizes = np.arange(1, len(weights))
    value = _shrinkage(sizes, fit, noise) @ weights[1:]
    notes = (in_words(fit), _poisson_note(freq))
    return Reading(AsPrinted(number(value)), sources_of(published.global_shrinkage), notes, (NOT_A_BOUND, UNTRUNCATED))


def global_fixed(freq: FrequencyTable, noise: Mechanism, _average: str) -> Reading:
    """Equations (19) and (29): homogeneous cells, Poisson sizes, the exponent of two values."""
    value = published.global_homogeneous(_poisson_weights(freq), noise)
    return Reading(
        AsPrinted(number(value)),
        sources_of(published.global_homogeneous),
        (_poisson_note(freq), "Every cell is homogeneous."),
        (UNTRUNCATED, "Its exponent is that of two values, whatever K (erratum E10)."),
    )


UNTRUNCATED: Final = "The law of the sizes counts empty cells, which no table has (erratum E11)."


def _shrinkage(sizes: ArrayLike, fit: Dirichlet | HomogeneousCells | CommonShares, noise: Noise) -> FloatArray:
    match fit:
        case Dirichlet():
            return published.shrinkage(sizes, fit.alpha, noise)
        case HomogeneousCells():
            return published.homogeneous(sizes, len(fit.shares), noise)
        case CommonShares():
            return published.expected(sizes, fit.shares[None, :], noise)


def _poisson_weights(freq: FrequencyTable) -> FloatArray:
    law = Poisson(freq.n_records / freq.n_cells, truncated=False)
    positive = np.arange(1, size_exceeded_with(1e-17, law) + 1)
    return np.concatenate([[np.exp(-law.rate)], law.probability(positive)])


def _poisson_note(freq: FrequencyTable) -> str:
    return f"Cell sizes follow a Poisson law with the plain mean {freq.n_records / freq.n_cells:.4g}."


READINGS: Final[Mapping[str, Callable[[FrequencyTable, Mechanism, str], Reading]]] = {
    "expected": expected,
    "shrinkage": shrinkage,
    "global": global_,
    "global-fixed": global_fixed,
}
