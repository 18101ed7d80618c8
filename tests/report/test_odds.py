"""Results in words: how many people are spoken of, in which language, and that nothing is left out."""

import importlib
import pkgutil
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer import assessments, releases, vocabulary
from epsilometer.assessments.sampling.setting import PRIORS
from epsilometer.errors import UnknownChoice
from epsilometer.report.odds import SPEAKERS, Said, said
from epsilometer.report.odds.crowd import Crowd
from epsilometer.vocabulary.language import language

NOT_A_RISK = {
    "Curves",
    "FittedSizes",
    "GuessedColumns",
    "Loss",
    "PassportCheck",
    "Profile",
    "RiskGrid",
    "RiskSpread",
    "SampleLoss",
    "ScenarioShares",
    "Statement",
    "SyntheticTable",
    "Usefulness",
}


@given(risk=st.floats(0, 1), baseline=st.floats(0, 1), people=st.one_of(st.none(), st.integers(1, 10**7)))
def test_rounding_never_understates_a_risk_nor_overstates_a_baseline(risk, baseline, people):
    crowd = Crowd.of(risk, language(), people)
    assert crowd.up(risk) >= risk * crowd.size - 1e-9
    assert crowd.up(risk) < risk * crowd.size + 1
    assert crowd.down(baseline) <= baseline * crowd.size + 1e-9
    assert crowd.down(baseline) > baseline * crowd.size * (0.99 if crowd.size > 10_000 else 1) - 1


def test_a_guess_by_luck_needs_no_six_digits():
    assert [Crowd(size, language()).down(0.170666) for size in (1_000, 100_000, 1_000_000)] == [170, 17_000, 170_000]


@given(risk=st.floats(1e-6, 1), people=st.one_of(st.none(), st.integers(1_000, 10**7)))
def test_so_many_people_are_spoken_of_that_there_is_one(risk, people):
    assert Crowd.of(risk, language(), people).up(risk) >= 1
    assert "fewer" not in Crowd.of(risk, language(), people).about(risk)


@pytest.mark.parametrize(
    ("people", "risk", "opening"),
    [
        (40, 0.5, "Of the 40 people in this table"),
        (1, 0.5, "Of the 1 person in this table"),
        (1_000, 0.5, "Of the 1,000 people in this table"),
        (2_400, 0.5, "Of 1,000 people in this table"),
        (2_400, 0.0001, "Of 100,000 people in tables like this"),
        (200_000, 0.0001, "Of 100,000 people in this table"),
        (40, 0.01, "Of the 40 people in this table"),
        (40, 0.0, "Of the 40 people in this table"),
    ],
)
def test_a_sentence_about_a_table_begins_with_its_people(people, risk, opening):
    assert Crowd.of(risk, language(), people).opening == opening


def classes_of(package):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield from (value for value in vars(importlib.import_module(module.name)).values() if isinstance(value, type))


def test_every_result_is_spoken_of_or_is_no_risk():
    everything = {value for package in (vocabulary, assessments, releases) for value in classes_of(package)}
    results = {
        value.__name__
        for value in everything
        if "to_dict" in vars(value) and (isinstance(getattr(value, "kind", None), str) or hasattr(value, "schema"))
    }
    assert {"Risk", "Passport", "Audit", "JointRisk"} - results == {"JointRisk"}  # a part of a ledger, without a schema
    assert results - NOT_A_RISK <= set(SPEAKERS)
    assert set(SPEAKERS) <= {value.__name__ for value in everything}
    assert not NOT_A_RISK & set(SPEAKERS)


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_noise_randomizer_and_belief_has_a_name(code):
    texts = language(code).texts
    noises = (em.Laplace, em.Geometric, em.Gaussian, em.DiscreteGaussian)
    assert {f"odds.noise.{noise.name}" for noise in noises} <= set(texts)
    people = (getattr(em.randomizers, name) for name in em.randomizers.__all__)
    named = {each.name for each in people if isinstance(getattr(each, "name", None), str)}
    assert len(named) == 5
    assert {f"odds.randomizer.{name}" for name in named} <= set(texts)
    assert {f"odds.sample.attacker.{prior}" for prior in (*PRIORS, "Dirichlet")} <= set(texts)


def test_what_is_no_risk_is_refused():
    @dataclass
    class Weather:
        value: float = 0.5

    with pytest.raises(UnknownChoice, match=r"^result must be one of Assessment, .*; got 'Weather'\. Other results"):
        said(Weather())


def test_a_language_may_be_given_by_itself_or_by_its_name(composed):
    assert said(composed, language("de")) == said(composed, "de")
    assert isinstance(said(composed), Said)
    with pytest.raises(UnknownChoice, match="language must be one of en, de; got 'fr'"):
        said(composed, "fr")
