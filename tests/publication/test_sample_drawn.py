"""A sample as it is published: who is in it, in which order, and what it costs."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from epsilometer import Plan
from epsilometer.errors import BadRoles, OutOfRange
from epsilometer.plans.release_kinds import Sample
from epsilometer.publication.sample import allocated, draw_sample, read_population, sample_look
from epsilometer.randomizers.randomness import random_order

PEOPLE = pa.table({"id": range(6), "sex": list("ffffmm"), "age": [20, 21, 22, 23, 34, None], "job": list("abcdef")})


def plan_of(size, strata=(), table=PEOPLE, **roles):
    settings = {"quasi_identifiers": ("sex", "age"), "sensitive": ("job",), "bins": {"age": 10}, "person_id": "id"}
    return Plan(table=table, release=Sample(size=size, strata=strata), **(settings | roles))


def test_columns_with_a_role_are_published_and_no_other():
    drawn = draw_sample(plan_of(6), random_order)
    assert drawn.column_names == ["sex", "age", "job"]
    assert Counter(drawn["age"].to_pylist()) == {"[20, 30)": 4, "[30, 40)": 1, "(missing)": 1}
    assert sorted(drawn["job"].to_pylist()) == list("abcdef")


def test_every_sample_in_every_order_is_as_likely():
    """Ordered pairs of four people: twelve, each once in twelve; false alarm once in a million."""
    population = read_population(plan_of(2, table=PEOPLE.slice(0, 4)))
    seen = Counter(tuple(population.places(random_order).tolist()) for _ in range(6000))
    assert len(seen) == 12
    assert stats.chisquare(list(seen.values())).pvalue > 1e-6


def test_strata_give_the_same_part_in_a_random_order():
    population = read_population(plan_of(3, strata=("sex",)))
    seen = Counter(tuple(population.places(random_order).tolist()) for _ in range(6000))
    assert all(sum(place < 4 for place in places) == 2 for places in seen)
    assert len(seen) == 6 * 2 * 6  # two of four, one of two, in any order
    assert stats.chisquare(list(seen.values())).pvalue > 1e-6


def test_every_row_has_a_place_of_its_stratum():
    people = read_population(plan_of(3, strata=("sex",))).people
    women, men = (people.fetch(np.arange(*ends))["job"].to_pylist() for ends in ((0, 4), (4, 6)))
    assert (sorted(women), sorted(men)) == (list("abcd"), list("ef"))


def test_drawn_rows_are_of_the_table_and_all_different():
    population = read_population(plan_of(3, strata=("sex",)))
    for _ in range(20):
        jobs = population.draw(random_order)["job"].to_pylist()
        assert [sum(job in stratum for job in set(jobs)) for stratum in ("abcd", "ef")] == [2, 1]


def test_combinations_make_strata_and_missing_is_a_value():
    population = read_population(plan_of(6, strata=("sex", "age")))
    assert sorted(population.sizes.tolist()) == [1, 1, 4]


@given(sizes=st.lists(st.integers(1, 50), min_size=1, max_size=8), data=st.data())
def test_allocation_is_proportional_within_one(sizes, data):
    size = data.draw(st.integers(1, sum(sizes)))
    given_to = allocated(np.array(sizes), size)
    assert given_to.sum() == size
    for stratum, drawn in zip(sizes, given_to.tolist(), strict=True):
        assert abs(Fraction(stratum * size, sum(sizes)) - drawn) < 1
        assert 0 <= drawn <= stratum


@given(size=st.integers(1, 10**7), data=st.data())
def test_delta_is_never_below_the_part_that_is_drawn(size, data):
    drawn = data.draw(st.integers(1, size))
    look = sample_look(np.array([size]), np.array([drawn]))
    assert Fraction(drawn, size) <= Fraction(look.delta) <= min(1, Fraction(drawn, size) * Fraction(101, 100))
    assert float(f"{look.delta:.3g}") == pytest.approx(look.delta, rel=1e-12)  # more digits tell the size of a stratum
    assert (look.noise, look.epsilon, look.scale) == ("any", 0.0, None)


def test_a_small_stratum_decides_what_a_sample_costs():
    population = read_population(plan_of(4, strata=("sex", "age")))
    strata = zip(population.sizes.tolist(), population.allocation.tolist(), strict=True)
    assert sorted(strata) == [(1, 0), (1, 1), (4, 3)]
    assert population.look.delta == 1.0


def test_more_than_there_are_cannot_be_drawn():
    with pytest.raises(OutOfRange, match=r"^size must be in \[1, 6\], got 7\. It is a number of rows"):
        draw_sample(plan_of(7), random_order)


def test_a_sample_has_a_row():
    with pytest.raises(OutOfRange, match=r"^size must be in \[1, inf\), got 0\."):
        plan_of(0)


def test_strata_need_a_role():
    with pytest.raises(BadRoles, match="Column 'id' makes strata but has no role"):
        draw_sample(plan_of(2, strata=("id",), person_id=None), random_order)


def test_two_samples_differ():
    many = pa.table({"sex": ["f"] * 1000, "job": [str(i) for i in range(1000)]})
    asked = plan_of(20, table=many, quasi_identifiers=("sex",), bins={}, person_id=None)
    assert not draw_sample(asked, random_order).equals(draw_sample(asked, random_order))
