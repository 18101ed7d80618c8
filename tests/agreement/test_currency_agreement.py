"""The one currency, three ways: closed form, every outcome listed, and simulation within its interval."""

from itertools import combinations, product

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.counted import joint_counts
from epsilometer.assessments.currency.counts import bayes_attacker, named_by_counts
from epsilometer.assessments.currency.guess import right_by_largest_count
from epsilometer.assessments.currency.local import Reports, simulated_reports
from epsilometer.assessments.currency.sample import named_by_sample, simulated_samples
from epsilometer.assessments.currency.subject import Subject
from epsilometer.formulas.homogeneity.simulation import publish
from epsilometer.formulas.sampling import own_shares_loss
from epsilometer.randomizers import RandomizedResponse

TABLES = {
    "two values": [("a", "x", 3), ("a", "y", 1), ("b", "y", 2), ("c", "x", 1), ("c", "y", 1)],
    "three values": [("a", "x", 2), ("a", "y", 1), ("b", "z", 2), ("c", "x", 1), ("c", "z", 2)],
}
SIX_SIGMA = 6.0  # false alarms: two in a billion for each comparison


def subject_of(rows):
    known, wanted = zip(*[row[:2] for row in rows for _ in range(row[2])], strict=True)
    table = pa.table({"known": known, "wanted": wanted})
    plan = em.Plan(table=table, quasi_identifiers=("known",), sensitive=("wanted",))
    counts = joint_counts(plan)
    return Subject.of(plan, counts.frequency_table(counts.roles.sensitive))


def people(subject):
    """Return the cell and the value of each person."""
    cell, value = np.nonzero(subject.counts)
    rows = np.repeat(np.arange(len(cell)), subject.counts[cell, value])
    return cell[rows], value[rows]


def tallied(subject, cells, values):
    table = np.zeros(subject.counts.shape, dtype=np.int64)
    np.add.at(table, (cells, values), 1)
    return table


def right_of_one(subject, shown):
    """How often the rule is right, person by person and word by word."""
    right = 0.0
    for cell, value in zip(*people(subject), strict=True):
        row = shown[cell]
        best = [k for k, count in enumerate(row) if count == max(row) and count > 0]
        right += subject.fallback[value] if not best else (value in best) / len(best)
    return right / subject.n_people


@pytest.fixture(params=TABLES, ids=str)
def subject(request):
    return subject_of(TABLES[request.param])


def test_the_rule_is_the_same_person_by_person(subject):
    rng = np.random.default_rng(2)
    shown = rng.integers(0, 3, (*subject.counts.shape, 50))
    expected = [right_of_one(subject, shown[..., table]) for table in range(50)]
    np.testing.assert_allclose(right_by_largest_count(subject.counts, shown, subject.fallback), expected, rtol=1e-13)


@pytest.mark.parametrize("epsilon", [0.3, 1.5])
def test_counts_by_listing_what_each_cell_may_show(subject, epsilon):
    """Geometric noise reaches whole numbers: the shown counts of a cell are independent and can be listed."""
    noise, reach = em.Geometric(epsilon=epsilon), int(30 / epsilon) if subject.freq.n_values == 2 else int(14 / epsilon)
    levels = np.arange(-reach, reach + 1)
    mass = noise.probability_below(levels + 1.0) - noise.probability_below(levels)
    named = 0.0
    for counts in subject.counts:
        shown = [np.maximum(count + levels, 0) for count in counts]
        laws = [np.bincount(values, mass) for values in shown]
        grids = np.meshgrid(*[np.arange(len(law)) for law in laws], indexing="ij")
        probability = np.prod(np.meshgrid(*laws, indexing="ij"), axis=0)
        stacked = np.stack(grids)
        best = (stacked == stacked.max(axis=0)) & (stacked > 0)
        guess = np.where(
            best.any(axis=0), best / np.maximum(best.sum(axis=0), 1), subject.fallback.reshape(-1, *[1] * len(laws))
        )
        named += float((guess * probability * counts.reshape(-1, *[1] * len(laws))).sum())
    found = named_by_counts(subject, noise)
    assert found == pytest.approx(named / subject.n_people, abs=2e-4 if subject.freq.n_values == 3 else 1e-9)


def test_counts_by_simulation(subject):
    noise, rng = em.Laplace(epsilon=(0.2, 1.0)), np.random.default_rng(3)
    shown = publish(np.broadcast_to(subject.counts[..., None], (*subject.counts.shape, 40_000)), noise, rng)
    for number, closed in enumerate(named_by_counts(subject, noise)):
        right = right_by_largest_count(subject.counts, shown[number], subject.fallback)
        assert abs(right.mean() - closed) < SIX_SIGMA * right.std() / np.sqrt(len(right))


def test_a_bayes_attacker_is_at_least_as_good_and_two_values_only():
    two, three = map(subject_of, TABLES.values())
    for epsilon in (0.1, 1.0, 5.0):
        noise = em.Laplace(epsilon=epsilon)
        bayes = bayes_attacker(two, noise)
        assert bayes.value >= max(float(named_by_counts(two, noise)), two.no_release) - 1e-12
    assert bayes_attacker(three, noise) is None


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_samples_by_listing_every_one(subject, size):
    cells, values = people(subject)
    size = min(size, subject.n_people)
    right, losses = [], []
    for drawn in combinations(range(subject.n_people), size):
        table = tallied(subject, cells[list(drawn)], values[list(drawn)])
        right.append(right_of_one(subject, table))
        distances = subject.marginals.distances(subject.counts.astype(float), table[..., None].astype(float))
        losses.append(distances.mean())
    if subject.freq.n_values == 2:
        assert named_by_sample(subject, np.array([size]))[0] == pytest.approx(np.mean(right), abs=1e-12)
    simulated = simulated_samples(subject, size, 4_000, np.random.default_rng(1))
    for drawn, all_of_them in zip(simulated, (right, losses), strict=True):
        assert abs(drawn.mean() - np.mean(all_of_them)) <= SIX_SIGMA * np.std(all_of_them) / np.sqrt(4_000) + 1e-12


@pytest.mark.parametrize("size", [1, 7, 30])
def test_the_loss_of_a_sample_of_one_attribute_is_the_error_of_its_share(size):
    """All people are in one cell: of three marginals two are the attribute itself, and one is always right."""
    subject = subject_of([("a", "x", 13), ("a", "y", 27)])
    _, losses = simulated_samples(subject, size, 4_000, np.random.default_rng(4))
    expected = float(own_shares_loss(subject.counts[0], size))
    assert abs(losses.mean() * 3 / 2 - expected) < SIX_SIGMA * 1.5 * losses.std() / np.sqrt(len(losses))


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_local_reports_by_listing_every_answer(epsilon):
    subject = subject_of([("a", "x", 2), ("a", "y", 1), ("b", "y", 2)])
    channel = RandomizedResponse(epsilon=epsilon, n_values=2).channel()
    reports = Reports.of(subject.counts, channel)
    cells, values = people(subject)
    expected_right = expected_loss = 0.0
    for answers in product(range(2), repeat=subject.n_people):
        probability = np.prod(channel[values, list(answers)])
        seen = tallied(subject, cells, np.array(answers))
        belief = np.maximum(seen @ np.linalg.inv(channel) + reports.pseudo_counts, 0)
        guesses = [np.argmax(belief[cell] * channel[:, answer]) for cell, answer in zip(cells, answers, strict=True)]
        expected_right += probability * np.mean(np.array(guesses) == values)
        expected_loss += probability * _loss_of_reports(subject, seen, np.linalg.inv(channel))
    right, losses = simulated_reports(subject, reports, 20_000, np.random.default_rng(9))
    for found, expected in ((right, expected_right), (losses, expected_loss)):
        assert abs(found.mean() - expected) < SIX_SIGMA * found.std() / np.sqrt(len(found))


def _loss_of_reports(subject, seen, inverse):
    """Mean distance over the shares of the cell, of the value, and of both; those of the cell are known."""
    n = subject.n_people
    overall = np.maximum(seen.sum(axis=0) @ inverse, 0)
    of_value = np.abs(overall / overall.sum() - subject.counts.sum(axis=0) / n).sum() / 2
    by_cell = np.maximum(seen @ inverse, 0)
    by_cell *= seen.sum(axis=1, keepdims=True) / by_cell.sum(axis=1, keepdims=True)
    of_both = np.abs(by_cell / n - subject.counts / n).sum() / 2
    return (of_value + of_both) / 3
