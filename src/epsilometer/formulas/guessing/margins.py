"""By how much a number is moved to its safe side so that rounding cannot have left it on the other.

Both are bounds on the relative error: epsilon is shrunk and an advantage is raised by one of them at the end, and
sums over fields are moved by the second before they are used.
"""

from __future__ import annotations

from typing import Final

FEW_ROUNDINGS: Final = 2.0**-49  # 16 half-units of the last digit: one formula with two logarithms
SUM_ROUNDINGS: Final = 2.0**-47  # 64: one logarithm per field and numpy's pairwise sum of a billion of them
