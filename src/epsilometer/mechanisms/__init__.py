"""Theory: noise with its guarantee.

A mechanism holds one privacy parameter, or several to ask for a whole curve at once; with E of them every
array it returns has that axis first.
"""

from epsilometer.mechanisms.discrete_gaussian import DiscreteGaussian
from epsilometer.mechanisms.gaussian import Gaussian
from epsilometer.mechanisms.geometric import Geometric
from epsilometer.mechanisms.laplace import Laplace
from epsilometer.mechanisms.mechanism import Mechanism

__all__ = ["DiscreteGaussian", "Gaussian", "Geometric", "Laplace", "Mechanism"]
