"""What a release would cost is worked out without spending, drawing or writing anything."""

from dataclasses import replace

import pytest

from epsilometer.errors import BadQuestion
from epsilometer.mechanisms import Geometric
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts, Raw, Sample
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.preview import preview
from epsilometer.releases.release import carry_out


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "people.csv").write_text("sex,job\n" + "f,nurse\nm,baker\nf,baker\nm,nurse\n" * 25)
    return Plan(
        table=str(tmp_path / "people.csv"),
        dataset="people",
        quasi_identifiers=("sex",),
        sensitive=("job",),
        domain={"sex": ["f", "m"], "job": ["nurse", "baker"]},
        release=Counts(mechanism=Geometric(epsilon=0.5)),
    )


@pytest.fixture
def ledger(tmp_path):
    return tmp_path / "ledger.sqlite"


def test_the_first_release_has_nothing_before_it(plan, ledger):
    found = preview(plan, ledger=ledger)
    assert (found.dataset, found.account, found.remaining, found.paid) == ("people", None, None, True)
    assert found.alone.epsilon == found.together.epsilon == 0.5
    assert [look.epsilon for look in found.looks] == [0.5]
    assert not ledger.exists()


def test_it_costs_what_the_release_then_costs(plan, ledger, tmp_path):
    carry_out(plan, out=tmp_path / "first.csv", ledger=ledger, overwrite=False)
    found = preview(plan, ledger=ledger)
    assert found.account.composition.epsilon == 0.5
    done = carry_out(plan, out=tmp_path / "second.csv", ledger=ledger, overwrite=False)
    assert found.together == done.composition
    assert found.looks == done.entry.looks


def test_a_preview_changes_nothing_in_the_ledger(plan, ledger):
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=1.0, delta=0.0)
    before = ledger.read_bytes()
    preview(plan, ledger=ledger)
    assert ledger.read_bytes() == before


@pytest.mark.parametrize(("budget", "left", "paid"), [(2.0, 1.5, True), (0.5, 0.0, True), (0.4, 0.0, False)])
def test_it_says_what_is_left_and_whether_the_budget_pays(plan, ledger, budget, left, paid):
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=budget, delta=0.0)
    found = preview(plan, ledger=ledger)
    assert (found.remaining, found.paid) == (left, paid)
    assert found.account.budget.epsilon == budget


def test_a_sample_costs_its_share_of_the_people(plan, ledger):
    found = preview(replace(plan, release=Sample(size=10)), ledger=ledger)
    assert found.alone.delta == pytest.approx(0.1)


def test_rows_as_they_are_have_no_price(plan, ledger):
    with pytest.raises(BadQuestion, match="Rows as they are protect nobody"):
        preview(replace(plan, release=Raw()), ledger=ledger)
