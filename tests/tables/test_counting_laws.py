"""Counting agrees with a plain loop over rows, whatever the rows are."""

# ruff: noqa: PD011  the values are those of a profile, not of a pandas frame

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from epsilometer.tables import profiling
from epsilometer.tables.counting import count_table, frequency_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles

KINDS = {
    "age": (pa.int64(), st.none() | st.integers(-3, 3)),
    "weight": (pa.float64(), st.none() | st.sampled_from([-1.5, 0.0, 0.1, 2.0, 1e300])),
    "region": (pa.string(), st.none() | st.sampled_from(["", "a", "B", "b", "ä", "it's", "(x)"])),
    "member": (pa.bool_(), st.none() | st.booleans()),
}
TABLES = st.lists(st.fixed_dictionaries({name: values for name, (_, values) in KINDS.items()}), min_size=1, max_size=40)


def as_arrow(rows):
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, (kind, _) in KINDS.items()})


def has_values(rows):
    return all(any(row[name] is not None for row in rows) for name in KINDS)


@settings(max_examples=30, deadline=None)
@given(rows=TABLES.filter(has_values), sensitive=st.sampled_from(sorted(KINDS)), most_pivoted=st.sampled_from([0, 64]))
def test_profile_is_that_of_a_plain_loop(rows, sensitive, most_pivoted, count_by_hand, as_counter):
    known = sorted(set(KINDS) - {sensitive})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profiling, "_MOST_PACKED_VALUES", most_pivoted)
        freq = frequency_table(as_arrow(rows), quasi_identifiers=known, sensitive=sensitive)
    assert as_counter(freq.profile) == count_by_hand(rows, known, sensitive)[1]


@settings(max_examples=12, deadline=None)
@given(rows=TABLES.filter(has_values))
def test_combinations_are_counted_like_one_column(rows, count_by_hand, as_counter):
    freq = frequency_table(as_arrow(rows), quasi_identifiers=["age", "region"], sensitive=["member", "weight"])
    truth = {None: "(missing)", True: "true", False: "false"}
    number = {"None": "(missing)", "-1.5": "-1.5", "0.0": "0", "0.1": "0.1", "2.0": "2", "1e+300": "1e+300"}
    joined = [{**row, "both": f"{truth[row['member']]} | {number[str(row['weight'])]}"} for row in rows]
    values, expected = count_by_hand(joined, ["age", "region"], "both")
    assert sorted(freq.profile.values) == values
    order = [values.index(value) for value in freq.profile.values]
    assert as_counter(freq.profile) == {tuple(np.array(vector)[order]): n for vector, n in expected.items()}


@settings(max_examples=12, deadline=None)
@given(rows=TABLES.filter(has_values), most_pivoted=st.sampled_from([0, 64]))
def test_one_joint_count_serves_every_attribute(rows, most_pivoted, as_counter):
    table = open_table(as_arrow(rows))
    joint = count_table(table, assign_roles(table.columns, ["age", "region"], ["member", "weight"]))
    for sensitive in ("member", "weight", ("member", "weight")):
        alone = frequency_table(table, quasi_identifiers=["age", "region"], sensitive=sensitive)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(profiling, "_MOST_PACKED_VALUES", most_pivoted)
            derived = joint.frequency_table(sensitive)
        assert as_counter(derived.profile) == as_counter(alone.profile)
        assert derived.profile.values == alone.profile.values


def is_tied(rows, cell, person):
    votes = Counter(row[1] for row in rows if (row[0], row[2]) == (cell, person))
    return list(votes.values()).count(max(votes.values())) > 1


@settings(max_examples=12, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.none() | st.integers(1, 3)), min_size=1)
)
def test_a_person_counts_once_per_cell_with_their_most_frequent_value(rows, as_counter):
    rows = [row for row in rows if row[2] is None or not is_tied(rows, cell=row[0], person=row[2])]
    assume(rows)
    votes, cells_of, expected_cells = {}, {}, {}
    for cell, value, person in rows:
        if person is None:
            expected_cells.setdefault(cell, Counter())[value] += 1
        else:
            votes.setdefault((cell, person), Counter())[value] += 1
            cells_of.setdefault(person, set()).add(cell)
    for (cell, _), votes_in_cell in votes.items():
        expected_cells.setdefault(cell, Counter())[max(votes_in_cell, key=votes_in_cell.get)] += 1
    table = pa.table(
        {
            "cell": [row[0] for row in rows],
            "value": [row[1] for row in rows],
            "who": pa.array([row[2] for row in rows], pa.int64()),
        }
    )
    freq = frequency_table(table, quasi_identifiers="cell", sensitive="value", person_id="who")
    values = sorted({value for counts in expected_cells.values() for value in counts})
    assert as_counter(freq.profile) == Counter(tuple(c[v] for v in values) for c in expected_cells.values())
    assert freq.max_cells_per_person == max((len(cells) for cells in cells_of.values()), default=1)


@pytest.mark.parametrize("most_pivoted", [64, 0])
@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (pa.array([10, 2, 1], pa.uint64()), ("1", "2", "10")),
        (pa.array([2**64 - 1, 2**63, 1], pa.uint64()), ("1", "9223372036854775808", "18446744073709551615")),
        (pa.array(["1.1234567892", "2", "10"]).cast(pa.decimal128(38, 10)), ("1.1234567892", "2", "10")),
        (pa.array([0.25, -1.0, 1e20]), ("-1", "0.25", "1e+20")),
        (pa.array([366, 0, 1], pa.date32()), ("1970-01-01", "1970-01-02", "1971-01-02")),
        (
            pa.array([2, 0, 1], pa.timestamp("ns")),
            ("1970-01-01 00:00:00", "1970-01-01 00:00:00.000000001", "1970-01-01 00:00:00.000000002"),
        ),
        (pa.array([60, 0, 1], pa.time32("s")), ("00:00:00", "00:00:01", "00:01:00")),
        (pa.array([True, False, None]), ("false", "true", "(missing)")),
        (pa.array(["b", "B", "ä"]).dictionary_encode(), ("B", "b", "ä")),
    ],
)  # fmt: skip
def test_values_of_every_kind_are_counted_in_their_order(values, labels, most_pivoted, monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_PACKED_VALUES", most_pivoted)
    freq = frequency_table(pa.table({"q": ["a", "a", "b"], "s": values}), quasi_identifiers="q", sensitive="s")
    assert freq.profile.values == labels
    assert freq.profile.counts.sum(axis=0).tolist() == [1, 1, 1]
    assert sorted(freq.profile.sizes) == [1, 2]


def test_ten_thousand_values_are_counted():
    values = np.arange(10_000)
    table = pa.table({"cell": values % 7, "value": values})
    freq = frequency_table(table, quasi_identifiers="cell", sensitive="value")
    assert freq.profile.counts.shape == (7, 10_000)
    assert (freq.profile.counts.sum(axis=0) == 1).all()
    assert freq.profile.values[-1] == "9999"


def test_ordered_categories_are_counted_under_their_own_labels(monkeypatch):
    frame = pd.DataFrame({"q": list("aab"), "s": pd.Categorical(["low", "high", "low"], ["low", "high"])})
    for most_pivoted in (64, 0):
        monkeypatch.setattr(profiling, "_MOST_PACKED_VALUES", most_pivoted)
        profile = frequency_table(frame, quasi_identifiers="q", sensitive="s").profile
        assert profile.values == ("high", "low")
        assert sorted(profile.counts.tolist()) == [[0, 1], [1, 1]]
