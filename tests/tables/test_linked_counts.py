"""One table counted by several sets of roles at once."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadTable
from epsilometer.tables import linked_counts as module
from epsilometer.tables.bins import as_bins
from epsilometer.tables.linked_counts import linked_counts
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import Roles

rows = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["x", "y", None]), st.booleans()), min_size=1, max_size=40)


def opened(people):
    import pyarrow as pa

    number, letter, flag = zip(*people, strict=True)
    return open_table(pa.table({"number": number, "letter": pa.array(letter, pa.string()), "flag": flag}))


@settings(max_examples=60, deadline=None)
@given(people=rows)
def test_every_reading_counts_the_same_people(people):
    roles = [
        Roles(("number",), ("flag",)),
        Roles(("number", "letter"), ("flag",), bins={"number": as_bins("number", 3)}),
    ]
    found = linked_counts(opened(people), roles)
    assert found.n_people.sum() == len(people)
    fine, coarse = found.readings
    assert Counter(fine.counts.sum(axis=1).tolist()) == Counter(Counter(n for n, _, _ in people).values())
    assert Counter(coarse.counts.sum(axis=1).tolist()) == Counter(Counter((n // 3, x) for n, x, _ in people).values())
    for reading in found.readings:
        again = np.zeros_like(reading.counts)
        np.add.at(again, (reading.cells, reading.values), found.n_people)
        assert (again == reading.counts).all()


def test_too_many_combinations_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_GROUPS", 2)
    with pytest.raises(BadTable, match=r"has more than 2 combinations of the columns of all releases. Look at fewer"):
        linked_counts(opened([(1, "x", True), (2, "y", True), (3, "y", False)]), [Roles(("number",), ("flag",))])
