"""Looks at rows and looks at people: counted in people where that is known, and otherwise apart."""

import json
import math
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from epsilometer.errors import BadPassport, OutOfRange, OverBudget, UnknownChoice
from epsilometer.releases.accounting import added_up, by_unit, composed, fits, in_units
from epsilometer.releases.ledger import open_ledger
from epsilometer.report.passport_document import passport_schema
from epsilometer.vocabulary.passport import Passport
from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def look(epsilon=1.0, delta=0.0, unit="row", k=None, **more):
    return PrivacyLoss(what="x", **{"noise": "any", **more}, epsilon=epsilon, delta=delta, unit=unit, rows_per_person=k)


EPSILONS = st.floats(0.0, 4.0)
DELTAS = st.floats(0.0, 1e-3)
LOOKS = st.builds(look, EPSILONS, DELTAS, st.just("row"), st.none() | st.integers(1, 6)) | st.builds(
    look, EPSILONS, DELTAS, st.just("person")
)


@pytest.mark.parametrize(
    ("epsilon", "delta", "k", "epsilon_k", "delta_k"),
    [
        (1.0, 0.0, 3, 3.0, 0.0),
        (0.5, 1e-6, 2, 1.0, 1e-6 * (1 + math.exp(0.5))),
        (1.0, 1e-6, 3, 3.0, 1e-6 * (1 + math.e + math.e**2)),
        (0.0, 0.01, 5, 0.0, 0.05),
        (1.0, 0.5, 3, 3.0, 1.0),
        (400.0, 1e-9, 2, 800.0, 1.0),
        (1.0, 1.0, 3, 3.0, 1.0),
        (math.inf, 0.0, 3, math.inf, 0.0),
    ],
)
def test_a_person_with_k_rows_pays_for_each_and_for_the_way_there(epsilon, delta, k, epsilon_k, delta_k):
    person = look(epsilon, delta, k=k).per_person()
    assert (person.unit, person.rows_per_person) == ("person", None)
    assert person.epsilon == pytest.approx(epsilon_k, rel=1e-12)
    assert delta_k <= person.delta <= delta_k * (1 + 1e-12)


@given(epsilon=st.floats(1e-3, 3), delta=st.floats(1e-12, 1e-3), k=st.integers(2, 20))
def test_no_group_is_cheaper_than_its_steps(epsilon, delta, k):
    """P(A) <= e^eps P'(A) + delta, k times one after the other, in exact steps of the deltas."""
    person, needed = look(epsilon, delta, k=k).per_person(), 0.0
    for _ in range(k):
        needed = math.exp(epsilon) * needed + delta
    assert Fraction(person.epsilon) >= k * Fraction(epsilon)
    assert person.delta >= min(1.0, needed) * (1 - 1e-13)


@given(epsilon=EPSILONS, delta=DELTAS)
def test_one_row_of_a_person_is_the_person(epsilon, delta):
    row, person = look(epsilon, delta, k=1), look(epsilon, delta, "person")
    assert row.per_person() == person
    assert composed([row] * 2, 1e-6) == composed([person] * 2, 1e-6)


def test_one_row_keeps_the_law_of_its_noise_and_several_do_not():
    law = {"noise": "geometric", "scale": 2.0, "moved_counts": 1}
    assert look(0.5, k=1, **law).per_person() == look(0.5, unit="person", **law)
    several = look(0.5, k=2, **law).per_person()
    assert (several.noise, several.scale, several.moved_counts, several.epsilon) == ("any", None, None, 1.0)


def test_looks_at_rows_alone_are_counted_by_row_and_say_so():
    together = composed([look(), look(0.5)], 0.0)
    assert (together.unit, together.added_up, together.apart) == ("row", 1.5, None)
    assert "a row is in the data" in together.in_words
    assert any("nobody declared how many rows" in line for line in together.caveats)


def test_looks_at_people_and_declared_rows_are_counted_together():
    together = composed([look(unit="person"), look(0.25, k=4)], 0.0)
    assert (together.unit, together.added_up, together.n_looks, together.apart) == ("person", 2.0, 2, None)
    assert "a person is in the data" in together.in_words
    assert not any("nobody declared" in line for line in together.caveats)


def test_what_cannot_be_counted_by_person_stands_apart():
    together = composed([look(unit="person"), look(0.25, k=4), look(0.5, 1e-6), look(0.75)], 1e-6)
    assert (together.unit, together.added_up, together.n_looks) == ("person", 2.0, 2)
    assert (together.apart.unit, together.apart.added_up, together.apart.n_looks) == ("row", 1.25, 2)
    assert together.largest == together.tight == pytest.approx(2.0, rel=1e-5)
    assert together.in_words.startswith("Per person: ")
    assert "not added up" in together.in_words
    assert together.to_dict()["apart"]["added_up"] == 1.25
    assert added_up([look(unit="person"), look(3.0, 1e-6)]) == (3.0, 1e-6)


@given(looks=st.lists(LOOKS, max_size=6), epsilon=st.floats(0.1, 20), delta=st.floats(0.0, 0.01))
def test_a_budget_holds_for_people_and_for_rows(looks, epsilon, delta):
    of_people, of_rows = by_unit(looks)
    assert len(of_people) + len(of_rows) == len(in_units(looks)) == len(looks)
    assert fits(looks, epsilon=epsilon, delta=delta) == (
        fits(of_people, epsilon=epsilon, delta=delta) and fits(of_rows, epsilon=epsilon, delta=delta)
    )


@given(looks=st.lists(LOOKS, min_size=1, max_size=6))
def test_a_sum_is_never_less_than_that_of_any_kind(looks):
    epsilon, delta = added_up(looks)
    person = [each for each in looks if each.unit == "person"]
    apart = [each for each in looks if each.unit == "row" and each.rows_per_person is None]
    grouped = [each for each in looks if each.rows_per_person is not None]
    for kind in (person, apart):
        assert epsilon >= sum(each.epsilon for each in kind) * (1 - 1e-12)
        assert delta >= sum(each.delta for each in kind) * (1 - 1e-12)
    assert epsilon >= sum(each.rows_per_person * each.epsilon for each in grouped) * (1 - 1e-12)
    assert delta >= sum(each.rows_per_person * each.delta for each in grouped) * (1 - 1e-12)


@given(looks=st.lists(LOOKS, min_size=2, max_size=5))
def test_the_order_of_looks_does_not_matter(looks):
    assume(all(each.delta < 0.1 for each in in_units(looks)))
    assert composed(looks, 0.2).largest == pytest.approx(composed(looks[::-1], 0.2).largest)


def test_the_ledger_refuses_by_person_and_by_row(tmp_path):
    with open_ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.set_budget("people", epsilon=1.0, delta=0.0)

        def enter(*looks):
            output = tmp_path / f"{len(ledger.entries())}.csv"
            return ledger.enter(dataset="people", kind="counts", plan={}, looks=looks, output=output)

        enter(look(0.75, unit="person"))
        enter(look(0.875))  # of rows: counted apart
        assert ledger.remaining("people") == 0.125
        for over in (look(0.5), look(0.5, unit="person"), look(0.125, k=3)):
            with pytest.raises(OverBudget):
                enter(over)
        enter(look(0.125, k=2))
        assert ledger.composition("people").added_up == 1.0
        assert ledger.composition("people").apart.added_up == 0.875


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": -1}, {"unit": "person", "k": 2}])
def test_rows_of_a_person_are_for_looks_at_rows(wrong):
    with pytest.raises(OutOfRange, match="rows_per_person"):
        look(**wrong)


def test_there_are_two_units():
    with pytest.raises(UnknownChoice, match="unit"):
        look(unit="household")


def test_a_passport_says_whose_part_each_look_is_about(reference_passport):
    assert Passport.from_dict(reference_passport()).looks[0].unit == "row"
    for changes in ({"unit": "person"}, {"rows_per_person": 3}):
        changed = reference_passport()
        changed["looks"][0].update(changes)
        assert Passport.from_dict(changed).to_dict()["looks"][0] == changed["looks"][0]


@pytest.mark.parametrize(
    "changes", [{"unit": "house"}, {"rows_per_person": 0}, {"unit": "person", "rows_per_person": 2}, {"unit": None}]
)
def test_a_passport_with_another_unit_is_refused(reference_passport, changes):
    changed = reference_passport()
    changed["looks"][0].update(changes)
    with pytest.raises(BadPassport):
        Passport.from_dict(changed)
    schema = json.loads(passport_schema())
    assert not jsonschema.Draft202012Validator(schema).is_valid(changed)
    assert jsonschema.Draft202012Validator(schema).is_valid(reference_passport())
