"""Bins: every number falls where the written decimals say, and labels say where that is."""

import math
import re
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadBins
from epsilometer.tables.bins import EdgeBins, WidthBins, as_bins, parse_bin
from epsilometer.tables.counting import frequency_table

DECIMALS = st.decimals(-1000, 1000, places=2).map(lambda number: number + 0)


def labels_of(numbers, bins):
    """Label of each number, as the engine counts it."""
    table = pa.table({"q": list(range(len(numbers))), "x": numbers})
    cells = frequency_table(table, quasi_identifiers="q", sensitive="x", bins={"x": bins}).cells().to_pylist()
    found = {}
    for cell in cells:
        row = int(cell.pop("q"))
        found[row] = next(label for label, n in cell.items() if n)
    return [found[i] for i in range(len(numbers))]


def label_by_hand(number, width, origin, closed):
    steps = (Fraction(number) - Fraction(origin)) / Fraction(width)
    k = math.floor(steps) if closed == "left" else math.ceil(steps) - 1
    low, high = (Fraction(origin) + j * Fraction(width) for j in (k, k + 1))
    write = [str(int(edge)) if edge.denominator == 1 else repr(float(edge)) for edge in (low, high)]
    return f"[{write[0]}, {write[1]})" if closed == "left" else f"({write[0]}, {write[1]}]"


@settings(max_examples=40, deadline=None)
@given(
    numbers=st.lists(DECIMALS, min_size=1, max_size=30),
    width=st.sampled_from(["0.1", "0.25", "0.3", "1", "7", "2.5", "0.01"]),
    origin=st.sampled_from(["0", "15", "0.1", "-0.7"]),
    closed=st.sampled_from(["left", "right"]),
)
def test_widths_bin_as_the_written_decimals_say(numbers, width, origin, closed):
    bins = {"width": width, "origin": origin, "closed": closed}
    expected = [label_by_hand(number, width, origin, closed) for number in numbers]
    assert labels_of([float(number) for number in numbers], bins) == expected


@pytest.mark.parametrize("closed", ["left", "right"])
def test_every_edge_of_a_width_of_a_tenth_is_exact(closed):
    edges = [Decimal(k) / 10 for k in range(-300, 300)]
    expected = [label_by_hand(edge, "0.1", "0", closed) for edge in edges]
    assert labels_of([float(edge) for edge in edges], {"width": 0.1, "closed": closed}) == expected


@pytest.mark.parametrize(
    ("bins", "labels"),
    [
        (5, ["[-5, 0)", "[0, 5)", "[15, 20)", "[20, 25)", "[65, 70)", "[90, 95)"]),
        ({"width": 5, "origin": 15, "closed": "right"},
         ["(-5, 0]", "(-5, 0]", "(15, 20]", "(15, 20]", "(60, 65]", "(85, 90]"]),
        ({"width": 20, "top": 65}, ["[-20, 0)", "[0, 20)", "[0, 20)", "[20, 40)", ">= 65", ">= 65"]),
        ({"width": 20, "top": 65, "closed": "right"},
         ["(-20, 0]", "(-20, 0]", "(0, 20]", "(0, 20]", "(60, 65]", "> 65"]),
        ({"width": 20, "bottom": 10}, ["< 10", "< 10", "[10, 20)", "[20, 40)", "[60, 80)", "[80, 100)"]),
        ({"width": 20, "bottom": 20, "closed": "right"},
         ["<= 20", "<= 20", "<= 20", "<= 20", "(60, 80]", "(80, 100]"]),
        ({"edges": [0, 18, 65]}, ["< 0", "[0, 18)", "[18, 65)", "[18, 65)", ">= 65", ">= 65"]),
        ({"edges": [0, 18, 65], "closed": "right"}, ["<= 0", "<= 0", "(18, 65]", "(18, 65]", "(18, 65]", "> 65"]),
        ({"edges": [0, 18, 65], "top": 19, "bottom": 18}, ["< 18", "< 18", ">= 19", ">= 19", ">= 19", ">= 19"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", [pa.int16(), pa.int64(), pa.float32(), pa.decimal128(5, 1)])
def test_bins_by_example(bins, labels, kind):
    numbers = pa.array([-1, 0, 19, 20, 65, 90]).cast(pa.float64()).cast(kind)
    assert labels_of(numbers, bins) == labels


def test_bins_of_the_sensitive_column_keep_their_order():
    table = pa.table({"q": ["a"] * 4, "x": [100, 9, 20, None]})
    freq = frequency_table(table, quasi_identifiers="q", sensitive="x", bins={"x": {"width": 10, "top": 90}})
    assert freq.profile.values == ("[0, 10)", "[20, 30)", ">= 90", "(missing)")


def test_huge_numbers_do_not_overflow():
    assert labels_of([1e300, 1.0], {"edges": [10]}) == [">= 10", "< 10"]
    assert labels_of([1e300, 1.0], {"width": 10, "top": 50}) == [">= 50", "[0, 10)"]


@pytest.mark.parametrize(
    ("text", "column", "bins"),
    [
        ("age=5", "age", WidthBins(Fraction(5))),
        ("a=b=0.5", "a=b", WidthBins(Fraction(1, 2))),
        ("age:width=5,origin=15,closed=right", "age", WidthBins(Fraction(5), Fraction(15), "right")),
        ("age:width=5, top=90, bottom=15", "age", WidthBins(Fraction(5), top=Fraction(90), bottom=Fraction(15))),
        ("age:edges=0/18/65,closed=left,top=90", "age", EdgeBins(tuple(map(Fraction, (0, 18, 65, 90))))),
        ("my:age:width=5", "my:age", WidthBins(Fraction(5))),
    ],
)  # fmt: skip
def test_bins_as_the_command_line_writes_them(text, column, bins):
    assert parse_bin(text) == (column, bins)
    assert as_bins(column, bins) is bins


@pytest.mark.parametrize(
    ("given_bins", "message"),
    [
        (0, "bins of 'age': width must be above 0, got 0."),
        (-5, "bins of 'age': width must be above 0, got -5."),
        ("x", "bins of 'age': width must be a finite number, got 'x'."),
        (float("nan"), "bins of 'age': width must be a finite number, got nan."),
        (float("inf"), "bins of 'age': width must be a finite number, got inf."),
        (True, "bins of 'age': width must be a finite number, got True."),
        ({"width": 5, "origin": None}, "bins of 'age': origin must be a finite number, got None."),
        ({"width": 5, "closed": "both"}, "bins of 'age': closed must be left or right, got 'both'."),
        ({"width": 5, "size": 3}, "bins of 'age': there is no size. Give width, origin, closed"),
        ({"width": 5, "edges": [1]}, "bins of 'age' need either a width or edges."),
        ({"top": 90}, "bins of 'age' need either a width or edges."),
        ({"edges": [1], "origin": 0}, "bins of 'age': an origin goes with a width, not with edges."),
        ({"edges": []}, "bins of 'age': edges must be one or more growing numbers, got []."),
        ({"edges": [5, 1]}, "bins of 'age': edges must be one or more growing numbers, got [5, 1]."),
        ({"edges": [5, 5]}, "bins of 'age': edges must be one or more growing numbers, got [5, 5]."),
        ({"edges": [1, float("nan")]}, "bins of 'age': edges must be a finite number, got nan."),
        ({"edges": "0/18"}, "bins of 'age': edges must be a list of numbers, got '0/18'."),
        ({"width": 5, "top": 10, "bottom": 10}, "bins of 'age': bottom must be below top, got 10 and 10."),
    ],
)  # fmt: skip
def test_bins_that_make_no_sense(given_bins, message):
    with pytest.raises(BadBins) as caught:
        as_bins("age", given_bins)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age", "'age' is not of the form column=width or column:width=5,origin=15,closed=right."),
        ("=5", "'=5' is not of the form column=width"),
        ("age:5", "bins of 'age': '5' is not of the form name=value."),
        ("age:edges=5/1", "edges must be one or more growing numbers"),
    ],
)
def test_bins_the_command_line_cannot_read(text, message):
    with pytest.raises(BadBins) as caught:
        parse_bin(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("values", "held"),
    [
        (["a", "b", "b", None], "'b'"),
        (["6,5", "6,5"], "'6,5': use a decimal point"),
        (["2020-01-31", "2020-02-01 10:00"], "'2020-01-31': dates have no bins yet"),
        (pa.array([0, 1], pa.date32()), "date"),
        (pa.array([0, 1], pa.timestamp("us")), "timestamp"),
        ([True, False], "boolean"),
    ],
)
def test_bins_are_for_numbers(values, held):
    table = pa.table({"q": list(range(len(values))), "x": values})
    with pytest.raises(BadBins) as caught:
        frequency_table(table, quasi_identifiers="q", sensitive="x", bins={"x": 5})
    assert "'x'" in str(caught.value)
    assert held in str(caught.value)


@pytest.mark.parametrize(
    ("values", "labels", "note"),
    [
        (["a", "b", "b", "7"], ["(missing)"] * 3 + ["[5, 10)"], "3 values of x .* as number .* 'b'"),
        (["6,5", "7"], ["(missing)", "[5, 10)"], "1 value of x .* '6,5': use a decimal point"),
        (["007", "1", None], ["[5, 10)", "[0, 5)", "(missing)"], None),
        ([" 1 ", "-2.5e3", ".5", "7."], ["[0, 5)", "[-2500, -2495)", "[0, 5)", "[5, 10)"], None),
    ],
)
def test_texts_are_binned_if_they_are_numbers_and_missing_otherwise(values, labels, note):
    assert labels_of(values, 5) == labels
    table = pa.table({"q": ["all"] * len(values), "x": values})
    notes = frequency_table(table, quasi_identifiers="q", sensitive="x", bins={"x": 5}).notes
    found = [said for said in notes if "cannot be read" in said]
    assert len(found) == (note is not None)
    assert all(re.match(note, said) for said in found)


@settings(max_examples=200)
@given(code=st.integers(-1000, 1000), width=DECIMALS, origin=DECIMALS)
def test_neighbouring_bins_share_an_edge(code, width, origin):
    assume(width > 0)
    bins = as_bins("x", {"width": width, "origin": origin})
    assert bins.label(code).split(", ")[1][:-1] == bins.label(code + 1).split(", ")[0][1:]
