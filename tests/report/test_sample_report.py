"""The report of a sample: of the model, of a table, and of sizes that were searched."""

from functools import partial

import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.report.building.sample import sample_choice_report, sample_report
from epsilometer.vocabulary.wording import CONFIDENTIAL

GIVEN = "Computed from the numbers given, not from a table."
HOSTILE = "<script>alert(1)</script>"


def model(**more):
    return em.assess_sample(**{"population": 20, "sample": 4} | more)


def test_the_first_numbers_are_those_of_the_model_rounded_the_safe_way(numbers, up, down):
    report = sample_report(model(population=6, sample=2))
    inside = (2 + 1 + 2) / 3 / 2  # 0, 1 or 2 of the two have the value, each equally likely
    outside = (3 + 2 + 3) / 3 / 4
    chance = (2 * inside + 4 * outside) / 6
    assert numbers(report) == [("before", down(1 / 2)), ("this", up(chance)), ("worst", up(1.0))]
    assert report.audience == GIVEN
    assert not report.confidential
    assert report.recommendation is None


def test_it_says_all_that_the_result_says(complete):
    assessment = model()
    risks, loss = assessment.at_size.risks, assessment.at_size.loss
    complete(
        sample_report(assessment),
        assumptions=[line for result in (*risks, loss) for line in result.assumptions],
        caveats=[line for risk in risks for line in risk.caveats],
        source=[source for result in (*risks, loss) for source in result.source],
    )


def test_the_line_of_the_size_asked_about_stands_out():
    table = next(
        block for block in sample_report(model()).sections[0].blocks if getattr(block, "asked", None) is not None
    )
    assert table.rows[table.asked][0] == "4"


def test_a_size_that_was_searched_is_recommended():
    choice = em.choose_sample(population=1_000_000, max_risk=0.749, max_loss=0.05)
    report = sample_report(model(population=1_000_000, sample=choice.recommended), choice=choice)
    assert report.recommendation == (
        "Publish a random sample of 38 of 1,000,000 people: every size from 38 to 248 keeps the limits. The limits: "
        "a value is named right with at most 74.9 % and an analyst is wrong by at most 5 % on average."
    )
    assert report.decision[0] == "Publish a random sample of 38 people."


def test_a_single_size_is_called_the_only_one():
    choice = em.choose_sample(population=5, adversary="unknown", max_gap=0.0)
    assert (choice.smallest, choice.largest) == (5, 5)
    report = sample_report(model(population=5, sample=5), choice=choice)
    assert report.recommendation.startswith("Publish a random sample of 5 of 5 people: the only size that keeps")
    assert "being drawn costs at most 0 %" in report.recommendation


@pytest.mark.parametrize("from_table", [False, True])
def test_without_a_size_it_says_so_and_nothing_is_to_be_signed(from_table, in_every_form):
    choice = em.choose_sample(population=1_000, max_risk=0.55, max_loss=0.001)
    report = sample_choice_report(choice, from_table=from_table)
    assert report.recommendation.startswith("Publish no sample with these limits: no size keeps all of them.")
    assert ("do not know the shares of this table" in report.recommendation) == from_table
    assert report.decision == ()
    assert report.audience == (CONFIDENTIAL if from_table else GIVEN)
    in_every_form(partial(sample_choice_report, choice, from_table=from_table))


def sampled_table(name="job"):
    rows = [("ab"[i % 2], ("cook", "nurse", "guard")[i % 5 % 3]) for i in range(60)]
    table = pa.table([pa.array(column) for column in zip(*rows, strict=True)], names=["place", name])
    freq = em.frequency_table(table, quasi_identifiers=["place"], sensitive=name)
    return em.sample_of_table(freq, sample=20, name=f"{name}.csv")


def test_of_a_table_its_own_shares_come_first_and_it_is_confidential(numbers, up, down, complete):
    found = sampled_table()
    report = sample_report(model(population=60, sample=20, n_values=3), table=found)
    assert report.audience == CONFIDENTIAL
    assert report.confidential
    assert [answer.about for answer in report.answers] == [
        "whoever knows the shares of this table",
        "whoever knows nothing of the shares",
    ]
    largest = 24 / 60  # i % 5 in (0, 3) are cooks
    assert numbers(report)[0] == ("before", down(largest))
    assert numbers(report)[1] == ("this", up(found.everybody.inside))
    complete(report, assumptions=found.assumptions, caveats=found.caveats)


def test_every_form_and_language(in_every_form):
    in_every_form(partial(sample_report, model(mechanism=em.Laplace(epsilon=1.0))))
    in_every_form(partial(sample_report, model(sample=20, prior="datasets")))
    build = partial(sample_report, model(population=60, sample=20, n_values=3), table=sampled_table(HOSTILE))
    in_every_form(build, HOSTILE)


def test_german_numbers_have_commas(numbers):
    assert numbers(sample_report(model(), language="de"))[0] == ("before", "50,0 %")
