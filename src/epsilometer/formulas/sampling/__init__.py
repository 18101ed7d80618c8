"""Publishing the histogram of a random sample of m of n people: what it tells of a person and of the population.

Symbols: ``population`` n, ``sample`` m, ``n_values`` K, and ``alpha``, the strength of the symmetric Dirichlet
belief about the population's shares: 1 is the papers' *uniform on frequencies*, infinity their *uniform on
datasets*. The names are listed in ``__init__.pyi``; each loads its module when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
