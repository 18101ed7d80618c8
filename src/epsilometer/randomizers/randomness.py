"""Chance for real reports: from the operating system, through OpenDP where it is a coin, and never from a seed.

Nothing here takes a seed or a generator, so that real reports cannot be repeated.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from epsilometer.vocabulary.long_arrays import FITS_A_CACHE

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

Words = NDArray[np.uint64]
Bits = NDArray[np.uint8]

WHOLE: Final = 2.0**63


def random_words(n: int) -> Words:
    """Independent uniform 64-bit numbers.

    >>> random_words(3).dtype, len(random_words(3))
    (dtype('uint64'), 3)
    """
    return np.frombuffer(os.urandom(8 * n), dtype=np.uint64)


def random_bits(n: int) -> Bits:
    """Fair coins.

    >>> set(random_bits(1000).tolist())
    {0, 1}
    """
    return np.unpackbits(np.frombuffer(os.urandom(-(-n // 8)), dtype=np.uint8), count=n)


def coin_flips(probability: float, n: int) -> Bits:
    """Coins that show 1 with exactly this probability, a float up to 1/2: OpenDP flips the bits of zeros.

    About half a microsecond each.

    >>> set(coin_flips(0.5, 1000).tolist())
    {0, 1}
    """
    import opendp.prelude as dp  # it takes seconds to load, and only real reports need it

    dp.enable_features("contrib")
    bits = dp.bitvector_domain(max_weight=1), dp.discrete_distance()
    flip = dp.m.make_randomized_response_bitvec(*bits, f=2 * probability)
    return np.unpackbits(np.frombuffer(flip(bytes(-(-n // 8))), dtype=np.uint8), count=n)


def random_numbers(bound: int, n: int) -> IntArray:
    """Independent uniform whole numbers from 0 to ``bound`` - 1, for a bound up to 2^63: no remainder is favoured.

    >>> sorted(set(random_numbers(3, 1000).tolist()))
    [0, 1, 2]
    """
    fair = 2**64 // bound * bound  # words from here on would favour small remainders
    words = random_words(n)
    while len(unfair := np.flatnonzero(words > fair - 1)):
        words = words.copy()
        words[unfair] = random_words(len(unfair))
    return (words % np.uint64(bound)).view(np.int64)


def whole_weights(weights: FloatArray) -> Words:
    """Whole numbers in proportion to these, in each row (last axis), rounded up, with a sum a little below 2^63.

    >>> whole_weights(np.array([1.0, 3.0])) // np.uint64(10**18)
    array([2, 6], dtype=uint64)
    """
    scaled = weights * (WHOLE * (1 - 1e-9) / weights.sum(axis=-1, keepdims=True))
    return np.ceil(scaled).astype(np.uint64)


def random_picks(weights: Words, n: int) -> IntArray:
    """Independent positions in ``weights``, each with a probability of exactly its weight's share of their sum.

    The sum must be below 2^63.

    >>> random_picks(np.array([0, 5, 0], dtype=np.uint64), 4)
    array([1, 1, 1, 1])
    """
    ladder = np.cumsum(weights)
    return np.searchsorted(ladder.view(np.int64), random_numbers(int(ladder[-1]), n), side="right")


def random_order(n: int, first: int | None = None) -> IntArray:
    """A uniformly random permutation of 0 … n - 1, or the first numbers of one.

    All of them are the order of random 64-bit keys, drawn again should two be equal. Where less than half is wanted,
    numbers are drawn one by one, and those that were drawn before are passed over: n may be too large for memory.

    >>> sorted(random_order(5).tolist())
    [0, 1, 2, 3, 4]
    >>> len(set(random_order(10**15, 3).tolist()))
    3
    """
    if first is None or 2 * first > n:
        return _whole_order(n)[:first]
    drawn = np.empty(0, np.int64)
    while True:
        drawn = np.concatenate([drawn, random_numbers(n, first)])
        _, where = np.unique(drawn, return_index=True)
        if len(where) >= first:
            return drawn[np.sort(where)[:first]]


def _whole_order(n: int) -> IntArray:
    while True:
        order, keys = _ascending(random_words(n))
        if (np.diff(keys) > 0).all():
            return order


def _ascending(keys: Words) -> tuple[IntArray, Words]:
    """Sort uniform keys: by their first bits, without comparing any, and then within parts of them.

    Parts fit a cache: ten million keys take half as long as sorting them at once. Returns their order too.
    """
    n_bits = min(16, (len(keys) // FITS_A_CACHE).bit_length())
    part = (keys >> np.uint64(48)).astype(np.uint16) >> np.uint16(16 - n_bits)
    order = np.argsort(part, kind="stable")
    keys = keys[order]
    for start, end in pairwise([0, *np.cumsum(np.bincount(part)).tolist()]):
        within = np.argsort(keys[start:end])
        for some in (order[start:end], keys[start:end]):
            some[:] = some[within]
    return order, keys
