"""The reports of what was chosen for a risk and a loss: with a table, without one, and for synthetic tables."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.report.building.choice import choice_report
from epsilometer.report.building.synthetic_choice import synthetic_choice_report
from epsilometer.vocabulary.relaxation import Relaxation
from epsilometer.vocabulary.stretch import Stretch
from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice
from epsilometer.vocabulary.wording import CONFIDENTIAL

NAME = "<script>alert(1)</script>"


@cache
def chosen(kind="counts", max_risk=0.9, max_loss=0.3, parameter=None):
    rows = [(20 + 10 * (i % 4), "fm"[i % 2], "cook" if i % 4 < 2 else ("cook", "nurse")[i % 3 % 2]) for i in range(40)]
    table = pa.table([pa.array(column) for column in zip(*rows, strict=True)], names=["age", "sex", NAME])
    release = em.Sample(size=1) if kind == "sample" else em.Counts(mechanism=em.Laplace(epsilon=1.0))
    plan = em.Plan(
        table=table, quasi_identifiers=("age", "sex"), sensitive=(NAME,), release=release, max_risk=max_risk,
        max_loss=max_loss,
    )  # fmt: skip
    return em.choose(plan, parameter=parameter)


@cache
def unseen(**more):
    asked = {"n_values": 3, "cell_size": 20, "max_risk": 0.3, "max_loss": 0.3}
    return em.choose_without_looking(**asked | more, mechanism=em.Laplace(epsilon=0.5))


def test_the_first_numbers_are_the_consequences_rounded_up(numbers, up, down, complete):
    choice = chosen()
    report = choice_report(choice)
    found = choice.consequences
    before = down(choice.curves[0].no_release)
    assert numbers(report) == [("before", before), ("this", up(found.risk)), ("worst", up(found.any_table))]
    assert report.audience == CONFIDENTIAL
    point = f"ε = {choice.recommended:g}"
    assert report.recommendation == (
        f"Publish with {point}: the most private choice found that keeps the risk at 90 % or below and the loss at "
        "30 % or below."
    )
    assert report.decision[0] == f"Publish with {point}."
    complete(report, caveats=choice.caveats)


def test_the_size_of_a_sample_is_held_against_no_release_and_the_table_itself(numbers, up, down):
    choice = chosen("sample", max_risk=1.0)
    found = choice.consequences
    assert numbers(choice_report(choice)) == [
        ("before", down(found.no_release)),
        ("this", up(found.risk)),
        ("worst", up(found.raw)),
    ]
    assert choice_report(choice).title == "How large may the sample be?"


def test_where_nothing_will_do_it_says_why_and_what_would(texts):
    choice = chosen(max_risk=0.0)
    report = choice_report(choice)
    assert report.recommendation.startswith(
        "Publish nothing with these limits: no choice of ε that was tried keeps the risk at 0 %"
    )
    assert report.decision == ()
    assert report.answers[0].numbers == ()
    assert choice.certificate in texts(report)


@pytest.mark.parametrize(
    ("relaxation", "change", "gives_up"),
    [
        ({"kind": "threshold", "setting": {"threshold": 2.0}}, "noisy counts below 2 as", "more of the small counts"),
        ({"kind": "column", "setting": {"drop": "sex"}, "cost": 0.93612}, "leave sex out", "0.937 bits of what"),
        ({"kind": "risk", "setting": {"max_risk": 0.25}, "cost": 0.25}, "accept a risk of 25 %", "the limit: 25.0 % m"),
        ({"kind": "loss", "setting": {"max_loss": 0.5}, "cost": np.inf}, "accept a loss of 50 %", "something instead"),
    ],
)
def test_each_kind_of_change_is_said_with_what_it_gives_up(texts, relaxation, change, gives_up):
    choice = chosen(max_risk=0.0)
    template = em.choose_without_looking(
        n_values=3, cell_size=20, max_risk=0.0001, max_loss=0.3, mechanism=em.Laplace(epsilon=0.5)
    ).relaxations[0]
    report = choice_report(replace(choice, relaxations=(replace(template, **relaxation),)))
    assert change in report.recommendation
    assert any(gives_up in text for text in texts(report))


def test_without_any_change_that_helps_it_says_that_too():
    report = choice_report(replace(chosen(max_risk=0.0), relaxations=()))
    assert report.recommendation.endswith("No single change was found that would help.")


@pytest.mark.parametrize(
    ("risk", "before", "meaning"),
    [
        ("declared", "33.3 %", "or more are guessed right by naming the most common value for everyone."),
        ("any-table", "33.3 %", "or more are guessed right by naming the most common value for everyone."),
        ("own-record", "50.0 %", "of guesses between two values are right: a coin's."),
    ],
)
def test_without_looking_nothing_is_confidential(numbers, up, risk, before, meaning):
    """Of three values the most common has a third at least; an advantage is half above what a coin gets right."""
    choice = unseen(risk=risk, max_risk=0.9)
    report = choice_report(choice)
    assert report.audience == "Computed from the numbers given, not from a table."
    assert not report.confidential
    found = choice.consequences.risk
    this = (1 + found) / 2 if risk == "own-record" else found
    assert numbers(report)[:2] == [("before", before), ("this", up(this))]
    assert report.answers[0].numbers[0].meaning.startswith(meaning)
    assert any(section.name == "method" for section in report.sections)


def test_every_form_and_language(in_every_form):
    in_every_form(partial(choice_report, chosen()), NAME)
    in_every_form(partial(choice_report, chosen(max_risk=0.0)), NAME)
    in_every_form(partial(choice_report, chosen("sample", max_risk=1.0)), NAME)
    in_every_form(partial(choice_report, chosen(parameter="threshold")), NAME)
    in_every_form(partial(choice_report, unseen()))


def curve(values):
    grid = np.array([0.5, 1.0, 2.0])
    low, high = np.array(values) - 0.02, np.array(values) + 0.03
    return MeasuredCurve(
        name="value named right", epsilons=grid, values=np.array(values), family="linear", leave_one_out=0.01,
        grid=grid, curve=np.array(values), low=low, high=high, confidence=0.95,
    )  # fmt: skip


def measured(measure="inference", recommended=1.0):
    return SyntheticChoice(
        method="privbayes", measure=measure, target_risk=0.5, max_loss=0.2,
        no_release=0.2501 if measure == "inference" else None, raw=0.61,
        stretches=() if recommended is None else (Stretch(0.5, 1.5, bounded_below=False, bounded_above=True),),
        recommended=recommended, binding="no measured epsilon meets the target for the loss",
        support=() if recommended is None else ("Risk: as far as was measured.",),
        risk=curve([0.31, 0.33, 0.4]), loss=curve([0.2, 0.15, 0.1]), n_runs=2, seed=424242, in_words="",
        caveats=("Curves are fitted to a few tables.",),
    )  # fmt: skip


def test_a_synthetic_table_counts_with_the_upper_end_of_its_band(numbers, complete, texts):
    report = synthetic_choice_report(measured())
    assert numbers(report) == [("before", "25.0 %"), ("this", "36.0 %"), ("worst", "61.0 %")]
    complete(report, caveats=("Curves are fitted to a few tables.",))
    assert {"424242", "Risk: as far as was measured."} <= set(texts(report))
    assert report.decision[0] == "Publish with ε = 1."


def test_a_distance_counts_with_the_lower_end_and_is_rounded_down(numbers, texts):
    report = synthetic_choice_report(measured("nearest-distance"))
    assert numbers(report) == [("this", "0.29"), ("worst", "0.61")]
    assert "at least 0.5" in texts(report)


def test_without_an_epsilon_nothing_is_to_be_signed(in_every_form, texts):
    choice = measured("hitting-rate", recommended=None)
    report = synthetic_choice_report(choice)
    assert report.recommendation.startswith("Make no table with these limits")
    assert report.decision == ()
    assert choice.binding in texts(report)
    in_every_form(partial(synthetic_choice_report, choice))
    in_every_form(partial(synthetic_choice_report, measured()))


def test_whole_numbers_are_drawn_where_noise_of_real_numbers_was_chosen():
    drawn = "A release draws whole-number noise at the same ε: two-sided geometric noise."
    assert choice_report(chosen()).answers[0].sentences[-1] == drawn
    for other in (chosen("sample", max_risk=1.0), chosen(max_risk=0.0)):
        assert drawn not in choice_report(other).answers[0].sentences


@pytest.mark.parametrize(("language", "said"), [("en", "age in steps of 50"), ("de", "age in Schritten von 50")])
def test_coarser_bins_are_written_as_people_write_them(language, said):
    change = Relaxation(
        kind="bins", change="", setting={"bins": "age:width=50,origin=0,closed=left"}, cost=1.5, cost_in_words="",
        stretches=(), recommended=4.26, in_words="",
    )  # fmt: skip
    report = choice_report(replace(chosen(max_risk=0.0), relaxations=(change,)), language=language)
    assert said in report.recommendation
    assert said in report.answers[0].sentences[0]
    assert "origin=" not in str(report)
