"""A release of counts whose plan holds a risk target keeps it with the noise that is drawn, or is not made."""

import math
from dataclasses import replace

import pytest

from epsilometer.errors import BadQuestion
from epsilometer.mechanisms import Laplace
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts, CountsOf
from epsilometer.releases.preview import preview
from epsilometer.releases.release import carry_out

SHRINKS = math.exp(-0.7)
ONE_SHOWN = (1 - SHRINKS**2 / (1 + SHRINKS)) / (1 + SHRINKS)
"""Two people with one value, geometric noise: their count stays at 1 or more, and the other one at 0."""
LAPLACE = (1 - math.exp(-0.7 * 1.5) / 2) * (1 - math.exp(-0.7 / 2) / 2)


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "people.csv").write_text("who,sex,job\n1,f,nurse\n2,f,nurse\n3,m,baker\n4,m,baker\n")
    return Plan(
        table=str(tmp_path / "people.csv"),
        quasi_identifiers=("sex",),
        sensitive=("job",),
        domain={"sex": ["f", "m"], "job": ["nurse", "baker"]},
        release=Counts(mechanism=Laplace(epsilon=0.7)),
    )


def make(plan, tmp_path):
    return carry_out(plan, out=tmp_path / "out.csv", ledger=tmp_path / "ledger.sqlite", overwrite=False)


def test_a_target_that_only_noise_of_real_numbers_keeps_is_missed_before_anything_happens(plan, tmp_path):
    target = round((LAPLACE + ONE_SHOWN) / 2, 3)
    assert LAPLACE < target < ONE_SHOWN
    asked = replace(plan, max_risk=target)
    told = (
        f"This release would disclose {math.ceil(ONE_SHOWN * 1000) / 10:.1f} % of the people with the geometric noise "
        f"that is drawn, and the plan allows max_risk = {target:g}, which is {100 * target:g} %. Nothing was entered "
        "or published. Take a smaller epsilon, or one that choose --mechanism geometric finds."
    )
    for refused in (lambda: make(asked, tmp_path), lambda: preview(asked, ledger=tmp_path / "ledger.sqlite")):
        with pytest.raises(BadQuestion) as error:
            refused()
        assert str(error.value) == told
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_target_that_is_kept_does_not_stand_in_the_way(plan, tmp_path):
    asked = replace(plan, max_risk=ONE_SHOWN + 1e-9)
    assert preview(asked, ledger=tmp_path / "ledger.sqlite").risk.value == pytest.approx(ONE_SHOWN)
    assert make(asked, tmp_path).passport.outputs[0].rows == 4


def test_several_tables_keep_it_together(plan, tmp_path):
    """Half of epsilon each: one table shows a person's job alone in their cell, the other among all people."""
    tables = (CountsOf(columns=("sex", "job")), CountsOf(columns=("job",)))
    asked = replace(plan, release=replace(plan.release, tables=tables))
    together = preview(asked, ledger=tmp_path / "ledger.sqlite").joint
    assert max(together.each) < together.value
    target = (max(together.each) + together.value) / 2
    with pytest.raises(BadQuestion, match="This release would disclose"):
        make(replace(asked, max_risk=target), tmp_path)


def test_where_rows_are_not_people_no_risk_is_known_that_could_miss_it(plan, tmp_path):
    (tmp_path / "people.csv").write_text("who,sex,job\n1,f,nurse\n1,f,nurse\n3,m,baker\n4,m,baker\n")
    assert make(replace(plan, person_id="who", max_risk=0.0), tmp_path).passport.outputs[0].rows == 4
