from . import leakage, randomizers
from .assessments.assess import Assessment, assess
from .assessments.attackers.find import find_attackers
from .assessments.cells import riskiest_cells
from .assessments.choose import choose
from .assessments.choose_without_looking import choose_without_looking
from .assessments.currency.compare import compare, compare_kinds
from .assessments.exploring.risk_grid import risk_grid
from .assessments.exploring.risk_spread import risk_spread
from .assessments.guessing.advantage import advantage_at, epsilon_for_advantage
from .assessments.guessing.table import guessed_columns
from .assessments.homogeneity.fits import fitted_sizes
from .assessments.homogeneity.risk import homogeneity_risk
from .assessments.homogeneity.scenarios import attacker_precision, homogeneity_scenarios
from .assessments.homogeneity.thresholding import thresholding_risk
from .assessments.inverse import delta_for_risk, epsilon_for_risk, threshold_for_risk
from .assessments.local.release import local_release
from .assessments.local.risk import local_risk
from .assessments.loss import utility_loss
from .assessments.raw import raw_risk
from .assessments.sampling.assess import assess_sample
from .assessments.sampling.choose import choose_sample
from .assessments.sampling.loss import sampling_utility_loss
from .assessments.sampling.risk import sampling_risk
from .assessments.sampling.table import sample_of_table
from .assessments.synthetic.audit import audit
from .assessments.synthetic.choose import choose_synthetic
from .assessments.synthetic.proximity import proximity
from .assessments.synthetic.single_measures import (
    candidate_probability,
    coverage,
    marginal_distance,
    model_accuracy,
    moment_errors,
    nearest_distances,
    voronoi_distances,
)
from .assessments.synthetic.synthesize import synthesize
from .formulas.empirical_bayes import dirichlet_multinomial_mle
from .formulas.guessing.uniqueness import uniqueness_probability
from .formulas.risk_curves import fit_risk_curve
from .formulas.size_fits import zero_truncated_poisson_mle
from .mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from .plans.files import read_plan
from .plans.plan import Plan
from .plans.release_kinds import Counts, CountsOf, Local, Raw, Sample, Synthetic
from .releases.passport_checks import check_passport
from .releases.release import release
from .tables.counting import frequency_table
from .tables.example import example_table
from .tables.frequency_table import FrequencyTable
from .tables.memory import memory_limit
from .tables.opening import open_table
from .vocabulary.choice import Choice

__all__ = [
    "Assessment",
    "Choice",
    "Counts",
    "CountsOf",
    "DiscreteGaussian",
    "FrequencyTable",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Local",
    "Plan",
    "Raw",
    "Sample",
    "Synthetic",
    "advantage_at",
    "assess",
    "assess_sample",
    "attacker_precision",
    "audit",
    "candidate_probability",
    "check_passport",
    "choose",
    "choose_sample",
    "choose_synthetic",
    "choose_without_looking",
    "compare",
    "compare_kinds",
    "coverage",
    "delta_for_risk",
    "dirichlet_multinomial_mle",
    "epsilon_for_advantage",
    "epsilon_for_risk",
    "example_table",
    "find_attackers",
    "fit_risk_curve",
    "fitted_sizes",
    "frequency_table",
    "guessed_columns",
    "homogeneity_risk",
    "homogeneity_scenarios",
    "leakage",
    "local_release",
    "local_risk",
    "marginal_distance",
    "memory_limit",
    "model_accuracy",
    "moment_errors",
    "nearest_distances",
    "open_table",
    "proximity",
    "randomizers",
    "raw_risk",
    "read_plan",
    "release",
    "risk_grid",
    "risk_spread",
    "riskiest_cells",
    "sample_of_table",
    "sampling_risk",
    "sampling_utility_loss",
    "synthesize",
    "threshold_for_risk",
    "thresholding_risk",
    "uniqueness_probability",
    "utility_loss",
    "voronoi_distances",
    "zero_truncated_poisson_mle",
]
