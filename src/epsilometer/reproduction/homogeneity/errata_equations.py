"""Errata of papers 000 and 001 in the equations themselves; no table is needed to see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas import homogeneity
from epsilometer.formulas.homogeneity import NegativeBinomial, Poisson, published
from epsilometer.mechanisms import Gaussian, Laplace
from epsilometer.reproduction.finding import Finding, Pair, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.formulas.homogeneity.size_laws import SizeLaw
    from epsilometer.vocabulary.arrays import FloatArray

SIZES: Final = np.arange(1, 200)  # beyond them no law used here has any weight


def lower_bounds() -> Finding:
    """E1."""
    laplace_cases: Sequence[tuple[int, tuple[float, ...], float]] = (
        (2, (0.5, 0.5), 1.0),
        (3, (0.5, 0.5), 0.01),
        (10, (0.9, 0.1), 1.0),
        (100, (0.95, 0.05), 0.01),
        (100, (0.95, 0.05), 1.0),
        (3, (0.34, 0.33, 0.33), 1.0),
    )
    expected = [
        Pair(
            f"(12): n = {n}, p = {p}, ε = {epsilon:g}",
            float(published.expected([n], [p], Laplace(epsilon=epsilon))[0]),
            float(homogeneity.expected(n, p, Laplace(epsilon=epsilon))),
        )
        for n, p, epsilon in laplace_cases
    ]
    gaussian, shares = Gaussian.with_sigma(3.0), (0.95, 0.05)
    strong, weak = Laplace(epsilon=0.1), Laplace(epsilon=1.0)
    alpha, law = (0.7, 1.3, 0.5), Poisson(3.0, truncated=False)
    others = [
        Pair(
            "(22): n = 20, p = (0.95, 0.05), σ = 3",
            float(published.expected([20], [shares], gaussian)[0]),
            float(homogeneity.expected(20, shares, gaussian)),
        ),
        Pair(
            "(13): n = 5, α = (1, 1, 1), ε = 0.1",
            float(published.shrinkage([5], (1.0, 1.0, 1.0), strong)[0]),
            float(homogeneity.shrinkage(5, (1.0, 1.0, 1.0), strong)),
        ),
        Pair(
            "(14): α = (0.7, 1.3, 0.5), Poisson 3, ε = 1",
            float(published.global_shrinkage(_weights(law), alpha, weak)),
            float(homogeneity.global_shrinkage(alpha, law, weak)),
        ),
    ]
    return Finding(
        id="E1",
        severity=Severity.CRITICAL,
        place="001, equations (12) to (17) and (22) to (27), Appendix A",
        printed="The equations are upper bounds of the risk.",
        right=(
            "They are lower bounds, and not close ones. The probability that one record of n differs lacks its "
            "factor n, and every other mixed cell is left out. Whoever relies on them is told too little."
        ),
        pairs=(*expected, *others),
    )


def small_cells() -> Finding:
    """E5."""
    survival = published.homogeneous([4, 3, 2], 1, Laplace(epsilon=(1.0, 0.1)))
    printed = (0.985, 0.959, 0.888)
    pairs = [
        Pair(f"n = {n}, ε = {epsilon:g}", claim, float(value))
        for epsilon, values in zip((1.0, 0.1), survival, strict=True)
        for n, claim, value in zip((4, 3, 2), printed, values, strict=True)
    ]
    return Finding(
        id="E5",
        severity=Severity.IMPRECISE,
        place="001, Section 3.3.1",
        printed="A cell of n ≥ 4, 3, 2 records survives with probability at least 0.985, 0.959, 0.888.",
        right="These are the values at ε = 1, rounded. As ε falls they tend to one half.",
        pairs=tuple(pairs),
    )


def shape_of_scenario_8() -> Finding:
    """E6."""
    n = 10
    best = float(np.log(n - 1) / (n - 1.5))
    epsilons = (1e-9, best, 3 * best)
    risk = homogeneity.local([n - 1, 1], Laplace(epsilon=epsilons))
    # Pr(the 9 survive) Pr(the 1 vanishes), the only way that the paper counts
    printed = published.homogeneous([n - 1], 1, Laplace(epsilon=epsilons))[:, 0] * np.exp(-np.array(epsilons) / 2) / 2
    # second derivative of (1 - e^(-ε(n-1.5))/2) e^(-ε/2) at 3 ε*: a concave function has none above zero
    curvature = np.exp(-1.5 * best) / 4 - (n - 1) ** 2 * np.exp(-3 * best * (n - 1)) / 2
    names = ("ε → 0", f"ε* = {best:.6f}", f"3 ε* = {3 * best:.6f}")
    return Finding(
        id="E6",
        severity=Severity.IMPRECISE,
        place="001, Section 3.3.1",
        printed="The risk of a cell with one odd record is concave: it rises to ε* = ln(n-1)/(n-1.5), then falls.",
        right=(
            "The maximiser of the printed term is right, but the term is not concave (for n = 10 its second "
            f"derivative at 3 ε* is {curvature:+.4f}), and it is not the risk: the odd record may also be the one "
            "that survives. The risk starts at one half and only falls."
        ),
        pairs=tuple(
            Pair(f"risk of the cell (9, 1), {name}", float(term), float(value))
            for name, term, value in zip(names, printed, risk, strict=True)
        ),
    )


def empty_cells() -> Finding:
    """E7."""
    noise, alpha, law = Laplace(epsilon=5.0), (1.0, 1.0), Poisson(1.0, truncated=False)
    weights = _weights(law)
    from_one = published.remains_homogeneous(SIZES, alpha, noise) @ weights[1:]
    return Finding(
        id="E7",
        severity=Severity.WRONG,
        place="000, equations (3.3), (3.6) and (3.12)",
        printed="The sum over the sizes of cells starts at 0.",
        right="A cell without records has no risk, and the printed factor at n = 0 is no probability. Start at 1.",
        pairs=(
            Pair(
                "K = 2, Poisson 1, α = (1, 1), ε = 5",
                float(published.global_remains_homogeneous_laplace(weights, alpha, noise)),
                float(from_one),
            ),
        ),
    )


def negative_binomial() -> Finding:
    """E8."""
    right = _weights(NegativeBinomial(3.0, 0.4, truncated=False))
    return Finding(
        id="E8",
        severity=Severity.WRONG,
        place="000, Corollaries 3.6, 3.9 and 3.13",
        printed="Negative binomial sizes have the coefficient C(n+λ+1, n).",
        right="It is C(n+λ-1, n), as paper 001 has it.",
        pairs=(
            Pair(
                "sum of all probabilities, λ = 3, r = 0.4",
                float(published.negative_binomial_weights(3.0, 0.4, len(right) - 1).sum()),
                float(right.sum()),
            ),
        ),
    )


def inverse_power() -> Finding:
    """E9."""
    right = _weights(Poisson(2.0, truncated=False))
    return Finding(
        id="E9",
        severity=Severity.SLIP,
        place="000, Corollary 3.13",
        printed="Poisson sizes have the factor λ to the power -n.",
        right="The power is n.",
        pairs=(
            Pair(
                "sum of all probabilities, λ = 2",
                float(published.inverse_poisson_weights(2.0, len(right) - 1).sum()),
                float(right.sum()),
            ),
        ),
    )


def exponent() -> Finding:
    """E10."""
    weights, noise = _weights(Poisson(2.0, truncated=False)), Laplace(epsilon=1.0)
    return Finding(
        id="E10",
        severity=Severity.WRONG,
        place="001, equations (19) and (29)",
        printed="The equations are for any number K of values.",
        right="Their exponents and their 1/4 are those of K = 2; in general they are K - 1 and 1/2^K.",
        pairs=(
            Pair(
                "K = 3, Poisson 2, ε = 1",
                float(published.global_homogeneous(weights, noise)),
                float(published.homogeneous(SIZES, 3, noise) @ weights[1:]),
            ),
        ),
    )


def missing_factor() -> Finding:
    """E12."""
    law, alpha, noise = Poisson(3.0, truncated=False), (1.0, 2.0), Gaussian.with_sigma(2.0)
    printed = float(published.global_shrinkage_two_values_gaussian(_weights(law), alpha, noise))
    case = "σ = 2, Poisson 3, α = (1, 2)"
    return Finding(
        id="E12",
        severity=Severity.WRONG,
        place="001, equation (27)",
        printed="It is equation (24) for K = 2.",
        right="Its second term lacks the factor 1 + erf(-0.5/(σ√2)). With it, it is still a lower bound (E1).",
        pairs=(
            Pair(f"{case}: against (24)", printed, float(published.global_shrinkage(_weights(law), alpha, noise))),
            Pair(f"{case}: against the risk", printed, float(homogeneity.global_shrinkage(alpha, law, noise))),
        ),
    )


def _weights(law: SizeLaw) -> FloatArray:
    """Return the probabilities of the sizes 0, 1, .. of a law that is not truncated."""
    return np.concatenate([[1 - law.probability_above(0)], law.probability(SIZES)])
