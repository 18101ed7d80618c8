"""Samples and local reports in words, to the letter, with numbers that were worked out by hand."""

from dataclasses import replace

import pandas as pd
import pytest

import epsilometer as em
from epsilometer.report.odds import said
from epsilometer.vocabulary.evidence import Exact, UpperBound
from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves

LAPLACE = em.Laplace(epsilon=1.0)


def sample_risk(adversary, value, **changes):
    found = em.sampling_risk(population=2_400, sample=240, adversary=adversary)
    return replace(found, answer=Exact(value), any_table=1.0, **changes)


SAMPLED = em.assess_sample(population=2_400, sample=240)
AT_SIZE = SampleCurves(
    risks=(sample_risk("unknown", 0.7501), sample_risk("in", 0.7591), sample_risk("out", 0.7490)),
    loss=replace(SAMPLED.at_size.loss, answer=Exact(0.0201), no_release=0.25009),
)


def test_one_attacker_on_a_sample():
    assert said(sample_risk("in", 0.7591)).sentences == (
        "You publish how 240 of 2,400 people, drawn at random, divide over two values. Of 1,000 people known to be in "
        "the sample, an attacker names the value of about 760 right. In the population that suffers most it would be "
        "about 1,000.",
        "Without the release it is 500 of 1,000.",
        "The attacker has no other facts about anybody, takes all shares to be equally likely before the release, and "
        "names the most probable value.",
        "The risk is exact, and rounded up.",
    )


def test_a_sample_to_the_letter():
    """750.1, 759.1 and 749.0 people: 751, 760 and 749; inside less outside are 10.1: 11. 2.01 points, 25.009 before."""
    assessment = SampleAssessment(release=SAMPLED.release, at_size=AT_SIZE, over_sizes=AT_SIZE)
    assert said(assessment).finding == (
        "You publish how 240 of 2,400 people, drawn at random, divide over two values. Of 1,000 people of whom it is "
        "not known whether they are in the sample, an attacker names the value of about 751 right. Of 1,000 people "
        "known to be in the sample it is about 760, of 1,000 known to be outside about 749: being drawn adds about 11. "
        "An analyst's estimate of the shares is off by 2.1 percentage points on average, against 25.0 percentage "
        "points without the release."
    )
    assert said(assessment, "de").finding == (
        "Veröffentlicht wird, wie sich 240 von 2.400 Personen, zufällig gezogen, auf zwei Werte verteilen. Von 1.000 "
        "Personen, von denen nicht bekannt ist, ob sie in der Stichprobe sind, nennt ein Angreifer bei etwa 751 den "
        "Wert richtig. Von 1.000 Personen, von denen bekannt ist, dass sie in der Stichprobe sind, sind es etwa 760, "
        "von 1.000, von denen bekannt ist, dass sie es nicht sind, etwa 749: Gezogen zu werden macht etwa 11 aus. Wer "
        "die Anteile aus der Stichprobe schätzt, liegt im Mittel um 2,1 Prozentpunkte daneben, ohne die "
        "Veröffentlichung um 25,0 Prozentpunkte."
    )


def test_a_sample_of_everybody_with_noise():
    """Two of two: (2, 0), (1, 1), (0, 2) are equally likely, the larger count is 5/6 of all, or 1.67 of 2 people.

    Drawing everybody leaves the guarantee of the noise as it is.
    """
    noise = em.Gaussian(epsilon=3.0, delta=1e-6, adjacency="replace")
    found = em.assess_sample(population=2, sample=2, mechanism=noise, n_values=3)
    words = said(found)
    assert "divide over 3 values, with Gaussian noise at ε = 3, δ = 1e-06. Everybody is in the sample" in words.finding
    assert "drawing the sample first makes it ε = 3 (δ = 1e-06) for everybody." in words.finding
    plain = said(em.assess_sample(population=2, sample=2))
    assert "Everybody is in the sample: of 2 people, an attacker names the value of about 2 right." in plain.finding
    assert plain.baseline == "Without the release it is 1 of 2."


def test_several_sizes_are_some():
    curve = em.sampling_risk(population=9, sample=[1, 4], mechanism=LAPLACE)
    assert said(curve).finding.startswith(
        "You publish how some of 9 people, drawn at random, divide over two values, with Laplace noise at ε = 1."
    )
    assert said(em.sampling_risk(population=9, sample=[1, 4]), "de").finding.startswith(
        "Veröffentlicht wird, wie sich einige von 9 Personen, zufällig gezogen, auf zwei Werte verteilen."
    )


@pytest.mark.parametrize(
    ("counts", "n", "inside", "in_cells", "telling"),
    [
        (
            [[9, 0], [0, 1]],
            9,
            "Of 10 people known to be in the sample, whoever knows the shares of the value in this table then names "
            "the value of about 10 right.",
            "If you also publish it for each cell of cell, and the shares in each are known, it tells nothing more "
            "either.",
            "this table's shares tell more than that attacker expects to learn",
        ),
        (
            [[5, 0], [0, 5]],
            5,
            "Of 10 people known to be in the sample, whoever knows the shares of the value in this table then names "
            "the value of about 10 right.",
            "If you also publish it for each cell of cell, nobody of so small cells is in the sample.",
            "the prior takes one value to be more common than it is in this table",
        ),
    ],
)
def test_a_sample_of_this_very_table(counts, n, inside, in_cells, telling):
    """One of ten people is drawn: the model's attacker has 0.1 + 0.9 * 2/3 = 0.7; who knows the cells always 1."""
    words = said(em.sample_of_table(em.FrequencyTable.from_counts(counts), sample=1))
    assert words.finding == (
        f"You publish how a random sample of 1 of the 10 people divides over the value. {inside} {in_cells}"
    )
    assert words.baseline == (
        f"Without a release, whoever knows the shares of the value names the value of {n} of 10 people right, and "
        "whoever knows those in each cell that of 10."
    )
    assert words.attacker == (
        "The attacker is taken to know how many people have each value, and of nobody who they are. One who only has "
        f"the model's prior names about 7 of 10 right, against 5 without a release: {telling}."
    )


@pytest.mark.parametrize(("sample", "raised"), [(3, False), (2, False), (1, True)])
def test_shares_that_did_not_grow_are_not_shown_larger_by_rounding(sample, raised):
    """Two cooks and a nurse: a sample of all, or of two (1/3 + 2/3 * 1/2 = 2/3), tells nothing new; one is certain."""
    found = em.sample_of_table(em.FrequencyTable.from_counts([[2, 1]]), sample=sample)
    assert ("tells nothing more about a person in the sample" in said(found).finding) is not raised
    assert ("names the value of about 3 of 3 people in the sample right." in said(found).finding) is raised
    assert ("erfährt man ebenfalls nichts Neues" in said(found, "de").finding) is not raised


def test_a_size_that_keeps_the_targets():
    found = em.choose_sample(population=1_000_000, max_risk=0.749, max_loss=0.05)
    small, large = found.ends
    small = replace(small, unknown=0.7431, inside=0.76, outside=0.741, loss=0.0499)
    choice = replace(found, ends=(small, large))
    assert said(choice).finding == (
        "Publish the histogram of 38 of the 1,000,000 people, drawn at random: 38 to 248 people keep the targets. Of "
        "1,000 people of whom it is not known whether they are in the sample, an attacker names the value of about 744 "
        "right. An analyst's estimate of the shares is then off by 5.0 percentage points on average."
    )
    assert said(choice).baseline == "Without the release it is 500 of 1,000."
    assert "names the value of about 741 right" in said(replace(choice, adversary="out")).finding
    bound = said(replace(choice, adversary="in", evidence="upper bound"), "de")
    assert "nennt ein Angreifer bei etwa 760 den Wert richtig" in bound.finding
    assert bound.known.startswith("Das Risiko ist eine obere Schranke")


def test_all_people_or_no_size_at_all():
    everybody = em.choose_sample(population=9, max_loss=0.0)
    assert said(everybody).finding.startswith("Publish the histogram of all 9 people: 9 to 9 people keep the targets.")
    none = em.choose_sample(population=9, max_risk=0.1, max_loss=0.2, max_gap=0.015)
    assert said(none).finding == (
        "No sample of 9 people keeps the targets: of 1,000 people of whom it is not known whether they are in the "
        "sample, the value of at most 100 is named right, an analyst is off by at most 20.0 percentage points on "
        "average and a person in the sample is exposed by at most 1.5 percentage points more than one outside."
    )
    assert said(none).baseline == "Without the release it is 500 of 1,000."


RESPONSE = em.randomizers.RandomizedResponse(epsilon=1.0, n_values=2)
LOCAL = replace(
    em.local_risk(RESPONSE, [0.5, 0.5], n_people=1_200),
    answer=Exact(0.73101),
    shuffled=UpperBound(0.50501),
    no_release=0.50019,
)


def test_a_report_that_people_randomised():
    assert said(LOCAL).sentences == (
        "If each person reports through randomized response at ε = 1, the value of about 732 of 1,000 people is named "
        "right from their own report. From the shuffled reports it is at most 506.",
        "Without a report it is 500 of 1,000, by naming the most common value.",
        "The attacker is taken to know the shares of the values, how people randomise, and every report; and whose "
        "report is whose, until they are shuffled.",
        "The risk is exact, and rounded up. The risk after shuffling is an upper bound, and rounded up: the truth is "
        "at most this.",
    )
    assert said(LOCAL, "de").finding == (
        "Meldet jede Person über zufällige Antwort bei ε = 1, wird bei etwa 732 von 1.000 Personen der Wert aus der "
        "eigenen Meldung richtig genannt. Aus den gemischten Meldungen sind es höchstens 506."
    )


def test_a_local_release_with_and_without_a_shuffler():
    made = em.local_release(pd.DataFrame({"job": ["a", "b"] * 600}), "job", RESPONSE, domain=["a", "b"])
    shuffled, kept = (replace(made, risk=LOCAL, shuffled=way) for way in (True, False))
    assert said(shuffled).finding == (
        "1,200 people reported on job through randomized response at ε = 1, in random order. Of 1,000 people, the "
        "value of about 732 is named right from their own report. From the shuffled reports it is at most 506."
    )
    assert said(kept).finding == (
        "1,200 people reported on job through randomized response at ε = 1, in the order of the table. Of 1,000 "
        "people, the value of about 732 is named right from their own report."
    )
    assert said(kept).known == "The risk is exact, and rounded up."


def test_numbers_have_no_chance_to_state():
    noise = em.randomizers.LocalLaplace(epsilon=0.5, low=0.0, high=1.0)
    made = em.local_release(pd.DataFrame({"age": [0.5, 1.0]}), "age", noise)
    words = said(made)
    assert words.finding == "2 people reported on age through Laplace noise at ε = 0.5, in random order."
    assert words.known == "The guarantee ε = 0.5 holds for each person, whatever the table."
    assert (
        said(made, "de").finding
        == "2 Personen meldeten age über Laplace-Rauschen bei ε = 0,5, in zufälliger Reihenfolge."
    )
