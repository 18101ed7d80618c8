"""What cannot be a table of points is refused in one line, by every measure."""

import numpy as np
import pytest

from epsilometer import neighbors
from epsilometer.errors import BadTable, UnknownChoice

MEASURES = [
    neighbors.nearest_distances,
    neighbors.nearest_ties,
    neighbors.hitting_rate,
    neighbors.y_privacy,
    lambda one, other: neighbors.coverage(one, other, radius=1.0),
    neighbors.mean_matched_distance,
    neighbors.voronoi_distances,
    neighbors.boundary_points,
    neighbors.voronoi_privacy,
    lambda one, other: neighbors.candidate_probability(one, other, [[0], [1]]),
]
GOOD = [[0.0, 1.0], [2.0, 3.0]]
BAD = [
    ([[0.0, np.nan]], "must be numbers of at most 1e[+]150 in size, with no missing one. Drop or fill in"),
    ([[0.0, np.inf]], "must be numbers of at most 1e[+]150"),
    ([[0.0, 1e151]], "scale what is larger"),
    (np.empty((0, 2)), "There are no .* at least one is needed"),
    ([0.0, 1.0], r"must be rows of at least one column, got an array of shape \(2,\)\. Put a single column"),
    (np.empty((2, 0)), "must be rows of at least one column"),
    ([["a", "b"]], "must be numbers, all rows of one length; encode other values"),
    ([[0.0, 1.0], [2.0]], "must be numbers, all rows of one length"),
    ([[0.0]], "both need the same columns in the same order"),
]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("bad", "message"), BAD)
def test_bad_tables(measure, bad, message):
    for pair in ((bad, GOOD), (GOOD, bad)):
        with pytest.raises(BadTable, match=message) as raised:
            measure(*pair)
        assert "\n" not in str(raised.value)


def test_the_message_says_which_table():
    with pytest.raises(BadTable, match="The synthetic records must be numbers of"):
        neighbors.nearest_distances(GOOD, [[0.0, np.nan]])
    with pytest.raises(BadTable, match="The original records have 2 columns and the synthetic ones 1;"):
        neighbors.nearest_distances(GOOD, [[0.0]])
    with pytest.raises(BadTable, match="There are no points records"):
        neighbors.voronoi_distances(GOOD, np.empty((0, 2)))


@pytest.mark.parametrize("measure", [neighbors.nearest_distances, neighbors.nearest_ties, neighbors.y_privacy])
@pytest.mark.parametrize("norm", [0, 3, "euclidean"])
def test_there_are_two_norms(measure, norm):
    with pytest.raises(UnknownChoice, match=r"norm must be one of 1, 2; got .* 2 is the Euclidean one"):
        measure(GOOD, GOOD, norm=norm)
