"""What sums of weights over some of the people come to when chance decides who they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from epsilometer.vocabulary.arrays import FloatArray, IntArray

PEOPLE_AT_ONCE: Final = 2**22
ROUNDING: Final = 1e-9  # of a score: a draw that ties with the truth must not lose to it by rounding
NO_VARIANCE: Final = 1e-12  # of the squares of the weights: what is below is rounding


@source("cochran-1977", "Theorem 2.2: the variance of a total over a simple random sample")
def moments(weights: csr_array, n_people: IntArray, n_chosen: int) -> tuple[FloatArray, FloatArray]:
    r"""Mean and standard deviation of sums of weights over people chosen at random. Exact.

    .. math:: E = \frac{k}{N} \sum_j w_j, \quad
        V = \frac{k (N - k)}{N (N - 1)} \Bigl(\sum_j w_j^2 - \frac1N \bigl(\sum_j w_j\bigr)^2\Bigr)

    with k = ``n_chosen`` of N people. All ``n_people`` at a place have the same weight: ``weights`` are sums x places.
    A deviation that is mere rounding is zero. N is at least 2.

    >>> from scipy.sparse import csr_array
    >>> moments(csr_array([[1.0, 0.0]]), np.array([1, 3]), n_chosen=2)
    (array([0.5]), array([0.5]))
    """
    k, n = n_chosen, int(n_people.sum())
    sums, squares = weights @ n_people, weights.power(2) @ n_people
    spread = squares - sums**2 / n
    variance = np.where(spread > NO_VARIANCE * squares, spread, 0.0) * (k * (n - k) / (n * (n - 1)))
    return sums * k / n, np.sqrt(variance)


def standardised(sums: FloatArray, mean: FloatArray, deviation: FloatArray) -> FloatArray:
    """Sums, one row for each mean, in standard deviations from it; zero where a sum cannot vary."""
    z = np.zeros_like(sums)
    return np.divide(sums - mean[:, None], deviation[:, None], out=z, where=deviation[:, None] > 0)


def drawn_choices(n_people: IntArray, n_chosen: IntArray, rng: np.random.Generator) -> FloatArray:
    """Chosen people at each place, places x draws, when ``n_chosen`` of the people in all are, in each draw."""
    chosen = np.arange(n_people.sum()) < n_chosen[:, None]
    starts = np.cumsum(n_people) - n_people
    return np.add.reduceat(rng.permuted(chosen, axis=1), starts, axis=1, dtype=np.float64).T


@source("phipson-smyth-2010", "Section 4: the p-value of drawn permutations")
def p_values(
    weights: csr_array,
    n_people: IntArray,
    n_chosen: IntArray,
    *,
    n_tests: int,
    rng: np.random.Generator,
    permutations: int,
) -> FloatArray:
    r"""How rarely does chance alone make the largest of several standardised sums so large? One number for each test.

    .. math:: p = \frac{1 + \#\{b : \max_t z_t^{(b)} \ge \max_t z_t\}}{1 + B}

    with B = ``permutations`` choices of as many people as in truth, drawn at random. Exact: if all choices are
    equally probable, p is at most :math:`\alpha` with probability at most :math:`\alpha`, whatever the weights.

    Rows of ``weights``, sums x places, belong to the tests in turn, as many to each. ``n_chosen`` of the ``n_people``
    at each place are chosen in truth. Tests share the draws, each by itself is none the worse for it.

    >>> from scipy.sparse import csr_array
    >>> one_in_a_thousand = csr_array(([1.0], ([0], [7])), shape=(1, 1000))
    >>> everyone, him = np.ones(1000, dtype=int), (np.arange(1000) == 7).astype(int)
    >>> rng = np.random.default_rng(1)
    >>> float(p_values(one_in_a_thousand, everyone, him, n_tests=1, rng=rng, permutations=999)[0])
    0.002
    """
    k, n_all = int(n_chosen.sum()), int(n_people.sum())
    mean, deviation = moments(weights, n_people, k)
    used = np.unique(weights.indices)  # who has no weight need not be drawn
    parts, people = weights[:, used], n_people[used]
    n_used = int(people.sum())

    def largest(chosen: FloatArray) -> FloatArray:
        z = standardised(parts @ chosen, mean, deviation)
        z[deviation == 0] = -np.inf  # what cannot vary has no say
        return z.reshape(n_tests, -1, z.shape[1]).max(axis=1)

    truth = largest(n_chosen[used, None].astype(np.float64)) - ROUNDING
    n_above = np.zeros(n_tests)
    at_once = max(1, PEOPLE_AT_ONCE // n_used)
    for done in range(0, permutations, at_once):
        n_draws = min(at_once, permutations - done)
        among_used = rng.hypergeometric(k, n_all - k, n_used, n_draws)
        n_above += (largest(drawn_choices(people, among_used, rng)) >= truth).sum(axis=1)
    return (1 + n_above) / (1 + permutations)
