"""Quantitative information flow: what a channel tells about a secret.

A prior is one probability for each secret, a channel a matrix with a row for each secret and a column for each
output, a gain or a loss a matrix with a row for each action and a column for each secret. Numbers are floats, or
whole numbers and :class:`fractions.Fraction`, and then the answers are exact. The names are listed in
``__init__.pyi``; each loads its module when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
