"""Noisy counts in words, to the letter, in both languages, with numbers that were worked out by hand."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.report.odds import said, said_of_each
from epsilometer.vocabulary.evidence import AsPrinted, Estimate, Exact, Heuristic, Interval, UpperBound
from epsilometer.vocabulary.joint_risk import JointRisk
from epsilometer.vocabulary.stretch import Stretch

FREQ = em.FrequencyTable.from_counts([[3, 0], [2, 1], [3, 0]])
LAPLACE = em.Laplace(epsilon=1.0)
PROOF = "That is never proof: noise can hide the other values."
BEWEIS = "Ein Beweis ist das nie: Das Rauschen kann die anderen Werte verbergen."


def table_of(rows):
    return pd.DataFrame(rows, columns=["age", "sex", "job"])


FIVE = em.Plan(
    table=table_of([(20, "f", "cook"), (20, "f", "cook"), (30, "f", "cook"), (30, "f", "nurse"), (40, "f", "nurse")]),
    quasi_identifiers=("age", "sex"),
    sensitive=("job",),
)


DOWN = "What a guess gets right is rounded down."


def test_three_people_of_five_are_certain():
    """The numbers are worked out in ``test_sentences``: 3 of 5 certain, 2.15 disclosed, 1.316 of 1.653 cells true.

    The worst table with two values has z(0) = 1 - exp(-1/2)/2 = 0.697 of its people disclosed: 3.48 of 5.
    """
    assessment = em.assess(FIVE)
    assert said(assessment).sentences == (
        "Of the 5 people in this table, an attacker who knows age and sex can be certain of the job of 3 if you "
        "publish it raw: everyone in their cell shares it. If you publish counts with Laplace noise at ε = 1, the "
        "cell of about 3 of 5 people will show their true job and no other. In the worst table with as many values it "
        "would be about 4 of 5 people. A cell published with a single value is never proof: noise can hide the others. "
        "Pick one of its members at random: in about 80 of 100 cases the value is theirs.",
        "Without any table, naming the most common job for everyone is right for 3 of 5, by luck.",
        "The attacker is taken to know this of a person exactly, to know that the person is in the table, and to take "
        "each published cell at face value.",
        f"The risk is exact, and rounded up. {DOWN}",
    )
    assert said(assessment, "de").sentences == (
        "Von den 5 Personen dieser Tabelle kann ein Angreifer, der age und sex kennt, bei 3 mit Gewissheit sagen, "
        "welchen Wert sie bei job haben, wenn die Tabelle ungeschützt veröffentlicht wird: Alle in ihrer Zelle haben "
        "denselben. Werden die Anzahlen mit Laplace-Rauschen bei ε = 1 veröffentlicht, zeigt die Zelle bei etwa 3 von "
        "5 Personen den wahren Wert von job und keinen anderen. In der schlimmsten Tabelle mit ebenso vielen "
        "Werten wären es etwa 4 von 5 Personen. Eine Zelle, die mit einem einzigen Wert veröffentlicht wird, ist nie "
        "ein Beweis: Das Rauschen kann die anderen Werte verbergen. Wird zufällig eines ihrer Mitglieder "
        "herausgegriffen, so ist es in etwa 80 von 100 Fällen dessen Wert.",
        "Ganz ohne Tabelle liegt, wer bei allen den häufigsten Wert von job nennt, bei 3 von 5 richtig, durch Glück.",
        "Angenommen wird, dass der Angreifer dies von einer Person genau weiß, dass er weiß, dass sie in der Tabelle "
        "steht, und dass er jede veröffentlichte Zelle beim Wort nimmt.",
        "Das Risiko ist exakt und aufgerundet. Wie oft Raten richtig liegt, ist abgerundet.",
    )
    assert said(assessment).paragraph == " ".join(said(assessment).sentences)


def test_attributes_are_spoken_of_one_by_one_and_together():
    assessment = em.assess(replace(FIVE, quasi_identifiers=("age",), sensitive=("job", "sex")))
    each = said_of_each(assessment)
    assert [part.baseline for part in each] == [
        "Without any table, naming the most common job for everyone is right for 3 of 5, by luck.",
        "Without any table, naming the most common sex for everyone is right for 5 of 5, by luck.",
        "Without any table, naming the most common job and sex for everyone is right for 3 of 5, by luck.",
    ]
    assert said(assessment).baseline == " ".join(part.baseline for part in each)
    assert said(assessment).known == f"The risk is exact, and rounded up. {DOWN}"
    assert "an attacker who knows the quasi-identifiers can be certain" in said(assessment.attributes[0]).finding


def test_a_release_in_which_no_cell_has_a_single_value_has_no_precision_to_state():
    attribute = replace(em.assess(FIVE).attributes[0], precision=float("nan"))
    assert said(attribute).finding.endswith(
        "A cell published with a single value is never proof: noise can hide the others."
    )
    assert said(attribute, "de").finding.endswith("nie ein Beweis: Das Rauschen kann die anderen Werte verbergen.")


def risk_of(answer, measure="homogeneity local", average="records"):
    found = em.homogeneity_risk(FREQ, em.Gaussian(epsilon=0.5, delta=1e-6))
    return replace(found, answer=answer, measure=measure, average=average, no_release=0.28899, any_table=0.69673)


@pytest.mark.parametrize(
    ("answer", "english", "german", "known"),
    [
        (
            Exact(0.0351),
            "about 36 of 1,000 people",
            "etwa 36 von 1.000 Personen",
            "The risk is exact, and rounded up.",
        ),
        (
            UpperBound(0.0351),
            "at most 36 of 1,000 people",
            "höchstens 36 von 1.000 Personen",
            "The risk is an upper bound, and rounded up: the truth is at most this.",
        ),
        (
            Estimate(0.0351, Interval(0.0319, 0.0381, 0.95)),
            "about 36 of 1,000 people",
            "etwa 36 von 1.000 Personen",
            "The risk is an estimate, and rounded up: it lies between 31 and 39 of 1,000, with a confidence of 95 %.",
        ),
        (
            Estimate(0.0351, Interval(0.0319, 0.0381, 1.0)),
            "about 36 of 1,000 people",
            "etwa 36 von 1.000 Personen",
            "The risk is rounded up: it certainly lies between 31 and 39 of 1,000.",
        ),
        (
            Heuristic(0.0351),
            "about 36 of 1,000 people",
            "etwa 36 von 1.000 Personen",
            "The risk is a rule of thumb: nobody has proved anything about it.",
        ),
        (
            AsPrinted(0.0351),
            "about 36 of 1,000 people",
            "etwa 36 von 1.000 Personen",
            "The risk is what an equation gives as printed in its paper, errors included: it is neither a bound nor "
            "an estimate.",
        ),
        (
            Exact(0.000351),
            "about 36 of 100,000 people",
            "etwa 36 von 100.000 Personen",
            "The risk is exact, and rounded up.",
        ),
        (
            Exact(0.00000351),
            "about 4 of 1,000,000 people",
            "etwa 4 von 1.000.000 Personen",
            "The risk is exact, and rounded up.",
        ),
        (
            Exact(1e-9),
            "fewer than 1 of 1,000,000 people",
            "weniger als 1 von 1.000.000 Personen",
            "The risk is exact, and rounded up.",
        ),
    ],
)
def test_how_a_risk_is_known_and_how_many_people_are_spoken_of(answer, english, german, known):
    assert f"the cell of {english} will show their own value" in said(risk_of(answer)).finding
    assert f"zeigt die Zelle bei {german} den eigenen Wert" in said(risk_of(answer), "de").finding
    assert said(risk_of(answer)).known == f"{known} {DOWN}"


def test_a_risk_of_counts_to_the_letter():
    """0.0351 of 1,000 people are 35.1: 36. The worst is 696.73: 697. The guess is 288.99: 288."""
    assert said(risk_of(Exact(0.0351))).sentences == (
        "If the counts are published with Gaussian noise at ε = 0.5, δ = 1e-06, the cell of about 36 of 1,000 people "
        f"will show their own value and no other. {PROOF} In the worst table with as many values it would be about "
        "697 of 1,000 people.",
        "Without any release, naming the most common value for everyone is right for 288 of 1,000 people, by luck.",
        "The attacker is taken to know the quasi-identifiers of a person exactly, to know that the person is in the "
        "table, and to take each published cell at face value.",
        f"The risk is exact, and rounded up. {DOWN}",
    )
    assert said(risk_of(Estimate(0.0351, Interval(0.0319, 0.0381, 0.95))), "de").known == (
        "Das Risiko ist geschätzt und aufgerundet: Der wahre Wert liegt mit einer Sicherheit von 95 % zwischen 31 und "
        "39 von 1.000. Wie oft Raten richtig liegt, ist abgerundet."
    )


def test_a_risk_at_several_epsilons_is_said_where_it_is_least_and_where_it_is_most():
    """35.1, 81.2 and 0.4 of 1,000 people; the worst tables have 600.1, 650.1 and 700.1."""
    along = np.array([0.0351, 0.0812, 0.0004])
    risk = replace(
        risk_of(Exact(along)),
        any_table=np.array([0.6001, 0.6501, 0.7001]),
        mechanism=em.Laplace(epsilon=(0.1, 1.5, 10.0)).describe(),
    )
    assert said(risk).finding == (
        "If the counts are published with Laplace noise at ε = 0.1 to 10, the cell of between fewer than 1 (at ε = 10) "
        f"and about 82 (at ε = 1.5) of 1,000 people will show their own value and no other. {PROOF} In the worst table "
        "with as many values it would be between about 601 (at ε = 0.1) and about 701 (at ε = 10) of 1,000 "
        "people."
    )
    assert said(risk).known == f"The risk is exact, and rounded up. {DOWN}"
    assert said(risk, "de").finding == (
        "Werden die Anzahlen mit Laplace-Rauschen bei ε = 0,1 bis 10 veröffentlicht, zeigt die Zelle bei weniger als 1 "
        "(bei ε = 10) bis etwa 82 (bei ε = 1,5) von 1.000 Personen den eigenen Wert und keinen anderen. "
        f"{BEWEIS} In der schlimmsten Tabelle mit ebenso vielen Werten wären es etwa 601 (bei ε = 0,1) bis etwa 701 "
        "(bei ε = 10) von 1.000 Personen."
    )
    cells = said(replace(risk, average="cells"))
    assert cells.finding.endswith("about 701 (at ε = 10) of 1,000 cells.")
    estimated = replace(risk, answer=Estimate(along, Interval(along - 0.0001, along + 0.0031, 0.95)))
    assert "about 82 (at ε = 1.5)" in said(estimated).finding
    assert said(estimated).known == (
        "The risk at ε = 1.5 is an estimate, and rounded up: it lies between 81 and 85 of 1,000, with a confidence of "
        "95 %."
        f" {DOWN}"
    )
    assert said(estimated, "de").known.startswith("Das Risiko bei ε = 1,5 ist geschätzt")
    bounds = replace(risk, answer=UpperBound(along))
    assert "between fewer than 1 (at ε = 10) and at most 82 (at ε = 1.5)" in said(bounds).finding


@pytest.mark.parametrize(
    ("measure", "average", "begins", "attacker"),
    [
        ("homogeneity local", "cells", "about 36 of 1,000 cells will show a single value", "at face value"),
        ("homogeneity expected", "cells", "about 36 of 1,000 cells would show", "at face value"),
        ("homogeneity expected", "records", "the cell of about 36 of 1,000 people would show", "at face value"),
        ("homogeneity shrinkage", "cells", "about 36 of 1,000 cells will show", "at face value"),
        ("homogeneity shrinkage", "records", "the cell of about 36 of 1,000 people will show", "at face value"),
        ("homogeneity global", "cells", "Of 1,000 new cells, their sizes and shares", "at face value"),
        ("homogeneity global-fixed", "cells", "Of 1,000 new cells with the overall shares", "at face value"),
        ("thresholding hard", "cells", "right in about 36 of 1,000 cells", "names the value with the largest"),
        ("thresholding soft", "records", "names the value of about 36 of 1,000 people", "draws a value by"),
        ("thresholding bayes", "records", "names the value of about 36 of 1,000 people", "made up, and names"),
    ],
)
def test_every_measure_of_counts_has_its_own_words(measure, average, begins, attacker):
    words = said(risk_of(Exact(0.0351), measure, average))
    assert begins in words.finding
    assert attacker in words.attacker
    german = said(risk_of(Exact(0.0351), measure, average), "de")
    assert re.search(r"etwa 36\b", german.finding)
    assert "1.000" in german.finding


def test_the_table_as_it_is():
    """Cells (3, 0), (2, 1), (3, 0): 6 of 9 are in cells of one value; the largest counts are 3 + 2 + 3 = 8."""
    words = said(em.raw_risk(FREQ))
    assert words.finding == (
        "Of the 9 people in this table, an attacker who knows the quasi-identifiers can be certain of the value of 6 "
        "if you publish it raw: everyone in their cell shares it. Naming the most common value of each cell is right "
        "for about 8."
    )
    assert words.baseline.endswith("is right for 8 of 9 people, by luck.")
    assert said(em.raw_risk(FREQ), "de").finding.startswith("Von den 9 Personen dieser Tabelle kann ein Angreifer")


def test_one_cell():
    cell = replace(em.riskiest_cells(FREQ, LAPLACE, 1)[0], counts={"a": 2, "b": 1}, own_value=0.41, no_release=1 / 3)
    assert said(cell).finding == (
        "In a cell of 3 people, noisy counts show about 2 of them with their own value and no other. Without noise, "
        "whoever names the most common value of the cell is right for 2."
    )
    assert said(cell, "de").finding.startswith("In einer Zelle mit 3 Personen zeigen verrauschte Anzahlen bei etwa 2")
    assert said(cell).baseline == (
        "Without any release, naming the most common value of the whole table for everyone is right for 1 of them, by "
        "luck."
    )
    assert said(cell, "de").baseline == (
        "Ohne jede Veröffentlichung liegt, wer bei allen den häufigsten Wert der ganzen Tabelle nennt, bei 1 von ihnen "
        "richtig, durch Glück."
    )


@pytest.mark.parametrize(
    ("joint", "english", "german"),
    [
        (
            JointRisk(answer=Exact(0.2501), each=(0.2001, 0.1), no_release=(0.5, 0.28899), left_out=()),
            "All 2 published tables together show about 251 of 1,000 people with their own value as the only one of "
            "their cell; the riskiest by itself shows about 201.",
            "Alle 2 veröffentlichten Tabellen zusammen zeigen bei etwa 251 von 1.000 Personen den eigenen Wert als "
            "einzigen ihrer Zelle; die riskanteste für sich allein bei etwa 201.",
        ),
        (
            JointRisk(answer=Exact(0.25), each=(0.25,), no_release=(0.5,), left_out=("a sample {n} 100 %",)),
            "The published table shows about 250 of 1,000 people with their own value as the only one of their cell. "
            "Not counted in it: a sample {n} 100 %.",
            "Die veröffentlichte Tabelle zeigt bei etwa 250 von 1.000 Personen den eigenen Wert als einzigen ihrer "
            "Zelle. Nicht mitgezählt: a sample {n} 100 %.",
        ),
    ],
)
def test_several_tables_together(joint, english, german):
    assert said(joint).finding == english
    assert said(joint, "de").finding == german


@pytest.mark.parametrize(
    ("no_release", "english", "german"),
    [
        (
            (0.5, 0.28899),
            "Without any release, naming the most common value of each table for everyone is right for 500 and 288 of "
            "1,000 people, by luck.",
            "Ohne jede Veröffentlichung liegt, wer bei allen den häufigsten Wert jeder Tabelle nennt, bei 500 und 288 "
            "von 1.000 Personen richtig, durch Glück.",
        ),
        (
            (0.28899, 0.28899),
            "Without any release, naming the most common value for everyone is right for 288 of 1,000 people, by luck.",
            "Ohne jede Veröffentlichung liegt, wer bei allen den häufigsten Wert nennt, bei 288 von 1.000 Personen "
            "richtig, durch Glück.",
        ),
        (
            (),
            "What a guess gets right without any release is not kept in the ledger of this release.",
            "Was sich ohne jede Veröffentlichung erraten lässt, steht zu dieser Veröffentlichung nicht im Buch.",
        ),
    ],
)
def test_several_tables_are_held_against_no_release(no_release, english, german):
    joint = JointRisk(answer=Exact(0.25), each=(0.2, 0.1), no_release=no_release, left_out=())
    assert said(joint).baseline == english
    assert said(joint, "de").baseline == german


def test_parameters_that_keep_a_target():
    found = em.epsilon_for_risk(FREQ, LAPLACE, 0.4)
    stretches = (Stretch(0.12341, 0.5678, False, True), Stretch(2.0, 3.0, True, False))
    met = replace(found, stretches=stretches)
    assert said(met).finding == "The risk is at most 400 of 1,000 for ε from 0.124 to 0.567 or 2 to 3."
    assert said(met, "de").finding == "Das Risiko ist höchstens 400 von 1.000 für ε von 0,124 bis 0,567 oder 2 bis 3."
    # 8 of 9 people have the most common value: 888.9 of 1,000
    assert said(met).baseline == (
        "Without any release, naming the most common value for everyone is right for 888 of 1,000 people, by luck."
    )
    missed = replace(found, stretches=(), smallest_risk=0.4301, smallest_at=0.02)
    assert said(missed).finding == (
        "Nothing that was tried brings the risk down to 400 of 1,000: the smallest that was seen is about 431, for "
        "ε = 0.02."
    )


@given(share=st.floats(0, 1))
@pytest.mark.parametrize("code", ["en", "de"])
def test_every_number_of_a_sentence_is_of_the_same_people(code, share):
    words = said(risk_of(Exact(share)), code)
    bases = re.findall(r"(?:1[.,]000[.,]000|100[.,]000|1[.,]000)(?= (?:people|Personen))", " ".join(words.sentences))
    assert len(set(bases)) == 1
    assert len(bases) == 3
