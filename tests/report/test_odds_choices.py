"""Choices in words, to the letter, in both languages, with numbers that were worked out by hand."""

import re
from dataclasses import replace

import numpy as np
import pytest

import epsilometer as em
from epsilometer.report.odds import said
from epsilometer.vocabulary.choice import Choice, Consequences, SampleConsequences, TradeOff
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.relaxation import Relaxation
from epsilometer.vocabulary.stretch import Stretch
from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice

LAPLACE = em.Laplace(epsilon=1.0)

TRIED = TradeOff(
    about="job",
    points=np.array([0.1, 1.0]),
    risk=np.array([0.0301, 0.4]),
    loss=Estimate(np.array([0.5, 0.01]), Interval(np.array([0.4, 0.009]), np.array([0.6, 0.0121]), 0.95)),
    no_release=0.28899,
)
CHOSEN = Choice(
    parameter="epsilon",
    looked_at_the_data=True,
    based_on={"table": "stays"},
    max_risk=0.05,
    max_loss=0.1,
    stretches=(Stretch(0.3001, 0.8999, True, True),),
    risk_stretches=(),
    loss_stretches=(),
    recommended=0.3001,
    consequences=Consequences(risk=0.0301, loss=0.0991, any_table=0.7, own_record=0.4, count_error=2.0),
    binding="",
    certificate="",
    relaxations=(),
    in_words="",
    mechanism=LAPLACE.describe(),
    curves=(TRIED,),
    caveats=(),
)
LOOKED = "It was found by looking at the table: the choice itself tells a little about it."


@pytest.mark.parametrize(
    ("changes", "english"),
    [
        (
            {},
            "Publish with ε = 0.3001. From 0.301 to 0.899 both targets are met. Then at most 31 of 1,000 people are "
            "disclosed: their cell shows their own value and no other. The accuracy lost is 10.0 percentage points at "
            f"most. {LOOKED}",
        ),
        (
            {"recommended": 0.01, "stretches": (Stretch(0.01, 0.5, False, True), Stretch(2.0, 9.0, True, True))},
            "Publish with ε = 0.01. From 0.01 to 0.5 or 2 to 9 both targets are met. Nothing below 0.01 was looked at. "
            "Then at most 31 of 1,000 people are disclosed: their cell shows their own value and no other. The "
            f"accuracy lost is 10.0 percentage points at most. {LOOKED}",
        ),
        (
            {"parameter": "threshold", "recommended": 3.0, "stretches": (Stretch(3.0, 8.0, True, True),)},
            "Publish noisy counts below 3 as zero, at ε = 1. From 3 to 8 both targets are met. Then at most 31 of "
            "1,000 people are disclosed: their cell shows their own value and no other. The accuracy lost is 10.0 "
            f"percentage points at most. {LOOKED}",
        ),
        (
            {
                "parameter": "size",
                "recommended": 160.0,
                "stretches": (Stretch(160.0, 2_400.0, True, True),),
                "mechanism": {"name": "sample", "size": 160, "rows": 2_400},
                "consequences": SampleConsequences(
                    risk=0.2899, loss=0.0991, no_release=0.2889, raw=0.32, in_sample=0.1
                ),
            },
            "Publish a random sample of 160 of the 2,400 rows. From 160 to 2,400 both targets are met. Then an "
            "attacker names the value of at most 290 of 1,000 people right; with the table itself it would be about "
            f"320. The accuracy lost is 10.0 percentage points at most. {LOOKED}",
        ),
        (
            {
                "looked_at_the_data": False,
                "based_on": {"risk": "own-record"},
                "mechanism": em.Gaussian(epsilon=0.3, delta=1e-6).describe(),
            },
            "Publish with ε = 0.3001 and δ = 1e-06. From 0.301 to 0.899 both targets are met. Then anyone tells which "
            "of two values a person has right at most 516 of 1,000 times, from that person's own record. The accuracy "
            "lost is 10.0 percentage points at most. It was found without looking at any table: only what was declared "
            "went into it.",
        ),
    ],
)
def test_a_choice(changes, english):
    """30.1 people: 31. An advantage of 0.0301 is right 0.51505 of the time: 516. 289.9 people: 290."""
    assert said(replace(CHOSEN, **changes)).finding == english
    german = said(replace(CHOSEN, **changes), "de").finding
    assert re.search(r"höchstens (31|290|516) von 1\.000", german)


@pytest.mark.parametrize(
    ("risk", "english", "german"),
    [
        ("declared", "at most 31 of 1,000 such cells are disclosed", "höchstens 31 von 1.000 solchen Zellen"),
        ("any-table", "at most 31 of 1,000 people are disclosed, in whatever table", "in jeder beliebigen Tabelle"),
    ],
)
def test_a_choice_without_looking_says_what_its_risk_is_about(risk, english, german):
    found = replace(CHOSEN, looked_at_the_data=False, based_on={"risk": risk})
    assert english in said(found).finding
    assert german in said(found, "de").finding


@pytest.mark.parametrize(
    ("below", "above", "german"),
    [
        (False, True, "Von 0,01 bis 10 sind beide Ziele eingehalten. Unter 0,01 wurde nichts untersucht. Dann"),
        (True, False, "Von 0,01 bis 10 sind beide Ziele eingehalten. Über 10 wurde nichts untersucht. Dann"),
        (False, False, "sind beide Ziele eingehalten. Unter 0,01 und über 10 wurde nichts untersucht. Dann"),
        (True, True, "Von 0,01 bis 10 sind beide Ziele eingehalten. Dann"),
    ],
)
def test_what_lies_beyond_the_search_in_german(below, above, german):
    chosen = replace(CHOSEN, recommended=0.01, stretches=(Stretch(0.01, 10.0, below, above),))
    assert german in said(chosen, "de").finding


@pytest.mark.parametrize(
    ("kind", "setting", "risk", "change", "german"),
    [
        ("risk", {"max_risk": 0.0601}, "declared", "accept a risk of 61 of 1,000", "ein Risiko von 61 von 1.000"),
        ("risk", {"max_risk": 0.0601}, "own-record", "accept a risk of 531 of 1,000", "ein Risiko von 531 von 1.000"),
        ("loss", {"max_loss": 0.1801}, "any-table", "accept a loss of 18.1 percentage", "18,1 Prozentpunkte Verlust"),
        ("threshold", {"threshold": 2.5}, "declared", "publish noisy counts below 2.5", "Anzahlen unter 2,5 als null"),
        ("column", {"drop": "a {b} 5 %"}, "declared", "leave a {b} 5 % out;", "a {b} 5 % weglassen;"),
        (
            "bins",
            {"bin": "age:width=2.5,origin=0,bottom=20,top=80,closed=left"},
            "declared",
            "coarser bins: age in steps of 2.5; then ε from 0.301 to 0.899 meets both targets.",
            "gröbere Klassen bilden: age in Schritten von 2,5; dann hält ε von 0,301 bis 0,899 beide Ziele ein.",
        ),
        (
            "bins",
            {"bin": "age:edges=0/18/65,closed=right"},
            "declared",
            "coarser bins: age with edges at 0 / 18 / 65; then",
            "gröbere Klassen bilden: age mit Grenzen bei 0 / 18 / 65; dann",
        ),
    ],
)
def test_nothing_meets_both_targets(kind, setting, risk, change, german):
    """Seen: the smallest risk 30.1 people, as an advantage 515.05; the smallest loss at its worse end 0.0121."""
    cheapest = Relaxation(
        kind=kind, change="", setting=setting, cost=1.0, cost_in_words="", stretches=CHOSEN.stretches,
        recommended=1.0, in_words="",
    )  # fmt: skip
    missed = replace(
        CHOSEN,
        looked_at_the_data=False,
        based_on={"risk": risk},
        consequences=None,
        recommended=None,
        stretches=(),
        relaxations=(cheapest,),
    )
    target, seen = (525, 516) if risk == "own-record" else (50, 31)
    assert said(missed).finding.startswith(
        f"Nothing that was tried meets both targets: {target} of 1,000 for the risk, and 10.0 percentage points of "
        f"accuracy lost. The smallest risk that was seen is about {seen} of 1,000, the smallest loss 1.3 percentage "
        f"points, but not both at once. The cheapest change: {change}"
    )
    assert german in said(missed, "de").finding


def test_a_choice_without_a_way_out_and_one_by_simulation():
    simulated = replace(TRIED, risk_interval=Interval(np.array([0.02, 0.3]), np.array([0.0451, 0.5]), 0.95))
    missed = replace(CHOSEN, parameter="size", consequences=None, recommended=None, curves=(simulated,))
    words = said(missed)
    assert "The smallest risk that was seen is about 46 of 1,000" in words.finding
    assert "No single change was found that would do." in words.finding
    assert words.known.startswith("The risk is exact or an estimate from simulated samples")
    assert words.baseline == LUCK


LUCK = "Without any release, naming the most common value for everyone is right for 288 of 1,000 people, by luck."


@pytest.mark.parametrize(
    ("changes", "english", "german"),
    [
        (
            {},
            LUCK,
            "Ohne jede Veröffentlichung liegt, wer bei allen den häufigsten Wert nennt, bei 288 von 1.000 Personen "
            "richtig, durch Glück.",
        ),
        (
            {"curves": (TRIED, replace(TRIED, about="job and sex", no_release=0.1999))},
            "Without any table, naming the most common job for everyone is right for 288 of 1,000, by luck. Without "
            "any table, naming the most common job and sex for everyone is right for 199 of 1,000, by luck.",
            "Ganz ohne Tabelle liegt, wer bei allen den häufigsten Wert von job nennt, bei 288 von 1.000 richtig, "
            "durch Glück. Ganz ohne Tabelle liegt, wer bei allen den häufigsten Wert von job and sex nennt, bei 199 "
            "von 1.000 richtig, durch Glück.",
        ),
        (
            {"looked_at_the_data": False, "based_on": {"risk": "declared"}},
            "Without any release, naming the value that is declared or expected to be the most common is right for at "
            "least 288 of 1,000 people, by luck.",
            "Ohne jede Veröffentlichung liegt, wer den Wert nennt, der nach den Angaben der häufigste ist oder zu sein "
            "verspricht, bei mindestens 288 von 1.000 Personen richtig, durch Glück.",
        ),
        (
            {"looked_at_the_data": False, "based_on": {"risk": "any-table"}},
            "Without any release, naming the most common value for everyone is right for at least 288 of 1,000 people "
            "in whatever table, by luck.",
            "Ohne jede Veröffentlichung liegt, wer bei allen den häufigsten Wert nennt, in jeder beliebigen Tabelle "
            "bei mindestens 288 von 1.000 Personen richtig, durch Glück.",
        ),
        (
            {
                "looked_at_the_data": False,
                "based_on": {"risk": "own-record"},
                "curves": (replace(TRIED, no_release=0.5),),
            },
            "A coin would be right 500 of 1,000 times.",
            "Ein Münzwurf läge 500 von 1.000 Mal richtig.",
        ),
    ],
)
def test_a_choice_is_held_against_no_release_whether_or_not_something_was_found(changes, english, german):
    """288.99 people, 199.9 people: rounded down, since risks are held against them."""
    found = replace(CHOSEN, **changes)
    for result in (found, replace(found, consequences=None, recommended=None, stretches=())):
        assert said(result).baseline == english
        assert said(result, "de").baseline == german


def measured(low, curve, high):
    grid = np.array([0.1, 1.0, 10.0])
    return MeasuredCurve(
        name="value named right",
        epsilons=grid,
        values=grid,
        family="line",
        leave_one_out=None,
        grid=grid,
        curve=np.array(curve),
        low=np.array(low),
        high=np.array(high),
        confidence=0.95,
    )


MADE = SyntheticChoice(
    method="mst",
    measure="inference",
    target_risk=0.4,
    max_loss=0.1,
    no_release=0.28899,
    raw=0.5,
    stretches=(Stretch(0.5, 2.0, True, True),),
    recommended=0.5,
    binding="",
    support=(),
    risk=measured([0.2, 0.3, 0.4], [0.25, 0.33, 0.45], [0.3, 0.3501, 0.5]),
    loss=measured([0.2, 0.05, 0.0], [0.25, 0.06, 0.01], [0.0901, 0.08, 0.02]),
    n_runs=3,
    seed=0,
    in_words="",
    caveats=(),
)


def test_a_synthetic_choice():
    """At ε = 0.5, between 0.1 and 1 of the grid, the worse ends are 0.3501 for the risk and 0.0901 for the loss."""
    assert said(MADE).sentences == (
        "Make the synthetic table with ε = 0.5, by mst: from 0.5 to 2 the targets are met, as far as the tables that "
        "were made can say. There, the value of at most 351 of 1,000 people is named right; with the table itself it "
        "would be about 500. The loss is at most 9.1 percentage points.",
        "Without any release, naming the most common value for everyone is right for 288 of 1,000 people, by luck.",
        "The attacker is taken to know the quasi-identifiers of a person exactly, and looks them up in the synthetic "
        "table.",
        "These are estimates from 3 tables for each ε: a curve was fitted, and its worse end counts, with a confidence "
        "of 95 % at each ε.",
    )
    assert "bei höchstens 351 von 1.000 Personen der Wert richtig genannt" in said(MADE, "de").finding


def test_other_measures_of_synthetic_tables_and_none_that_will_do():
    records = said(replace(MADE, measure="hitting-rate", no_release=None, n_runs=1))
    assert "There, at most 351 of 1,000 synthetic records are equal to an original one." in records.finding
    assert records.baseline.endswith("the baseline is 0 of 1,000.")
    assert records.known.startswith("These are estimates from one table for each ε")
    distances = said(replace(MADE, measure="nearest-distance", no_release=None), "de")
    assert "die Hälfte der synthetischen Datensätze 0,2 oder mehr vom nächsten Original entfernt" in distances.finding
    assert distances.baseline.startswith("Für einen Abstand gibt es ohne Veröffentlichung keinen Vergleichswert")
    none = said(replace(MADE, recommended=None, stretches=()))
    assert none.finding == "No ε that was tried meets the targets with tables by mst."
