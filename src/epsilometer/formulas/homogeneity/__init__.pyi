from . import published, simulation
from .bayes import bayes_independent_counts, bayes_two_values
from .expected import expected, expected_of_counts
from .global_risk import global_fixed, global_shrinkage
from .largest_count import winning_probability
from .local import homogeneous_pieces, largest_local, largest_local_records, local, local_records, people_disclosed
from .precision import any_alone, precision
from .scenarios import Scenario, scenario_probabilities
from .share_of_counts import expected_shares
from .shrinkage import shrinkage
from .size_laws import NegativeBinomial, Poisson, ZeroInflated
from .thresholding import empty_probability, hard, soft

__all__ = [
    "NegativeBinomial",
    "Poisson",
    "Scenario",
    "ZeroInflated",
    "any_alone",
    "bayes_independent_counts",
    "bayes_two_values",
    "empty_probability",
    "expected",
    "expected_of_counts",
    "expected_shares",
    "global_fixed",
    "global_shrinkage",
    "hard",
    "homogeneous_pieces",
    "largest_local",
    "largest_local_records",
    "local",
    "local_records",
    "people_disclosed",
    "precision",
    "published",
    "scenario_probabilities",
    "shrinkage",
    "simulation",
    "soft",
    "winning_probability",
]
