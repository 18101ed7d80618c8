"""The built-in example: 2,400 invented hospital stays. No line of it is about a real person.

Ages, districts and sexes are drawn independently; the reason for the stay is drawn from weights that depend
on age and sex, and the way of admission from weights that depend on the reason. The weights were made up to
look like a regional hospital: births in young women, injuries in young men, circulatory disease with age.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

N_STAYS: Final = 2_400
DISTRICTS: Final = {
    "Altmarkt": 0.28, "Brook": 0.19, "Castle Hill": 0.15, "Dockside": 0.12,
    "Eastfield": 0.09, "Fairview": 0.08, "Greenacre": 0.06, "Harbour Isle": 0.03,
}  # fmt: skip
REASONS: Final = ("birth", "circulatory", "digestive", "injury", "mental health", "respiratory")
MISSING_DISTRICT: Final = 0.01


def example_table() -> pa.Table:
    """Return the built-in example: one row per stay with age, sex, district, admission and reason.

    >>> example_table().shape
    (2400, 5)
    """
    import pyarrow as pa

    # RandomState's stream is frozen by numpy's policy: the example is the same table on every machine.
    rng = np.random.RandomState(1_905)
    age = np.clip(np.where(rng.rand(N_STAYS) < 0.3, rng.normal(32, 9, N_STAYS), rng.normal(64, 17, N_STAYS)), 0, 98)
    age = age.astype(np.int64)
    female = rng.rand(N_STAYS) < 0.53
    district = rng.choice(list(DISTRICTS), N_STAYS, p=list(DISTRICTS.values()))
    reason = _draw(rng, _reason_weights(age, female))
    planned = rng.rand(N_STAYS) < np.array([0.85, 0.35, 0.45, 0.05, 0.25, 0.15])[reason]
    unknown = rng.rand(N_STAYS) < MISSING_DISTRICT
    return pa.table(
        {
            "age": age,
            "sex": np.where(female, "female", "male"),
            "district": pa.array(district, mask=unknown),
            "admission": np.where(planned, "planned", "emergency"),
            "reason": np.array(REASONS)[reason],
        }
    )


def _reason_weights(age: ArrayLike, female: ArrayLike) -> FloatArray:
    """Weight of each reason for each person, in the order of REASONS."""
    years, is_female = np.asarray(age, dtype=np.float64), np.asarray(female)
    fertile = is_female & (years >= 18) & (years <= 44)
    return np.stack(
        [
            np.where(fertile, 9.0, 0.0),
            np.exp((years - 55) / 13),
            np.full_like(years, 1.1),
            np.where(is_female, 0.5, 1.4) + np.where(years < 30, 1.8, 0.0),
            np.where((years > 14) & (years < 60), 0.9, 0.1),
            np.where((years < 10) | (years > 70), 1.5, 0.4),
        ],
        axis=1,
    )


def _draw(rng: np.random.RandomState, weights: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    cumulative = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    return np.asarray((rng.rand(len(weights))[:, None] > cumulative[:, :-1]).sum(axis=1))
