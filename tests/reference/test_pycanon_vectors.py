"""What pycanon 1.3.6 measured (pycanon_vectors.py): where we agree, and where it parts from the literature."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from epsilometer.formulas import anonymity, closeness, diversity, vulnerability

VECTORS = json.loads(Path(__file__).with_name("pycanon_vectors.json").read_text())["vectors"]
TABLES = {vector["table"]: vector for vector in VECTORS}

every_table = pytest.mark.parametrize("vector", VECTORS, ids=list(TABLES))


def approx(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12)


def test_there_are_as_many_tables_as_were_measured():
    assert len(VECTORS) == 32
    assert sum(TABLES["adult, 6 quasi-identifiers"]["n_cells"]) == 5009


@every_table
def test_measures_of_one_cell_agree(vector):
    counts, theirs = vector["counts"], vector["pycanon"]
    assert anonymity.k_anonymity(counts) == theirs["k"]
    assert anonymity.largest_value_share(counts) == approx(theirs["alpha"])
    assert diversity.distinct_l(counts) == theirs["distinct_l"]
    assert vulnerability.prosecutor_largest(counts) == approx(theirs["largest_reidentification_risk"])


@every_table
def test_measures_against_the_table_agree(vector):
    counts, n_cells, theirs = vector["counts"], vector["n_cells"], vector["pycanon"]
    assert closeness.t_equal(counts, n_cells) == approx(theirs["t_equal"])
    assert closeness.t_ordered(counts, n_cells) == approx(theirs["t_ordered"])
    assert closeness.basic_beta(counts, n_cells) == approx(theirs["basic_beta"])
    assert closeness.delta_disclosure_present(counts, n_cells) == approx(theirs["delta_disclosure"])


@every_table
def test_entropy_l_rounds_down_to_theirs(vector):
    """Theirs is rounded down after the rounding error: two equally frequent values get 1 instead of 2."""
    ours, theirs = diversity.entropy_l(vector["counts"]), vector["pycanon"]["entropy_l"]
    is_whole = math.isclose(ours, round(ours), rel_tol=1e-12)
    assert theirs in ({round(ours), round(ours) - 1} if is_whole else {math.floor(ours)})


def test_entropy_l_of_two_equally_frequent_values_is_two():
    vector = TABLES["two even cells"]
    assert vector["pycanon"]["entropy_l"] == 1
    assert diversity.entropy_l(vector["counts"]) == approx(2.0)


@every_table
def test_recursive_c_of_theirs_counts_from_the_rarest_value(vector):
    """They sort the counts upwards, so that r_1 is the rarest value; their whole c follows from that."""
    counts, theirs = vector["counts"], vector["pycanon"]
    at = int(theirs["recursive_l"])
    if at == 1:
        assert theirs["recursive_c"] is None
        assert diversity.recursive_c(counts, level=2) == math.inf
    else:
        rising = [sorted(n for n in cell if n) for cell in counts]
        assert theirs["recursive_c"] == max(math.floor(cell[0] / sum(cell[at - 1 :]) + 1) for cell in rising)


def test_recursive_c_of_a_dominated_cell_is_nine():
    """Cell (9, 1), l = 2: the definition asks for 9 < c * 1. With c = 2, as they say, it fails."""
    vector = TABLES["one value dominates"]
    assert vector["pycanon"]["recursive_c"] == 2
    assert diversity.recursive_c(vector["counts"], level=2) == 9.0


@every_table
def test_enhanced_beta_is_theirs_unless_a_gain_exceeds_it(vector):
    """Theirs is min(basic beta, largest -ln p), which the gain on a more frequent value may exceed."""
    counts, n_cells, theirs = vector["counts"], vector["n_cells"], vector["pycanon"]["enhanced_beta"]
    totals = [sum(m * cell[k] for cell, m in zip(counts, n_cells, strict=True)) for k in range(len(counts[0]))]
    shares = [total / sum(totals) for total in totals]
    holds = all(
        n / sum(cell) / p - 1 <= min(theirs, -math.log(p)) + 1e-12
        for cell in counts
        for n, p in zip(cell, shares, strict=True)
    )
    assert closeness.enhanced_beta(counts, n_cells) == approx(theirs if holds else math.inf)


def test_enhanced_beta_of_a_homogeneous_cell_does_not_exist():
    """A quarter of the records has the value, one cell nothing else: a gain of 3 against -ln(1/4) = 1.386."""
    vector = TABLES["homogeneous"]
    counts, n_cells = vector["counts"], vector["n_cells"]
    assert closeness.basic_beta(counts, n_cells) == 3.0
    assert vector["pycanon"]["enhanced_beta"] == approx(math.log(4))
    assert closeness.enhanced_beta(counts, n_cells) == math.inf


@every_table
def test_delta_disclosure_is_theirs_where_every_cell_has_every_value(vector):
    counts, n_cells = vector["counts"], vector["n_cells"]
    complete = all(n > 0 for cell in counts for n in cell)
    expected = vector["pycanon"]["delta_disclosure"] if complete else math.inf
    assert closeness.delta_disclosure(counts, n_cells) == approx(expected)


def test_mean_risk_is_over_records_where_theirs_is_over_cells():
    """Cells of 10 and 4: a random one of 14 people is picked out with probability 2/14, not (1/10 + 1/4)/2."""
    vector = TABLES["one value dominates"]
    assert vector["pycanon"]["average_reidentification_risk"] == approx(0.175)
    assert vulnerability.identity_posterior(vector["counts"], vector["n_cells"]) == approx(2 / 14)
