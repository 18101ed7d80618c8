"""Errata of papers 000 and 001 in what they report of their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.formulas.homogeneity import Poisson
from epsilometer.formulas.size_fits import zero_truncated_poisson_mle
from epsilometer.mechanisms import Laplace
from epsilometer.reproduction.finding import Finding, Pair, Severity
from epsilometer.reproduction.homogeneity.experiments import homogeneous_cells
from epsilometer.reproduction.homogeneity.readings import (
    ALL_NOISE,
    DELTAS,
    NO_NOISE,
    exact,
    laplace,
    printed_bound,
    probabilistic,
)
from epsilometer.vocabulary.adjacency import Adjacency

if TYPE_CHECKING:
    from epsilometer.reproduction.homogeneity.experiments import Experiments


def resampled_for_local(experiments: Experiments) -> Finding:
    """E2."""
    subset, ends = experiments.subset, laplace(ALL_NOISE, NO_NOISE)
    low, high = exact(subset, ends)
    bound_low, bound_high = printed_bound(subset, ends)
    return Finding(
        id="E2",
        severity=Severity.WRONG,
        place="001, Section 4 (6)",
        printed="The asymptotes of the Bankruptcy subset are 0.1 and 0.75; the upper is the original risk.",
        right=(
            f"In the original data {homogeneous_cells(subset)} of {subset.n_cells} cells are homogeneous, "
            "and that is the risk. 0.75 is the chance that a cell would be homogeneous if its members drew their "
            "values anew; it counts heterogeneous cells too. 0.1 is the lower bound of E1."
        ),
        pairs=(
            Pair("risk in the original data", 0.75, float(high)),
            Pair("upper asymptote of (12) and of the risk", float(bound_high), float(high)),
            Pair("lower asymptote of (12) and of the risk", float(bound_low), float(low)),
        ),
    )


def shares_of_the_maximum(experiments: Experiments) -> Finding:
    """E3."""
    low, high = printed_bound(experiments.subset, laplace(ALL_NOISE, NO_NOISE))
    all_homogeneous = exact(experiments.bankruptcy, laplace(ALL_NOISE))[0]
    return Finding(
        id="E3",
        severity=Severity.SLIP,
        place="001, Section 4 (6)",
        printed="The lower asymptote is down from 0.25 %, and remains 25 % of the maximum.",
        right="It is down from 25 %. With K = 3 it is about one eighth of the maximum, not a quarter.",
        pairs=(
            Pair("lower asymptote, all cells homogeneous, K = 2", 0.0025, float(all_homogeneous)),
            Pair("lower over upper asymptote, subset", 0.25, float(low / high)),
        ),
    )


def wrong_cells(experiments: Experiments) -> Finding:
    """E4."""
    cells, pieces = experiments.adult, experiments.adult_pieces
    homogeneous = homogeneous_cells(cells)
    at_one = laplace(1.0)
    return Finding(
        id="E4",
        severity=Severity.CRITICAL,
        place="000 and 001, Section 4, Adult",
        printed="The six quasi-identifiers make 5,974 cells, all homogeneous.",
        right=(
            f"They make {cells.n_cells:,} cells, of which {cells.n_cells - homogeneous:,} are heterogeneous. "
            f"{pieces.n_cells:,} is the number of combinations of quasi-identifiers and income, which are "
            "homogeneous by construction. The bins are not stated; right-closed ones give the papers' number of "
            "pieces and largest piece exactly."
        ),
        pairs=(
            Pair("number of cells", pieces.n_cells, cells.n_cells),
            Pair("largest cell", int(pieces.profile.sizes.max()), int(cells.profile.sizes.max())),
            Pair("mean size", pieces.n_records / pieces.n_cells, cells.n_records / cells.n_cells),
            Pair("risk in the original data", 1.0, homogeneous / cells.n_cells),
            Pair("risk at ε = 1, Laplace", float(exact(pieces, at_one)[0]), float(exact(cells, at_one)[0])),
        ),
    )


def sizes_with_empty_cells(experiments: Experiments) -> Finding:
    """E11."""
    bankruptcy, adult = experiments.bankruptcy, experiments.adult_pieces
    mean, adult_mean = (freq.n_records / freq.n_cells for freq in (bankruptcy, adult))
    printed = homogeneity_risk(bankruptcy, laplace(10.0, NO_NOISE), measure="global-fixed", method="published")
    at_ten, limit = np.atleast_1d(printed.value)
    real_at_ten, real_limit = exact(bankruptcy, laplace(10.0, NO_NOISE))
    never = 1 - Poisson(mean, truncated=False).nonempty
    return Finding(
        id="E11",
        severity=Severity.WRONG,
        place="001, equations (14), (19), (24) and (29)",
        printed="Cell sizes follow a Poisson law with the mean of the non-empty cells.",
        right=(
            "Only non-empty cells are counted, so the law is conditional on n ≥ 1, and its λ is not the mean. "
            f"As printed, a share {never:.4f} of the Bankruptcy cells is empty and can never be at risk."
        ),
        pairs=(
            Pair("λ, Bankruptcy", mean, zero_truncated_poisson_mle(mean)),
            Pair("λ, Adult pieces", adult_mean, zero_truncated_poisson_mle(adult_mean)),
            Pair("risk at ε = 10, (19) and the 103 cells", float(at_ten), float(real_at_ten)),
            Pair("upper asymptote, (19) and the 103 cells", float(limit), float(real_limit)),
        ),
    )


def limit_of_the_first_term(experiments: Experiments) -> Finding:
    """E14."""
    return Finding(
        id="E14",
        severity=Severity.WRONG,
        place="001, Section 3.3.1",
        printed="As ε grows the first term of (12) becomes 1.",
        right="It becomes the mean over cells of the sum of p^n, which is 1 only if every cell is homogeneous.",
        pairs=(Pair("Bankruptcy subset", 1.0, float(printed_bound(experiments.subset, laplace(NO_NOISE))[0])),),
    )


def delta_of_one() -> Finding:
    """E15."""
    return Finding(
        id="E15",
        severity=Severity.SLIP,
        place="001, Section 4, utility",
        printed="ε around 1 and δ ≥ 1 seem good choices.",
        right="δ is a probability; with δ = 1 nothing is promised. Which δ is meant cannot be told.",
    )


def saturation(experiments: Experiments) -> Finding:
    """E16."""
    at_ten = exact(experiments.bankruptcy, probabilistic(1e-3, 10.0))[0]
    return Finding(
        id="E16",
        severity=Severity.WRONG,
        place="001, Section 4 (3); 000, Section 4",
        printed="With Gaussian noise for pDP the risk is 100 % from ε = 31.6 on, whatever δ; in 000 from ε = 10.",
        right=f"It depends on δ, and is lower. At ε = 10 and δ = 0.001 it is {at_ten:.4f} for Bankruptcy.",
        pairs=tuple(
            Pair(
                f"Bankruptcy, ε = 31.6, δ = {delta:g}",
                1.0,
                float(exact(experiments.bankruptcy, probabilistic(delta, 31.6))[0]),
            )
            for delta in DELTAS
        ),
    )


def sensitivity(experiments: Experiments) -> Finding:
    """E17."""
    added, replaced = Adjacency.ADD_REMOVE, Adjacency.REPLACE
    return Finding(
        id="E17",
        severity=Severity.IMPRECISE,
        place="000, Theorem 3.4; 001, Definition 4 and Theorem 1",
        printed="The sensitivity of a table of counts is 1.",
        right=(
            "It is 1 if a record is added or removed. If a record is replaced, which Definition 4 admits, two "
            "counts move: an ε calibrated for one of them is really 2ε. To keep the promise takes more noise."
        ),
        pairs=(
            Pair("L1 sensitivity, replace", added.l1_sensitivity, replaced.l1_sensitivity),
            Pair("L2 sensitivity, replace", added.l2_sensitivity, replaced.l2_sensitivity),
            Pair(
                "Bankruptcy, risk at a true ε = 1, Laplace",
                float(exact(experiments.bankruptcy, laplace(1.0))[0]),
                float(exact(experiments.bankruptcy, Laplace(epsilon=1.0, adjacency=replaced))[0]),
            ),
        ),
    )


def slips() -> Finding:
    """E18."""
    return Finding(
        id="E18",
        severity=Severity.SLIP,
        place="000, (A.1), Definition 2.3; 001, Section 3.1, Section 4, Appendix B",
        printed=(
            "001: a sum of n_ik over k up to M; 7 quasi-identifiers of Adult; B_1i and B_i1 for one thing; "
            "f(·; θ) and f(·; β). 000: a bracket of (A.1); Pr(n_j1 = n_j1); Q and S for one set."
        ),
        right="001: the sum goes up to K; six are listed. 000: the bracket closes earlier; Pr(n_j1 = n_j).",
    )
