"""All errata of Paper 004, R1 to R7, each shown by numbers computed now where it has any."""

from __future__ import annotations

from typing import Final

import numpy as np

from epsilometer.formulas.disclosure_noise import (
    epsilon_for_noise,
    epsilon_for_noise_above,
    published_epsilon_for_noise,
)
from epsilometer.neighbors import boundary_points, coverage, nearest_distances, voronoi_privacy
from epsilometer.reproduction.finding import Finding, Pair, Severity
from epsilometer.reproduction.synthetic.comparisons import TABLES, VARIANCE_ERRORS, two_deviations

NOISE: Final = 20.0  # the magnitude asked of Algorithm 5 in R4
WIDER, NARROWER = 1.5, 0.5  # variances of two synthetic columns in R6, in those of the original ones


def all_findings() -> tuple[Finding, ...]:
    """Return the errata in their order."""
    return (
        several_matchings(),
        chance_of_a_hit(),
        slips(),
        two_standard_deviations(),
        direction_of_voronoi(),
        signed_errors(),
        training_points(),
    )


def several_matchings() -> Finding:
    """R1."""
    found = coverage([[0], [1]], [[2], [3]], radius=1.0)
    return Finding(
        id="R1",
        severity=Severity.WRONG,
        place="004, Section 3.2.1, Algorithm 1",
        printed="The cheapest matching gives the p' of (y, p)-coverage.",
        right=(
            "There can be several, with different p', so that whether a table passes depends on which one the program "
            "happens to find. Originals 0 and 1, synthetic records 2 and 3, y = 1: 0-2 and 1-3 cost 4, as do 0-3 and "
            "1-2. The largest p' over all cheapest matchings is the one to report."
        ),
        pairs=(Pair("p', with the matching that hides most", found.fewest_within / found.n_pairs, found.rate),),
    )


def chance_of_a_hit() -> Finding:
    """R2."""
    original, record = np.array([[3], [7]]), np.array([[5]])
    y = float(nearest_distances(original, record)[0])
    hits = int((np.abs(original - record) <= y).sum())
    return Finding(
        id="R2",
        severity=Severity.CRITICAL,
        place="004, Section 3.2.2, below (8)",
        printed="A guess within y of a synthetic record hits an original with probability 1/(2y + 1) at most.",
        right=(
            "Twice that: an original can lie at distance y on either side. In whole numbers and y > 0 the bound is "
            f"2/(2y + 1). Synthetic record 5, originals 3 and 7: y = {y:g}, and {hits} of the {2 * y + 1:g} values hit."
        ),
        pairs=(Pair("chance of a hit", 1 / (2 * y + 1), hits / (2 * y + 1)),),
    )


def slips() -> Finding:
    """R3."""
    return Finding(
        id="R3",
        severity=Severity.SLIP,
        place="004, (7), (8), Algorithms 1, 2 and 4",
        printed="y' is an argmin; line 4 of Algorithm 2 has no operator and ends at n; ξ and ζ are one count.",
        right=(
            "It is the minimum itself; the operator is the minimum, as no record is to be nearer than y, over all m "
            "records; the two letters mean the same."
        ),
    )


def two_standard_deviations() -> Finding:
    """R4."""
    within, below = two_deviations()
    printed = published_epsilon_for_noise(NOISE)
    return Finding(
        id="R4",
        severity=Severity.WRONG,
        place="004, Section 3.2.5, Algorithm 5",
        printed="µ + 2σ is the end of the 95 % interval of Laplace noise, and p is a probability.",
        right=(
            f"That is the normal law. Laplace noise stays within ± 2σ with {within:.2%} and below 2σ with {below:.2%}. "
            "For 95 % the ends are ln(20)/ε on both sides, or ln(10)/ε on one. And p is a size of the noise, not a "
            "probability."
        ),
        pairs=(
            Pair("probability within ± 2σ", 0.95, within),
            Pair("probability below 2σ", 0.95, below),
            Pair(f"ε, noise within ± {NOISE:g} with 95 %", printed, epsilon_for_noise(NOISE)),
            Pair(f"ε, noise below {NOISE:g} with 95 %", printed, epsilon_for_noise_above(NOISE)),
        ),
    )


def direction_of_voronoi() -> Finding:
    """R5."""
    original = np.array([[0.0], [4.0], [10.0], [12.0]])
    tables = (
        ("the optimal table itself", boundary_points(original, original)),
        ("the originals, released as they are", original),
    )
    return Finding(
        id="R5",
        severity=Severity.CRITICAL,
        place="004, Sections 3.2.3 and 3.4, Algorithm 3",
        printed="The originals moved to their Voronoi edges are the optimal release; the farther from it, the safer.",
        right=(
            "It cannot be both: the optimal table is at distance 0, and so the riskiest of all. The originals 0, 4, 10 "
            "and 12 released as they are count as safer. The mean distance to the nearest original, where larger is "
            "safer, has them the other way round. Nor does Section 3.4 keep to it: there risk rises with perturbation. "
            "Table 1 and Figure 6 follow the distance."
        ),
        pairs=tuple(
            Pair(
                f"safety of {name}", voronoi_privacy(original, table), float(nearest_distances(original, table).mean())
            )
            for name, table in tables
        ),
    )


def signed_errors() -> Finding:
    """R6."""
    signed = np.array([1 - WIDER, 1 - NARROWER])
    return Finding(
        id="R6",
        severity=Severity.WRONG,
        place="004, (11), (12) and (14)",
        printed="The mean of the signed errors of all records tells how far off the variances are; it is about 1/(5ε).",
        right=(
            "The errors are those of the attributes, and with a sign they cancel: a variance half too large and one "
            "half too small have a mean error of nothing. The mean must be of absolute errors. And 1/(5ε), meant to "
            "sum up the fits, is less than a quarter of what Table 2 has at ε = 0.01 and a seventh at ε = 10."
        ),
        pairs=(
            Pair(
                f"mean error, variances {WIDER:g} and {NARROWER:g} times the original",
                float(signed.mean()),
                float(np.abs(signed).mean()),
            ),
            *(
                Pair(f"(14): variance error in %, ε = {epsilon:g}", 1 / (5 * epsilon), real)
                for epsilon, real in VARIANCE_ERRORS.items()
            ),
        ),
    )


def training_points() -> Finding:
    """R7."""
    held_out = [(table, *row) for table in TABLES for row in table.held_out()]
    return Finding(
        id="R7",
        severity=Severity.WRONG,
        place="004, Tables 1 to 3 and Figures 4 and 5",
        printed="The predictions are close to, or almost perfectly match, what was measured.",
        right=(
            "In each table three of the seven rows are what the curve was fitted to. Of all choices of rows and both "
            "degrees only ε = 0.02, 0.1 and 1 with degree 2 give Table 1. The rows below are the others, predicted and "
            "measured; in Table 1 two of them lie outside the range that the curve was fitted to. A curve of the "
            "second degree runs through any three points, so that its agreement there says nothing."
        ),
        pairs=tuple(
            Pair(f"{table.place}: {table.quantity}, ε = {epsilon:g}", float(predicted), real)
            for table, epsilon, predicted, real in held_out
        ),
    )
