"""Samples of few people, by listing everything that can happen, in fractions."""

import math
from fractions import Fraction
from functools import cache

import pytest


@cache
def histograms(people, n_values):
    """Every way in which people divide over values."""
    if n_values == 1:
        return [(people,)]
    return [(first, *rest) for first in range(people + 1) for rest in histograms(people - first, n_values - 1)]


def orders(counts):
    """In how many orders people with these counts can stand."""
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def weight(counts, alpha):
    """Probability of one order of people with these counts, under a symmetric Dirichlet belief about the shares."""
    if math.isinf(alpha):
        return Fraction(1, len(counts) ** sum(counts))
    above = math.prod(alpha + i for count in counts for i in range(count))
    return above / math.prod(len(counts) * alpha + i for i in range(sum(counts)))


def loss_after(possible, n):
    """Expected error of the best guess of a share (two values) or of the posterior mean, times the probability."""
    if len(next(iter(possible))) == 2:
        return min(sum(p * abs(Fraction(c[0], n) - Fraction(guess, n)) for c, p in possible.items())
                   for guess in range(n + 1))  # fmt: skip
    total = sum(possible.values())
    means = [sum(p * value for value, p in zip(column, possible.values(), strict=True)) / total
             for column in zip(*possible, strict=True)]  # fmt: skip
    return sum(p * sum(abs(c - mean) for c, mean in zip(counts, means, strict=True)) / (2 * n)
               for counts, p in possible.items())  # fmt: skip


@cache
def enumerated_sample(n, m, n_values, alpha):
    """Return the chances of the three attackers and the loss, over all histograms inside and outside the sample."""
    found = dict.fromkeys(("in", "out", "unknown", "loss"), Fraction(0))
    for drawn in histograms(m, n_values):
        possible, inside, outside = {}, [Fraction(0)] * n_values, [Fraction(0)] * n_values
        for others in histograms(n - m, n_values):
            counts = tuple(y + z for y, z in zip(drawn, others, strict=True))
            p = orders(drawn) * orders(others) * weight(counts, alpha)
            possible[counts] = p
            inside = [total + p * Fraction(y, m) for total, y in zip(inside, drawn, strict=True)]
            outside = [total + p * Fraction(z, max(n - m, 1)) for total, z in zip(outside, others, strict=True)]
        both = [(m * i + (n - m) * o) / n for i, o in zip(inside, outside, strict=True)]
        found["in"] += max(inside)
        found["out"] += max(outside)
        found["unknown"] += max(both)
        found["loss"] += loss_after(possible, n)
    return found


@pytest.fixture
def enumerated():
    return enumerated_sample
