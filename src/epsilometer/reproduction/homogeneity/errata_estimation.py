"""The erratum of paper 001 in its estimator of how the shares vary between cells: Appendix B."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.empirical_bayes import Dirichlet, dirichlet_multinomial_mle
from epsilometer.reproduction.finding import Finding, Pair, Severity
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.reproduction.homogeneity.experiments import Experiments
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

ALPHA: Final = (1.0, 2.0, 3.0)
N_TABLES: Final = 300
N_CELLS: Final = 200
SEED: Final = 20  # of the simulated tables


def moments(experiments: Experiments) -> Finding:
    """E13."""
    profile = experiments.adult.profile
    numerator, denominator = two_values_as_printed(np.repeat(profile.counts, profile.n_cells, axis=0))
    tables = simulated_tables()
    printed = np.array([any_values_as_printed(table) for table in tables])
    right = np.array(
        [fitted.alpha for table in tables if isinstance(fitted := dirichlet_multinomial_mle(table), Dirichlet)]
    )
    return Finding(
        id="E13",
        severity=Severity.CRITICAL,
        place="001, Appendix B",
        printed="The Dirichlet weights are estimated by the method of moments.",
        right=(
            "For K = 2 the variance is set to n p (1 - p), which makes the denominator zero whatever the table: "
            f"for Adult the numerator is {numerator:.6g}, the denominator {denominator:.1f}. For K ≥ 2 the "
            "variance of a total over all cells is set equal to that of one cell, smaller by about their number. "
            f"Of {len(tables)} tables of {N_CELLS} cells simulated with weights (1, 2, 3), "
            f"{int((printed < 0).all(axis=1).sum())} get negative estimates for every weight. "
            "The maximum likelihood works."
        ),
        pairs=tuple(
            Pair(f"mean estimate of α{k} = {alpha:g}", float(of_paper), float(of_likelihood))
            for k, (alpha, of_paper, of_likelihood) in enumerate(
                zip(ALPHA, printed.mean(axis=0), right.mean(axis=0), strict=True), start=1
            )
        ),
    )


@source("homogeneity-v2", "Appendix B, K = 2")
def two_values_as_printed(counts: ArrayLike) -> tuple[float, float]:
    """Numerator and denominator of the printed estimate of the first of two Dirichlet weights.

    The denominator is zero for every table: the variance in it is set to what is subtracted from it.

    >>> two_values_as_printed([[3, 1], [0, 2]])[1]
    0.0
    """
    n = np.asarray(counts, dtype=np.float64)
    sizes = n.sum(axis=1)
    total = sizes.sum()
    p = n[:, 0].sum() / total
    variance = total * p * (1 - p)
    numerator = p**2 * (1 - p) * (sizes**2).sum() - p * variance
    return float(numerator), float(variance - total * p * (1 - p))


@source("homogeneity-v2", "Appendix B, K ≥ 2")
def any_values_as_printed(counts: ArrayLike) -> FloatArray:
    """Printed estimates of the Dirichlet weights, the undefined theta of the print read as the share.

    >>> any_values_as_printed([[2, 2], [1, 3]]).round(4)
    array([-1.9091, -3.1818])
    """
    n = np.asarray(counts, dtype=np.float64)
    sizes = n.sum(axis=1)
    p = n.sum(axis=0) / sizes.sum()
    variance = n.var(axis=0, ddof=1)
    numerator = p**2 * (1 - p) * (sizes**2).sum() - p * variance
    return np.asarray(numerator / (variance - p * (1 - p) * sizes.sum()), dtype=np.float64)


def simulated_tables() -> list[FloatArray]:
    """Return tables whose cells have Dirichlet shares with the weights ``ALPHA``."""
    rng = np.random.default_rng(SEED)
    sizes = 1 + rng.poisson(5.0, (N_TABLES, N_CELLS))
    return list(rng.multinomial(sizes, rng.dirichlet(ALPHA, sizes.shape)).astype(np.float64))
