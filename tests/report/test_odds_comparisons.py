"""Kinds of release side by side in words, to the letter, with numbers that were worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.report.odds import said
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval
from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint, Place


def point(parameter, risk, loss):
    return FrontierPoint(parameter=parameter, risk=risk, attacker="", loss=Exact(loss))


def curve(kind, name, parameter, *points):
    return FrontierCurve(kind=kind, name=name, parameter=parameter, points=points, assumptions=())


SIDE_BY_SIDE = Frontier(
    sensitive="job",
    quasi_identifiers=("age", "sex"),
    n_people=2_400,
    no_release=0.28899,
    raw=0.671,
    max_risk=0.4,
    max_loss=0.1,
    curves=(
        curve("counts", "counts, laplace noise", "epsilon", point(0.5, Exact(0.3501), 0.0901)),
        curve("sample", "sample of rows", "rows", point(800.0, Estimate(0.34, Interval(0.3, 0.3601, 0.95)), 0.05)),
        curve("synthetic", "synthetic, mst", "epsilon", point(1.0, Exact(0.41), 0.2)),
        curve("local", "local reports", "epsilon", point(2.0, Exact(0.3301), 0.3)),
        curve("raw", "raw table", "", point(None, Exact(0.671), 0.0)),
    ),
    pareto=(Place(0, 0), Place(1, 0), Place(4, 0)),
    meeting=(),
    recommended=Place(1, 0),
    in_words="",
    repeats=1,
    runs=1,
    seed=0,
    assumptions=(),
    caveats=(),
    source=(),
)


@pytest.mark.parametrize(
    ("changes", "english", "german"),
    [
        (
            {},
            "The targets are kept by a random sample of 800 rows: an attacker is right about at most 361 of 1,000 "
            "people, and shares are off by 5.0 percentage points at most.",
            "Die Ziele sind eingehalten durch eine Zufallsstichprobe von 800 Zeilen: Ein Angreifer liegt bei höchstens "
            "361 von 1.000 Personen richtig, und Anteile weichen um höchstens 5,0 Prozentpunkte ab.",
        ),
        (
            {"recommended": None},
            "No release that was tried keeps the targets. The safest is collecting local reports at ε = 2, with a risk "
            "of at most 331 of 1,000; the most accurate is a random sample of 800 rows, with a loss of 5.0 percentage "
            "points.",
            "Keine versuchte Veröffentlichung hält die Ziele ein. Am sichersten ist das Sammeln lokaler Meldungen bei "
            "ε = 2, mit einem Risiko von höchstens 331 von 1.000; am genauesten ist eine Zufallsstichprobe von 800 "
            "Zeilen (Verlust: 5,0 Prozentpunkte).",
        ),
        (
            {"recommended": None, "max_risk": None, "max_loss": None},
            "No kind is best everywhere; each of these is somewhere: publishing counts with Laplace noise; a random "
            "sample; the raw table. The safest of all leaves an attacker right about at most 331 of 1,000 people.",
            "Keine Art ist überall die beste; jede von diesen ist es irgendwo: die Veröffentlichung von Anzahlen mit "
            "Laplace-Rauschen; eine Zufallsstichprobe; die ungeschützte Tabelle. Bei der sichersten von allen liegt "
            "ein Angreifer bei höchstens 331 von 1.000 Personen richtig.",
        ),
        (
            {"recommended": None, "max_risk": None, "max_loss": None, "pareto": (Place(2, 0),)},
            "Nothing on the curves beats a synthetic table by mst: at its safest an attacker is right about at most "
            "331 of 1,000 people.",
            "Nichts auf den Kurven übertrifft eine synthetische Tabelle nach mst: Im sichersten Fall liegt ein "
            "Angreifer bei höchstens 331 von 1.000 Personen richtig.",
        ),
    ],
)
def test_kinds_side_by_side(changes, english, german):
    found = replace(SIDE_BY_SIDE, **changes)
    assert said(found).finding == english
    assert said(found, "de").finding == german
    assert said(found).baseline == (
        "Without a release an attacker who knows age and sex names job right for 288 of 1,000; with the raw table for "
        "about 671."
    )


def test_the_interval_of_a_recommended_release_is_said():
    assert said(SIDE_BY_SIDE).known == (
        "The risk is an estimate, and rounded up: it lies between 300 and 361 of 1,000, with a confidence of 95 %. "
        "Kinds of release are compared at the worse ends of their intervals."
    )
    counts = replace(SIDE_BY_SIDE, recommended=Place(0, 0))
    assert said(counts).finding.startswith("The targets are kept by publishing counts with Laplace noise at ε = 0.5:")
    made = replace(SIDE_BY_SIDE, recommended=Place(2, 0))
    assert said(made).finding.startswith("The targets are kept by a synthetic table by mst at ε = 1:")


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.sampled_from(
    ["{n}", "{0}", "%s %d 100 %", "{sensitive!r}", "<script>", "=1+1", "\u202egnirts", "a" * 300]
)


@given(name=NAMES)
@pytest.mark.parametrize("code", ["en", "de"])
def test_names_survive_as_they_are(code, name):
    found = replace(SIDE_BY_SIDE, sensitive=name, quasi_identifiers=(name, "sex"))
    assert said(found, code).baseline.count(name) >= 2
