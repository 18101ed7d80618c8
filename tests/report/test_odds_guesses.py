"""Guesses and attackers in words, to the letter, with numbers that were worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.report.odds import said
from epsilometer.vocabulary.attackers import Attackers, Contribution, Knowledge, Level
from epsilometer.vocabulary.evidence import Exact


def test_a_guess():
    """The birthday bound gives 23 of 365 a chance of 0.4927 to be different; 0.1 more is 592.7 of 1,000."""
    found = em.epsilon_for_advantage(0.1, groups=[(23, 365)], names=["birthday"])
    assert said(found).finding == (
        "At ε = 0.4043 per unit, an attacker guesses birthday right for at most 593 of 1,000 people after a release. "
        "ε = 0.4013 keeps the gain as small whatever the attacker knew before."
    )
    assert said(found).baseline == "Without a release it is 492 of 1,000."
    assert said(found).known.startswith("ε is exact, and rounded down;")
    assert said(found, "de").finding.startswith(
        "Bei ε = 0,4043 je Einheit errät ein Angreifer nach einer Veröffentlichung birthday bei höchstens 593 von 1.000"
    )


def test_guesses_of_several_fields_as_printed_and_without_noise():
    """Priors of 0.1 and 0.1: any is right with 1 - 0.9^2 = 0.19, all with 0.01."""
    printed = em.epsilon_for_advantage(0.1, priors=[0.1, 0.1], event="any", method="published", names=["a", "b"])
    assert said(printed).finding.startswith(
        "By the printed equation, at ε = 0.8109 per unit an attacker guesses at least one of a and b right for at most "
        "290 of 1,000 people after a release."
    )
    assert "it is no proof that the frequency is kept" in said(printed).known
    assert "independently of each other" in said(printed).attacker
    sure = em.epsilon_for_advantage(0.1, priors=[0.95], names=["a"])
    assert sure.no_noise
    assert said(replace(sure, answer=Exact(float("inf")))).finding.startswith(
        "Warning: the bound asks for no noise, or next to none. It only says that an attacker guesses a right for at "
        "most 1,000 of 1,000 people"
    )
    every = em.epsilon_for_advantage(0.1, priors=[0.1, 0.1], event="all", names=["a", "b"])
    assert "guesses every one of a and b right for at most 110 of 1,000 people" in said(every).finding
    assert said(every).baseline == "Without a release it is 10 of 1,000."


KNOWN = Knowledge(columns=("age", "sex"), cost=2.0, raw=0.6, released=0.5301, breaks=True)
SEARCHED = Attackers(
    in_words="",
    sensitive="job",
    costs={"age": 1.0, "sex": 1.0},
    max_known=2,
    max_risk=0.5,
    mechanism={"epsilon": 1.0},
    no_release=0.28899,
    all_known=0.7,
    evaluated=(replace(KNOWN, columns=(), breaks=False, released=None, raw=0.28899), KNOWN),
    attackers=(),
    contributions=(Contribution(column="age", increase=0.2161, n_pairs=1, n_breaking=1),),
    levels=(Level(n_columns=1, n_sets=2, n_evaluated=6, n_breaking=1),),
    assumptions=(),
    caveats=(),
)


@pytest.mark.parametrize(
    ("changes", "english"),
    [
        (
            {},
            "The cheapest attacker who breaks the target of 500 of 1,000 people knows age and sex: from counts at ε = "
            "1 they name job right for about 531. 1 smallest set of columns breaks the target, of 6 looked at. age "
            "contributes most: knowing it as well adds 21.7 percentage points on average.",
        ),
        (
            {"mechanism": None, "evaluated": (KNOWN, replace(KNOWN, columns=("sex",), cost=1.0, released=0.51))},
            "The cheapest attacker who breaks the target of 500 of 1,000 people knows sex: from the raw table they "
            "name job right for about 510. 2 smallest sets of columns break the target, of 6 looked at. age "
            "contributes most: knowing it as well adds 21.7 percentage points on average.",
        ),
        (
            {"evaluated": (replace(KNOWN, breaks=False, released=0.4301), replace(KNOWN, breaks=False, released=0.1))},
            "Nobody who knows as much as allowed breaks the target of 500 of 1,000 people: from counts at ε = 1 the "
            "strongest of them, who knows age and sex, names job right for about 431. age contributes most: knowing it "
            "as well adds 21.7 percentage points on average.",
        ),
        (
            {"mechanism": None, "evaluated": (replace(KNOWN, columns=(), breaks=False, released=0.4301),)},
            "Nobody who knows as much as allowed breaks the target of 500 of 1,000 people: from the raw table the "
            "strongest of them, who knows nothing, names job right for about 431. age contributes most: knowing it as "
            "well adds 21.7 percentage points on average.",
        ),
        (
            {"max_risk": 0.25},
            "Anybody breaks the target of 250 of 1,000 people: without any release, naming the most common value of "
            "job is right more often. No release meets a target below that.",
        ),
        (
            {"max_risk": 0.75},
            "Nobody breaks the target of 750 of 1,000 people: even an attacker who knows all 2 candidate columns and "
            "has the raw table names job right for about 700.",
        ),
    ],
)
def test_who_breaks_the_target(changes, english):
    found = replace(SEARCHED, **changes)
    assert said(found).finding == english
    assert said(found).baseline.endswith("is right for 288 of 1,000 people, by luck.")
    german = said(found, "de")
    assert "von 1.000 Personen" in german.finding
    assert ("ungeschützte" in german.finding) == ("raw table" in english)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.sampled_from(
    ["{n}", "{0}", "%s %d 100 %", "{sensitive!r}", "<script>", "=1+1", "\u202egnirts", "a" * 300]
)


@given(name=NAMES)
@pytest.mark.parametrize("code", ["en", "de"])
def test_names_survive_as_they_are(code, name):
    found = replace(SEARCHED, sensitive=name, contributions=(replace(SEARCHED.contributions[0], column=name),))
    assert said(found, code).finding.count(name) >= 2
