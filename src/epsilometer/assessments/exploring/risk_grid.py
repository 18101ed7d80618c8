"""How does the risk of people depend on epsilon and on one more parameter?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.curves import grid
from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.errors import BadQuestion
from epsilometer.mechanisms.mechanism import checked
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.risk_grid import RiskGrid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray

DELTAS: Final = (1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
THRESHOLDS: Final = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0)
CAVEATS: Final = {
    "delta": "A larger delta is a weaker guarantee, whatever this attack makes of it.",
    "threshold": "A higher threshold hides more counts, true ones too: it costs accuracy, and need not lower the risk.",
}


def risk_grid(
    freq: FrequencyTable,
    mechanism: Mechanism,
    *,
    deltas: Sequence[float] | None = None,
    thresholds: Sequence[float] | None = None,
) -> RiskGrid:
    """Share of people disclosed by noisy counts, at every epsilon and every delta or threshold. Exact.

    Args:
        freq: the counted table.
        mechanism: the noise. Its epsilons, if several, are those of the grid; a single one is put on a grid that is
            even on the logarithm.
        deltas: the rows of the grid, for noise that has a delta: Gaussian and discrete Gaussian.
        thresholds: the rows of the grid, for any noise. Without deltas and thresholds the grid is over
            ``DELTAS`` where the noise has a delta and over ``THRESHOLDS`` where it has none, and the mechanism's own.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> table, noise = FrequencyTable.from_counts([[3, 0], [2, 1]]), Laplace(epsilon=(0.5, 1.0))
    >>> risk_grid(table, noise, thresholds=[0.5, 2.0]).value.round(4)
    array([[0.3847, 0.4368],
           [0.4257, 0.5318]])
    """
    parameter, levels = _rows(mechanism, deltas, thresholds)
    epsilons = _epsilons(mechanism)
    noise = mechanism.at(tuple(epsilons.tolist()))
    risks = [homogeneity_risk(freq, _with(noise, parameter, level), average="records") for level in levels.tolist()]
    return RiskGrid(
        question=risks[0].question,
        answer=Exact(np.stack([np.asarray(risk.value) for risk in risks])),
        parameter=parameter,
        levels=levels,
        epsilons=epsilons,
        no_release=risks[0].no_release,
        any_table=np.stack([np.asarray(risk.any_table) for risk in risks]),
        mechanism=mechanism.describe(),
        assumptions=risks[0].assumptions,
        caveats=(*risks[0].caveats, CAVEATS[parameter]),
        source=risks[0].source,
    )


def _rows(
    mechanism: Mechanism, deltas: Sequence[float] | None, thresholds: Sequence[float] | None
) -> tuple[str, FloatArray]:
    """Return what the rows of the grid vary, and its values."""
    given: Sequence[float]
    if deltas is not None and thresholds is not None:
        raise BadQuestion("A grid has epsilon and one more parameter. Give deltas or thresholds, not both.")
    if deltas is not None and not mechanism.delta:
        raise BadQuestion(
            f"{mechanism.name} noise has no delta: its epsilon holds always. "
            "Give thresholds instead, or gaussian or discrete-gaussian noise."
        )
    if deltas is None and (thresholds is not None or not mechanism.delta):
        given = (*THRESHOLDS, mechanism.threshold) if thresholds is None else thresholds
        return "threshold", np.unique(checked("thresholds", given, "(-inf, inf)", math.isfinite))
    given = (*DELTAS, mechanism.delta) if deltas is None else deltas
    return "delta", np.unique(checked("deltas", given, "(0, 1)", lambda delta: 0 < delta < 1))


def _epsilons(mechanism: Mechanism) -> FloatArray:
    if isinstance(mechanism.epsilon, tuple):
        return np.unique(mechanism.epsilon)
    return grid(mechanism.epsilon_limit, [mechanism.epsilon])


def _with(noise: Mechanism, parameter: str, level: float) -> Mechanism:
    return replace(noise, delta=level) if parameter == "delta" else replace(noise, threshold=level)
