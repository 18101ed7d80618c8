"""Equations of Paper 002 as they are printed, where they are wrong."""

from __future__ import annotations

import math

from epsilometer.formulas.sampling.vulnerability import inside, outside
from epsilometer.vocabulary.source import source


@source("gonze-2023", "equation (4.28), as printed")
def published_unknown_datasets(population: int, sample: int) -> float:
    r"""Chance of a right guess about a random person with two values, uniform prior on datasets. Wrong as printed.

    .. math:: \frac mn V_{in} + \frac{m - n}{n} V_{out}

    with :math:`n` = ``population`` and :math:`m` = ``sample``. The second weight has the wrong sign: it must be
    (n - m)/n, the chance that the person is not in the sample. As printed, the number is too small by (n - m)/n;
    :func:`~epsilometer.formulas.sampling.vulnerability.unknown` has it right.

    >>> published_unknown_datasets(2, 1)  # enumeration of all datasets gives 3/4
    0.25
    """
    n, m = population, sample
    return (m * inside(m, 2, math.inf).value + (m - n) * outside(m, 2, math.inf).value) / n
