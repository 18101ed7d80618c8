"""Build channels from channels. Sparse channels give a sparse channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from epsilometer.errors import BadChannel, OutOfRange
from epsilometer.leakage.reading import check_rows, is_sparse, read
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix, MatrixLike, Number


@source("AlvimEtAl2020", "cascade")
def cascade(first: MatrixLike, second: MatrixLike) -> Matrix:
    r"""Which channel shows what comes out of ``second`` when it is fed with the output of ``first``? Exact.

    .. math:: (CD)_{x,z} = \sum_y C_{x,y} D_{y,z}

    It never leaks more than ``first``.

    >>> cascade([[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.5, 0.5]])
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    left, right = _read_two(first, second)
    if left.shape[1] != right.shape[0]:
        raise BadChannel(
            f"The first channel has {left.shape[1]} outputs and the second takes {right.shape[0]} secrets; "
            "the outputs of the first are the secrets of the second."
        )
    return left @ right


@source("AlvimEtAl2020", "parallel composition")
def parallel(first: MatrixLike, second: MatrixLike) -> Matrix:
    r"""Which channel shows the outputs of both, made independently from the same secret? Exact.

    .. math:: (C \parallel D)_{x,(y,z)} = C_{x,y} D_{x,z}

    Output (y, z) is column ``y * n_outputs_of_second + z``. It leaks at least as much as either.

    >>> parallel([[1, 0], [0, 1]], [[0.5, 0.5], [0.0, 1.0]])
    array([[0.5, 0.5, 0. , 0. ],
           [0. , 0. , 0. , 1. ]])
    """
    left, right = _read_two(first, second)
    _check_same_secrets(left, right)
    if is_sparse(left):
        each, every = sparse.eye_array, np.ones
        repeated = left @ sparse.kron(each(left.shape[1]), every((1, right.shape[1])), format="csc")
        tiled = right @ sparse.kron(every((1, left.shape[1])), each(right.shape[1]), format="csc")
        return sparse.csc_array(repeated * tiled)
    return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)


@source("AlvimEtAl2020", "external probabilistic choice")
def visible_choice(probability: Number, first: MatrixLike, second: MatrixLike) -> Matrix:
    """Which channel uses ``first`` with the given probability, otherwise ``second``, and shows which? Exact.

    The outputs of ``first`` come first.

    >>> visible_choice(0.5, [[1, 0], [0, 1]], [[1], [1]])
    array([[0.5, 0. , 0.5],
           [0. , 0.5, 0.5]])
    """
    both = _weighted(probability, first, second)
    return sparse.hstack(both, format="csc") if is_sparse(both[0]) else np.hstack(both)


@source("AlvimEtAl2020", "internal probabilistic choice")
def hidden_choice(probability: Number, first: MatrixLike, second: MatrixLike) -> Matrix:
    """Which channel uses ``first`` with the given probability, otherwise ``second``, and does not tell? Exact.

    Both need the same outputs. It never leaks more than the visible choice.

    >>> hidden_choice(0.5, [[1, 0], [0, 1]], [[0, 1], [0, 1]])
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    left, right = _weighted(probability, first, second)
    if left.shape != right.shape:
        raise BadChannel(
            f"The first channel has {left.shape[1]} outputs and the second {right.shape[1]}; "
            "a hidden choice needs the same outputs in both."
        )
    return left + right


def _read_two(first: MatrixLike, second: MatrixLike) -> tuple[Matrix, Matrix]:
    left, right = read(first_channel=first, second_channel=second)
    check_rows("first channel", left)
    check_rows("second channel", right)
    return _both_sparse(left, right)


def _weighted(probability: Number, first: MatrixLike, second: MatrixLike) -> tuple[Matrix, Matrix]:
    share, left, right = read(probability=probability, first_channel=first, second_channel=second)
    if not 0 <= share <= 1:
        raise OutOfRange("probability", probability, "[0, 1]")
    check_rows("first channel", left)
    check_rows("second channel", right)
    _check_same_secrets(left, right)
    return _both_sparse(share * left, (1 - share) * right)


def _both_sparse(left: Matrix, right: Matrix) -> tuple[Matrix, Matrix]:
    """Return both as they are, or both sparse if one is."""
    if is_sparse(left) or is_sparse(right):
        return sparse.csc_array(left), sparse.csc_array(right)
    return left, right


def _check_same_secrets(first: Matrix, second: Matrix) -> None:
    if first.shape[0] != second.shape[0]:
        raise BadChannel(
            f"The first channel is about {first.shape[0]} secrets and the second about {second.shape[0]}; "
            "both must be about the same secrets."
        )
