"""The largest joint probability of each output, in one pass over a channel that may be large."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.leakage.hyper_distribution import joint_of
from epsilometer.leakage.reading import ROW_SUM_TOLERANCE, check_rows, is_sparse
from epsilometer.vocabulary.long_arrays import on_all_cores

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix
    from epsilometer.vocabulary.arrays import FloatArray

CELLS_PER_BLOCK = 2**18  # 2 MB of floats: a block stays in the cache while it is added up, weighted and compared
INFINITE_BITS = np.float64(np.inf).view(np.uint64)


def checked_maxima(prior: Matrix, channel: Matrix) -> Matrix:
    """Return the largest joint probability of each output; raise if a row of the channel is no distribution."""
    if not is_sparse(channel) and channel.dtype != object:
        sound, largest = _float_maxima(prior, channel)
        if sound:
            return largest
    check_rows("channel", channel)
    return joint_of(prior, channel).max(axis=0)


def _float_maxima(prior: FloatArray, channel: FloatArray) -> tuple[bool, FloatArray]:
    """Return whether the rows are surely distributions, and if so the largest joint probability of each output."""
    if channel.size <= CELLS_PER_BLOCK:
        return _maxima_by_blocks(prior, channel)
    middle = len(prior) // 2
    # two threads keep the memory busy, which is what limits a large channel; numpy lets them run at once
    halves = on_all_cores(_maxima_by_blocks, np.split(prior, [middle]), np.split(channel, [middle]))
    (upper_sound, upper_largest), (lower_sound, lower_largest) = halves
    return upper_sound and lower_sound, np.maximum(upper_largest, lower_largest)


def _maxima_by_blocks(prior: FloatArray, channel: FloatArray) -> tuple[bool, FloatArray]:
    # Floats from zero on are in the order of their bits, and those of a negative number or NaN are above them all:
    # the largest bits of a column are its largest number, and tell without another pass whether all were numbers
    # from zero on. A negative zero is mistaken for negative, which the caller sorts out.
    n_rows, n_columns = channel.shape
    rows_per_block = max(1, min(n_rows, CELLS_PER_BLOCK // n_columns))
    sums, joint = np.empty(n_rows), np.empty((rows_per_block, n_columns))
    largest = np.zeros(n_columns, dtype=np.uint64)
    with np.errstate(invalid="ignore"):  # zero times infinity is NaN and found as such
        for start in range(0, n_rows, rows_per_block):
            rows = slice(start, min(start + rows_per_block, n_rows))
            block = joint[: rows.stop - start]
            np.einsum("ij->i", channel[rows], out=sums[rows])
            np.multiply(prior[rows, None], channel[rows], out=block)
            np.maximum(largest, block.view(np.uint64).max(axis=0), out=largest)
    sound = (largest < INFINITE_BITS).all() and (np.abs(sums - 1) <= ROW_SUM_TOLERANCE).all()
    return bool(sound), largest.view(np.float64)
