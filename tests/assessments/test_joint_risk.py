"""What several releases give away together: closed form = simulation, between each alone and all added up."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.joint import NoisyTable, joint_risk
from epsilometer.tables.bins import as_bins
from epsilometer.tables.roles import Roles
from epsilometer.vocabulary.joint_risk import JointRisk

PEOPLE = {
    "age": [21, 22, 35, 36, 36, 52, 53, 58, 59, 59],
    "sex": list("fmfmmffmfm"),
    "job": list("abaabbabaa"),
    "flu": [True, False, False, True, True, False, False, False, True, None],
}
ROLES = {
    "by sex": Roles(("sex",), ("job",)),
    "by decade": Roles(("age",), ("job",), bins={"age": as_bins("age", 10)}),
    "by age and sex": Roles(("age", "sex"), ("flu",)),
    "everybody": Roles((), ("job",)),
    "two attributes": Roles(("sex",), ("job", "flu")),
}


def arrow(columns):
    import pyarrow as pa

    return pa.table(columns)


def cell_and_value(person, roles):
    """Read a person by hand: what the attacker knows, and what the attacker wants."""
    binned = {
        name: person[name] if name not in roles.bins else person[name] // 10 for name in (*roles.quasi_identifiers,)
    }
    return tuple(binned.items()), tuple(person[name] for name in roles.sensitive)


def simulated(tables, n_releases, rng):
    """Publish with seeded noise again and again, and look for people whose value stands alone in their cell."""
    people = [dict(zip(PEOPLE, row, strict=True)) for row in zip(*PEOPLE.values(), strict=True)]
    disclosed = np.zeros((n_releases, len(people)), dtype=bool)
    for one in tables:
        read = [cell_and_value(person, one.roles) for person in people]
        values = sorted({value for _, value in read}, key=str)
        for cell in {cell for cell, _ in read}:
            counts = np.array([sum(r == (cell, value) for r in read) for value in values])
            shown = counts + one.noise.sample(rng, (n_releases, len(values))) >= one.noise.threshold
            for i, (where, value) in enumerate(read):
                if where == cell:
                    disclosed[:, i] |= shown[:, values.index(value)] & (shown.sum(axis=1) == 1)
    return disclosed.mean(axis=1)


@pytest.mark.parametrize("names", [("by sex", "by decade"), ("by age and sex", "everybody", "two attributes")])
def test_the_joint_risk_is_what_a_simulation_finds(names):
    tables = [NoisyTable(ROLES[name], em.Laplace(epsilon=0.5 + i)) for i, name in enumerate(names)]
    shares = simulated(tables, 20_000, np.random.default_rng(7))
    error = shares.std() / np.sqrt(len(shares))
    assert abs(joint_risk(arrow(PEOPLE), tables).value - shares.mean()) < 4.5 * error


@settings(max_examples=40, deadline=None)
@given(
    names=st.lists(st.sampled_from(sorted(ROLES)), min_size=1, max_size=4),
    epsilon=st.floats(0.05, 8),
)
def test_together_is_at_least_each_alone_and_at_most_all_added_up(names, epsilon):
    tables = [NoisyTable(ROLES[name], em.Geometric(epsilon=epsilon)) for name in names]
    found = joint_risk(arrow(PEOPLE), tables)
    assert max(found.each) - 1e-12 <= found.value <= min(1.0, sum(found.each)) + 1e-12


def test_one_release_is_the_risk_of_its_counts():
    table = em.example_table()
    noise = em.Laplace(epsilon=0.7)
    freq = em.frequency_table(table, quasi_identifiers=["sex", "district"], sensitive="reason")
    alone = joint_risk(table, [NoisyTable(Roles(("sex", "district"), ("reason",)), noise)])
    assert alone.value == pytest.approx(em.homogeneity_risk(freq, noise, average="records").value, rel=1e-12)
    assert alone.each == (pytest.approx(alone.value),)


def test_each_release_is_held_against_the_most_common_value_of_its_own():
    """Of ten people six have job a, five no flu, and three each are (a, flu) and (b, no flu)."""
    names = ("by sex", "by age and sex", "everybody", "two attributes")
    found = joint_risk(arrow(PEOPLE), [NoisyTable(ROLES[name], em.Laplace(epsilon=1.0)) for name in names])
    assert found.no_release == (0.6, 0.5, 0.6, 0.3)


def test_a_ledger_that_does_not_say_what_a_guess_gets_right_can_be_read():
    found = joint_risk(arrow(PEOPLE), [NoisyTable(ROLES["by sex"], em.Laplace(epsilon=1.0))])
    older = {name: value for name, value in found.to_dict().items() if name != "no_release"}
    assert JointRisk.from_dict(older) == replace(found, no_release=())


def test_rows_are_filtered_for_all_releases_and_the_record_names_what_is_left_out():
    tables = [NoisyTable(ROLES["by sex"], em.Laplace(epsilon=1.0))]
    women = {
        name: [v for v, sex in zip(column, PEOPLE["sex"], strict=True) if sex == "f"] for name, column in PEOPLE.items()
    }
    filtered = joint_risk(arrow(PEOPLE), tables, where="sex = 'f'", left_out=["a sample of 5 rows"])
    assert filtered.value == pytest.approx(joint_risk(arrow(women), tables).value, rel=1e-12)
    assert filtered.to_dict() == {
        "evidence": "exact",
        "value": filtered.value,
        "each": [filtered.value],
        "no_release": [0.8],
        "left_out": ["a sample of 5 rows"],
    }
