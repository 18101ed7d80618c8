"""Does the risk fall on everybody alike, or on a few?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.errors import OutOfRange
from epsilometer.formulas import homogeneity
from epsilometer.formulas.homogeneity.alone import alone_probability
from epsilometer.formulas.homogeneity.fates import Tabulated
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.long_arrays import of_parts
from epsilometer.vocabulary.risk_spread import RiskSpread, Spread

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray


def risk_spread(freq: FrequencyTable, mechanism: Mechanism) -> RiskSpread:
    """Every person's and every cell's probability of being disclosed by noisy counts at one epsilon. Exact.

    The mean over people is the share of people disclosed, the mean over cells that of the cells:
    :func:`epsilometer.homogeneity_risk` with ``average="records"`` and ``average="cells"``.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> spread = risk_spread(FrequencyTable.from_counts([[3, 0], [9, 9]]), Laplace(epsilon=1.0))
    >>> [round(risk, 6) for risk in (spread.value, *map(spread.people.not_exceeded_by, (0.5, 1.0)))]
    [0.095536, 0.000102, 0.668139]
    """
    if isinstance(mechanism.epsilon, tuple):
        raise OutOfRange("epsilon", mechanism.epsilon, "the single numbers", hint="Name one: mechanism.at(1.0).")
    profile, known = freq.profile, Tabulated(mechanism)

    def own_risks(counts: IntArray, n_cells: IntArray) -> tuple[FloatArray, IntArray]:
        people = counts * n_cells[:, None]
        return alone_probability(counts, known)[people > 0], people[people > 0]

    mean = homogeneity_risk(freq, mechanism, average="records")
    own, people = map(np.concatenate, zip(*of_parts(own_risks, profile.counts, profile.n_cells), strict=True))
    of_cells = np.concatenate(of_parts(lambda counts: homogeneity.local(counts, known), profile.counts))
    return RiskSpread(
        question="How probable is it for each person that the published table shows their own value alone?",
        answer=Exact(mean.value),
        people=Spread.gathered(own, people),
        cells=Spread.gathered(of_cells, profile.n_cells),
        no_release=mean.no_release,
        any_table=float(mean.any_table),
        mechanism=mean.mechanism,
        assumptions=mean.assumptions,
        caveats=mean.caveats,
        source=mean.source,
    )
