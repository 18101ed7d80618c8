"""Samples of real tables: the tables' own shares, by listing every sample that can be drawn."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.sampling.table import drawn_of

COUNTS = [[6, 2, 0], [1, 1, 3], [4, 0, 0], [0, 1, 0], [1, 1, 3]]
FREQ = em.FrequencyTable.from_counts(COUNTS)


def listed(counts, m):
    """Mean of the largest share inside and outside, and of the distance of the shares, over all samples of m."""
    people = [value for value, count in enumerate(counts) for _ in range(count)]
    inside = outside = distance = 0.0
    for chosen in itertools.combinations(people, m):
        drawn = np.bincount(chosen, minlength=len(counts))
        left = np.array(counts) - drawn
        inside += drawn.max() / m
        outside += left.max() / max(left.sum(), 1)
        distance += np.abs(drawn / m - np.array(counts) / len(people)).sum() / 2
    samples = math.comb(len(people), m)
    return inside / samples, outside / samples, distance / samples


@pytest.mark.parametrize("counts", [[3, 1], [5, 5], [4, 3, 2], [1, 1, 1, 6], [0, 7], [8]])
def test_own_shares_against_every_sample(counts):
    n = sum(counts)
    freq = em.FrequencyTable.from_counts([counts])
    for m in range(1, n + 1):
        found = em.sample_of_table(freq, sample=m)
        inside, outside, distance = listed(counts, m)
        for group in (found.everybody, found.cells[0]):
            assert (group.people, group.sampled, group.no_release) == (n, m, max(counts) / n)
            assert group.inside == pytest.approx(inside, rel=1e-12)
            assert group.outside == (None if m == n else pytest.approx(outside, rel=1e-12))
            assert group.loss == pytest.approx(distance, rel=1e-12, abs=1e-15)
        assert found.average.inside == pytest.approx(inside, rel=1e-12)


def test_the_model_stands_beside_the_shares():
    everybody = em.sample_of_table(FREQ, sample=5, prior=0.5).everybody
    about = {"population": 23, "sample": 5, "prior": 0.5, "n_values": 3}
    risks = {adversary: em.sampling_risk(adversary=adversary, **about).value for adversary in ("in", "out", "unknown")}
    assert (everybody.model_inside, everybody.model_outside) == pytest.approx((risks["in"], risks["out"]))
    assert everybody.model_unknown == pytest.approx(risks["unknown"])
    assert everybody.model_loss == pytest.approx(em.sampling_utility_loss(**about).value)


def test_cells_add_up_and_are_listed_from_the_largest():
    found = em.sample_of_table(FREQ, sample=12)
    assert [cell.people for cell in found.cells] == [8, 5, 5, 4, 1]
    assert [cell.label["cell"] for cell in found.cells] == ["1", "2", "5", "3", "4"]
    assert found.n_cells == 5
    assert sum(cell.people for cell in found.cells) == found.everybody.people == 23
    for value in ("value 1", "value 2", "value 3"):
        assert sum(cell.counts.get(value, 0) for cell in found.cells) == found.everybody.counts[value]
    assert "value 3" not in found.cells[0].counts
    assert [cell.sampled for cell in found.cells] == [4, 3, 3, 2, 1]  # 12/23 of each, in whole people
    two = em.sample_of_table(FREQ, sample=12, limit=2)
    assert [cell.to_dict() for cell in two.cells] == [cell.to_dict() for cell in found.cells[:2]]
    assert two.n_cells == 5
    assert two.average == found.average


def test_only_the_cells_that_are_shown_leave_the_engine(monkeypatch):
    fetched = []
    cells = em.FrequencyTable.cells

    def watched(self, *arguments, **named):
        found = cells(self, *arguments, **named)
        fetched.append(found.num_rows)
        return found

    monkeypatch.setattr(em.FrequencyTable, "cells", watched)
    alike = em.FrequencyTable.from_counts([[1, 0]] * 500 + [[3, 1]])
    found = em.sample_of_table(alike, sample=100, limit=4)
    assert [cell.label["cell"] for cell in found.cells] == ["501", "1", "2", "3"]
    assert sum(fetched) == 4
    assert len(em.sample_of_table(alike, sample=100, limit=900).cells) == 501


def test_averages_are_over_people_each_in_their_own_cell():
    found = em.sample_of_table(FREQ, sample=12)
    cells = [(counts, sum(counts), m) for counts, m in zip(COUNTS, [4, 3, 2, 1, 3], strict=True)]
    inside = sum(m * listed(counts, m)[0] for counts, _, m in cells) / sum(m for *_, m in cells)
    outside = sum((n - m) * listed(counts, m)[1] for counts, n, m in cells) / sum(n - m for _, n, m in cells)
    assert found.average.no_release == pytest.approx((6 + 3 + 4 + 1 + 3) / 23)
    assert found.average.inside == pytest.approx(inside, rel=1e-12)
    assert found.average.outside == pytest.approx(outside, rel=1e-12)


def test_cells_of_which_nobody_is_drawn():
    found = em.sample_of_table(FREQ, sample=1)
    assert [cell.sampled for cell in found.cells] == [0, 0, 0, 0, 0]
    for cell in found.cells:
        assert (cell.inside, cell.loss, cell.model_inside, cell.model_loss) == (None, None, None, None)
        assert cell.outside == cell.no_release
        assert cell.model_outside == cell.model_unknown == pytest.approx(1 / 3)
    assert found.average.inside is None
    assert found.average.outside == pytest.approx(found.average.no_release)
    assert found.everybody.inside == 1


def test_everybody_is_drawn():
    found = em.sample_of_table(FREQ, sample=23)
    for group in (found.everybody, *found.cells):
        assert group.sampled == group.people
        assert (group.outside, group.model_outside) == (None, None)
        assert group.loss == group.model_loss == 0
        assert group.inside == pytest.approx(group.no_release)
        assert group.model_unknown == group.model_inside
    assert found.average.outside is None
    assert found.average.inside == pytest.approx(found.average.no_release)


def test_a_sample_takes_the_same_part_of_each_cell():
    sizes = np.array([1, 4, 10, 999])
    assert drawn_of(sizes, 0.0).tolist() == [0, 0, 0, 0]
    assert drawn_of(sizes, 1.0).tolist() == sizes.tolist()
    assert drawn_of(sizes, 0.3).tolist() == [0, 1, 3, 300]


def test_cells_have_the_names_of_the_columns():
    table = pa.table({"town": list("aabbb"), "job": ["cook", "nurse", "cook", "cook", None]})
    freq = em.frequency_table(table, quasi_identifiers="town", sensitive="job")
    found = em.sample_of_table(freq, sample=2, name="people.csv")
    assert (found.table, found.sensitive, found.quasi_identifiers, found.n_values) == (
        "people.csv",
        "job",
        ("town",),
        3,
    )
    assert [dict(cell.label) for cell in found.cells] == [{"town": "b"}, {"town": "a"}]
    assert found.cells[1].counts == {"cook": 1, "nurse": 1}
    assert any("missing" in caveat for caveat in found.caveats)


def test_a_table_sample_says_what_it_takes_for_granted():
    found = em.sample_of_table(replace(FREQ, notes=("A note.",)), sample=5, prior="datasets")
    assert (found.prior, found.alpha) == ("datasets", math.inf)
    assert len(found.assumptions) == 4
    assert found.caveats[-1] == "A note."
    document = found.to_dict()
    assert (document["confidential"], document["evidence"], document["alpha"]) == (True, "exact", None)
