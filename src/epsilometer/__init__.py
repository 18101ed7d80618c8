"""Reads the privacy parameter of a data release as what an attacker could learn from this very table.

The public names are listed, with their types, in ``__init__.pyi``; each loads its module when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
