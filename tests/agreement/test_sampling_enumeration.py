"""What a sample's histogram tells, by writing down every population, every target and what is published.

The attacker's best guess is found in the table of all joint probabilities of histogram and value: no formula.
"""

import math
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from epsilometer.formulas.sampling import exact_fractions, known_shares, vulnerability

ALPHAS = [Fraction(1), Fraction(1, 2), math.inf]


@cache
def populations(n, k, alpha):
    """Every assignment of values to n people with its probability, drawn one person after the other."""
    if n == 0:
        return [((), Fraction(1))]
    grown = []
    for people, probability in populations(n - 1, k, alpha):
        for value in range(k):
            same = people.count(value)
            share = Fraction(1, k) if math.isinf(alpha) else (same + alpha) / (n - 1 + k * alpha)
            grown.append(((*people, value), probability * share))
    return grown


def histogram(values, k):
    return tuple(values.count(value) for value in range(k))


def best_guess(joint):
    """Probability that the guess is right: for each histogram, that of the likeliest value."""
    best = defaultdict(Fraction)
    for (published, _), probability in joint.items():
        best[published] = max(best[published], probability)
    return sum(best.values())


def vulnerability_by_enumeration(n, m, k, alpha, targets):
    """The sample is the first m people, who are as random as any others."""
    joint = defaultdict(Fraction)
    for people, probability in populations(n, k, alpha):
        published = histogram(people[:m], k)
        for target in targets:
            joint[published, people[target]] += probability / len(targets)
    return best_guess(joint)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("n", range(1, 7))
def test_all_populations(n, k, alpha):
    for m in range(1, n + 1):
        inside = vulnerability_by_enumeration(n, m, k, alpha, range(m))
        assert exact_fractions.inside(m, k, alpha) == inside
        assert vulnerability.inside(m, k, float(alpha)).value == pytest.approx(float(inside), rel=1e-13)
        unknown = vulnerability_by_enumeration(n, m, k, alpha, range(n))
        assert exact_fractions.unknown(n, m, k, alpha) == unknown
        assert vulnerability.unknown(n, m, k, float(alpha)).value == pytest.approx(float(unknown), rel=1e-13)
    for m in range(1, n):
        outside = vulnerability_by_enumeration(n, m, k, alpha, range(m, n))
        assert exact_fractions.outside(m, k, alpha) == outside
        assert vulnerability.outside(m, k, float(alpha)).value == pytest.approx(float(outside), rel=1e-13)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_one_histogram_among_all_populations(alpha):
    """Given what was published, the likeliest value has the largest count."""
    n, m, k = 5, 3, 3
    for published in {histogram(people[:m], k) for people, _ in populations(n, k, alpha)}:
        for targets, formula in (
            (range(m), vulnerability.inside_given(published)),
            (range(m, n), vulnerability.outside_given(published, float(alpha))),
            (range(n), vulnerability.unknown_given(n, published, float(alpha))),
        ):
            seen = [(p, q) for p, q in populations(n, k, alpha) if histogram(p[:m], k) == published]
            chances = [sum(q for p, q in seen for t in targets if p[t] == value) for value in range(k)]
            truth = max(chances) / sum(q for _, q in seen) / len(targets)
            assert formula == pytest.approx(float(truth), rel=1e-14)


def known_by_enumeration(people, m, k, who):
    """All samples of m of these people; the attacker knows all values but not whose they are."""
    joint = defaultdict(Fraction)
    for chosen in combinations(range(len(people)), m):
        published = histogram([people[i] for i in chosen], k)
        targets = [i for i in range(len(people)) if who(i in chosen)]
        for target in targets:
            joint[published, people[target]] += Fraction(1, math.comb(len(people), m) * len(targets))
    return best_guess(joint)


@pytest.mark.parametrize(
    "counts", [c for c in product(range(5), repeat=3) if 0 < sum(c) <= 7 and list(c) == sorted(c, reverse=True)]
)
def test_known_shares(counts):
    people = [value for value, count in enumerate(counts) for _ in range(count)]
    n = len(people)
    for m in range(1, n + 1):
        inside = known_by_enumeration(people, m, 3, lambda sampled: sampled)
        assert exact_fractions.inside_known_shares(counts, m) == inside
        assert known_shares.inside(counts, m) == pytest.approx(float(inside), rel=1e-13)
        anybody = known_by_enumeration(people, m, 3, lambda sampled: True)
        assert known_shares.unknown(counts) == pytest.approx(float(anybody), rel=1e-15)
    for m in range(n):
        outside = known_by_enumeration(people, m, 3, lambda sampled: not sampled)
        assert exact_fractions.outside_known_shares(counts, m) == outside
        assert known_shares.outside(counts, m) == pytest.approx(float(outside), rel=1e-13)
