"""What must hold of an unprotected table whatever it contains."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.assessments.raw import raw_risk
from epsilometer.formulas.diversity import recursive_c
from epsilometer.tables.frequency_table import FrequencyTable

ROUNDING = 1e-12


@st.composite
def tables(draw, min_cells=1, min_values=1):
    n_values = draw(st.integers(min_values, 5))
    cell = st.lists(st.integers(0, 20), min_size=n_values, max_size=n_values).filter(any)
    return np.array(draw(st.lists(cell, min_size=min_cells, max_size=8)))


def measures(counts):
    """Every measure by name."""
    frame = raw_risk(FrequencyTable.from_counts(counts)).to_frame()
    return dict(zip(frame["measure"], frame["value"], strict=True))


def without(numbers, *names):
    return {name: value for name, value in numbers.items() if name not in names}


@given(tables())
def test_bounds(counts):
    risk = raw_risk(FrequencyTable.from_counts(counts))
    rounding = 1 + ROUNDING
    assert 1 <= risk.anonymity.k <= risk.n_records / risk.n_cells
    assert 1 / risk.n_values <= risk.anonymity.alpha <= 1
    assert 1 <= risk.diversity.entropy_l <= risk.diversity.distinct_l * rounding <= risk.n_values * rounding
    assert 0 <= risk.closeness.ordered_distance <= risk.closeness.equal_distance + ROUNDING < 1
    assert 0 <= risk.likeness.basic_beta <= risk.likeness.enhanced_beta
    assert risk.likeness.delta_disclosure_present <= risk.likeness.delta_disclosure
    assert math.log1p(risk.likeness.basic_beta) <= risk.likeness.delta_disclosure_present + ROUNDING


@given(tables())
def test_a_table_never_helps_less_than_no_table(counts):
    risk = raw_risk(FrequencyTable.from_counts(counts))
    identity, attribute = risk.reidentification, risk.inference
    assert 0 < identity.prior <= identity.posterior <= identity.prosecutor_largest <= 1
    assert 1 / risk.n_values <= attribute.prior <= attribute.posterior <= risk.anonymity.alpha


@given(tables())
def test_every_record_of_a_homogeneous_cell_is_guessed(counts):
    risk = raw_risk(FrequencyTable.from_counts(counts))
    assert risk.reidentification.unique_share <= risk.diversity.homogeneous_share <= risk.inference.posterior
    assert (risk.diversity.homogeneous_cells > 0) == (risk.diversity.distinct_l == 1)
    assert (risk.diversity.homogeneous_cells > 0) == math.isinf(risk.diversity.recursive_c)


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_cells_and_values_does_not_matter(counts, random):
    shuffled_cells = random.sample(range(counts.shape[0]), counts.shape[0])
    shuffled_values = random.sample(range(counts.shape[1]), counts.shape[1])
    shuffled = counts[shuffled_cells][:, shuffled_values]
    ordered = "closeness.ordered_distance"
    assert without(measures(shuffled), ordered) == pytest.approx(
        without(measures(counts), ordered), rel=ROUNDING, abs=ROUNDING
    )


@given(tables())
def test_a_scale_may_be_read_from_either_end(counts):
    assert measures(counts[:, ::-1]) == pytest.approx(measures(counts), rel=ROUNDING, abs=ROUNDING)


@given(tables(), st.integers(2, 5))
def test_copies_of_every_cell_change_nothing_but_numbers_of_people(counts, times):
    numbers = (
        "reidentification.unique_records",
        "diversity.homogeneous_cells",
        "diversity.homogeneous_records",
    )
    once, often = measures(counts), measures(np.repeat(counts, times, axis=0))
    assert {name: often[name] for name in numbers} == {name: times * once[name] for name in numbers}
    assert often["reidentification.prior"] == pytest.approx(once["reidentification.prior"] / times)
    changed = (*numbers, "reidentification.prior")
    assert without(often, *changed) == pytest.approx(without(once, *changed), rel=ROUNDING, abs=ROUNDING)


@given(tables(min_cells=2))
def test_coarser_quasi_identifiers_never_raise_a_risk(counts):
    """Merging the first two cells: every measure that is monotone under generalisation moves to the safe side."""
    merged = np.vstack([counts[0] + counts[1], counts[2:]])
    fine, coarse = measures(counts), measures(merged)
    for name in ("anonymity.k", "diversity.distinct_l", "diversity.entropy_l"):
        assert coarse[name] >= fine[name] * (1 - ROUNDING), name
    for name in (
        "anonymity.alpha",
        "closeness.equal_distance",
        "closeness.ordered_distance",
        "likeness.basic_beta",
        "likeness.enhanced_beta",
        "likeness.delta_disclosure",
        "reidentification.unique_records",
        "reidentification.prosecutor_largest",
        "reidentification.share_above_threshold",
        "reidentification.posterior",
        "diversity.homogeneous_records",
        "inference.posterior",
    ):
        assert coarse[name] <= fine[name] * (1 + ROUNDING) + ROUNDING, name


@given(tables(min_values=2))
def test_fewer_sensitive_values_are_easier_to_guess(counts):
    """Merging the last two values."""
    merged = np.column_stack([counts[:, :-2], counts[:, -2] + counts[:, -1]])
    fine, coarse = measures(counts), measures(merged)
    for name in ("anonymity.alpha", "inference.prior", "inference.posterior", "diversity.homogeneous_records"):
        assert coarse[name] >= fine[name], name
    for name in ("diversity.distinct_l", "closeness.equal_distance"):
        assert coarse[name] <= fine[name] + ROUNDING, name


@given(tables(min_cells=2, min_values=2))
def test_recursive_diversity_survives_coarser_quasi_identifiers(counts):
    merged = np.vstack([counts[0] + counts[1], counts[2:]])
    for level in range(1, counts.shape[1] + 1):
        assert recursive_c(merged, level=level) <= recursive_c(counts, level=level) * (1 + ROUNDING)
