from . import bayes, g, guessing, shannon, uncertainty
from .composition import cascade, hidden_choice, parallel, visible_choice
from .hyper_distribution import Hyper, hyper, joint
from .inputs import exact, identity_gain, tabulate, uniform
from .refinement_order import Refinement, refinement

__all__ = [
    "Hyper",
    "Refinement",
    "bayes",
    "cascade",
    "exact",
    "g",
    "guessing",
    "hidden_choice",
    "hyper",
    "identity_gain",
    "joint",
    "parallel",
    "refinement",
    "shannon",
    "tabulate",
    "uncertainty",
    "uniform",
    "visible_choice",
]
