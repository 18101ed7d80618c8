"""How well synthetic records can be told from original ones."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from scipy.linalg import qr

from epsilometer.errors import MissingExtra
from epsilometer.tables.records import check_alike
from epsilometer.utility.design_matrix import design_matrix
from epsilometer.utility.drawn_rows import some_rows
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.tables.records import Records
    from epsilometer.utility.design_matrix import Design
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

ROWS_AT_MOST: Final = 50_000  # of each table
MOST_FEATURES: Final = 300  # with interactions
RECORDS_PER_FEATURE: Final = 10  # with fewer, what is expected under the null is far off
WEAK_RIDGE: Final = 1e6  # one over the penalty: it only keeps coefficients finite where the tables can be told apart
STEPS_AT_MOST: Final = 100
COLLINEAR: Final = 1e-9  # the part of a feature that is its own; less is rounding

Interactions = Literal["all", "first", "none"]


@dataclass(frozen=True, slots=True)
class PropensityError:
    """The propensity score's mean squared error.

    Attributes:
        pmse: mean squared distance of the estimated propensities from the share of synthetic records; at most
            c (1 - c), a quarter for two tables of one size, where the tables can be told apart with certainty.
        expected: what it would be on average were the synthetic records drawn from the original's own fitted law.
        n_parameters: of the regression, its constant included.
        interactions: which products of features of two columns took part: all, those of the first feature of each
            column, or none; without them nothing is seen of how columns go together.
        n_original: original records used.
        n_synthetic: synthetic records used.
        converged: whether the regression settled; if not, the numbers are too small if anything.
    """

    pmse: float
    expected: float
    n_parameters: int
    interactions: Interactions
    n_original: int
    n_synthetic: int
    converged: bool

    @property
    def ratio(self) -> float:
        """How many times larger than expected; zero if no column varies and nothing could be told."""
        return self.pmse / self.expected if self.expected else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {**asdict(self), "ratio": self.ratio}


@source("snoke-2018", "pMSE and its expectation under the null")
def propensity_error(original: Records, synthetic: Records, *, seed: int = 0) -> PropensityError:
    r"""How well does a logistic regression tell synthetic records from original ones? An estimate.

    .. math:: \mathrm{pMSE} = \frac1N \sum_{i=1}^N (\hat p_i - c)^2, \qquad
        \mathrm E_0 = \frac{(k - 1) (1 - c)^2 c}{N}

    with :math:`\hat p_i` the estimated probability that record i of all N is synthetic, c the share of synthetic ones
    and k = ``n_parameters``. The ratio of the two is about 1 if the synthetic records could have been drawn from a
    model that fits the original table, 1/(1 - c) if they could be other people of the same population, and grows
    with N if neither. What the regression has no feature for is not found; see ``interactions``. Of large tables
    a part is drawn, with ``seed``.
    """
    check_alike(original, synthetic)
    rng = np.random.default_rng(seed)
    tables = [some_rows(records, ROWS_AT_MOST, rng) for records in (original, synthetic)]
    n_original, n_synthetic = map(len, tables)
    n_records = n_original + n_synthetic
    design = design_matrix(tables, original.columns, n_learned=2)
    crossed, interactions = _with_interactions(design, min(MOST_FEATURES, n_records // RECORDS_PER_FEATURE))
    features = _independent(crossed)
    is_synthetic = np.arange(n_records) >= n_original
    share = n_synthetic / n_records
    propensities, converged = _propensities(features, is_synthetic)
    return PropensityError(
        pmse=float(np.mean((propensities - share) ** 2)),
        expected=features.shape[1] * (1 - share) ** 2 * share / n_records,
        n_parameters=features.shape[1] + 1,
        interactions=interactions,
        n_original=n_original,
        n_synthetic=n_synthetic,
        converged=converged,
    )


def _with_interactions(design: Design, most: int) -> tuple[FloatArray, Interactions]:
    """Add products of features of different columns, as many as there may be.

    A column's first feature is its number, or the most frequent category that has a feature.
    """
    everything = np.arange(len(design.column))
    firsts = np.unique(design.column, return_index=True)[1]
    choices: tuple[tuple[Interactions, IntArray], ...] = (("all", everything), ("first", firsts))
    for which, some in choices:
        pairs = np.array([(i, j) for i, j in combinations(some, 2) if design.column[i] != design.column[j]])
        if 0 < len(pairs) <= most - len(everything):
            products = design.features[:, pairs[:, 0]] * design.features[:, pairs[:, 1]]
            return np.concatenate([design.features, products], axis=1), which
    return design.features, "none"


def _independent(features: FloatArray) -> FloatArray:
    """Leave out features that others and the constant determine: they are no parameters."""
    if not features.shape[1]:
        return features
    centred = features - features.mean(axis=0)
    products = centred.T @ centred
    lengths = np.sqrt(products.diagonal())
    varying = np.flatnonzero(lengths > COLLINEAR * np.abs(features).max(axis=0) * np.sqrt(len(features)))
    angles = products[np.ix_(varying, varying)] / np.outer(lengths[varying], lengths[varying])
    triangle, order = qr(angles, mode="r", pivoting=True)
    n_independent = np.count_nonzero(np.abs(triangle.diagonal()) > COLLINEAR)
    return features[:, np.sort(varying[order[:n_independent]])]


def _propensities(features: FloatArray, is_synthetic: np.ndarray) -> tuple[FloatArray, bool]:
    """Estimated probability of each record to be synthetic, and whether the estimate settled."""
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtra("A propensity score", "synthesis") from None
    if not features.shape[1]:
        return np.full(len(features), is_synthetic.mean()), True
    regression = LogisticRegression(C=WEAK_RIDGE, solver="newton-cholesky", tol=1e-8, max_iter=STEPS_AT_MOST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # said in the result
        regression.fit(features, is_synthetic)
    return regression.predict_proba(features)[:, 1], bool(regression.n_iter_.max() < STEPS_AT_MOST)
