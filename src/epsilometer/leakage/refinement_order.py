"""Is one channel at least as safe as another, whatever the prior and whatever the attacker wants?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from epsilometer.errors import BadChannel, NotCertified
from epsilometer.leakage import g
from epsilometer.leakage.reading import as_floats, check_rows, dense, read
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.leakage.reading import Matrix, MatrixLike
    from epsilometer.vocabulary.arrays import FloatArray

SAME_CHANNEL = 1e-9  # channels this close in every entry count as equal
STRICTLY_MORE = 1e-13  # a difference of vulnerabilities that is not rounding
SCALE = 1000  # of the entries inside the linear program, whose solver takes coefficients below 1e-9 for zero


@dataclass(frozen=True, slots=True, eq=False)
class Refinement:
    """Whether a channel refines another, and what proves it. True or false like ``holds``.

    Attributes:
        holds: whether the safe channel is the leaky one followed by some channel.
        channel: such a channel, if it holds.
        gain: if it does not hold, a gain with values from 0 to 1 for which the safe channel leaks strictly more than
            the leaky one on the uniform prior.
    """

    holds: bool
    channel: FloatArray | None
    gain: FloatArray | None

    def __bool__(self) -> bool:
        return self.holds


@source("AlvimEtAl2020", "refinement")
@source("AlvimEtAl2020", "coriaceous theorem")
def refinement(leaky: MatrixLike, safe: MatrixLike) -> Refinement:
    r"""Is ``safe`` the channel ``leaky`` followed by some channel, so that it never leaks more? Decided to 1e-9.

    .. math:: \min_R \sum_{x,y} |S_{x,y} - (L R)_{x,y}|

    with :math:`L` = ``leaky`` and :math:`S` = ``safe``, over all channels R. If the distance is zero, R is the proof.
    If not, the prices of the linear program are a gain for which ``safe`` leaks more. Either is checked
    before it is returned. The program runs in floats, for fractions too, and its size is the product of the
    numbers of outputs plus twice the size of ``safe``.

    >>> bool(refinement(leaky=[[1, 0], [0, 1]], safe=[[0.5, 0.5], [0.5, 0.5]]))
    True
    >>> bool(refinement(leaky=[[0.5, 0.5], [0.5, 0.5]], safe=[[1, 0], [0, 1]]))
    False
    """
    rows, target = _read_two(leaky, safe)
    witness, prices = _nearest_refinement(rows, target)
    if np.abs(rows @ witness - target).max() <= SAME_CHANNEL:
        return Refinement(holds=True, channel=witness, gain=None)
    gain = (prices.T + 1) / 2
    prior = np.full(len(rows), 1 / len(rows))
    if g.posterior(prior, target, gain) - g.posterior(prior, rows, gain) > STRICTLY_MORE:
        return Refinement(holds=False, channel=None, gain=gain)
    raise NotCertified("The channels are too close to tell whether safe refines leaky; compare them with one gain.")


def _read_two(leaky: MatrixLike, safe: MatrixLike) -> tuple[FloatArray, FloatArray]:
    rows, target = read(leaky_channel=leaky, safe_channel=safe)
    check_rows("leaky channel", rows)
    check_rows("safe channel", target)
    if rows.shape[0] != target.shape[0]:
        raise BadChannel(
            f"The leaky channel is about {rows.shape[0]} secrets and the safe one about {target.shape[0]}; "
            "both must be about the same secrets."
        )
    return as_floats(dense(rows)), as_floats(dense(target))


def _nearest_refinement(rows: FloatArray, target: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the channel that brings ``rows`` nearest to ``target``, and what a change of each target entry costs."""
    n_between, n_outputs = rows.shape[1], target.shape[1]
    excess = sparse.eye_array(target.size)
    product = sparse.kron(SCALE * rows, sparse.eye_array(n_outputs))
    row_sums = sparse.kron(sparse.eye_array(n_between), np.ones((1, n_outputs)))
    blocks: Matrix = [[product, excess, -excess], [row_sums, None, None]]
    found: Matrix = linprog(
        np.repeat([0.0, 1.0], [n_between * n_outputs, 2 * target.size]),
        A_eq=sparse.block_array(blocks),
        b_eq=np.concatenate([SCALE * target.ravel(), np.ones(n_between)]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not found.success:
        raise NotCertified(f"The linear program for the refinement failed: {found.message}")
    witness = np.maximum(found.x[: n_between * n_outputs].reshape(n_between, n_outputs), 0)
    prices = found.eqlin.marginals[: target.size].reshape(target.shape)
    return witness / witness.sum(axis=1, keepdims=True), prices.clip(-1, 1)
