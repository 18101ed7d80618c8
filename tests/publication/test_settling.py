"""What a release refuses before a row is read, and values that its domain does not have."""

import math

import pyarrow as pa
import pytest

from epsilometer import Plan
from epsilometer.errors import BadQuestion, BadRoles, BadTable, UnknownColumn
from epsilometer.plans.release_kinds import CountsOf, Sample
from epsilometer.publication.counts import drawn_mechanism, looks_of, publish_counts

TWO = (CountsOf(columns=("sex",)), CountsOf(columns=("job",)))
THRESHOLDED = {"support": "thresholded", "support_delta": 1e-6}
JOBS = ["cook", "nurse", "smith", None]
DOMAIN = {"sex": ["f", "m"], "age": (20, 39), "job": JOBS}


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"cells_per_person": 2}, BadQuestion, "Without a person id a row is a person, who adds to one count: leave"),
        (THRESHOLDED | {"post_processing": ("totals",)}, BadQuestion, "have no totals to agree on"),
        (THRESHOLDED | {"split": "optimised", "tables": TWO}, BadQuestion, "An optimised split needs to know how many"),
        ({"tables": (CountsOf(columns=("id",)),)}, BadRoles, "Column 'id' is to be published but has no role"),
        ({"tables": (CountsOf(columns=("sex", "sex")),)}, BadQuestion, "has each column once; got sex, sex"),
        (
            {"tables": (CountsOf(columns=("sex", "job")), CountsOf(columns=("job", "sex")))},
            BadQuestion,
            "The table of job, sex is asked for twice",
        ),
        (
            {"domain": {"sex": ["f", "m"], "job": JOBS}},
            BadQuestion,
            r"^Column 'age' has no declared domain, .* in a plan as domain: \{age: \[a, b\]\} or \{age: \{low: 0, "
            r"high: 99\}\}, on the command line as --domain age=a,b or age=0\.\.99, or use thresholded support\.$",
        ),
        ({"domain": {"age": (20, 39)}}, BadQuestion, "^Columns 'sex', 'job' have no declared domain, .*--domain sex=a"),
        ({"domain": {}, "tables": TWO}, BadQuestion, "^Columns 'sex', 'job' have no declared domain"),
        ({"domain": {"sxe": ["f", "m"]}}, UnknownColumn, "^There is no column 'sxe'; .* Did you mean 'sex'"),
        (THRESHOLDED | {"domain": {"sxe": ["f", "m"]}}, UnknownColumn, "^There is no column 'sxe'"),
        ({"domain": {"sex": ["f"], "age": (0, 1e9), "job": JOBS}, "bins": {}}, BadQuestion, "'age' has 1,000,000,001"),
        (
            {"domain": {"sex": [*"abcdefghijklm"], "age": (0, 999_999), "job": JOBS}, "bins": {}},
            BadQuestion,
            r"has 52,000,000 combinations \(sex 13 x age 1,000,000 x job 4\), more than 50,000,000",
        ),
        (
            {"domain": {"sex": ["f"], "age": (0, 1e9), "job": JOBS}, "bins": {"age": 1}},
            BadQuestion,
            "Declare a smaller range, or wider bins",
        ),
        ({"domain": DOMAIN | {"sex": ["(missing)", None]}}, BadQuestion, r"'sex' has a value \(missing\), which"),
    ],
)  # fmt: skip
def test_it_says_what_is_wrong(plan, asked, error, message):
    with pytest.raises(error, match=message):
        looks_of(plan(**asked))


def two_columns(age, job="cook", **settings):
    table = pa.table({"age": [age], "job": [job]})
    return Plan(table=table, quasi_identifiers=("age",), sensitive=("job",), **settings)


def test_a_range_of_fractions_needs_bins():
    with pytest.raises(BadQuestion, match="Column 'age' holds double: a range of it is no list"):
        looks_of(two_columns(1.5, domain={"age": (0, 1), "job": ["cook"]}))


def test_bins_need_numbers():
    with pytest.raises(BadTable, match="The values declared for column 'job' do not fit its type"):
        looks_of(two_columns(1, bins={"job": 5}, domain={"age": [1], "job": ["cook"]}))
    with pytest.raises(BadQuestion, match="Column 'age' has bins, and declared values that are no numbers"):
        looks_of(two_columns(1.5, bins={"age": 5}, domain={"age": [1.0, math.nan], "job": ["cook"]}))


def test_a_column_with_the_name_of_the_counts_is_refused():
    table = pa.table({"age": [1], "count": ["a"]})
    with pytest.raises(BadRoles, match="Column 'count' has the name of the published counts"):
        looks_of(Plan(table=table, quasi_identifiers=("age",), sensitive=("count",)))


def total_of(plan, noise):
    (table,) = publish_counts(plan, noise)
    return sum(table.rows["count"].to_pylist())


def test_rows_with_values_that_are_not_declared_are_left_out(plan, no_noise):
    everybody = total_of(plan(domain=DOMAIN), no_noise)
    some = total_of(plan(domain=DOMAIN | {"job": ["cook", "smith", None]}), no_noise)
    rest = total_of(plan(domain=DOMAIN | {"job": ["nurse"]}), no_noise)
    assert 0 < some < everybody
    assert some + rest == everybody


def test_missing_values_that_are_not_declared_are_left_out(plan, no_noise):
    without = total_of(plan(domain=DOMAIN | {"job": ["cook", "nurse", "smith"]}), no_noise)
    assert 0 < without < total_of(plan(domain=DOMAIN), no_noise)


def test_numbers_beyond_a_range_count_as_its_ends(plan, no_noise):
    asked = plan(domain=DOMAIN | {"age": (20, 29)})
    (table,) = publish_counts(asked, no_noise)
    assert sum(table.rows["count"].to_pylist()) == total_of(plan(domain=DOMAIN), no_noise)
    assert set(table.rows["age"].to_pylist()) == {"[20, 30)"}


def test_values_that_are_not_listed_may_count_as_other(plan, no_noise):
    asked = plan(domain=DOMAIN | {"job": {"values": ["cook"], "other": "other", "missing": True}})
    (table,) = publish_counts(asked, no_noise)
    assert set(table.rows["job"].to_pylist()) == {"cook", "other", "(missing)"}
    assert sum(table.rows["count"].to_pylist()) == total_of(plan(domain=DOMAIN), no_noise)


def test_text_that_looks_like_missing_is_not_missing(no_noise):
    asked = two_columns(1, job="(missing)", domain={"age": [1], "job": ["cook", None]})
    assert total_of(asked, no_noise) == 0


def test_a_column_without_a_role_may_have_a_domain(plan):
    assert looks_of(plan()) == looks_of(plan(domain=DOMAIN | {"id": (1, 9)}))


def test_several_tables_have_several_noises(plan):
    with pytest.raises(BadQuestion, match="The plan publishes 2 tables, each with noise of its own"):
        drawn_mechanism(plan(tables=TWO))


def test_a_plan_for_something_else_is_refused():
    with pytest.raises(BadQuestion, match="needs a plan for a release of counts; this one is for sample"):
        looks_of(two_columns(1, release=Sample(size=1)))
