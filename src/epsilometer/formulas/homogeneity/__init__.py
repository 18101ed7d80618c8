"""The homogeneity attack on published counts: a cell that shows one value gives away everyone in it.

Every function takes arrays and a noise (any mechanism serves) and answers for each count vector and each
privacy parameter of the noise at once: with E privacy parameters the result has that axis first. The names are
listed in ``__init__.pyi``; each loads its module when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
