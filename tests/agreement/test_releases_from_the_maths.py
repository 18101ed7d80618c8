"""Releases against the mathematics alone: every expected number is enumerated here, on tables small enough for it."""

import math
from itertools import combinations, product

import mpmath
import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from scipy.stats import binom

import epsilometer as em
from epsilometer.assessments.joint import NoisyTable, joint_risk
from epsilometer.publication.counts import drawn_mechanism, looks_of, publish_counts
from epsilometer.publication.listing import listing_threshold
from epsilometer.releases.accounting import composed
from epsilometer.synthesizers.noise import ReleaseNoise
from epsilometer.tables.roles import Roles
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

CLOSE = 1e-11


def rows_of(counts):
    """One row per person: the cell they are in and the value they have."""
    people = [
        (f"cell {i}", f"value {k}")
        for i, cell in enumerate(counts)
        for k, number in enumerate(cell)
        for _ in range(number)
    ]
    return pa.table({"cell": [cell for cell, _ in people], "value": [value for _, value in people]})


def plan_of(counts, release, **more):
    domain = {
        "cell": [f"cell {i}" for i in range(len(counts))],
        "value": [f"value {k}" for k in range(len(counts[0]))],
    }
    table = rows_of(counts)
    return em.Plan(
        unit="row",
        table=table,
        quasi_identifiers=("cell",),
        sensitive=("value",),
        domain=domain,
        release=release,
        **more,
    )


def curve_of(plan, kind):
    found = em.compare_kinds(plan, (kind,), repeats=2)
    (curve,) = (curve for curve in found.curves if curve.kind == kind)
    return {point.parameter: point.risk.value for point in curve.points}


def published_law(count, epsilon, threshold=0.5):
    """Law of max(0, count + two-sided geometric noise), zero below the threshold, cut where 1e-17 is left."""
    q = math.exp(-epsilon)
    reach = math.ceil(40 / epsilon)
    law = np.zeros(count + reach + 1)
    for noise in range(-reach, reach + 1):
        shown = count + noise
        law[shown if shown >= threshold else 0] += (1 - q) / (1 + q) * q ** abs(noise)
    return law


def rounded_laplace_law(count, epsilon, threshold=0.5):
    """Law of max(0, floor(count + Laplace noise + 1/2)), as b.5 has it."""
    reach = math.ceil(40 / epsilon)

    def below(x):
        return math.exp(epsilon * x) / 2 if x < 0 else 1 - math.exp(-epsilon * x) / 2

    ends = [below(shown + threshold - count) for shown in range(count + reach + 1)]
    return np.diff(ends, prepend=0.0)


def named_right(counts, epsilon, threshold=0.5, mode=None, law_of=published_law):
    """d.7: the largest published count of the person's cell wins, ties uniform, an empty cell shows the mode."""
    counts = np.array(counts)
    mode = counts.sum(axis=0).argmax() if mode is None else mode
    right = 0.0
    for cell in counts:
        laws = [law_of(int(count), epsilon, threshold) for count in cell]
        outputs = np.meshgrid(*(np.arange(law.size) for law in laws), indexing="ij", sparse=True)
        chance = math.prod(np.meshgrid(*laws, indexing="ij", sparse=True))
        largest = outputs[0]
        for output in outputs[1:]:
            largest = np.maximum(largest, output)
        n_winners = sum((output == largest).astype(int) for output in outputs)
        for k, output in enumerate(outputs):
            named = np.where(largest > 0, (output == largest) / n_winners, float(k == mode))
            right += cell[k] * float((chance * named).sum())
    return right / counts.sum()


def overall_mode_share(counts):
    return np.array(counts).sum(axis=0).max() / np.array(counts).sum()


# 1. counts with geometric noise

TWO_VALUES = ([[4, 1], [1, 3]], [[6, 0], [2, 3]], [[1, 0], [0, 2]])
THREE_VALUES = ([[3, 1, 0], [0, 2, 2]], [[1, 2, 2], [4, 0, 0]])


def test_the_outputs_of_both_cells_together_give_what_each_cell_gives_by_itself():
    """The enumeration above goes cell by cell; here the whole release of 2 x 2 counts is enumerated at once."""
    counts, epsilon = [[4, 1], [1, 3]], 2.0
    laws = [published_law(count, epsilon) for cell in counts for count in cell]
    right = 0.0
    for outputs in product(*(range(law.size) for law in laws)):
        chance = math.prod(law[output] for law, output in zip(laws, outputs, strict=True))
        for i, cell in enumerate(counts):
            shown = outputs[2 * i : 2 * i + 2]
            winners = [k for k in (0, 1) if shown[k] == max(shown)] if max(shown) else [0]
            right += chance * sum(cell[k] for k in winners) / len(winners) / 9
    assert right == pytest.approx(named_right(counts, epsilon), abs=CLOSE)
    risk = curve_of(plan_of(counts, em.Counts(mechanism=em.Geometric(epsilon=epsilon))), "counts")[epsilon]
    assert risk == pytest.approx(right, abs=CLOSE)


@pytest.mark.parametrize("counts", [*TWO_VALUES, *THREE_VALUES], ids=str)
def test_counts_are_as_risky_as_the_enumeration_of_all_outputs_says(counts):
    epsilons = (0.4, 0.7, 1.0, 1.7, 3.0)
    risks = curve_of(plan_of(counts, em.Counts(mechanism=em.Geometric(epsilon=epsilons))), "counts")
    rule = {epsilon: named_right(counts, epsilon) for epsilon in epsilons}
    for epsilon in epsilons:
        expected = max(rule[epsilon], overall_mode_share(counts))
        assert risks[epsilon] == pytest.approx(expected, abs=CLOSE), epsilon
    assert max(rule.values()) > overall_mode_share(counts) + 0.02  # so that it is the rule that is compared


@pytest.mark.parametrize("counts", [*TWO_VALUES, *THREE_VALUES], ids=str)
def test_counts_with_rounded_laplace_noise_are_as_risky_as_enumerated(counts):
    epsilons = (0.7, 1.0, 3.0)
    risks = curve_of(plan_of(counts, em.Counts(mechanism=em.Laplace(epsilon=epsilons))), "counts")
    for epsilon in epsilons:
        rule = named_right(counts, epsilon, law_of=rounded_laplace_law)
        assert risks[epsilon] == pytest.approx(max(rule, overall_mode_share(counts)), abs=1e-9), epsilon


@pytest.mark.parametrize("threshold", [2, 3.5])
def test_counts_below_a_threshold_leave_the_attacker_as_little_as_enumerated(threshold):
    counts, epsilons = [[4, 1], [1, 3]], (0.7, 1.5)
    mechanism = em.Geometric(epsilon=epsilons, threshold=threshold)
    risks = curve_of(plan_of(counts, em.Counts(mechanism=mechanism)), "counts")
    for epsilon in epsilons:
        expected = max(named_right(counts, epsilon, threshold), overall_mode_share(counts))
        assert risks[epsilon] == pytest.approx(expected, abs=CLOSE), epsilon
        assert abs(named_right(counts, epsilon) - expected) > 1e-3


def test_where_noise_drowns_everything_the_attacker_names_the_overall_mode():
    counts = [[6, 1], [5, 2]]
    assert named_right(counts, 0.3) < 11 / 14
    risks = curve_of(plan_of(counts, em.Counts(mechanism=em.Geometric(epsilon=0.3))), "counts")
    assert risks[0.3] == pytest.approx(11 / 14, abs=CLOSE)


# 2. a sample of the rows


def named_right_from_samples(counts, size):
    people = [(i, k) for i, cell in enumerate(counts) for k, number in enumerate(cell) for _ in range(number)]
    n_values = len(counts[0])
    mode = int(np.array(counts).sum(axis=0).argmax())
    right, n_samples = 0.0, 0
    for chosen in combinations(people, size):
        n_samples += 1
        for i, cell in enumerate(counts):
            seen = [chosen.count((i, k)) for k in range(n_values)]
            winners = [k for k in range(n_values) if seen[k] == max(seen)] if max(seen) else [mode]
            right += sum(cell[k] for k in winners) / len(winners)
    return right / n_samples / len(people)


@pytest.mark.parametrize("counts", [[[4, 1], [1, 3]], [[5, 0], [1, 4], [2, 1]], [[1, 0], [2, 4]]], ids=str)
def test_a_sample_is_as_risky_as_the_list_of_all_samples_says(counts):
    n_people = int(np.array(counts).sum())
    above_the_mode = 0
    for size in range(1, n_people):
        rule = named_right_from_samples(counts, size)
        risk = curve_of(plan_of(counts, em.Sample(size=size)), "sample")[size]
        assert risk == pytest.approx(max(rule, overall_mode_share(counts)), abs=CLOSE), size
        above_the_mode += rule > overall_mode_share(counts) + 1e-6
    assert above_the_mode >= 2


# 3. raw tables, and who breaks a target

PEOPLE = {
    "sex": "ffffffmmmmmm",
    "job": "aabbccaabbcc",
    "town": "xyxyxyyxyxyx",
    "pet": "ccddcdcdccdd",
    "ill": "yynnnynynnyn",
}


def raw_share(known):
    groups = {}
    for row in zip(*(PEOPLE[name] for name in (*known, "ill")), strict=True):
        groups.setdefault(row[:-1], []).append(row[-1])
    return sum(max(values.count(value) for value in set(values)) for values in groups.values()) / 12


def counts_by(known):
    groups = {}
    for row in zip(*(PEOPLE[name] for name in (*known, "ill")), strict=True):
        groups.setdefault(row[:-1], [0, 0])["ny".index(row[-1])] += 1
    return list(groups.values())


def smallest(breaking):
    return {frozenset(one) for one in breaking if not any(set(other) < set(one) for other in breaking)}


def people_plan(release, max_risk):
    columns = {name: list(values) for name, values in PEOPLE.items()}
    known = ("sex", "job", "town", "pet")
    return em.Plan(
        unit="row",
        table=pa.table(columns),
        quasi_identifiers=known,
        sensitive=("ill",),
        release=release,
        max_risk=max_risk,
    )


ALL_SETS = [known for size in range(5) for known in combinations(("sex", "job", "town", "pet"), size)]


def test_the_raw_table_betrays_the_largest_share_of_each_cell():
    for counts in (*TWO_VALUES, *THREE_VALUES):
        found = em.compare_kinds(plan_of(counts, em.Raw()), ("raw",), repeats=2)
        assert found.raw == pytest.approx(sum(max(cell) for cell in counts) / np.sum(counts), abs=1e-14)
        assert found.no_release == pytest.approx(overall_mode_share(counts), abs=1e-14)
        assert found.curves[0].points[0].risk.value == found.raw


@pytest.mark.parametrize("max_risk", [*sorted({raw_share(known) - 1e-9 for known in ALL_SETS}), 0.6, 0.7, 0.8, 1.0])
def test_the_smallest_sets_that_break_a_raw_table_are_those_found_by_trying_all(max_risk):
    found = em.find_attackers(people_plan(em.Raw(), max_risk), max_known=4)
    breaking = [known for known in ALL_SETS if raw_share(known) > max_risk]
    assert {frozenset(known.columns) for known in found.breaking} == smallest(breaking)
    for known in found.evaluated:
        assert known.raw == pytest.approx(raw_share(known.columns), abs=1e-14)


@pytest.mark.parametrize(("epsilon", "max_risk"), [(1.0, 0.62), (2.0, 0.65), (2.0, 0.7), (4.0, 0.8)])
def test_the_smallest_sets_that_break_noisy_counts_are_those_found_by_trying_all(epsilon, max_risk):
    mode = 0  # seven of the twelve have "n"
    assert PEOPLE["ill"].count("n") == 7
    risk = {
        frozenset(known): named_right(counts_by(known), epsilon, mode=mode) if known else 7 / 12 for known in ALL_SETS
    }
    release = em.Counts(mechanism=em.Geometric(epsilon=epsilon))
    found = em.find_attackers(people_plan(release, max_risk), max_known=4)
    breaking = [known for known in ALL_SETS if risk[frozenset(known)] > max_risk]
    assert breaking
    assert {frozenset(known.columns) for known in found.breaking} == smallest(breaking)
    for known in found.evaluated:
        if known.released is not None:
            assert known.released == pytest.approx(risk[frozenset(known.columns)], abs=CLOSE)
        else:
            assert risk[frozenset(known.columns)] <= max_risk


# 4. which combinations are listed


def chance_of_noise_from(least, epsilon):
    """Pr(e >= least) of two-sided geometric noise: 1 minus the terms below, whose sum is finite but for a half."""
    with mpmath.workdps(60):
        q = mpmath.exp(-mpmath.mpf(epsilon))
        unit = (1 - q) / (1 + q)
        return (1 + unit) / 2 - mpmath.fsum(unit * q**k for k in range(least))


def smallest_threshold(epsilon, moved_counts, delta):
    with mpmath.workdps(60):
        threshold = 1
        while 1 - (1 - chance_of_noise_from(threshold - 1, epsilon)) ** moved_counts > mpmath.mpf(delta):
            threshold += 1
        return threshold


@pytest.mark.parametrize("epsilon", [0.1, 0.37, 1.0, 2.5, 8.0])
def test_the_listing_threshold_is_the_smallest_that_keeps_a_lone_person_within_delta(epsilon):
    for delta, moved_counts in product((0.9, 0.3, 0.05, 1e-3, 1e-6, 1e-10), (1, 2, 5)):
        found = listing_threshold(em.Geometric(epsilon=epsilon), moved_counts, delta)
        assert found == smallest_threshold(epsilon, moved_counts, delta), (delta, moved_counts)


def test_under_replacement_the_noise_is_twice_as_wide_and_so_the_threshold_is_higher():
    mechanism = em.Geometric(epsilon=1.0, adjacency=Adjacency.REPLACE)
    for delta in (0.2, 1e-4, 1e-8):
        assert listing_threshold(mechanism, 2, delta) == smallest_threshold(0.5, 2, delta)
    assert smallest_threshold(0.5, 2, 1e-4) > smallest_threshold(1.0, 2, 1e-4)


def test_a_publication_threshold_above_the_listing_threshold_wins():
    assert smallest_threshold(1.0, 1, 0.3) == 2
    assert listing_threshold(em.Geometric(epsilon=1.0, threshold=7), 1, 0.3) == 7
    assert listing_threshold(em.Geometric(epsilon=1.0, threshold=6.5), 1, 0.3) == 7


N_LONE = 250
N_RELEASES = 8


def listing_plan(epsilon, delta, n_lone=1, **more):
    """Each lone person has a cell of their own and value 0; as many cells hold two people with value 1."""
    release = em.Counts(mechanism=em.Geometric(epsilon=epsilon), support="thresholded", support_delta=delta)
    return plan_of([[1, 0]] * n_lone + [[0, 2]] * n_lone, release, **more)


def within_chance(n_seen, n_drawn, probability):
    low, high = binom.ppf([5e-8, 1 - 5e-8], n_drawn, float(probability))
    return low <= n_seen <= high


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.3), (0.5, 0.3), (2.0, 0.15), (1.0, 0.02)])
def test_real_releases_list_a_lone_person_as_often_as_the_noise_allows(epsilon, delta):
    plan = listing_plan(epsilon, delta, N_LONE)
    lone_people = {(f"cell {i}", "value 0") for i in range(N_LONE)}
    pairs = {(f"cell {i}", "value 1") for i in range(N_LONE, 2 * N_LONE)}
    threshold = smallest_threshold(epsilon, 1, delta)
    lone, pair = (chance_of_noise_from(threshold - count, epsilon) for count in (1, 2))
    n_drawn = N_LONE * N_RELEASES
    assert threshold >= 2
    assert lone <= delta
    assert not within_chance(0, n_drawn, lone)  # never listing anybody would not pass
    n_lone = n_pair = 0
    for _ in range(N_RELEASES):
        (published,) = publish_counts(plan, ReleaseNoise())
        assert published.listed_from == threshold
        rows = published.rows.to_pylist()
        listed = {(row["cell"], row["value"]) for row in rows}
        assert len(listed) == len(rows)
        assert listed <= lone_people | pairs
        assert all(row["count"] >= threshold for row in rows)
        n_lone += len(listed & lone_people)
        n_pair += len(listed & pairs)
    assert within_chance(n_lone, n_drawn, lone)
    assert within_chance(n_pair, n_drawn, pair)


def test_release_after_release_lists_the_one_lone_person_as_often_as_the_noise_allows():
    plan = listing_plan(1.0, 0.3)
    n_listed = 0
    for _ in range(60):
        rows = publish_counts(plan, ReleaseNoise())[0].rows.to_pylist()
        n_listed += any(row["cell"] == "cell 0" for row in rows)
    assert within_chance(n_listed, 60, chance_of_noise_from(1, 1.0))


def tail_of_noise(least, epsilon):
    return chance_of_noise_from(least, epsilon) if least >= 0 else 1 - chance_of_noise_from(1 - least, epsilon)


@pytest.mark.parametrize("epsilon", [0.5, 1.5])
def test_published_counts_of_a_declared_domain_follow_the_geometric_law_and_empty_ones_too(epsilon):
    plan = plan_of([[0, 2]] * 500, em.Counts(mechanism=em.Geometric(epsilon=epsilon)))
    shown = {"value 0": [], "value 1": []}
    for _ in range(4):
        (published,) = publish_counts(plan, ReleaseNoise())
        assert published.rows.num_rows == 1_000
        for row in published.rows.to_pylist():
            shown[row["value"]].append(row["count"])
    for value, count in (("value 0", 0), ("value 1", 2)):
        assert min(shown[value]) == 0  # a noisy count below one half is published as zero
        for least in range(1, 6):
            n_above = sum(seen >= least for seen in shown[value])
            assert within_chance(n_above, 2_000, tail_of_noise(least - count, epsilon)), (value, least)


def test_a_release_into_a_file_lists_only_combinations_that_occur(tmp_path):
    plan = listing_plan(1.0, 0.3, dataset="three people")
    for number in range(5):
        out = tmp_path / f"release {number}.csv"
        em.release(plan, out=out, ledger=tmp_path / "ledger.json")
        for row in pa_csv.read_csv(out).to_pylist():
            assert (row["cell"], row["value"]) in {("cell 0", "value 0"), ("cell 1", "value 1")}
            assert row["count"] >= 2


def test_a_thresholded_release_is_charged_for_its_epsilon_and_for_its_list():
    looks = looks_of(listing_plan(1.0, 0.3))
    assert sum(look.epsilon for look in looks) == pytest.approx(1.0)
    assert sum(look.delta for look in looks) == pytest.approx(0.3)
    assert drawn_mechanism(listing_plan(1.0, 0.3)).scale == pytest.approx(1.0)


def test_tables_share_the_budget_by_their_weights():
    tables = (em.CountsOf(columns=("cell",), weight=1.0), em.CountsOf(columns=("cell", "value"), weight=3.0))
    looks = looks_of(plan_of([[1, 0], [0, 2]], em.Counts(mechanism=em.Geometric(epsilon=2.0), tables=tables)))
    assert [look.epsilon for look in looks] == pytest.approx([0.5, 1.5])
    assert [look.scale for look in looks] == pytest.approx([2.0, 2 / 3])


# 5. composition


def geometric_look(epsilon, moved_counts=1, adjacency="add-remove"):
    return PrivacyLoss(
        what="counts",
        noise="geometric",
        epsilon=epsilon * moved_counts,
        delta=0.0,
        scale=1 / epsilon,
        moved_counts=moved_counts,
        adjacency=adjacency,
    )


def loss_law(epsilons):
    """Each look tells the truth with odds e^epsilon: the law of the sum of plus or minus epsilon, in 40 digits.

    A count moved by one: the noise is at least as likely on either side of the step by e^epsilon, so that only
    the side of the output matters, and its chance is Pr(e >= 0) = 1 / (1 + q).
    """
    law = {mpmath.mpf(0): mpmath.mpf(1)}
    for epsilon, times in epsilons:
        step = mpmath.mpf(epsilon)
        right = 1 / (1 + mpmath.exp(-step))
        new = {}
        for loss, chance in law.items():
            for hits in range(times + 1):
                total = loss + (2 * hits - times) * step
                weight = mpmath.binomial(times, hits) * right**hits * (1 - right) ** (times - hits)
                new[total] = new.get(total, mpmath.mpf(0)) + chance * weight
        law = new
    return law


def delta_at(law, epsilon, lost=0):
    """Hockey-stick divergence; ``lost`` is the chance of an output that gives a person away outright."""
    kept = mpmath.fsum(chance * (1 - mpmath.exp(epsilon - loss)) for loss, chance in law.items() if loss > epsilon)
    return lost + (1 - lost) * kept


def smallest_epsilon(law, delta, lost=0):
    low, high = mpmath.mpf(0), max(law)
    if delta_at(law, low, lost) <= delta:
        return low
    for _ in range(70):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_at(law, middle, lost) > delta else (low, middle)
    return high


def assert_just_above(found, exact):
    assert float(exact) * (1 - 1e-12) <= found <= float(exact) * 1.01 + 1e-9


@pytest.mark.parametrize(
    ("epsilon", "times"), [(1.0, 1), (1.0, 2), (0.5, 7), (0.1, 20), (0.1, 100), (0.02, 300), (2.0, 12)]
)
def test_equal_looks_compose_as_the_binomial_law_says(epsilon, times):
    with mpmath.workdps(40):
        law = loss_law([(epsilon, times)])
        for delta in (1e-9, 1e-6, 1e-3, 0.05):
            together = composed([geometric_look(epsilon)] * times, delta)
            assert_just_above(together.tight, smallest_epsilon(law, delta))
            assert together.added_up == pytest.approx(epsilon * times)
            assert_just_above(together.membership_advantage, delta_at(law, mpmath.mpf(0)))


def test_unequal_looks_compose_as_their_joint_law_says():
    with mpmath.workdps(40):
        law = loss_law([(0.3, 6), (1.0, 2), (0.05, 10)])
        looks = [*[geometric_look(0.3)] * 6, *[geometric_look(1.0)] * 2, *[geometric_look(0.05)] * 10]
        for delta in (1e-7, 1e-3):
            together = composed(looks, delta)
            assert_just_above(together.tight, smallest_epsilon(law, delta))
            assert_just_above(together.membership_advantage, delta_at(law, mpmath.mpf(0)))


def test_a_person_who_moves_three_counts_is_looked_at_three_times():
    with mpmath.workdps(40):
        law = loss_law([(0.2, 12)])
        together = composed([geometric_look(0.2, moved_counts=3)] * 4, 1e-5)
        assert_just_above(together.tight, smallest_epsilon(law, 1e-5))
        assert_just_above(together.membership_advantage, delta_at(law, mpmath.mpf(0)))


def test_next_to_a_replacement_an_addition_counts_twice():
    with mpmath.workdps(40):
        law = loss_law([(0.4, 2), (0.25, 6)])
        looks = [geometric_look(0.4, moved_counts=2, adjacency="replace"), *[geometric_look(0.25)] * 3]
        together = composed(looks, 1e-4)
        assert together.adjacency == "replace"
        assert_just_above(together.tight, smallest_epsilon(law, 1e-4))
        assert_just_above(together.membership_advantage, delta_at(law, mpmath.mpf(0)))


def test_a_look_of_which_only_the_guarantee_is_known_is_taken_at_its_worst():
    """The worst (epsilon, delta) look gives all away with chance delta and is a coin of odds e^epsilon otherwise."""
    anything = PrivacyLoss(what="something", noise="any", epsilon=0.6, delta=1e-4)
    with mpmath.workdps(40):
        law = loss_law([(0.6, 1), (0.3, 8)])
        together = composed([anything, *[geometric_look(0.3)] * 8], 1e-3)
        assert_just_above(together.tight, smallest_epsilon(law, 1e-3, lost=mpmath.mpf(1e-4)))
        assert_just_above(together.membership_advantage, delta_at(law, mpmath.mpf(0), mpmath.mpf(1e-4)))


def test_one_geometric_count_has_the_total_variation_of_its_law():
    law = {noise: math.exp(-0.8 * abs(noise)) * math.tanh(0.4) for noise in range(-60, 61)}
    distance = sum(max(0.0, law[k] - law[k + 1]) for k in range(-60, 60))
    assert composed([geometric_look(0.8)], 1e-6).membership_advantage == pytest.approx(distance, rel=1e-6)


# 6. two tables of the same four people

FOUR = {"sex": "ffmm", "town": "xyyx", "ill": "nnny", "rich": "yyny"}


def chance_shown(count, noise):
    """Pr(a true count is published above zero), summed or integrated over the noise."""
    if isinstance(noise, em.Geometric):
        return float(1 - published_law(count, noise.epsilon)[0])
    density = lambda e: mpmath.exp(-noise.epsilon * abs(e)) * noise.epsilon / 2  # noqa: E731
    least = 0.5 - count
    points = [least, 0, mpmath.inf] if least < 0 else [least, mpmath.inf]
    return float(mpmath.quad(density, points))


def disclosed_by_either(published):
    """Go through every pattern of counts that are published above zero, in all tables at once."""
    keys = []
    for number, (known, wanted, noise) in enumerate(published):
        cells = list(zip(FOUR[known], FOUR[wanted], strict=True))
        for cell, value in product(sorted(set(FOUR[known])), sorted(set(FOUR[wanted]))):
            keys.append((number, cell, value, chance_shown(cells.count((cell, value)), noise)))
    share = 0.0
    for pattern in product((False, True), repeat=len(keys)):
        chance = math.prod(key[3] if shown else 1 - key[3] for key, shown in zip(keys, pattern, strict=True))
        seen = [key[:3] for key, shown in zip(keys, pattern, strict=True) if shown]
        for person in range(4):
            alone = [
                [value for table, cell, value in seen if table == number and cell == FOUR[known][person]]
                == [FOUR[wanted][person]]
                for number, (known, wanted, _) in enumerate(published)
            ]
            share += chance * any(alone) / 4
    return share


@pytest.mark.parametrize(
    "published",
    [
        [("sex", "ill", em.Geometric(epsilon=1.0)), ("town", "ill", em.Geometric(epsilon=0.5))],
        [("sex", "ill", em.Geometric(epsilon=2.0)), ("sex", "ill", em.Geometric(epsilon=2.0))],
        [("sex", "ill", em.Laplace(epsilon=1.3)), ("town", "rich", em.Geometric(epsilon=0.7))],
        [("town", "rich", em.Laplace(epsilon=0.2)), ("sex", "rich", em.Laplace(epsilon=3.0))],
    ],
    ids=lambda published: " and ".join(f"{known} {wanted} {noise.epsilon}" for known, wanted, noise in published),
)
def test_two_tables_disclose_the_people_that_all_patterns_of_both_say(published):
    table = pa.table({name: list(values) for name, values in FOUR.items()})
    found = joint_risk(table, [NoisyTable(Roles((known,), (wanted,)), noise) for known, wanted, noise in published])
    assert found.value == pytest.approx(disclosed_by_either(published), abs=1e-10)
    for each, one in zip(found.each, published, strict=True):
        assert each == pytest.approx(disclosed_by_either([one]), abs=1e-10)
        assert found.value > each + 1e-6


# 7. choosing epsilon

SCAN = np.geomspace(0.01, 10, 20_001)


def vanishing(count, noise, epsilons):
    if noise == "geometric":
        q = np.exp(-epsilons)
        return q**count / (1 + q)
    return 1 - np.exp(-epsilons / 2) / 2 if count == 0 else np.exp(-epsilons * (count - 0.5)) / 2


def disclosed(counts, noise, epsilons):
    share = np.zeros_like(epsilons)
    for cell in counts:
        z = [vanishing(count, noise, epsilons) for count in cell]
        for k, count in enumerate(cell):
            share += count * (1 - z[k]) * math.prod(z[j] for j in range(len(cell)) if j != k)
    return share / np.sum(counts)


NOISES = {"geometric": em.Geometric(epsilon=1.0), "laplace": em.Laplace(epsilon=1.0)}


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(
    ("counts", "max_risk", "n_stretches"),
    [
        ([[4, 1], [1, 6]], 0.3, 2),  # least disclosed with very little and with very much noise
        ([[4, 1], [3, 0]], 0.35, 1),
        ([[2, 3], [5, 1]], 0.1, 1),
        ([[6, 1, 1], [1, 1, 7]], 0.135, 2),
        ([[9, 1], [4, 0]], 0.29, 2),
    ],
    ids=str,
)
def test_every_epsilon_of_the_stretches_discloses_few_enough_people(counts, max_risk, n_stretches, noise):
    choice = em.choose(plan_of(counts, em.Counts(mechanism=NOISES[noise]), max_risk=max_risk, max_loss=1.0))
    scanned = disclosed(counts, noise, SCAN)
    assert (scanned <= max_risk).any()
    assert (scanned > max_risk).any()
    assert choice.stretches
    assert len(choice.risk_stretches) == n_stretches
    for stretch in (*choice.stretches, *choice.risk_stretches):
        inside = np.geomspace(stretch.low, stretch.high, 20_001)
        assert disclosed(counts, noise, inside).max() <= max_risk * (1 + 1e-12)
    covered = np.any(
        [(stretch.low * 0.99 <= SCAN) & (stretch.high * 1.01 >= SCAN) for stretch in choice.risk_stretches], axis=0
    )
    assert (scanned[~covered] > max_risk).all()
    assert disclosed(counts, noise, np.array([choice.recommended]))[0] <= max_risk


def expected_share(shares_law, size, n_values, noise, epsilons):
    """b.2 by going through every cell of this size: a single value that a member has is published."""
    total = np.zeros_like(epsilons)
    for cell in product(range(size + 1), repeat=n_values):
        if sum(cell) != size:
            continue
        z = [vanishing(count, noise, epsilons) for count in cell]
        single = sum(
            (1 - z[k]) * math.prod(z[j] for j in range(n_values) if j != k) for k in range(n_values) if cell[k]
        )
        total += shares_law(cell) * single
    return total


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("believed", ["shares", "every share alike"])
def test_choosing_without_looking_keeps_the_declared_share_of_cells(believed, noise):
    size, shares = 7, (0.6, 0.3, 0.1)

    def multinomial(cell):
        return math.factorial(size) * math.prod(p**c / math.factorial(c) for p, c in zip(shares, cell, strict=True))

    def even(cell):
        return 1 / math.comb(size + 2, 2)  # Dirichlet(1, 1, 1): all cells of a size are equally likely

    given = {"shares": shares} if believed == "shares" else {"alpha": 1.0}
    law = multinomial if believed == "shares" else even
    choice = em.choose_without_looking(
        n_values=3, cell_size=size, max_risk=0.25, max_loss=1.0, mechanism=NOISES[noise], **given
    )
    scanned = expected_share(law, size, 3, noise, SCAN)
    assert (scanned <= 0.25).any()
    assert (scanned > 0.25).any()
    for stretch in choice.risk_stretches:
        assert expected_share(law, size, 3, noise, np.geomspace(stretch.low, stretch.high, 2_001)).max() <= 0.25 + 1e-12
    covered = np.any(
        [(stretch.low * 0.99 <= SCAN) & (stretch.high * 1.01 >= SCAN) for stretch in choice.risk_stretches], axis=0
    )
    assert (scanned[~covered] > 0.25).all()
    assert not choice.looked_at_the_data
