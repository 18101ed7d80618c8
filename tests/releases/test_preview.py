"""What a release would cost is worked out without spending, drawing or writing anything."""

from dataclasses import replace

import pytest

from epsilometer.errors import BadQuestion, OutOfRange
from epsilometer.mechanisms import Geometric
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts, Local, Raw, Sample, Synthetic
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.preview import preview
from epsilometer.releases.release import carry_out
from epsilometer.releases.this_table import this_table_risk
from epsilometer.releases.undeclared import Undeclared, undeclared


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "people.csv").write_text("sex,job\n" + "f,nurse\nm,baker\nf,baker\nm,nurse\n" * 25)
    return Plan(
        table=str(tmp_path / "people.csv"),
        dataset="people",
        quasi_identifiers=("sex",),
        unit="row",
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


LOCAL = Local(epsilon=1.0)
SYNTHETIC = Synthetic(epsilon=1.0)


@pytest.mark.parametrize("release", [Counts(), LOCAL, SYNTHETIC], ids=lambda release: release.kind)
@pytest.mark.parametrize("row", ["f,smith", "f,"], ids=["undeclared", "missing"])
def test_what_is_not_declared_is_told_to_its_owner_and_not_by_the_release(plan, ledger, tmp_path, release, row):
    with (tmp_path / "people.csv").open("a") as file:
        file.write(f"{row}\n")
    asked = replace(plan, release=release)
    assert [found.column for found in undeclared(asked)] == ([] if (release, row) == (LOCAL, "f,") else ["job"])
    preview(asked, ledger=ledger)
    assert not ledger.exists()
    carry_out(asked, out=tmp_path / "out.csv", ledger=ledger, overwrite=False)
    assert "smith" not in (tmp_path / "out.csv").read_text()


def test_a_method_that_needs_a_delta_is_noticed_too(plan, ledger):
    with pytest.raises(OutOfRange, match="delta"):
        preview(replace(plan, release=Synthetic(method="mst", delta=0.0)), ledger=ledger)


def test_all_that_is_not_declared_is_named_at_once(plan, tmp_path):
    (tmp_path / "people.csv").write_text("sex,job\nf,nurse\nx,smith\n,baker\nf,cook\nf,\n")
    jobs = Undeclared("job", ("cook", "smith"), missing=True)
    people = Undeclared("sex", ("x",), missing=True)
    assert undeclared(plan) == (people, jobs)
    assert undeclared(replace(plan, release=SYNTHETIC)) == (people, jobs)
    assert undeclared(replace(plan, release=LOCAL)) == (jobs._replace(missing=False),)
    assert undeclared(replace(plan, release=Sample(size=2))) == ()
    assert undeclared(replace(plan, release=Counts(support="thresholded", support_delta=1e-6))) == ()
    assert undeclared(replace(plan, where="sex = 'f'", domain={"sex": ["f"]})) == ()


def test_what_may_be_missing_may_be_missing(plan, tmp_path):
    (tmp_path / "people.csv").write_text("sex,job\nf,nurse\n,baker\n")
    declared = {**plan.domain, "sex": ["f", "m", None]}
    for release in (plan.release, SYNTHETIC):
        assert undeclared(replace(plan, release=release, domain=declared)) == ()


def test_numbers_lie_in_bins_or_count_as_the_end_of_their_range(tmp_path):
    (tmp_path / "ages.csv").write_text("age,job\n17,nurse\n99,nurse\n")
    asked = Plan(
        table=str(tmp_path / "ages.csv"),
        quasi_identifiers=("age",),
        unit="row",
        sensitive=("job",),
        bins={"age": 10},
        domain={"age": (10, 39), "job": ["nurse"]},
    )
    assert undeclared(asked) == (Undeclared("age", ("[90, 100)",), missing=False),)
    assert undeclared(replace(asked, release=SYNTHETIC)) == ()


def test_a_second_name_for_the_same_file_is_charged_to_the_first_too(plan, ledger, tmp_path):
    carry_out(plan, out=tmp_path / "first.csv", ledger=ledger, overwrite=False)
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=0.75, delta=0.0)
    found = preview(replace(plan, dataset="others"), ledger=ledger)
    assert (found.also, found.paid, found.account) == (("people",), False, None)
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=1.0, delta=0.0)
    assert preview(replace(plan, dataset="others"), ledger=ledger).paid


def test_the_share_of_people_disclosed_is_what_the_ledger_then_holds(plan, ledger, tmp_path):
    found = preview(plan, ledger=ledger)
    done = carry_out(plan, out=tmp_path / "first.csv", ledger=ledger, overwrite=False)
    (stored,) = done.entry.internal["risks"].values()
    assert found.risk.value == pytest.approx(stored, rel=1e-12)
    second = preview(plan, ledger=ledger)
    assert second.joint.each == pytest.approx((stored, stored), rel=1e-12)
    assert preview(replace(plan, release=Sample(size=10)), ledger=ledger).risk is None


def test_people_with_one_row_each_are_disclosed_as_rows_are(plan, ledger, tmp_path):
    rows = (tmp_path / "people.csv").read_text().splitlines()
    numbered = [f"id,{rows[0]}", *(f"{number},{row}" for number, row in enumerate(rows[1:]))]
    (tmp_path / "numbered.csv").write_text("\n".join(numbered))
    named = replace(plan, table=str(tmp_path / "numbered.csv"), unit=None, person_id="id")
    assert this_table_risk(named).value == this_table_risk(plan).value
    done = carry_out(named, out=tmp_path / "first.csv", ledger=ledger, overwrite=False)
    assert list(done.entry.internal["risks"].values()) == [pytest.approx(this_table_risk(plan).value, rel=1e-12)]
    (tmp_path / "numbered.csv").write_text("\n".join([*numbered, numbered[1]]))
    assert this_table_risk(named) is None
    found = preview(named, ledger=ledger)
    assert (found.risk, found.joint) == (None, None)  # nor can the release before be read against rows like these


def test_it_says_how_many_rows_the_file_has_next_to_the_people(plan, ledger):
    found = preview(plan, ledger=ledger)
    assert found.sizes == (
        "The file of sex, job will have 4 rows, one for each declared combination, and counts 100 people.",
    )
    assert found.warnings == ()


@pytest.mark.parametrize(("n_others", "warned"), [(50, False), (51, True)])
def test_it_warns_if_more_combinations_are_empty_than_people_are_counted(plan, ledger, n_others, warned):
    """Each job that nobody has is an empty combination with either sex; the people are 100."""
    jobs = ["nurse", "baker", *(f"job {number}" for number in range(n_others))]
    warnings = preview(replace(plan, domain={**plan.domain, "job": jobs}), ledger=ledger).warnings
    assert len(warnings) == warned
    opening = "102 of the 106 combinations of sex, job are empty, more than the 100 people counted."
    assert all(line.startswith(opening) for line in warnings)


def test_how_many_rows_noise_will_list_nobody_knows(plan, ledger):
    found = preview(replace(plan, release=Counts(support="thresholded", support_delta=1e-6)), ledger=ledger)
    assert (found.sizes, found.warnings) == ((), ())
