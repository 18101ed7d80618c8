"""What a plan promises for any table: laws of the bounds, agreement with the mechanisms, and no look at the table."""

import math

import numpy as np
import pytest

import epsilometer as em
from epsilometer.errors import BadQuestion
from epsilometer.plans.release_kinds import CountsOf, Local, Raw, Sample, Synthetic
from epsilometer.publication.any_table import MEMBERSHIP, VALUE
from epsilometer.publication.promise import n_declared, promises


class NeverOpened:
    """A table that breaks whoever touches it."""

    def __getattr__(self, name):
        raise AssertionError(name)


def promised(release=None, **changes):
    settings = {"table": NeverOpened(), "quasi_identifiers": ("age", "sex"), "sensitive": ("job",)} | changes
    return promises(em.Plan(**settings, release=release or em.Counts()))


def stated(promise):
    return {number.name: number.value for number in promise.own_record}


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_one_table_of_counts_has_the_bounds_of_the_noise_that_is_drawn(epsilon):
    (promise,) = promised(em.Counts(mechanism=em.Laplace(epsilon=epsilon)), domain={"job": ["a", "b", "c"]})
    drawn = em.Geometric(epsilon=epsilon)
    assert stated(promise)[MEMBERSHIP] == pytest.approx(float(drawn.membership_advantage))
    assert stated(promise)[VALUE] == pytest.approx(float(drawn.value_advantage))
    assert promise.looks[0].scale == pytest.approx(drawn.scale)
    # a count that nobody is behind vanishes with z(0) = 1 / (1 + exp(-epsilon)); the other two values must
    assert promise.worst_risk == pytest.approx((1 / (1 + math.exp(-epsilon))) ** 2)


@pytest.mark.parametrize("values", [["a", "b"], ["a", "b", "c"], list("abcdefgh")])
def test_no_table_with_the_declared_values_is_worse_than_the_worst(values):
    (promise,) = promised(domain={"job": values})
    counts = np.zeros((3, len(values)), dtype=int)
    counts[0, 0], counts[1, :2], counts[2, -1] = 500, (40, 1), 3
    noise = em.Geometric(epsilon=1.0)
    risk = em.homogeneity_risk(em.FrequencyTable.from_counts(counts), noise, average="records")
    assert risk.value <= promise.worst_risk
    alone = em.homogeneity_risk(em.FrequencyTable.from_counts(counts[:1]), noise, average="records")
    assert alone.value == pytest.approx(promise.worst_risk, rel=1e-9)  # which a large homogeneous cell attains


@pytest.mark.parametrize("domain", [{}, {"job": (0, 99)}, {"job": {"low": 0, "high": 9, "bins": 3}}, {"job": ["a"]}])
def test_without_a_list_of_values_the_worst_is_that_of_two(domain):
    (promise,) = promised(domain=domain)
    assert promise.n_values == 2
    assert promise.worst_risk == promised(domain={"job": ["a", "b"]})[0].worst_risk


def test_of_several_secrets_the_one_with_the_fewest_values_counts():
    (promise,) = promised(sensitive=("job", "health"), domain={"job": list("abcd"), "health": ["good", "bad", None]})
    assert promise.n_values == 3


def test_each_epsilon_has_its_promise():
    found = promised(em.Counts(mechanism=em.Laplace(epsilon=(1.0, 0.1, 5.0))))
    assert [promise.epsilon for promise in found] == [1.0, 0.1, 5.0]
    assert [promise.worst_risk for promise in sorted(found, key=lambda p: p.epsilon)] == sorted(
        promise.worst_risk for promise in found
    )


def test_listing_only_what_occurs_hides_no_shared_value():
    (promise,) = promised(em.Counts(support="thresholded", support_delta=1e-6))
    assert promise.worst_risk == 1
    assert promise.delta == 1e-6


def test_several_tables_have_noise_each_and_no_worst():
    tables = (CountsOf(columns=("age",)), CountsOf(columns=("sex", "job"), weight=3.0))
    (promise,) = promised(em.Counts(tables=tables))
    assert [look.scale for look in promise.looks] == pytest.approx([4.0, 4 / 3])
    assert len(promise.errors) == 4
    assert promise.worst_risk is None


def test_an_optimised_split_is_not_settled_by_the_plan():
    tables = (CountsOf(columns=("age",)), CountsOf(columns=("sex",)))
    (promise,) = promised(em.Counts(tables=tables, split="optimised"))
    assert (promise.looks, promise.errors, promise.worst_risk) == ((), (), None)
    assert stated(promise)[VALUE] == pytest.approx(math.tanh(1.0))  # of the guarantee for a replacement, 2 epsilon


@pytest.mark.parametrize(
    ("release", "guarantee", "value"),
    [
        (Synthetic(epsilon=0.5, delta=0.0), (0.5, 0.0), math.tanh(0.5)),  # add-remove: a change costs twice
        (Local(epsilon=0.5), (0.5, 0.0), math.tanh(0.25)),
        (Local(randomizer="gaussian", epsilon=0.5, delta=1e-3), (0.5, 1e-3), None),
    ],
)
def test_other_releases_have_what_their_guarantee_allows(release, guarantee, value):
    (promise,) = promised(release)
    assert (promise.epsilon, promise.delta) == guarantee
    if value is not None:
        assert stated(promise)[VALUE] == pytest.approx(value)
    assert (promise.looks, promise.errors, promise.worst_risk) == ((), (), None)


def test_a_sample_has_no_guarantee_but_an_error():
    (promise,) = promised(Sample(size=400))
    assert (promise.epsilon, promise.own_record) == (None, ())
    assert [number.value for number in promise.errors] == [0.025]  # sqrt(1/2 * 1/2 / 400)


def test_rows_as_they_are_promise_nothing():
    with pytest.raises(BadQuestion, match=r"Rows published as they are \(raw\) promise nothing"):
        promised(Raw())


@pytest.mark.parametrize(
    ("declared", "n"),
    [
        (["a", "b", "a"], 2),
        (("a", "b"), 2),
        (["a", None], 2),
        ({"values": ["a", "b"], "missing": True}, 3),
        ({"values": ["a", None], "missing": True}, 2),
        ({"values": ["a", "b"]}, 2),
        ((0, 99), None),
        ({"low": 0, "high": 9}, None),
        ("ab", None),
        (None, None),
        (7, None),
    ],
)
def test_values_are_counted_where_they_are_listed(declared, n):
    assert n_declared(declared) == n
