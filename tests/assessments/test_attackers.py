"""Attackers: the search agrees with looking at every set, and noise with simulated releases."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import chain, combinations, permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.attackers import lattice
from epsilometer.assessments.attackers.find import find_attackers
from epsilometer.assessments.attackers.released import shares_named_right
from epsilometer.errors import BadQuestion, BadRoles, OutOfRange, UnknownColumn
from epsilometer.mechanisms import Gaussian, Geometric, Laplace
from epsilometer.tables.column_sets import columns_of
from epsilometer.vocabulary.profile import Profile

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv"
NAMES = ("a", "b", "c", "d")
COUNTS = em.Counts(mechanism=Laplace(epsilon=1.0))


def random_rows(seed, n_rows=80):
    """Columns of which the first two tell something about the sensitive one."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, n_rows), rng.integers(0, 4, n_rows)
    s = np.where(rng.random(n_rows) < 0.7, (a + b) % 3, rng.integers(0, 3, n_rows))
    return pd.DataFrame({"a": a, "b": b, "c": rng.integers(0, 2, n_rows), "d": rng.integers(0, 9, n_rows), "s": s})


def plan_for(rows, release=None, **more):
    return em.Plan(
        table=rows,
        quasi_identifiers=more.pop("known", NAMES),
        sensitive=("s",),
        release=release or em.Raw(),
        **more,
    )


def subsets(names):
    return list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


def by_rows(rows, known):
    """Share named right from the raw table, row by row."""
    cells = defaultdict(Counter)
    for row in rows.to_dict("records"):
        cells[tuple(row[name] for name in known)][row["s"]] += 1
    return Fraction(sum(max(cell.values()) for cell in cells.values()), len(rows))


def with_noise(rows, known, mechanism):
    """Share named right from counts with noise, from a frequency table of its own."""
    if not known:
        return float(by_rows(rows, ()))
    freq = em.frequency_table(rows, quasi_identifiers=known, sensitive="s")
    return shares_named_right([freq.profile], mechanism)[0]


def smallest(breaking):
    return {known for known in breaking if not any(set(other) < set(known) for other in breaking)}


@given(st.integers(0, 2**32), st.floats(0.3, 0.95), st.integers(1, 4))
@settings(deadline=None, max_examples=15)
def test_raw_attackers_are_those_of_looking_at_every_set(seed, target, max_known):
    rows = random_rows(seed)
    found = find_attackers(plan_for(rows, max_risk=target), max_known=max_known)
    shares = {known: float(by_rows(rows, known)) for known in subsets(NAMES) if len(known) <= max_known}
    assert {known.columns for known in found.breaking} == smallest([k for k, v in shares.items() if v > target])
    assert all(known.raw == shares[known.columns] for known in found.evaluated)
    assert found.all_known == float(by_rows(rows, NAMES))
    assert found.no_release == shares[()]


@given(st.integers(0, 2**32), st.floats(0.35, 0.75), st.floats(0.1, 5.0))
@settings(deadline=None, max_examples=8)
def test_noisy_attackers_are_those_of_looking_at_every_set(seed, target, epsilon):
    """Sets within the target on the raw table are not asked about: this shows that none is missed."""
    rows, noise = random_rows(seed), Laplace(epsilon=epsilon)
    found = find_attackers(plan_for(rows, em.Counts(mechanism=noise), max_risk=target), max_known=3)
    shares = {known: with_noise(rows, known, noise) for known in subsets(NAMES) if len(known) <= 3}
    assert {known.columns for known in found.breaking} == smallest([k for k, v in shares.items() if v > target])
    for known in found.evaluated:
        if known.released is not None:
            assert known.released == pytest.approx(shares[known.columns], abs=2e-12)
        assert shares[known.columns] <= known.at_most + 1e-12


@given(
    st.lists(st.integers(0, 30), min_size=2, max_size=5).filter(any),
    st.sampled_from([Laplace, Geometric]),
    st.floats(0.05, 5.0),
    st.floats(-2.0, 4.0),
)
@settings(deadline=None)
def test_noise_never_helps(counts, mechanism, epsilon, threshold):
    """Law behind the pruning: at most the largest count is named right, whatever noise and threshold."""
    profile = Profile.from_counts([counts, counts[::-1]])
    share = shares_named_right([profile], mechanism(epsilon=epsilon, threshold=threshold))[0]
    assert min(counts) / sum(counts) - 1e-9 <= share <= max(counts) / sum(counts)


@pytest.mark.parametrize("mechanism", [Laplace(epsilon=0.8), Geometric(epsilon=0.5), Gaussian(epsilon=0.9, delta=1e-5)])
def test_a_simulated_attacker_is_right_as_often(mechanism):
    """20,000 releases of three cells, read as the attacker does; the exact share lies within five standard errors."""
    counts, n_releases = np.array([[4, 3, 0], [0, 6, 1], [1, 0, 0]]), 20_000
    rng = np.random.default_rng(8)
    noisy = counts + mechanism.sample(rng, (n_releases, *counts.shape))
    published = np.where(noisy < mechanism.threshold, 0, np.floor(noisy + 0.5))
    largest = published == published.max(axis=-1, keepdims=True)
    shares = largest / largest.sum(axis=-1, keepdims=True)
    shares[~published.any(axis=-1)] = [0, 1, 0]  # the second value is the most common one: 9 of 15 people
    right = (shares * counts).sum(axis=(1, 2)) / counts.sum()
    exact = shares_named_right([Profile.from_counts(counts)], mechanism)[0]
    assert abs(right.mean() - exact) < 5 * right.std() / np.sqrt(n_releases)


def test_an_empty_cell_falls_back_to_the_most_common_value():
    """With a threshold far above all counts nothing is published: 5 + 1 of 10 people have the overall mode."""
    hidden = Laplace(epsilon=1.0, threshold=1_000.0)
    assert shares_named_right([Profile.from_counts([[5, 2], [1, 2]])], hidden)[0] == pytest.approx(0.6)


@pytest.mark.parametrize("release", [em.Raw(), COUNTS], ids=["raw", "counts"])
def test_attackers_are_described(release):
    rows = random_rows(11)
    found = find_attackers(plan_for(rows, release, max_risk=0.5))
    assert found.attackers
    for attacker in found.attackers:
        known = attacker.knowledge.columns
        freq = em.frequency_table(rows, quasi_identifiers=known, sensitive="s")
        raw = em.raw_risk(freq)
        assert attacker.n_cells == freq.n_cells
        assert attacker.n_alone == raw.reidentification.unique_records
        if release is COUNTS:
            expected = em.homogeneity_risk(freq, COUNTS.mechanism, average="records").value
        else:
            expected = raw.diversity.homogeneous_share
        assert attacker.disclosed == pytest.approx(expected)


def test_contributions_of_a_whole_lattice_are_shapley_values():
    """With the target just out of reach every set is looked at; Shapley's mean goes over all orders of the columns."""
    rows = random_rows(5)
    shares = {frozenset(known): by_rows(rows, known) for known in subsets(NAMES)}
    target = float(shares[frozenset(NAMES)]) - 1e-9
    found = find_attackers(plan_for(rows, max_risk=target), max_known=4)
    assert [known.columns for known in found.breaking] == [NAMES]
    orders = list(permutations(NAMES))
    for one in found.contributions:
        steps = [frozenset(order[: order.index(one.column)]) for order in orders]
        shapley = sum(shares[before | {one.column}] - shares[before] for before in steps) / len(orders)
        assert one.increase == pytest.approx(float(shapley))
        assert (one.n_pairs, one.n_breaking) == (8, 1)
    increases = [one.increase for one in found.contributions]
    assert increases == sorted(increases, reverse=True)
    assert f"{found.contributions[0].column} contributes most" in found.in_words


def test_costs_decide_who_is_cheapest():
    """Either column gives s away; the cheaper one is listed first, and what is too dear is not looked at."""
    rows = pd.DataFrame({"a": [0, 0, 1, 1], "b": [5, 5, 6, 6], "c": [7, 7, 8, 8], "s": [0, 0, 1, 1]})
    plan = plan_for(rows, max_risk=0.6, known=("a", "b", "c"))
    found = find_attackers(plan, max_known=2, costs={"a": 1.5, "b": 0.25, "c": 3})
    assert [(known.columns, known.cost) for known in found.breaking] == [(("b",), 0.25), (("a",), 1.5)]
    assert {known.columns for known in found.evaluated} == {(), ("a",), ("b",)}
    assert [(level.n_columns, level.n_sets, level.n_evaluated, level.n_breaking) for level in found.levels] == [
        (1, 2, 2, 2),
        (2, 1, 0, 0),
    ]


@pytest.mark.parametrize(("costs", "budget"), [([0.1, 0.1, 0.1], 0.3), ([1, 2, 3, 0], 3), ([2, 5], 1)])
def test_affordable_sets_are_all_and_in_order(costs, budget):
    sets = lattice.affordable(costs, budget)
    expected = [
        known for known in range(2 ** len(costs))
        if sum(Fraction(str(costs[i])) for i in columns_of(known)) <= Fraction(str(budget))
    ]  # fmt: skip
    assert sets == expected


def test_who_knows_nothing_may_be_enough():
    found = find_attackers(plan_for(random_rows(3), COUNTS, max_risk=0.1))
    assert [known.columns for known in found.breaking] == [()]
    assert found.in_words.startswith("Anybody breaks the target of 10.0 %: without any release, naming the most common")
    assert found.attackers[0].n_cells == 1
    assert found.contributions == ()


def test_who_knows_all_may_not_be_enough():
    """The certificate ends the search at once."""
    found = find_attackers(plan_for(random_rows(3), COUNTS, max_risk=1.0))
    assert found.breaking == found.attackers == found.contributions == ()
    assert [known.columns for known in found.evaluated] == [()]
    assert found.in_words.startswith("Nobody breaks the target of 100.0 %: even an attacker who knows all 4 candidate")


@pytest.mark.parametrize(
    ("max_known", "costs", "who"),
    [
        (1, {}, "Nobody who knows at most 1 column breaks"),
        (2, {}, "Nobody who knows at most 2 columns breaks"),
        (1.5, {"a": 1.5}, "Nobody who knows columns of a total cost of at most 1.5 breaks"),
    ],
)
def test_nobody_within_the_budget(max_known, costs, who):
    rows = random_rows(3)
    target = float(by_rows(rows, NAMES)) - 0.01
    found = find_attackers(plan_for(rows, max_risk=target), max_known=max_known, costs=costs)
    strongest = max(found.evaluated, key=lambda known: known.raw)
    assert found.in_words.startswith(who)
    assert f"who knows {', '.join(strongest.columns)}, names s right for at most" in found.in_words
    assert found.breaking == ()


def test_several_sensitive_columns_are_named_together():
    rows = random_rows(7).assign(t=lambda table: table["d"] % 2)
    plan = em.Plan(table=rows, quasi_identifiers=("a", "b"), sensitive=("s", "t"), release=em.Raw(), max_risk=0.99)
    joined = rows.assign(s=rows["s"] * 2 + rows["t"])
    found = find_attackers(plan)
    assert found.sensitive == "s | t"
    assert found.all_known == float(by_rows(joined, ("a", "b")))


def test_candidates_other_than_the_quasi_identifiers():
    """Bins of a quasi-identifier that is no candidate play no part."""
    rows = random_rows(7)
    plan = plan_for(rows, known=("a", "d"), bins={"d": 3}, max_risk=0.9)
    found = find_attackers(plan, candidates=["b", "a"])
    assert list(found.costs) == ["b", "a"]
    assert found.all_known == float(by_rows(rows, ("a", "b")))


def test_people_in_several_cells_are_a_caveat_of_the_search():
    rows = random_rows(7).assign(person=lambda table: table.index // 2)
    found = find_attackers(plan_for(rows, person_id="person", max_risk=0.5))
    assert any("A person counts once in each combination of all candidate columns" in line for line in found.caveats)
    without = find_attackers(plan_for(rows, max_risk=0.5))
    assert not any("A person counts once" in line for line in without.caveats)


@pytest.mark.parametrize("release", [em.Raw(), COUNTS], ids=["raw", "counts"])
def test_where_the_counts_are_added_up_changes_nothing_but_a_sentence(monkeypatch, release):
    plan = plan_for(random_rows(9), release, max_risk=0.5)
    in_memory = find_attackers(plan).to_dict()
    monkeypatch.setattr("epsilometer.tables.subset_counts.MOST_NUMBERS", 10)
    in_engine = find_attackers(plan).to_dict()
    sentences = in_memory.pop("caveats"), in_engine.pop("caveats")
    assert [" in memory." in line for line in sentences[0]] == ["table's engine" in line for line in sentences[1]]
    assert any("the table's engine added up" in line for line in sentences[1])
    assert as_close(in_engine) == in_memory


def as_close(result):
    """The same result, equal to one with numbers that differ in the last digits: an engine adds in any order."""
    if isinstance(result, dict):
        return {key: as_close(value) for key, value in result.items()}
    if isinstance(result, list):
        return [as_close(value) for value in result]
    return pytest.approx(result, rel=1e-12) if isinstance(result, float) else result


def test_progress_rises_to_the_end():
    told = []
    find_attackers(
        plan_for(random_rows(2), COUNTS, max_risk=0.5), max_known=2, tell=lambda what, done: told.append((what, done))
    )
    assert told[0] == ("counting the table", 0.0)
    assert {"1 known", "2 known", "working out the noise"} <= {what for what, _ in told}
    shares = [done for _, done in told]
    assert shares == sorted(shares)
    assert shares[-1] <= 1


def test_batches_change_nothing(monkeypatch):
    plan = plan_for(random_rows(9), COUNTS, max_risk=0.5)
    whole = find_attackers(plan).to_dict()
    monkeypatch.setattr("epsilometer.assessments.attackers.released.BATCH", 10)
    batched = find_attackers(plan).to_dict()
    assert batched["answer"] == whole["answer"]
    assert [each["columns"] for each in batched["breaking"]] == [each["columns"] for each in whole["breaking"]]
    np.testing.assert_allclose(
        [each["released"] for each in batched["breaking"]],
        [each["released"] for each in whole["breaking"]],
        rtol=1e-12,  # the engine adds in whatever order it likes
    )


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"max_risk": None}, BadQuestion, "Give a target, max_risk or --max-risk"),
        ({"max_risk": 1.5}, OutOfRange, r"max_risk must be in \[0, 1\], got 1.5. It is a share of people."),
        ({"max_known": 0}, OutOfRange, r"max_known must be in \(0, inf\), got 0. It is a number of columns"),
        ({"max_known": 0.5}, BadQuestion, "Every candidate costs more than max_known = 0.5. Raise it"),
        ({"costs": {"a": -1}}, OutOfRange, r"cost of a must be in \[0, inf\), got -1. 0 is for what everybody knows."),
        ({"costs": {"age": 1}}, UnknownColumn, "There is no column 'age'"),
        ({"candidates": []}, BadRoles, "There is no quasi-identifier"),
        ({"release": em.Local()}, BadQuestion, "sought for a release of counts or raw, not local."),
        (
            {"release": em.Counts(mechanism=Laplace(epsilon=[1, 2]))},
            BadQuestion,
            "Attackers are sought at one epsilon, not along a curve.",
        ),
    ],
)
def test_what_is_refused(changes, error, message):
    plan = plan_for(random_rows(1), changes.pop("release", em.Raw()))
    with pytest.raises(error, match=message):
        find_attackers(plan, **{"max_risk": 0.5, **changes})


def test_too_many_sets_are_refused(monkeypatch):
    monkeypatch.setattr(lattice, "MOST_SETS", 10)
    with pytest.raises(BadQuestion, match=r"more than 10 sets of columns within a budget of 4. Lower max_known"):
        find_attackers(plan_for(random_rows(1), max_risk=0.5), max_known=4)


def test_who_learns_income_on_adult():
    """Capital gain alone: people with much of it earn much. By hand: 39,619 of 48,842 people are named right."""
    if not ADULT.exists():
        pytest.skip("needs ../shared/data/adult.csv")
    rows = pd.read_csv(ADULT, usecols=["education", "sex", "relationship", "capital_gain", "income"])
    by_gain = pd.crosstab(rows["capital_gain"], rows["income"]).max(axis=1).sum()
    plan = em.Plan(
        table=ADULT,
        quasi_identifiers=("education", "sex", "relationship", "capital_gain"),
        sensitive=("income",),
        release=em.Raw(),
        max_risk=0.8,
    )
    found = find_attackers(plan)
    assert found.breaking[0].columns == ("capital_gain",)
    assert found.breaking[0].raw == by_gain / len(rows)
    assert found.contributions[0].column == "capital_gain"
    assert ("education", "relationship") in {known.columns for known in found.breaking}
