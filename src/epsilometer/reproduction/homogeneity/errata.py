"""All errata of papers 000 and 001, E1 to E18, each shown by numbers computed now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.reproduction.homogeneity import errata_equations as equations
from epsilometer.reproduction.homogeneity import errata_experiments as experiments_of
from epsilometer.reproduction.homogeneity.errata_estimation import moments

if TYPE_CHECKING:
    from epsilometer.reproduction.finding import Finding
    from epsilometer.reproduction.homogeneity.experiments import Experiments


def all_findings(experiments: Experiments) -> tuple[Finding, ...]:
    """Return the errata in their order."""
    return (
        equations.lower_bounds(),
        experiments_of.resampled_for_local(experiments),
        experiments_of.shares_of_the_maximum(experiments),
        experiments_of.wrong_cells(experiments),
        equations.small_cells(),
        equations.shape_of_scenario_8(),
        equations.empty_cells(),
        equations.negative_binomial(),
        equations.inverse_power(),
        equations.exponent(),
        experiments_of.sizes_with_empty_cells(experiments),
        equations.missing_factor(),
        moments(experiments),
        experiments_of.limit_of_the_first_term(experiments),
        experiments_of.delta_of_one(),
        experiments_of.saturation(experiments),
        experiments_of.sensitivity(experiments),
        experiments_of.slips(),
    )
