r"""How far a release with noise can raise an attacker's chance of guessing right, and the noise that keeps it low.

An attacker believes an event about a person (a field has this value) with probability p. A release that is
epsilon-DP per unit of distance between records multiplies the odds of an event by at most
:math:`e^{\varepsilon R}`, where R, the sensitivity, is the largest distance between two records; the noise scale
is 1/epsilon per unit of that distance and is not multiplied by R once more. The *advantage* is the belief after
the release minus the belief before it. One field is guessed (``single``), every field (``all``) or at least one
(``any``). The names are listed in ``__init__.pyi``; each loads its module when first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
