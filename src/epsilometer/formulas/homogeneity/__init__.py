"""The homogeneity attack on published counts: a cell that shows one value gives away everyone in it.

Every function takes arrays and a noise (any mechanism serves) and answers for each count vector and each
privacy parameter of the noise at once: with E privacy parameters the result has that axis first.
"""

from epsilometer.formulas.homogeneity.local import (
    homogeneous_pieces,
    largest_local,
    largest_local_records,
    local,
    local_records,
)

__all__ = ["homogeneous_pieces", "largest_local", "largest_local_records", "local", "local_records"]
