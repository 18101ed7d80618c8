"""Very many numbers or short rows of them: sums, histograms, and parts that fit a cache."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import ArrayLike, IntArray

    Kind = TypeVar("Kind", bound=np.generic)
    Answer = TypeVar("Answer")

FITS_A_CACHE: Final = 2**15  # numbers; memory that is new to a process costs as much as working with it
KEEPS_A_THREAD_BUSY: Final = 2**17  # numbers; with fewer, threads wait for each other, and more leave the cache
WORTH_THREADS: Final = 2**21  # numbers; starting threads takes half a millisecond
LANES: Final = 4  # tallies of every fourth row: equal numbers in a row would wait for each other
MOST_PLACES: Final = 4  # for each number: with more, sorting takes less than going through them


def parts(rows: NDArray[Kind], numbers_per_row: int = 1) -> list[NDArray[Kind]]:
    """Split rows into parts for which that many numbers each fit a cache; there is always one.

    >>> [len(part) for part in parts(np.zeros(3 * 2**15), numbers_per_row=2)]
    [16384, 16384, 16384, 16384, 16384, 16384]
    """
    return np.array_split(rows, -(-len(rows) * numbers_per_row // FITS_A_CACHE) or 1)


def of_parts(
    ask: Callable[..., Answer], *arrays: NDArray[Any], numbers_per_row: int = 1, passes: int = 1
) -> list[Answer]:
    """Ask something of the rows of some arrays of one length, part by part, in order; of many on all cores.

    One core alone does not keep the memory busy. Numpy lets several threads work at once, if each has enough to do:
    numbers that it goes through in several passes count as many times.

    >>> of_parts(lambda numbers: int(numbers.sum()), np.arange(5))
    [10]
    """
    n_numbers = max(arrays[0].size, len(arrays[0]) * numbers_per_row) * passes
    at_once = FITS_A_CACHE if n_numbers < WORTH_THREADS else KEEPS_A_THREAD_BUSY
    n_rows = max(1, at_once // numbers_per_row)

    def answers(firsts: range) -> list[Answer]:
        return [ask(*(array[first : first + n_rows] for array in arrays)) for first in firsts]

    if n_numbers < WORTH_THREADS:
        return answers(range(0, len(arrays[0]), n_rows))
    n_threads = os.cpu_count() or 1
    n_rows = min(n_rows, -(-len(arrays[0]) // n_threads) or 1)
    firsts = range(0, len(arrays[0]), n_rows)
    shares = [firsts[i * len(firsts) // n_threads : (i + 1) * len(firsts) // n_threads] for i in range(n_threads)]
    return [answer for share in on_all_cores(answers, shares) for answer in share]


def on_all_cores(ask: Callable[..., Answer], *questions: Sequence[Any]) -> list[Answer]:
    """Ask all questions, as many at a time as there are cores, and return the answers in order; threads end with it.

    The thread that asks works as well: what it would leave to another one may have to wait for a core.

    >>> on_all_cores(pow, [2, 3], [3, 2])
    [8, 9]
    """
    from concurrent.futures import ThreadPoolExecutor  # loaded for large work only

    asked = list(enumerate(zip(*questions, strict=True)))
    waiting = iter(asked)  # of all threads: each takes what is next
    answers: dict[int, Answer] = {}

    def work() -> None:
        for place, question in waiting:
            answers[place] = ask(*question)

    n_helpers = min(os.cpu_count() or 1, len(asked)) - 1
    with ThreadPoolExecutor(max(1, n_helpers)) as threads:
        helping = [threads.submit(work) for _ in range(n_helpers)]
        work()
    for helper in helping:
        helper.result()
    return [answers[place] for place in range(len(asked))]


def of_cells(ask: Callable[..., Answer], counts: ArrayLike, *of_each: ArrayLike) -> list[Answer]:
    """Ask something of count vectors, and of what goes with each, part by part, on all cores.

    >>> of_cells(lambda n, n_cells: int(n_cells @ n.max(axis=1)), [[3, 0], [2, 1]], [1, 5])
    [13]
    """
    vectors = np.asarray(counts)
    return of_parts(ask, vectors, *map(np.asarray, of_each), numbers_per_row=vectors.shape[1])


def totals_of_values(counts: ArrayLike, n_cells: ArrayLike) -> NDArray[Any]:
    """Add up the records of each value over all cells.

    >>> totals_of_values([[3, 0], [2, 1]], [1, 5])
    array([13,  5])
    """
    return np.sum(of_cells(lambda n, cells: np.einsum("i,ij->j", cells, n), counts, n_cells), axis=0)


def row_sums(rows: NDArray[Any]) -> NDArray[Any]:
    """Sum each row; numpy's own sum takes five times as long for short ones.

    >>> row_sums(np.array([[1, 2], [3, 4]]))
    array([3, 7])
    """
    return np.einsum("ij->i", rows)


def tally(ask: Callable[..., IntArray], most: int, rows: NDArray[Any], weights: ArrayLike) -> NDArray[np.float64]:
    """Sum of the weights of the rows of which 0, 1, .. ``most`` is found.

    >>> tally(row_sums, 4, np.array([[1, 1], [4, 0], [2, 0]]), [1, 2, 5])
    array([0., 0., 6., 0., 2.])
    """
    n_places = most + 1
    if len(rows) < WORTH_THREADS or n_places > FITS_A_CACHE:  # parts should be longer than what they come to
        return np.asarray(np.bincount(ask(rows), weights, n_places), dtype=np.float64)
    lane = n_places * (np.arange(KEEPS_A_THREAD_BUSY) % LANES)

    def of_part(some: NDArray[Any], weight: NDArray[Any]) -> NDArray[np.float64]:
        sums = sums_of_places(ask(some) + lane[: len(some)], weight, LANES * n_places)
        return np.einsum("ij->j", sums.reshape(LANES, n_places))

    return np.asarray(np.sum(of_parts(of_part, rows, np.asarray(weights)), axis=0))


def sums_of_places(places: IntArray, weights: NDArray[Any], n_places: int) -> NDArray[np.float64]:
    """Add up the weights of each place. Unlike numpy's count, a sparse column lets other threads work at the same time.

    >>> sums_of_places(np.array([2, 0, 2]), np.array([1, 4, 5]), 4)
    array([4., 0., 6., 0.])
    """
    if len(places) <= FITS_A_CACHE:
        return np.asarray(np.bincount(places, weights, n_places), dtype=np.float64)
    from scipy.sparse import csc_array  # loaded for large work only

    ends = np.array([0, len(places)])
    return np.asarray(csc_array((weights.astype(np.float64), places, ends), shape=(n_places, 1)) @ np.ones(1))


def histogram(
    ask: Callable[..., IntArray], most: int, rows: NDArray[Any], weights: NDArray[Any]
) -> tuple[IntArray, NDArray[np.float64]]:
    """Return the different numbers, from zero to the most, found of rows, and the sum of the positive weights of each.

    >>> histogram(row_sums, 3, np.array([[3], [1], [3]]), np.array([1, 2, 5]))
    (array([1, 3]), array([2., 6.]))
    """
    if most <= len(rows):  # no sorting: a place for each number that may occur
        sums = tally(ask, most, rows, weights)
        return np.flatnonzero(sums), sums[sums > 0]
    different, place = np.unique(ask(rows), return_inverse=True)
    return different, np.asarray(np.bincount(place, weights), dtype=np.float64)


def ranked(numbers: IntArray) -> tuple[IntArray, int]:
    """Return the place of each number, none below zero, among the different ones, and how many there are.

    >>> ranked(np.array([30, 10, 30]))
    (array([1, 0, 1]), 2)
    """
    if numbers.max(initial=0) <= MOST_PLACES * len(numbers):  # no sorting, as above
        occurs = np.zeros(numbers.max(initial=-1) + 1, dtype=np.bool_)
        occurs[numbers] = True
        place = np.cumsum(occurs)
        return place[numbers] - 1, int(place[-1]) if len(place) else 0
    different, found = np.unique(numbers, return_inverse=True)
    return found, len(different)
