"""Every measure again, from single rows in exact fractions, one loop per definition."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.assessments.raw import raw_risk
from epsilometer.tables.frequency_table import FrequencyTable


@st.composite
def tables(draw):
    n_values = draw(st.integers(1, 5))
    cell = st.lists(st.integers(0, 6), min_size=n_values, max_size=n_values)
    return draw(st.lists(cell, min_size=1, max_size=8).filter(lambda cells: any(map(any, cells))))


class Rows:
    """A table as (cell, value) rows; each method is one definition, read literally."""

    def __init__(self, counts):
        self.rows = [(i, k) for i, cell in enumerate(counts) for k, n in enumerate(cell) for _ in range(n)]
        self.values = sorted({k for _, k in self.rows})
        self.domain = range(len(counts[0]))
        self.cells = {i: [k for j, k in self.rows if j == i] for i, _ in self.rows}.values()

    def share(self, value):
        return Fraction(sum(k == value for _, k in self.rows), len(self.rows))

    def gains(self):
        for cell in self.cells:
            for value in self.values:
                yield Fraction(cell.count(value), len(cell)) / self.share(value), self.share(value)

    def k(self):
        return min(len(cell) for cell in self.cells)

    def alpha(self):
        return max(Fraction(cell.count(value), len(cell)) for cell in self.cells for value in cell)

    def distinct_l(self):
        return min(len(set(cell)) for cell in self.cells)

    def entropy_l(self):
        def entropy(cell):
            return -math.fsum(n / len(cell) * math.log(n / len(cell)) for n in Counter(cell).values())

        return min(math.exp(entropy(cell)) for cell in self.cells)

    def recursive_c(self, at):
        """Smallest c, among the ratios where the strict inequality turns, that no cell exceeds."""
        ratios = []
        for cell in self.cells:
            r = [n for _, n in Counter(cell).most_common()]
            if len(r) < at:
                return math.inf
            ratios.append(Fraction(r[0], sum(r[at - 1 :])))
        return max(ratios)

    def t_equal(self):
        return max(
            sum(max(Fraction(cell.count(v), len(cell)) - self.share(v), Fraction(0)) for v in self.values)
            for cell in self.cells
        )

    def t_ordered(self):
        """Work of moving each cell's sorted rows onto the table's, quantile by quantile."""
        if len(self.domain) == 1:
            return 0
        table = sorted(k for _, k in self.rows)
        return max(
            Fraction(
                sum(abs(a - b) for a, b in zip(sorted(cell * len(table)), sorted(table * len(cell)), strict=True)),
                len(table) * len(cell) * (len(self.domain) - 1),
            )
            for cell in self.cells
        )

    def basic_beta(self):
        return max(ratio - 1 for ratio, _ in self.gains())

    def enhanced_beta(self):
        fits = all(float(ratio - 1) <= -math.log(p) for ratio, p in self.gains())
        return self.basic_beta() if fits else math.inf

    def delta(self):
        return max(abs(math.log(ratio)) if ratio else math.inf for ratio, _ in self.gains())

    def delta_present(self):
        return max(abs(math.log(ratio)) for ratio, _ in self.gains() if ratio)

    def records_where(self, condition):
        return sum(condition([k for j, k in self.rows if j == i]) for i, _ in self.rows)

    def mean_over_records(self, score):
        return sum(score([k for j, k in self.rows if j == i]) for i, _ in self.rows) / len(self.rows)


def assess(counts):
    return raw_risk(FrequencyTable.from_counts(counts))


def close(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


@given(tables())
def test_anonymity_and_diversity(counts):
    rows, risk = Rows(counts), assess(counts)
    assert risk.anonymity.k == rows.k()
    assert risk.anonymity.alpha == close(rows.alpha())
    assert risk.diversity.distinct_l == rows.distinct_l()
    assert risk.diversity.entropy_l == close(rows.entropy_l())
    assert risk.diversity.recursive_c == close(rows.recursive_c(max(rows.distinct_l(), 2)))
    assert risk.diversity.homogeneous_cells == sum(len(set(cell)) == 1 for cell in rows.cells)
    assert risk.diversity.homogeneous_records == rows.records_where(lambda cell: len(set(cell)) == 1)
    assert risk.diversity.homogeneous_share == close(rows.mean_over_records(lambda cell: len(set(cell)) == 1))


@given(tables())
def test_closeness_and_likeness(counts):
    rows, risk = Rows(counts), assess(counts)
    assert risk.closeness.equal_distance == close(rows.t_equal())
    assert risk.closeness.ordered_distance == close(rows.t_ordered())
    assert risk.likeness.basic_beta == close(rows.basic_beta())
    assert risk.likeness.enhanced_beta == close(rows.enhanced_beta())
    assert risk.likeness.delta_disclosure == close(rows.delta())
    assert risk.likeness.delta_disclosure_present == close(rows.delta_present())


@given(tables())
def test_reidentification_and_inference(counts):
    rows, risk = Rows(counts), assess(counts)
    mean_risk = rows.mean_over_records(lambda cell: Fraction(1, len(cell)))
    assert risk.n_records == len(rows.rows)
    assert risk.n_cells == len(rows.cells)
    assert risk.reidentification.unique_records == rows.records_where(lambda cell: len(cell) == 1)
    assert risk.reidentification.unique_share == close(rows.mean_over_records(lambda cell: len(cell) == 1))
    assert risk.reidentification.prosecutor_largest == close(max(Fraction(1, len(cell)) for cell in rows.cells))
    assert risk.reidentification.share_above_threshold == close(rows.mean_over_records(lambda cell: len(cell) < 5))
    assert risk.reidentification.prosecutor_mean == close(mean_risk)
    assert risk.reidentification.prior == close(Fraction(1, len(rows.rows)))
    assert risk.inference.prior == close(max(map(rows.share, rows.values)))
    assert risk.inference.posterior == close(
        rows.mean_over_records(lambda cell: Fraction(max(Counter(cell).values()), len(cell)))
    )
