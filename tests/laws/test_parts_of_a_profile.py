"""Large profiles are looked at in parts, on all cores; what is found does not depend on how they are cut."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.formulas import anonymity, closeness, diversity, vulnerability
from epsilometer.vocabulary import long_arrays

MEASURES = {
    "k": lambda n, _: anonymity.k_anonymity(n),
    "alpha": lambda n, _: anonymity.largest_value_share(n),
    "unique": anonymity.unique_records,
    "homogeneous cells": anonymity.homogeneous_cells,
    "homogeneous records": anonymity.homogeneous_records,
    "distinct l": lambda n, _: diversity.distinct_l(n),
    "entropy l": lambda n, _: diversity.entropy_l(n),
    **{f"recursive c at {level}": lambda n, _, at=level: diversity.recursive_c(n, level=at) for level in (1, 2, 3)},
    "t, equal": closeness.t_equal,
    "t, ordered": closeness.t_ordered,
    "basic beta": closeness.basic_beta,
    "enhanced beta": closeness.enhanced_beta,
    "delta": closeness.delta_disclosure,
    "delta, present": closeness.delta_disclosure_present,
    "prosecutor": lambda n, _: vulnerability.prosecutor_largest(n),
    "share above": partial(vulnerability.share_above, threshold=0.2),
    "identity prior": vulnerability.identity_prior,
    "identity posterior": vulnerability.identity_posterior,
    "attribute prior": vulnerability.attribute_prior,
    "attribute posterior": vulnerability.attribute_posterior,
}


@st.composite
def profiles(draw):
    """Count vectors, none of them empty, and numbers of cells."""
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 5)))
    counts = draw(arrays(np.int64, shape, elements=st.integers(0, 6)))
    counts[:, 0] += counts.sum(axis=1) == 0
    along = draw(st.sampled_from([np.asfortranarray, np.ascontiguousarray]))
    return along(counts), draw(arrays(np.int64, shape[0], elements=st.integers(1, 9)))


@pytest.mark.parametrize("measure", MEASURES)
@given(profile=profiles(), busy=st.integers(1, 12))
def test_parts_make_no_difference_to_a_measure_of_the_raw_table(measure, profile, busy):
    ask = MEASURES[measure]
    whole = ask(*profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_arrays, "FITS_A_CACHE", busy)
        assert ask(*profile) == pytest.approx(whole, rel=1e-12)


@given(profile=profiles())
def test_the_rare_values_of_a_cell_are_those_that_are_left(profile):
    """(c, l)-diversity from its definition, the counts in falling order."""
    counts, _ = profile
    for level in range(1, 5):
        falling = [sorted(row, reverse=True) for row in counts.tolist()]
        ratios = [row[0] / sum(row[level - 1 :]) if sum(row[level - 1 :]) else np.inf for row in falling]
        assert diversity.recursive_c(counts, level=level) == pytest.approx(max(ratios), rel=1e-15)


@given(profile=profiles())
def test_the_ordered_distance_is_the_work_of_moving_shares(profile):
    """From its definition, value by value; tall and wide profiles are added up in different ways."""
    counts, n_cells = profile
    overall = (n_cells @ counts) / (n_cells @ counts.sum(axis=1))
    n_steps = max(counts.shape[1] - 1, 1)
    moved = [
        sum(abs(sum(row[: j + 1]) / sum(row) - overall[: j + 1].sum()) for j in range(counts.shape[1] - 1)) / n_steps
        for row in counts.tolist()
    ]
    assert closeness.t_ordered(counts, n_cells) == pytest.approx(max(moved), rel=1e-12, abs=1e-15)
