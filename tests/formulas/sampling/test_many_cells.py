import numpy as np
import pytest

from epsilometer.formulas.sampling import known_shares
from epsilometer.formulas.sampling.exact_fractions import inside_known_shares, outside_known_shares
from epsilometer.formulas.sampling.many_cells import FEW, inside_and_outside

CELLS = np.array([[4, 0, 0], [0, 4, 1], [2, 1, 0], [3, 3, 3], [9, 1, 2], [1, 1, 1]])


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.8, 1.0])
def test_cells_against_fractions(share):
    drawn = np.rint(share * CELLS.sum(axis=1)).astype(np.int64)
    inside, outside = inside_and_outside(CELLS, drawn)
    for cell, m, found_in, found_out in zip(CELLS.tolist(), drawn.tolist(), inside, outside, strict=True):
        if m:
            assert found_in == pytest.approx(float(inside_known_shares(cell, m)), rel=1e-14)
        if m < sum(cell):
            assert found_out == pytest.approx(float(outside_known_shares(cell, m)), rel=1e-14)
        assert (np.isnan(found_in), np.isnan(found_out)) == (m == 0, m == sum(cell))


@pytest.mark.parametrize("drawn", [1, FEW, FEW + 1, 300, 1000 - FEW, 999])
def test_few_people_and_many_join_on(drawn):
    """Up to a number of people counts are summed over directly, beyond by transforms."""
    cells = np.array([[700, 290, 10, 0], [250, 250, 250, 250], [1000, 0, 0, 0]])
    inside, outside = inside_and_outside(cells, np.full(3, drawn))
    assert inside == pytest.approx([known_shares.inside(cell, drawn) for cell in cells], rel=1e-13)
    assert outside == pytest.approx([known_shares.outside(cell, drawn) for cell in cells], rel=1e-13)


def test_cells_may_be_huge():
    inside, _ = inside_and_outside(np.array([[10**12, 10**12]]), np.array([2]))
    assert inside == pytest.approx([0.75], rel=1e-9)  # two coins: alike, both named right, or one of two
