"""The risk that papers 000 and 001 report for their tables: of pieces of cells, each with one value.

Apart from the other printed measures because it needs no fitted law: every assessment shows it, and must load fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.assessments.homogeneity.averaging import number, weighted_mean
from epsilometer.assessments.homogeneity.reading import Reading
from epsilometer.formulas import homogeneity
from epsilometer.formulas.homogeneity.totals import total_over_cells
from epsilometer.vocabulary.evidence import AsPrinted
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise


def of_pieces(freq: FrequencyTable, noise: Mechanism, average: str) -> Reading:
    """Corollaries 3 and 6 over the pieces that the papers count: quasi-identifiers and sensitive value."""
    profile = freq.profile
    if average == "records":
        value = weighted_mean(_of_a_member, profile, noise, average)
        caveat = "Pieces of a cell are homogeneous by construction: not the risk of the cells (erratum E4)."
    else:
        n_pieces = int((profile.counts > 0).sum(axis=1) @ profile.n_cells)
        total = total_over_cells(homogeneity.homogeneous_pieces, profile.counts, profile.n_cells, noise)
        value = total / n_pieces
        caveat = f"The {n_pieces:,} pieces of cell and value are homogeneous by construction (erratum E4)."
    return Reading(AsPrinted(number(value)), sources_of(homogeneity.homogeneous_pieces), caveats=(caveat,))


def _of_a_member(counts: IntArray, noise: Noise) -> FloatArray:
    """Risk of the piece that a member of the cell is in."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    return (homogeneity.published.homogeneous(counts, counts.shape[1], noise) * shares).sum(axis=-1)
