"""Data: how near the records of a synthetic table come to the original ones."""

from epsilometer.neighbors.candidates import Candidates, candidate_probability, count_candidates
from epsilometer.neighbors.dependency import dependency_cliques, dependency_codes
from epsilometer.neighbors.encoding import Encoding, default_metric, encode
from epsilometer.neighbors.matching import Coverage, coverage, mean_matched_distance
from epsilometer.neighbors.nearest import (
    NearestSummary,
    NearestTies,
    hitting_rate,
    nearest_distances,
    nearest_ties,
    y_privacy,
)
from epsilometer.neighbors.voronoi import boundary_points, voronoi_distances, voronoi_privacy

__all__ = [
    "Candidates",
    "Coverage",
    "Encoding",
    "NearestSummary",
    "NearestTies",
    "boundary_points",
    "candidate_probability",
    "count_candidates",
    "coverage",
    "default_metric",
    "dependency_cliques",
    "dependency_codes",
    "encode",
    "hitting_rate",
    "mean_matched_distance",
    "nearest_distances",
    "nearest_ties",
    "voronoi_distances",
    "voronoi_privacy",
    "y_privacy",
]
