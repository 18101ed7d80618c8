"""Guarantees in words, to the letter, in both languages, with numbers that were worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.releases.release import Released
from epsilometer.report.odds import said
from epsilometer.vocabulary.own_record import OwnRecord
from epsilometer.vocabulary.passport import Guarantee, Passport, Protection, StatedNumber, Versions


def test_a_persons_own_record():
    """An advantage of 0.4481 is right (1 + 0.4481)/2 = 0.72405 of the time: 725 of 1,000, rounded up."""
    found = OwnRecord(membership_advantage=0.3934, value_advantage=0.4481, value_posterior=0.74901, prior=0.28899)
    assert said(found).sentences == (
        "Whatever the table, which of two values a person has can be told right at most 725 of 1,000 times, from the "
        "part that the person's own record plays. Whether the person is in the table at all can be told right at most "
        "697 of 1,000 times. Whoever believed in the person's value with 28.8 % before cannot come to believe in it "
        "with more than 75.0 %.",
        "A coin would be right 500 of 1,000 times.",
        "The attacker may know everything about everybody else, and how the noise is made.",
        "The risk is an upper bound, and rounded up: the truth is at most this.",
    )
    for nothing_to_say in (None, 0.99999):  # a delta that leaves no bound, and a belief that could become certain
        assert "cannot come to believe" not in said(replace(found, value_posterior=nothing_to_say)).finding
    with_delta = replace(found, value_posterior=None)
    assert said(with_delta, "de").finding == (
        "Welchen von zwei Werten eine Person hat, lässt sich in jeder beliebigen Tabelle höchstens 725 von 1.000 Mal "
        "richtig sagen, soweit ihr eigener Datensatz dazu beiträgt. Ob die Person überhaupt in der Tabelle steht, "
        "lässt sich höchstens 697 von 1.000 Mal richtig sagen."
    )


@pytest.mark.parametrize(
    ("changes", "english", "german"),
    [
        (
            {},
            "2 looks at the data together: ε = 1.201 at δ = 1e-06. Whoever sees everything tells right whether a "
            "person is in the data at most 769 of 1,000 times.",
            "2 Blicke auf die Daten zusammen: ε = 1,201 bei δ = 1e-06. Wer alles sieht, sagt höchstens 769 von 1.000 "
            "Mal richtig, ob eine Person in den Daten ist.",
        ),
        (
            {"n_looks": 1, "adjacency": "replace"},
            "1 look at the data: ε = 1.201 at δ = 1e-06. Whoever sees everything tells right which of two people is in "
            "the data at most 769 of 1,000 times.",
            "1 Blick auf die Daten: ε = 1,201 bei δ = 1e-06. Wer alles sieht, sagt höchstens 769 von 1.000 Mal "
            "richtig, welche von zwei Personen in den Daten ist.",
        ),
        (
            {"added_up": float("inf"), "tight": float("inf"), "unguaranteed": ("rows",), "membership_advantage": 1.0},
            "2 looks at the data together: no ε holds at δ = 1e-06. Nothing protects rows. Whoever sees everything "
            "tells right whether a person is in the data at most 1,000 of 1,000 times.",
            "2 Blicke auf die Daten zusammen: Bei δ = 1e-06 gilt kein ε. Nichts schützt rows. Wer alles sieht, sagt "
            "höchstens 1.000 von 1.000 Mal richtig, ob eine Person in den Daten ist.",
        ),
        (
            {"unit": "row"},
            "2 looks at the data together: ε = 1.201 at δ = 1e-06. Whoever sees everything tells right whether a row "
            "is in the data at most 769 of 1,000 times.",
            "2 Blicke auf die Daten zusammen: ε = 1,201 bei δ = 1e-06. Wer alles sieht, sagt höchstens 769 von 1.000 "
            "Mal richtig, ob eine Zeile in den Daten ist.",
        ),
        ({"n_looks": 0}, "Nothing has been published.", "Veröffentlicht wurde noch nichts."),
    ],
)
def test_all_looks_together(composed, changes, english, german):
    """(1 + 0.537)/2 = 0.7685: 769 of 1,000."""
    assert said(replace(composed, **changes)).finding == english
    assert said(replace(composed, **changes), "de").finding == german


def test_looks_at_rows_stand_apart_from_those_at_people(composed):
    rows = replace(composed, unit="row", adjacency="replace")
    for code, telling in (("en", "which of two rows"), ("de", "welche von zwei Zeilen")):
        apart, both = said(rows, code).finding, said(replace(composed, apart=rows), code).finding
        assert telling in apart
        assert both.startswith(said(composed, code).finding)
        assert both.endswith(apart)


def stated(name, value):
    return StatedNumber(name=name, value=value, evidence="upper bound", meaning="…")


PASSPORT = Passport(
    dataset="stays {2026} 100 %",
    kind="counts",
    released_at="2026-01-31T12:00:00Z",
    ledger_entry="1",
    plan={},
    protection=Protection(in_words="…", adjacency="add-remove", contributions=1),
    guarantee=Guarantee(epsilon=1.0, delta=0.0, accounting="added up"),
    looks=(),
    mechanisms=(),
    support=None,
    post_processing=(),
    risks=(stated("membership advantage", 0.4622), stated("value advantage", 0.4622)),
    utility=(),
    outputs=(),
    input_commitment=None,
    unsafe_seed=None,
    versions=Versions(epsilometer="1", opendp="1", python="3"),
)


@pytest.mark.parametrize(
    ("changes", "english", "german"),
    [
        (
            {},
            "Published of “stays {2026} 100 %”: counts with noise. The guarantee is ε = 1. In whatever table, anyone "
            "tells which of two values a person has right at most 732 of 1,000 times. Anyone tells whether a person is "
            "in the table right at most 732 of 1,000 times.",
            "Veröffentlicht aus „stays {2026} 100 %“: Anzahlen mit Rauschen. Die Zusicherung ist ε = 1. In jeder "
            "beliebigen Tabelle lässt sich höchstens 732 von 1.000 Mal richtig sagen, welchen von zwei Werten eine "
            "Person hat. Ob eine Person in der Tabelle steht, lässt sich höchstens 732 von 1.000 Mal richtig sagen.",
        ),
        (
            {
                "kind": "local",
                "guarantee": Guarantee(epsilon=1.0, delta=1e-6, accounting="added up"),
                "risks": (stated("membership advantage", None), stated("value advantage", 0.4622)),
                "unsafe_seed": 7,
            },
            "Not safe to publish: its noise comes from a fixed seed and can be taken away again. Published of “stays "
            "{2026} 100 %”: reports that people changed by chance before they were collected. The guarantee is ε = 1, "
            "δ = 1e-06. In whatever table, anyone tells which of two values a person has right at most 732 of 1,000 "
            "times. It does not hide who is in the table.",
            "Nicht zur Veröffentlichung geeignet: Das Rauschen stammt aus einem festen Startwert und lässt sich wieder "
            "entfernen. Veröffentlicht aus „stays {2026} 100 %“: Meldungen, die die Personen vor der Abgabe durch "
            "Zufall verändert haben. Die Zusicherung ist ε = 1, δ = 1e-06. In jeder beliebigen Tabelle lässt sich "
            "höchstens 732 von 1.000 Mal richtig sagen, welchen von zwei Werten eine Person hat. Wer in der Tabelle "
            "steht, wird nicht verborgen.",
        ),
        (
            {
                "kind": "sample",
                "guarantee": Guarantee(epsilon=0.0, delta=0.1, accounting="added up"),
                "risks": (stated("membership advantage", 0.1), stated("value advantage", 0.1)),
            },
            "Published of “stays {2026} 100 %”: a random sample, without noise. Each person was drawn with a chance of "
            "10.0 % at most. In whatever table, anyone tells which of two values a person has right at most 550 of "
            "1,000 times. Anyone tells whether a person is in the table right at most 550 of 1,000 times.",
            "Veröffentlicht aus „stays {2026} 100 %“: eine Zufallsstichprobe ohne Rauschen. Jede Person wurde mit "
            "einer Wahrscheinlichkeit von höchstens 10,0 % gezogen. In jeder beliebigen Tabelle lässt sich höchstens "
            "550 von 1.000 Mal richtig sagen, welchen von zwei Werten eine Person hat. Ob eine Person in der Tabelle "
            "steht, lässt sich höchstens 550 von 1.000 Mal richtig sagen.",
        ),
    ],
)
def test_a_passport(changes, english, german):
    """(1 + 0.4622)/2 = 0.7311: 732 of 1,000."""
    assert said(replace(PASSPORT, **changes)).finding == english
    assert said(replace(PASSPORT, **changes), "de").finding == german


@pytest.mark.parametrize(
    ("n_looks", "changes", "english", "german"),
    [
        (
            0,
            {},
            "ε = 1.799 of the budget is left.",
            "Vom Budget bleibt ε = 1,799.",
        ),
        (
            2,
            {"remaining": None},
            "2 looks at the data together: ε = 1.201 at δ = 1e-06. Whoever sees everything tells right whether a "
            "person is in the data at most 769 of 1,000 times. No "
            "budget is set, so that nothing is refused.",
            "2 Blicke auf die Daten zusammen: ε = 1,201 bei δ = 1e-06. Wer alles sieht, sagt höchstens 769 von 1.000 "
            "Mal richtig, ob eine Person in den Daten ist. "
            "Es ist kein Budget gesetzt, so dass nichts abgelehnt wird.",
        ),
    ],
)
def test_a_release_says_what_its_passport_says_and_what_is_spent_and_left(composed, n_looks, changes, english, german):
    published = Released(
        passport=PASSPORT,
        entry=None,
        composition=replace(composed, n_looks=n_looks),
        remaining=1.79999,
        detail=None,
    )
    for code, account in (("en", english), ("de", german)):
        promised, made = said(PASSPORT, code), said(replace(published, **changes), code)
        assert made.finding == f"{promised.finding} {account}"
        assert made.sentences[1:] == promised.sentences[1:]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.sampled_from(
    ["{n}", "{0}", "%s %d 100 %", "{sensitive!r}", "<script>", "=1+1", "\u202egnirts", "a" * 300]
)


@given(name=NAMES)
@pytest.mark.parametrize("code", ["en", "de"])
def test_names_survive_as_they_are(code, name):
    assert name in said(replace(PASSPORT, dataset=name), code).finding
