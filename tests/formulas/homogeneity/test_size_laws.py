import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import nbinom, poisson

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.formulas.homogeneity.expected import expected, expected_of_counts
from epsilometer.formulas.homogeneity.shrinkage import shrinkage
from epsilometer.formulas.homogeneity.size_laws import (
    NegativeBinomial,
    Poisson,
    ZeroInflated,
    size_exceeded_with,
)
from epsilometer.mechanisms import Laplace

LAWS = [
    (lambda truncated: Poisson(3.0, truncated=truncated), poisson(3.0)),
    (lambda truncated: NegativeBinomial(1.5, 0.3, truncated=truncated), nbinom(1.5, 0.3)),
]


@pytest.mark.parametrize(("law", "known"), LAWS, ids=["poisson", "negative binomial"])
def test_probabilities_are_the_known_ones(law, known):
    n = np.arange(1, 30)
    assert_allclose(law(truncated=False).probability(n), known.pmf(n), rtol=1e-12)
    assert_allclose(law(truncated=True).probability(n), known.pmf(n) / known.sf(0), rtol=1e-12)
    assert law(truncated=False).probability_above(7) == pytest.approx(known.sf(7))
    assert law(truncated=True).probability_above(0) == pytest.approx(1)
    inflated = ZeroInflated(law(truncated=False), 0.25)
    assert_allclose(inflated.probability(n), 0.75 * known.pmf(n), rtol=1e-12)
    assert inflated.probability_above(7) == pytest.approx(0.75 * known.sf(7))


@pytest.mark.parametrize("probability", [0.5, 1e-3, 1e-17])
@pytest.mark.parametrize("law", [Poisson(0.0), Poisson(40.0), NegativeBinomial(0.3, 0.01)], ids=str)
def test_the_quantile_is_the_smallest(law, probability):
    size = size_exceeded_with(probability, law)
    assert law.probability_above(size) <= probability
    assert size == 1 or law.probability_above(size - 1) > probability


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Poisson(-1.0), r"rate must be in \[0, inf\), got -1.0"),
        (lambda: NegativeBinomial(0.0, 0.5), r"r must be in \(0, inf\), got 0.0"),
        (lambda: NegativeBinomial(1.0, 1.0), r"p must be in \(0, 1\), got 1.0"),
        (lambda: ZeroInflated(Poisson(1.0), 1.0), r"extra_zeros must be in \[0, 1\), got 1.0"),
        (lambda: expected(0, [0.5, 0.5], Laplace(epsilon=1.0)), "n must be in the whole numbers from 1, got 0"),
        (lambda: expected(1.5, [0.5, 0.5], Laplace(epsilon=1.0)), "n must be in the whole numbers from 1"),
        (lambda: expected(2, [0.5, 0.6], Laplace(epsilon=1.0)), "sum 1 over the values, got .* They sum to 1.1"),
        (lambda: expected(2, [-0.5, 1.5], Laplace(epsilon=1.0)), r"shares must be in \[0, 1\], got"),
        (lambda: shrinkage(2, [0.0, 0.0], Laplace(epsilon=1.0)), "alpha must be in .* positive sum.*CommonShares"),
        (lambda: shrinkage(2, [-1.0, 3.0], Laplace(epsilon=1.0)), "alpha must be in .* positive sum"),
    ],
)
def test_bad_numbers_are_named(make, message):
    with pytest.raises(OutOfRange, match=message):
        make()


def test_empty_cells_are_named():
    with pytest.raises(BadCounts, match=r"a cell without records\. Leave empty cells out"):
        expected_of_counts([[1, 0], [0, 0]], Laplace(epsilon=1.0))
