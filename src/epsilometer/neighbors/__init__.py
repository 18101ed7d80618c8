"""Data: how near the records of a synthetic table come to the original ones."""

from epsilometer.neighbors.candidates import candidate_probability
from epsilometer.neighbors.matching import Coverage, coverage, mean_matched_distance
from epsilometer.neighbors.nearest import NearestSummary, hitting_rate, nearest_distances, y_privacy
from epsilometer.neighbors.voronoi import boundary_points, voronoi_distances, voronoi_privacy

__all__ = [
    "Coverage",
    "NearestSummary",
    "boundary_points",
    "candidate_probability",
    "coverage",
    "hitting_rate",
    "mean_matched_distance",
    "nearest_distances",
    "voronoi_distances",
    "voronoi_privacy",
    "y_privacy",
]
