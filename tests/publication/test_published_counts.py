"""Counts as they are published: over a declared domain or from a threshold on, and what that costs."""

import math
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.plans.release_kinds import CountsOf
from epsilometer.publication.any_table import expected_errors
from epsilometer.publication.counts import drawn_mechanism, drawn_mechanisms, looks_of, publish_counts
from epsilometer.publication.settling import settle
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.vocabulary.passport import MechanismUsed

THRESHOLDED = {"support": "thresholded", "support_delta": 1e-6}


def as_counter(rows):
    *labels, counts = (column.to_pylist() for column in rows.columns)
    return dict(zip(zip(*labels, strict=True), counts, strict=True))


def test_every_combination_of_the_domain_is_published(plan, no_noise):
    (table,) = publish_counts(plan(), no_noise)
    assert table.columns == ("sex", "age", "job")
    assert table.n_combinations == table.rows.num_rows == 2 * 2 * 4
    assert table.rows.schema.field("count").type == pa.int64()
    counts = as_counter(table.rows)
    assert {combination: n for combination, n in counts.items() if n} == {
        ("f", "[20, 30)", "cook"): 5,
        ("m", "[30, 40)", "nurse"): 1,
        ("m", "[30, 40)", "smith"): 1,
        ("m", "[30, 40)", "(missing)"): 1,
    }
    assert [key[2] for key in counts][:4] == ["cook", "nurse", "smith", "(missing)"]


def test_a_range_of_whole_numbers_lists_them(plan, no_noise):
    (table,) = publish_counts(plan(bins={}, tables=(CountsOf(columns=("age",)),)), no_noise)
    assert table.rows["age"].to_pylist() == [str(age) for age in range(20, 40)]
    assert sum(table.rows["count"].to_pylist()) == 8


def test_declared_values_of_a_column_with_bins_are_its_bins(plan, no_noise):
    domain = {"age": [21, 25, 38], "sex": ["f", "m"], "job": ["cook", "nurse", "smith", None]}
    (table,) = publish_counts(plan(domain=domain, tables=(CountsOf(columns=("age",)),)), no_noise)
    assert as_counter(table.rows) == {("[20, 30)",): 5, ("[30, 40)",): 3}


def test_what_is_published_can_be_written(plan, tmp_path):
    (table,) = publish_counts(plan(), ReleaseNoise())
    pyarrow.csv.write_csv(table.rows, tmp_path / "counts.csv")
    lines = (tmp_path / "counts.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == '"sex","age","job","count"'
    assert len(lines) == 1 + table.rows.num_rows


def test_only_combinations_with_a_high_noisy_count_are_listed(plan, no_noise):
    lowest = publish_counts(plan(**THRESHOLDED), no_noise)[0].listed_from
    many = {"sex": ["f"] * lowest + ["m"] * (lowest - 1), "age": [20] * (2 * lowest - 1)}
    table = pa.table({**many, "job": ["cook"] * (2 * lowest - 1)})
    (listed,) = publish_counts(plan(table, domain={}, **THRESHOLDED), no_noise)
    assert as_counter(listed.rows) == {("f", "[20, 30)", "cook"): lowest}
    assert listed.n_combinations is None


def test_the_order_of_a_list_does_not_depend_on_the_order_of_the_rows(plan, no_noise):
    rows = pa.table({"sex": ["m", "f"] * 50, "age": [20, 39] * 50, "job": ["b", "a"] * 50})
    one, other = (
        publish_counts(plan(table, domain={}, **THRESHOLDED), no_noise)[0].rows
        for table in (rows, rows.take(np.arange(100)[::-1]))
    )
    assert one.equals(other)
    assert one["sex"].to_pylist() == ["f", "m"]


@pytest.mark.parametrize(
    ("threshold", "expected"), [(0.5, [0, 0, 1, 7]), (5, [0, 0, 0, 7]), (-2.5, [0, 1, 1, 7])], ids=["1/2", "5", "-2.5"]
)
def test_a_noisy_count_below_the_threshold_is_published_as_zero(plan, threshold, expected):
    """At or above it a count is published as at least 1, as the formulas of risk take it."""

    class Fixed:
        def whole(self, values, _scale):
            return np.array([-3, -2, 1, 7])[np.arange(values.size) % 4].reshape(values.shape)

    mechanism = Geometric(epsilon=1.0, threshold=threshold)
    (table,) = publish_counts(plan(mechanism=mechanism), Fixed())
    assert table.rows["count"].to_pylist() == expected * 4


@pytest.mark.parametrize(
    ("mechanism", "expected"),
    [
        (Laplace(epsilon=0.5, threshold=3), Geometric(epsilon=0.5, threshold=3)),
        (Geometric(epsilon=2.0, adjacency="replace"), Geometric(epsilon=2.0, adjacency="replace")),
        (Gaussian(epsilon=1.0, delta=1e-6), DiscreteGaussian(epsilon=1.0, delta=1e-6)),
        (DiscreteGaussian(epsilon=1.0, delta=1e-6), DiscreteGaussian(epsilon=1.0, delta=1e-6)),
    ],
    ids=["laplace", "geometric", "gaussian", "discrete gaussian"],
)
def test_whole_number_noise_is_drawn(plan, no_noise, mechanism, expected):
    asked = plan(mechanism=mechanism)
    assert drawn_mechanism(asked) == expected
    (table,) = publish_counts(asked, no_noise)
    assert table.mechanism == expected
    ((_, scale),) = no_noise.seen
    assert scale == expected.scale
    (look,) = looks_of(asked)
    assert look == table.look
    assert (look.epsilon, look.delta, look.scale) == (expected.epsilon, expected.delta, expected.scale)
    assert look.moved_counts == expected.adjacency.moved_counts


def test_a_person_who_adds_to_several_counts_needs_more_noise(plan, no_noise):
    asked = plan(person_id="id", cells_per_person=3, mechanism=Geometric(epsilon=1.0, adjacency="replace"))
    (table,) = publish_counts(asked, no_noise)
    assert math.isclose(table.look.scale, 6.0)
    assert table.look.moved_counts == 6
    assert sum(table.rows["count"].to_pylist()) == 1 + 1 + 3 + 2  # with two rows of one person's in one count


def test_the_list_costs_its_own_delta(plan):
    *tables, listing = looks_of(plan(**THRESHOLDED))
    assert [look.noise for look in tables] == ["geometric"]
    assert (listing.noise, listing.epsilon, listing.delta) == ("any", 0.0, 1e-6)
    assert (
        drawn_mechanism(plan(**THRESHOLDED)).threshold
        == publish_counts(plan(**THRESHOLDED), SimulatedNoise(0))[0].listed_from
    )


def test_costs_are_known_without_a_row(plan, tmp_path):
    """Names and types are enough."""
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(pa.table({"sex": ["f"], "age": [20], "job": ["cook"]}).slice(0, 0), path)
    assert looks_of(plan(path))[0].epsilon == 1.0


TABLES = (CountsOf(columns=("job",)), CountsOf(columns=("age", "sex"), weight=3.0))


def test_tables_share_the_budget_by_weight(plan, no_noise):
    one, other = publish_counts(plan(tables=TABLES), no_noise)
    assert (one.look.epsilon, other.look.epsilon) == (0.25, 0.75)
    assert other.columns == ("age", "sex")
    assert as_counter(other.rows) == {
        ("[20, 30)", "f"): 5,
        ("[20, 30)", "m"): 0,
        ("[30, 40)", "f"): 0,
        ("[30, 40)", "m"): 3,
    }
    assert len(drawn_mechanisms(plan(tables=TABLES))) == 2


@settings(deadline=None, max_examples=30)
@given(weights=st.lists(st.floats(0.1, 100), min_size=1, max_size=3), epsilon=st.floats(0.01, 10))
def test_parts_of_epsilon_never_exceed_the_whole(weights, epsilon):
    from epsilometer.plans.release_kinds import Counts
    from epsilometer.publication.noise_levels import noise_levels

    counts = Counts(mechanism=Laplace(epsilon=epsilon), cells_per_person=3)
    levels = noise_levels(counts, weights, ["a"] * len(weights))
    assert sum(Fraction(level.look.epsilon) for level in levels) <= Fraction(epsilon)
    for level in levels:
        assert Fraction(level.scale) * Fraction(level.look.epsilon) >= 3
        assert math.isclose(level.scale * level.look.epsilon, 3, rel_tol=1e-12)


def test_an_optimised_split_follows_the_number_of_counts(plan, no_noise):
    """job has 4 counts, age and sex have 4; ages in single years have 20."""
    tables = (CountsOf(columns=("job",)), CountsOf(columns=("age",)))
    one, other = publish_counts(plan(bins={}, tables=tables, split="optimised"), no_noise)
    assert math.isclose(other.look.epsilon / one.look.epsilon, 5 ** (1 / 3))


def test_all_rows_of_a_column_that_is_called_as_ours_are_counted(plan, no_noise):
    """Inner names of the engine's keys and counts are no danger."""
    rows = pa.table({"n": [1, 1, 2], "p": ["a", "b", "b"]})
    from epsilometer import Plan

    asked = Plan(table=rows, quasi_identifiers=("n",), sensitive=("p",), domain={"n": (1, 2), "p": ["a", "b"]})
    (table,) = publish_counts(asked, no_noise)
    assert as_counter(table.rows) == {("1", "a"): 1, ("1", "b"): 1, ("2", "a"): 0, ("2", "b"): 1}


def test_a_filter_and_missing_marks_apply(plan, no_noise):
    from dataclasses import replace

    rows = pa.table({"sex": ["f", "m", "f"], "age": [20, 21, 31], "job": ["?", "cook", "smith"]})
    (table,) = publish_counts(replace(plan(rows), where="sex = 'f'", missing=("?",)), no_noise)
    counted = {key for key, n in as_counter(table.rows).items() if n}
    assert counted == {("f", "[20, 30)", "(missing)"), ("f", "[30, 40)", "smith")}


def test_real_noise_is_drawn_afresh(plan):
    mechanism = Geometric(epsilon=0.01, threshold=-1e9)
    one, other = (publish_counts(plan(mechanism=mechanism), ReleaseNoise())[0].rows for _ in range(2))
    assert not one.equals(other)


def test_the_expected_error_is_that_of_the_noise(plan):
    (table,) = publish_counts(plan(), SimulatedNoise(0))
    noise = np.abs(SimulatedNoise(1).whole(np.zeros(200_000, dtype=np.int64), table.look.scale))
    (level,) = (settled.level for settled in settle(plan()).tables)
    assert math.isclose(math.sqrt((noise**2).mean()), level.standard_deviation, rel_tol=0.02)
    mechanism = MechanismUsed(what="counts", name="geometric", scale=table.look.scale, moved_counts=1)
    _, width = (stated.value for stated in expected_errors("counts", [mechanism], []))
    assert (noise <= width).mean() >= 0.95 > (noise <= width - 1).mean()
