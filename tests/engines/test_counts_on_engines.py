"""Every engine counts the same as a plain loop over the rows."""

import math
import random
from collections import Counter, defaultdict
from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from epsilometer.assessments.exploring.suggestions import suggest_roles
from epsilometer.errors import BadBins
from epsilometer.tables import profiling
from epsilometer.tables.bins import as_bins
from epsilometer.tables.coarsening import in_coarser_bins, without_column
from epsilometer.tables.column_summaries import summarise_columns
from epsilometer.tables.counting import count_table, frequency_table
from epsilometer.tables.linked_counts import linked_counts
from epsilometer.tables.opening import open_table
from epsilometer.tables.people_combined import combine_people
from epsilometer.tables.people_counted import distinct_keys, one_row_each
from epsilometer.tables.roles import assign_roles

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

ROWS = [
    {"age": age, "region": region, "income": income, "who": who}
    for age, region, income, who in [
        (31, "north", 10.5, "a"), (31, "north", 2.0, "b"), (31, "north", 2.0, "b"), (45, "south", 2.0, "c"),
        (45, None, 2.0, "c"), (45, None, float("nan"), "d"), (None, "south", 2.0, "e"), (7, "east", 2.0, None),
    ]
]  # fmt: skip
SCHEMA = pa.schema({"age": pa.int64(), "region": pa.string(), "income": pa.float64(), "who": pa.string()})


def mixed_rows():
    """A few hundred rows of every plain type, some of each missing, the same in every process."""
    chance = random.Random(20)
    choices = {
        "whole": [None, -3, 0, 7, 2**40],
        "word": [None, "", "a", "A", "ä", "a ", "東京", "it's", 'so "called"', "semi;colon, comma", "🦔"],
        "truth": [None, True, False],
        "number": [None, math.nan, 0.1, -2.5, 1e300, 3.0],
        "day": [None, date(1969, 12, 31), date(2024, 2, 29)],
        "money": [None, Decimal("0.10"), Decimal("-12.50"), Decimal("99999999.99")],
        "moment": [None, datetime(2024, 2, 29, 23, 59, 59, 999999), datetime(1970, 1, 1)],  # noqa: DTZ001
    }
    return [{name: chance.choice(values) for name, values in choices.items()} for _ in range(300)]


MIXED = mixed_rows()
MIXED_SCHEMA = pa.schema(
    {"whole": pa.int64(), "word": pa.string(), "truth": pa.bool_(), "number": pa.float64(), "day": pa.date32(),
     "money": pa.decimal128(10, 2), "moment": pa.timestamp("us")}
)  # fmt: skip
LABELS = {
    "whole": {"-3": -3, "0": 0, "7": 7, "1099511627776": 2**40, "(missing)": None},
    "truth": {"false": False, "true": True, "(missing)": None},
    "number": {"-2.5": -2.5, "0.1": 0.1, "3": 3.0, "1e+300": 1e300, "(missing)": None},
    "day": {"1969-12-31": date(1969, 12, 31), "2024-02-29": date(2024, 2, 29), "(missing)": None},
    "money": {"-12.5": Decimal("-12.50"), "0.1": Decimal("0.10"), "99999999.99": Decimal("99999999.99"),
              "(missing)": None},
    "word": {word: word for word in sorted({row["word"] for row in MIXED} - {None})} | {"(missing)": None},
}  # fmt: skip


def plain(value):
    """Not-a-number is missing."""
    return None if isinstance(value, float) and math.isnan(value) else value


def count_by_hand(rows, cell, sensitive, values):
    cells = defaultdict(Counter)
    for row in rows:
        cells[tuple(plain(row[name]) for name in cell)][plain(row[sensitive])] += 1
    return Counter(tuple(cell[value] for value in values) for cell in cells.values())


def as_counter(profile):
    return Counter(dict(zip(map(tuple, profile.counts.tolist()), profile.n_cells.tolist(), strict=True)))


@pytest.fixture
def people(engine):
    return engine.source("people", pa.Table.from_pylist(ROWS, SCHEMA))


@pytest.fixture
def mixed(engine):
    return engine.source("mixed", pa.Table.from_pylist(MIXED, MIXED_SCHEMA))


@pytest.fixture
def ties(engine):
    rows = [{"q": "all", "who": who, "s": value} for who in range(2000) for value in ("no", "yes")]
    return engine.source("ties", pa.Table.from_pylist(rows))


def test_counts_are_those_of_a_plain_loop(people):
    freq = frequency_table(people, quasi_identifiers=["age", "region"], sensitive="income")
    assert as_counter(freq.profile) == count_by_hand(ROWS, ["age", "region"], "income", [2.0, 10.5, None])
    assert freq.profile.values == ("2", "10.5", "(missing)")
    assert "1 record has no value for income; missing is counted as a value of its own." in freq.notes
    assert {"age": "31", "region": "north", "2": 2, "10.5": 1, "(missing)": 0} in freq.cells().to_pylist()
    assert freq.cells(limit=2).num_rows == 2


@pytest.mark.parametrize("sensitive", LABELS)
def test_values_of_every_type_are_told_apart(mixed, sensitive):
    cell = [name for name in ("truth", "moment") if name != sensitive]
    freq = frequency_table(mixed, quasi_identifiers=cell, sensitive=sensitive)
    assert freq.profile.values == tuple(LABELS[sensitive])
    assert as_counter(freq.profile) == count_by_hand(MIXED, cell, sensitive, LABELS[sensitive].values())


@pytest.mark.parametrize("sensitive", ["word", "money"])
def test_many_values_are_counted_by_signature(mixed, sensitive, monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_PACKED_VALUES", 1)
    freq = frequency_table(mixed, quasi_identifiers=["truth", "day"], sensitive=sensitive)
    assert freq.profile.values == tuple(LABELS[sensitive])
    assert as_counter(freq.profile) == count_by_hand(MIXED, ["truth", "day"], sensitive, LABELS[sensitive].values())


def test_columns_of_every_type_make_cells(mixed):
    cell = ["whole", "word", "number", "money", "day"]
    freq = frequency_table(mixed, quasi_identifiers=cell, sensitive="truth")
    assert as_counter(freq.profile) == count_by_hand(MIXED, cell, "truth", [False, True, None])


def test_several_sensitive_columns_are_counted_as_combinations(mixed):
    freq = frequency_table(mixed, quasi_identifiers="day", sensitive=["truth", "whole"])
    paired = [row | {"pair": (row["truth"], row["whole"])} for row in MIXED]
    values = [(truth, whole) for truth in (False, True, None) for whole in (-3, 0, 7, 2**40, None)]
    assert as_counter(freq.profile) == count_by_hand(paired, ["day"], "pair", values)


def test_bins_filter_and_marks(people):
    freq = frequency_table(
        people,
        quasi_identifiers="region",
        sensitive="age",
        bins={"age": {"width": 10, "closed": "right"}},
        where="income < 5 and region is not null",
        missing=["east"],
    )
    assert freq.profile.values == ("(30, 40]", "(40, 50]", "(missing)")
    assert as_counter(freq.profile) == {(2, 0, 0): 1, (0, 1, 1): 1}


def test_bins_of_decimals_and_dates_in_filters(mixed):
    bins = {"money": {"edges": [-100, 0, 10]}}
    found = frequency_table(
        mixed, quasi_identifiers="truth", sensitive="money", bins=bins, where="day >= '2000-01-01' and money < 1000"
    )
    kept = [row for row in MIXED if row["day"] == date(2024, 2, 29) and row["money"] and row["money"] < 1000]
    assert as_counter(found.profile) == count_by_hand(kept, ["truth"], "money", [Decimal("-12.50"), Decimal("0.10")])


def test_bins_on_text_say_what_the_text_is(people):
    with pytest.raises(BadBins, match=r"Column 'region' is read as number, and no value of it is one, such as 'north'"):
        frequency_table(people, quasi_identifiers="region", sensitive="income", bins={"region": 5})


def test_a_person_counts_once_per_cell(people):
    freq = frequency_table(people, quasi_identifiers="region", sensitive="income", person_id="who")
    assert freq.n_records == 7
    assert freq.max_cells_per_person == 2
    assert freq.notes[-2] == (
        "7 records are counted: 5 people, each once in each of their cells, and 1 without a person id, "
        "each taken as a further person."
    )


def test_ties_do_not_shift_the_shares(ties):
    freq = frequency_table(ties, quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.n_records == 2000
    assert freq.profile.shares == pytest.approx([0.5, 0.5], abs=5 * 0.5 * 2000**-0.5)  # five standard deviations
    assert freq.notes[-1].endswith("one of theirs was picked by a hash of the id.")


@pytest.mark.parametrize(("most", "n_people"), [(1, 6), (2, 7)])
def test_a_person_adds_to_few_combinations(people, most, n_people):
    """Only c has two combinations of region and income; whoever has no id is a person of their own."""
    table = open_table(people)
    roles = assign_roles(table.columns, ["region"], "income", person_id="who")
    sets = [["region", "income"], ["region"]]
    both, region = (each.fetch() for each in combine_people(table, roles, sets, most=most))
    assert both.n.sum() == region.n.sum() == n_people
    counted = dict(zip(region.keys["region"].to_pylist(), region.n.tolist(), strict=True))
    assert (counted["north"], counted["east"]) == (2, 1)
    assert counted.get("south", 0) + counted.get(None, 0) == n_people - 3


def test_what_occurs_and_who_has_several_rows(people):
    table = open_table(people)
    found = distinct_keys(table, ["region", "age"], bins={"age": as_bins("age", 20)})
    assert set(found["region"].to_pylist()) == {"north", "south", "east", None}
    assert {None if code is None else int(code) for code in found["age"].to_pylist()} == {0, 1, 2, None}
    assert not one_row_each(table, "who")
    assert one_row_each(table, "who", where="region = 'south'")


def test_columns_are_summarised(people):
    summaries = summarise_columns(people)
    assert [(each.n_missing, each.n_distinct) for each in summaries] == [(1, 3), (2, 3), (1, 2), (1, 5)]
    assert [(each.kind, each.smallest, each.largest) for each in summaries] == [
        ("number", 7, 45), ("text", None, None), ("number", 2, 10.5), ("text", None, None),
    ]  # fmt: skip
    assert [each.column for each in suggest_roles(people)] == ["age", "region", "income", "who"]


def test_columns_of_every_type_are_summarised(mixed):
    found = {each.name: (each.kind, each.n_missing, each.n_distinct) for each in summarise_columns(mixed)}
    kinds = {"whole": "number", "word": "text", "truth": "truth", "number": "number", "day": "time",
             "money": "number", "moment": "time"}  # fmt: skip
    for name, kind in kinds.items():
        values = [plain(row[name]) for row in MIXED]
        assert found[name] == (kind, values.count(None), len(set(values) - {None})), name


def test_counts_are_regrouped_where_they_are(people):
    table = open_table(people)
    counts = count_table(table, assign_roles(table.columns, ["age", "region"], "income", bins={"age": 5}))
    wider = in_coarser_bins(counts, "age", as_bins("age", 20)).frequency_table("income")
    in_twenties = [row | {"age": None if row["age"] is None else row["age"] // 20} for row in ROWS]
    assert as_counter(wider.profile) == count_by_hand(in_twenties, ["age", "region"], "income", [2.0, 10.5, None])
    fewer = without_column(counts, "age").frequency_table("income")
    assert as_counter(fewer.profile) == count_by_hand(ROWS, ["region"], "income", [2.0, 10.5, None])


def test_several_readings_of_a_table_are_linked(people):
    table = open_table(people)
    roles = [
        assign_roles(table.columns, ["age"], "income", bins={"age": 10}),
        assign_roles(table.columns, ["region"], "age"),
    ]
    found = linked_counts(table, roles)
    assert found.n_people.sum() == len(ROWS)
    in_tens = [row | {"age": None if row["age"] is None else row["age"] // 10} for row in ROWS]
    by_hand = [
        count_by_hand(in_tens, ["age"], "income", [2.0, 10.5, None]),
        count_by_hand(ROWS, ["region"], "age", [7, 31, 45, None]),
    ]
    for reading, expected in zip(found.readings, by_hand, strict=True):
        assert sorted(map(sorted, reading.counts.tolist())) == sorted(sorted(vector) for vector in expected.elements())
        assert reading.counts.sum() == len(ROWS)


def test_cells_with_a_single_value_are_counted_for_several_attributes(people):
    table = open_table(people)
    counts = count_table(table, assign_roles(table.columns, ["region"], ["age", "income"]))
    cells = defaultdict(list)
    for row in ROWS:
        cells[row["region"]].append(row)
    by_hand = defaultdict(lambda: [0, 0])
    for rows in cells.values():
        single = sum(len({plain(row[name]) for row in rows}) == 1 for name in ("age", "income"))
        by_hand[single][0] += 1
        by_hand[single][1] += len(rows)
    assert [tuple(each) for each in counts.homogeneous_attributes()] == [(n, *by_hand[n]) for n in sorted(by_hand)]
