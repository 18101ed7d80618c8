import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from epsilometer.errors import BadCounts, EpsilometerError
from epsilometer.formulas import empirical_bayes
from epsilometer.formulas.empirical_bayes import (
    CommonShares,
    Dirichlet,
    HomogeneousCells,
    Unidentified,
    dirichlet_moments,
    dirichlet_multinomial_mle,
)

ESTIMATES = [dirichlet_multinomial_mle, dirichlet_moments]


def simulated(alpha, n_cells, seed):
    rng = np.random.default_rng(seed)
    return rng.multinomial(rng.poisson(8, size=n_cells) + 1, rng.dirichlet(alpha, size=n_cells))


def score(alpha, counts):
    """Derivative of the log-likelihood, by the digamma function."""
    total = mp.fsum(alpha)
    return [
        mp.fsum(
            mp.digamma(a + int(c[k])) - mp.digamma(a) - mp.digamma(total + int(c.sum())) + mp.digamma(total)
            for c in counts
        )
        for k, a in enumerate(alpha)
    ]


ALPHAS = [[2.0, 5.0], [0.3, 0.2, 0.1], [8.0, 4.0, 2.0, 1.0], [0.01, 0.02]]
FEW_CELLS = [
    [[18, 21], [13, 30], [0, 1]],  # hardly more different than chance: the sum of alpha is 409
    [[12, 0], [11, 21], [8, 1]],
    [[0, 879], [0, 728], [0, 657], [4, 3]],
]


@pytest.mark.parametrize("counts", [simulated(alpha, 200, seed=3) for alpha in ALPHAS] + FEW_CELLS)
def test_the_score_is_zero_at_the_maximum(counts):
    counts = np.array(counts)
    fitted = dirichlet_multinomial_mle(counts).alpha
    with mp.workdps(40):
        of_logarithms = fitted * np.array(score(list(map(mp.mpf, fitted)), counts), dtype=float)
    assert np.abs(of_logarithms).max() < 1e-9


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("alpha", [[2.0, 5.0], [1.0, 2.0, 3.0], [0.3, 0.2, 0.1]], ids=str)
def test_the_true_parameters_are_recovered(estimate, alpha):
    """Relative error at 4000 cells is about 0.03; the seed is fixed, so there are no false alarms."""
    assert_allclose(estimate(simulated(alpha, 4000, seed=5)).alpha, alpha, rtol=0.12)


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_repeated_cells_may_be_counted_instead(estimate):
    counts = np.array([[3, 0, 0], [2, 1, 0], [0, 4, 0], [0, 0, 0]])
    weighted = estimate(counts, [4, 2, 3, 1])
    assert_allclose(weighted.alpha, estimate(np.repeat(counts, [4, 2, 3, 1], axis=0)).alpha, rtol=1e-9)
    assert weighted.alpha[2] == 0
    assert_allclose(np.asarray(weighted), weighted.alpha)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize(
    ("counts", "kind"),
    [
        ([[3, 0], [0, 2], [1, 0]], HomogeneousCells),
        ([[3, 0], [2, 0]], HomogeneousCells),
        ([[1, 0], [0, 1], [0, 1]], Unidentified),
        ([[2, 2], [3, 3], [2, 2]], CommonShares),
        ([[2, 1]], CommonShares),
    ],
)
def test_tables_without_an_estimate(estimate, counts, kind):
    fit = estimate(counts)
    assert isinstance(fit, kind)
    totals = np.sum(counts, axis=0)
    assert_allclose(fit.shares, totals / totals.sum())


def test_nearly_homogeneous_cells():
    counts = np.r_[np.tile([50, 0], (300, 1)), np.tile([0, 50], (300, 1)), [[49, 1]]]
    fitted = dirichlet_multinomial_mle(counts)
    assert isinstance(fitted, Dirichlet)
    assert 0 < fitted.alpha.sum() < 0.01


def test_where_newton_would_descend_the_fixed_point_climbs():
    """Far above the maximum the log-likelihood is convex."""
    cells_above = np.array([[2.0, 2.0, 2.0, 1.0, 1.0], [2.0, 2.0, 1.0, 1.0, 1.0]])  # of (5, 0), (0, 5), (3, 2)
    alpha, c = np.array([1e4, 1e4]), np.arange(5)
    gradient = (cells_above / (c + 1e4)).sum(axis=1) - (3 / (c + 2e4)).sum()
    assert empirical_bayes._newton_step(alpha, cells_above, np.full(5, 3.0)) @ gradient > 0


def test_a_search_that_does_not_settle_says_so(monkeypatch):
    monkeypatch.setattr(empirical_bayes, "_MOST_STEPS", 1)
    with pytest.raises(EpsilometerError, match=r"did not settle.*dirichlet_moments"):
        dirichlet_multinomial_mle([[3, 0], [2, 1], [0, 4]])


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_bad_input_is_named(estimate):
    with pytest.raises(BadCounts, match="no record in any cell"):
        estimate([[0, 0]])
    with pytest.raises(BadCounts, match="n_cells must be 2 numbers from 1 on"):
        estimate([[1, 0], [0, 1]], [1])
    with pytest.raises(BadCounts, match="n_cells must be 2 numbers from 1 on"):
        estimate([[1, 0], [0, 1]], [1, 0])


@pytest.mark.parametrize("counts", [[[2**50, 0], [0, 2**40]], [[1, 0], [0, 1]]], ids=["homogeneous", "one record each"])
def test_huge_counts_need_no_tally_where_there_is_nothing_to_fit(counts):
    """A tally has a place for each count up to the largest, which for these would be petabytes."""
    assert isinstance(dirichlet_multinomial_mle(counts), HomogeneousCells | Unidentified)
    assert isinstance(dirichlet_moments(counts), HomogeneousCells | Unidentified)


def test_moments_of_huge_counts_need_no_tally():
    alpha = dirichlet_moments([[2**50, 2**49], [2**40, 2**48]]).alpha
    assert np.isfinite(alpha).all()
    assert (alpha > 0).all()


@pytest.mark.parametrize("along", [np.asfortranarray, np.ascontiguousarray])
def test_parts_and_values_that_nobody_has_make_no_difference(along, monkeypatch):
    counts, n_cells = along([[3, 0, 0], [2, 0, 1], [0, 0, 4], [1, 0, 1], [0, 0, 0]]), [2, 1, 3, 1, 5]
    expected = dirichlet_multinomial_mle(counts[:4, ::2].repeat(n_cells[:4], axis=0)).alpha
    monkeypatch.setattr("epsilometer.vocabulary.long_arrays.FITS_A_CACHE", 2)
    fit = dirichlet_multinomial_mle(counts, n_cells).alpha
    np.testing.assert_allclose(fit, [expected[0], 0, expected[1]], rtol=1e-9)


def test_cells_may_have_weights_that_are_no_whole_numbers():
    counts = [[3, 0], [2, 1], [0, 4], [1, 1]]
    whole = dirichlet_multinomial_mle(counts, [2, 1, 3, 1]).alpha
    np.testing.assert_allclose(dirichlet_multinomial_mle(counts, [3.0, 1.5, 4.5, 1.5]).alpha, whole, rtol=1e-9)
