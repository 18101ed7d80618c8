"""A sample of a table in words: what its own shares tell, held against the model."""

import pytest

import epsilometer as em
from epsilometer.report.sample_sentences import table_sample_answer


@pytest.mark.parametrize(("counts", "telling"), [([[9, 0], [0, 1]], "more"), ([[5, 0], [0, 5]], "less")])
def test_shares_are_held_against_the_model(counts, telling):
    """One of ten people is drawn: the model's attacker has 0.1 + 0.9 * 2/3 = 0.7, who knows the cells always 1."""
    found = em.sample_of_table(em.FrequencyTable.from_counts(counts), sample=1)
    words = table_sample_answer(found)
    assert f"names a person's value right with {10 * max(map(max, counts))}.0 % before any release." in words
    assert "If the person is also known to be in the sample, its counts make that 100.0 %." in words
    assert "knows the shares in each cell of cell has 100.0 % without a release" in words
    assert words.endswith(
        "An attacker who only has the model's prior gets 70.0 %, against 50.0 % without the release: the shares of "
        f"this table are {telling} telling than the model expects."
    )


def test_a_table_of_which_no_cell_is_drawn_says_nothing_of_drawn_people():
    found = em.sample_of_table(em.FrequencyTable.from_counts([[1, 1]] * 10), sample=1)
    assert found.average.inside is None
    assert "for one who was drawn" not in table_sample_answer(found)
