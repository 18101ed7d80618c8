"""A sample of a table in words: what its own shares tell, held against the model."""

import pytest

import epsilometer as em
from epsilometer.report.sample_sentences import table_sample_answer

MORE = "this table's shares tell more than that attacker expects to learn"
LESS = "the prior takes one value to be more common than it is in this table"
KNOWN_INSIDE = "with it if the person is known to be in the sample"


@pytest.mark.parametrize(
    ("counts", "before", "in_cells", "telling"),
    [
        ([[9, 0], [0, 1]], "90.0 %", f"100.0 % {KNOWN_INSIDE}", MORE),  # 0.9 people of the first cell: one
        ([[5, 0], [0, 5]], "50.0 %", "nobody is in the sample", LESS),  # half a person of each: none
    ],
)
def test_shares_are_held_against_the_model(counts, before, in_cells, telling):
    """One of ten people is drawn: the model's attacker has 0.1 + 0.9 * 2/3 = 0.7, who knows the cells always 1."""
    found = em.sample_of_table(em.FrequencyTable.from_counts(counts), sample=1)
    assert table_sample_answer(found) == (
        "You publish how a random sample of 1 of the 10 people divides over the value. Whoever knows the shares of "
        f"the value in this table names a person's value right with {before} without a release, and 100.0 % "
        f"{KNOWN_INSIDE}. If you also publish it for each cell of cell, and the shares in each are known, it is "
        f"100.0 % without a release, and {in_cells}. An attacker who only has the model's prior gets 70.0 %, against "
        f"50.0 %: {telling}."
    )


@pytest.mark.parametrize(
    ("sample", "after"),
    [
        (3, "66.6 %"),  # the sample is the table: 2/3, as without a release
        (2, "66.6 %"),  # both cooks, or one of each: 1/3 + 2/3 * 1/2
        (1, "100.0 %"),
    ],
)
def test_shares_that_did_not_grow_are_not_shown_larger_by_rounding(sample, after):
    """Two cooks and a nurse: a chance is rounded up, what it is held against down, which is no growth."""
    words = table_sample_answer(em.sample_of_table(em.FrequencyTable.from_counts([[2, 1]]), sample=sample))
    assert words.count(f"66.6 % without a release, and {after} {KNOWN_INSIDE}") == 2


def test_a_table_of_which_no_cell_is_drawn_says_nothing_of_drawn_people():
    found = em.sample_of_table(em.FrequencyTable.from_counts([[1, 1]] * 10), sample=1)
    assert found.average.inside is None
    words = table_sample_answer(found)
    assert "are known, it is 50.0 % without a release, and nobody is in the sample. An attacker" in words
    assert words.count(KNOWN_INSIDE) == 1
