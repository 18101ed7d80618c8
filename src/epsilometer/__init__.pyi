from .assessments.assess import Assessment, assess
from .assessments.homogeneity import homogeneity_risk
from .assessments.plan import Plan
from .assessments.raw import raw_risk
from .mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from .tables.counting import frequency_table
from .tables.example import example_table
from .tables.frequency_table import FrequencyTable
from .tables.opening import open_table

__all__ = [
    "Assessment",
    "DiscreteGaussian",
    "FrequencyTable",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Plan",
    "assess",
    "example_table",
    "frequency_table",
    "homogeneity_risk",
    "open_table",
    "raw_risk",
]
