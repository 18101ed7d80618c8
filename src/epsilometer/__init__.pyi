from .assessments.assess import Assessment, assess
from .assessments.cells import riskiest_cells
from .assessments.choose import choose
from .assessments.homogeneity.fits import fitted_sizes
from .assessments.homogeneity.risk import homogeneity_risk
from .assessments.homogeneity.scenarios import attacker_precision, homogeneity_scenarios
from .assessments.homogeneity.thresholding import thresholding_risk
from .assessments.inverse import delta_for_risk, epsilon_for_risk, threshold_for_risk
from .assessments.loss import utility_loss
from .assessments.plan import Plan
from .assessments.raw import raw_risk
from .formulas.empirical_bayes import dirichlet_multinomial_mle
from .formulas.size_fits import zero_truncated_poisson_mle
from .mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from .tables.counting import frequency_table
from .tables.example import example_table
from .tables.frequency_table import FrequencyTable
from .tables.opening import open_table
from .vocabulary.choice import Choice

__all__ = [
    "Assessment",
    "Choice",
    "DiscreteGaussian",
    "FrequencyTable",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Plan",
    "assess",
    "attacker_precision",
    "choose",
    "delta_for_risk",
    "dirichlet_multinomial_mle",
    "epsilon_for_risk",
    "example_table",
    "fitted_sizes",
    "frequency_table",
    "homogeneity_risk",
    "homogeneity_scenarios",
    "open_table",
    "raw_risk",
    "riskiest_cells",
    "threshold_for_risk",
    "thresholding_risk",
    "utility_loss",
    "zero_truncated_poisson_mle",
]
