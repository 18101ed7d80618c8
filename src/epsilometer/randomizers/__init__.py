"""Theory: what one person does to their own value before anybody else sees it, and what can still be learnt.

A randomiser turns a value into a report. Its ``channel`` is what leakage is computed from (values x reports, rows
sum to one), ``simulate`` draws reports for simulations, :mod:`epsilometer.randomizers.drawing` real ones, and
:mod:`epsilometer.randomizers.analysers` reads statistics off the reports. Values of a finite domain are numbered
from 0 in the order in which they were declared.
"""

from epsilometer.randomizers.added_noise import LocalGaussian, LocalLaplace
from epsilometer.randomizers.exponential_choice import ExponentialChoice
from epsilometer.randomizers.randomized_response import RandomizedResponse
from epsilometer.randomizers.randomizer import Randomizer
from epsilometer.randomizers.unary_encoding import UnaryEncoding

__all__ = ["ExponentialChoice", "LocalGaussian", "LocalLaplace", "RandomizedResponse", "Randomizer", "UnaryEncoding"]
