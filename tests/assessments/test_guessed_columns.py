"""Fields read off a real table: groups, ranges, what leaks, and what is refused."""

import math

import pandas as pd
import pytest

import epsilometer as em
from epsilometer.errors import BadBins, BadTable, OutOfRange, UnknownChoice, UnknownColumn

PEOPLE = pd.DataFrame(
    {
        "sex": ["f", "f", "f", "m", "m", None],
        "region": ["n", "n", "s", "n", "n", "s"],
        "age": [30, 31, 31, 40, 40, 50],
        "income": [1.5, 2.5, 4.0, 4.0, 4.0, 1.0],
        "same": [7, 7, 7, 7, 7, 7],
    }
)
LEAK = (
    "The range of {} was read off the table: the smallest and the largest value are facts about single people, and "
    "noise fitted to them gives these away. Declare the range instead."
)


@pytest.fixture(params=["frame", "csv"])
def people(request, tmp_path):
    if request.param == "frame":
        return PEOPLE
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def test_columns_of_a_table_within_groups(people):
    found = em.guessed_columns(people, ["age", "income"], by=["sex"], ranges={"age": (0, 120)})
    assert found.names == ("age, (missing)", "age, f", "age, m", "income, (missing)", "income, f", "income, m")
    assert found.groups == ((1, 1), (2, 3), (1, 2), (1, 1), (3, 3), (1, 2))
    assert found.sensitivity == (120.0, 120.0, 120.0, 3.0, 3.0, 3.0)
    assert LEAK.format("income") in found.caveats


def test_a_declared_range_leaks_nothing(people):
    (reading,) = em.guessed_columns(people, ["age"], ranges={"age": (0, 120)}).caveats
    assert reading.startswith("k is how many different values a group has and n how many rows")
    derived = em.guessed_columns(people, ["age", "income"])
    assert derived.caveats == (reading, LEAK.format("age, income"))
    assert derived.sensitivity == (20.0, 3.0)
    assert derived.names == ("age", "income")
    assert derived.groups == ((4, 6), (4, 6))


def test_several_columns_make_the_groups_and_filters_hold(people):
    found = em.guessed_columns(people, ["age"], by=["sex", "region"], where="age < 45")
    assert dict(zip(found.names, found.groups, strict=True)) == {
        "age, f, n": (2, 2),
        "age, f, s": (1, 1),
        "age, m, n": (1, 2),
    }
    assert set(found.sensitivity) == {10.0}


@pytest.mark.parametrize("missing", ["31", ["31"], iter(["31"])], ids=["a word", "a list", "once"])
def test_marks_of_missing_values_hold_for_ranges_and_groups(missing):
    texts = pd.DataFrame({"who": ["31", "a", "a"], "age": [30, 31, 40]})
    found = em.guessed_columns(texts, ["age"], by=["who"], missing=missing)
    assert dict(zip(found.names, found.groups, strict=True)) == {"age, (missing)": (1, 1), "age, a": (2, 2)}


def test_what_is_read_off_a_table_is_what_is_asked_about(people):
    found = em.guessed_columns(people, ["age"], by=["sex"], where="sex = 'f'", ranges={"age": (0, 10)})
    guess = em.epsilon_for_advantage(0.1, groups=found.groups, sensitivity=found.sensitivity, names=found.names)
    assert guess.no_release == pytest.approx(2 / 3)  # the second of 2 draws from 3 values differs from the first
    assert guess.value == pytest.approx((math.log(23 / 7) - math.log(2)) / 10, rel=1e-12)


TABLES = {
    "no columns": ((), {}, OutOfRange, r"^columns must be in at least one column, got \(\)\.$"),
    "unknown column": (["agee"], {}, UnknownColumn, r"^There is no column 'agee'; .* Did you mean 'age'"),
    "unknown group": (["age"], {"by": ["sexx"]}, UnknownColumn, r"^There is no column 'sexx'; .* Did you mean 'sex'"),
    "no numbers": (["sex"], {}, BadBins, r"^Column 'sex' is read as number, and no value of it is one, such as"),
    "constant": (
        ["same"],
        {},
        OutOfRange,
        r"^range of same must be in low < high, got \(7\.0, 7\.0\)\. Declare the range of the column: two different",
    ),
    "range upside down": (["age"], {"ranges": {"age": (9, 0)}}, OutOfRange, r"^range of age .*, got \(9, 0\)\."),
    "range without end": (["age"], {"ranges": {"age": (0, math.inf)}}, OutOfRange, r"^range of age .*, got \(0, inf"),
    "range of text": (["age"], {"ranges": {"age": ("0", "9")}}, OutOfRange, r"^range of age .*, got \('0', '9'\)"),
    "range of another": (
        ["age"],
        {"ranges": {"agee": (0, 9)}},
        UnknownChoice,
        r"^column with a declared range must be one of age; got 'agee'\.$",
    ),
    "no rows left": (["age"], {"where": "age > 99"}, BadTable, r"^Column 'age' has no value in any row that counts\.$"),
}


@pytest.mark.parametrize(("columns", "about", "kind", "message"), TABLES.values(), ids=TABLES.keys())
def test_tables_that_cannot_be_guessed(people, columns, about, kind, message):
    with pytest.raises(kind, match=message):
        em.guessed_columns(people, columns, **about)
