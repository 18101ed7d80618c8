"""A health table like that of Paper 004: five columns, drawn from a seed.

The paper says how its table is made (height and weight from normal laws, the body mass index from both, the blood
pressures from the index with a little noise) but neither the means nor the deviations. Those here are round numbers
near what surveys of adults find, and are ours. All columns are rounded to whole numbers, so that records can be equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

N_ROWS: Final = 1_000_000
SEED: Final = 2021


class Normal(NamedTuple):
    """A normal law."""

    mean: float
    deviation: float


class Pressure(NamedTuple):
    """A blood pressure in mmHg: a straight line in the body mass index, and normal noise on it."""

    base: float
    slope: float
    noise: float


HEIGHT: Final = Normal(170, 9)  # cm
WEIGHT: Final = Normal(72, 12)  # kg
DIASTOLIC: Final = Pressure(55, 1.0, 2.0)
SYSTOLIC: Final = Pressure(85, 1.4, 3.0)
BOUNDS: Final = {  # declared, not read off the table
    "HEIGHT": (120, 219),
    "WEIGHT": (10, 139),
    "BMI": (0, 59),
    "DBP": (50, 119),
    "SBP": (80, 179),
}


def health_table(n_rows: int = N_ROWS, seed: int = SEED) -> pa.Table:
    """Draw the table.

    >>> health_table(2, seed=1).to_pylist()[0]
    {'HEIGHT': 173, 'WEIGHT': 76, 'BMI': 25, 'DBP': 82, 'SBP': 119}
    """
    rng = np.random.default_rng(seed)
    height, weight = (rng.normal(*law, n_rows) for law in (HEIGHT, WEIGHT))
    index = weight / (height / 100) ** 2
    diastolic, systolic = (_pressure(index, law, rng) for law in (DIASTOLIC, SYSTOLIC))
    columns = (height, weight, index, diastolic, systolic)
    return pa.table({name: _whole(column) for name, column in zip(BOUNDS, columns, strict=True)})


def _pressure(index: FloatArray, law: Pressure, rng: np.random.Generator) -> FloatArray:
    return law.base + law.slope * index + rng.normal(0, law.noise, len(index))


def _whole(column: FloatArray) -> pa.Array:
    return pa.array(np.rint(column).astype(np.int64))
