"""What noise makes of the cells of a table: eight scenarios, and how far a lone value can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas import homogeneity
from epsilometer.formulas.homogeneity.scenarios import Scenario, scenario_totals
from epsilometer.vocabulary.scenario_shares import ScenarioShares
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray

IN_WORDS: Final = {
    Scenario.ONE_VALUE_SHOWS_IT: "one value, and the published cell shows it alone",
    Scenario.ONE_VALUE_SHOWS_ANOTHER: "one value, and the published cell shows another alone",
    Scenario.ONE_VALUE_SHOWS_SEVERAL: "one value, and the published cell shows several",
    Scenario.ONE_VALUE_SHOWS_NONE: "one value, and the published cell is empty",
    Scenario.SEVERAL_VALUES_SHOW_SEVERAL: "several values, and the published cell shows several",
    Scenario.SEVERAL_VALUES_SHOW_NONE: "several values, and the published cell is empty",
    Scenario.SEVERAL_VALUES_SHOW_A_FOREIGN_ONE: "several values, and the published cell shows one nobody has",
    Scenario.SEVERAL_VALUES_SHOW_ONE_OF_THEM: "several values, and the published cell shows one of them alone",
}


def homogeneity_scenarios(freq: FrequencyTable, mechanism: Mechanism) -> ScenarioShares:
    """Share of the cells that each of paper 001's scenarios 1 to 8 happens to, on average over the noise. Exact.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> shares = homogeneity_scenarios(FrequencyTable.from_counts([[3, 0], [2, 1]]), Laplace(epsilon=1.0))
    >>> round(float(shares.probability.sum()), 12)
    1.0
    """
    profile = freq.profile
    shares = scenario_totals(profile.counts, profile.n_cells, mechanism) / profile.total_cells
    return ScenarioShares(
        probability=np.moveaxis(shares, 0, -1),
        scenarios=tuple(IN_WORDS[scenario] for scenario in Scenario),
        mechanism=mechanism.describe(),
        source=sources_of(scenario_totals),
    )


def attacker_precision(freq: FrequencyTable, mechanism: Mechanism, *, empty_cells: int = 0) -> FloatArray:
    """Share of the cells published with a single value that is true of a member picked at random. Exact.

    The share in the long run. That the value is true of at least one member is another number, and a larger one:
    scenarios 1 and 8 of :func:`homogeneity_scenarios`, as a share of 1, 2, 7 and 8.

    Args:
        freq: the counted table.
        mechanism: the noise; with several epsilons the answer has one number for each.
        empty_cells: how many cells of the declared domain have no record; published too, they tell no truth.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> float(attacker_precision(FrequencyTable.from_counts([[3, 0], [2, 1]]), Laplace(epsilon=1.0)).round(4))
    0.8501
    """
    profile = freq.profile
    return homogeneity.precision(profile.counts, profile.n_cells, mechanism, empty_cells)
