from . import published
from .any_field import advantage_any, epsilon_any
from .every_field import (
    advantage_all_independent,
    advantage_all_joint,
    advantage_all_separate,
    epsilon_all_independent,
    epsilon_all_joint,
    epsilon_all_separate,
)
from .one_field import advantage_single, epsilon_single, posterior, worst_case_advantage, worst_case_epsilon
from .uniqueness import log_uniqueness_probability, uniqueness_probability

__all__ = [
    "advantage_all_independent",
    "advantage_all_joint",
    "advantage_all_separate",
    "advantage_any",
    "advantage_single",
    "epsilon_all_independent",
    "epsilon_all_joint",
    "epsilon_all_separate",
    "epsilon_any",
    "epsilon_single",
    "log_uniqueness_probability",
    "posterior",
    "published",
    "uniqueness_probability",
    "worst_case_advantage",
    "worst_case_epsilon",
]
