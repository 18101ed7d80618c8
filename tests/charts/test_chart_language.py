"""Charts speak the language of their report: words, titles, and the numbers of axes; English is what it was."""

import json
import re
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.curves import risk_and_loss
from epsilometer.assessments.exploring.risk_grid import risk_grid
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.charts.attackers import draw_attackers
from epsilometer.charts.cell_sizes import draw_cell_sizes
from epsilometer.charts.choice import draw_choice
from epsilometer.charts.distances import draw_audit, draw_proximity
from epsilometer.charts.export import to_svg
from epsilometer.charts.frontier import draw_frontier
from epsilometer.charts.guess import draw_guess
from epsilometer.charts.heat_map import draw_heat_map
from epsilometer.charts.local import draw_local_release, draw_local_risk
from epsilometer.charts.measured_curves import draw_measured_curves
from epsilometer.charts.passport import draw_passport
from epsilometer.charts.risk_and_loss import draw_risk_and_loss
from epsilometer.charts.risk_curve import draw_risk
from epsilometer.charts.risk_spread import draw_risk_spread
from epsilometer.charts.sample_curve import draw_sample
from epsilometer.charts.spending import draw_spending
from epsilometer.charts.stretches import draw_feasible, draw_sample_choice
from epsilometer.charts.table_sample import draw_table_sample
from epsilometer.charts.theme import NARROW, how_known
from epsilometer.charts.thresholds import draw_thresholds
from epsilometer.vocabulary.evidence import AsPrinted, Estimate, Exact, Heuristic, UpperBound
from epsilometer.vocabulary.language import ENGLISH, language
from epsilometer.vocabulary.passport import Passport

GERMAN = language("de")
ENGLISH_WORDS = (
    *("the", "of", "and", "with", "without", "by", "is", "are", "at", "to", "from", "people", "cells", "risk", "loss"),
    *("release", "table", "sample", "noise", "share", "target", "attacker", "records", "guess", "value", "values"),
    *("distance", "chance", "report", "named", "right", "exact", "nothing", "unknown", "outside", "columns", "rows"),
)
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?(?:e-\d+)?")
ENGLISH_DECIMAL = re.compile(r"\d\.\d{1,2}(?!\d)")
COLUMNS = ("geschlecht", "alter", "krank")
PASSPORTS = json.loads((Path(__file__).parents[1] / "reference" / "passports.json").read_text(encoding="utf-8"))
LAPLACE = em.Laplace(epsilon=0.5)
DOMAIN = {
    "geschlecht": [0, 1],
    "alter": list(range(40)),
    "krank": ["k0", "k1", "k2"],
}


def people(n_rows=1_200):
    rng = np.random.default_rng(0)
    sex, age = rng.integers(0, 2, n_rows), rng.integers(0, 40, n_rows)
    ill = np.where(rng.random(n_rows) < 0.6, age % 3, rng.integers(0, 3, n_rows))
    return pd.DataFrame(dict(zip(COLUMNS, (sex, age, [f"k{each}" for each in ill]), strict=True)))


@cache
def plan():
    return em.Plan(
        table=people(),
        quasi_identifiers=COLUMNS[:2],
        sensitive=COLUMNS[2:],
        release=em.Counts(mechanism=LAPLACE),
        max_risk=0.5,
        max_loss=0.35,
    )


@cache
def table():
    return em.frequency_table(people(), quasi_identifiers=COLUMNS[:2], sensitive=COLUMNS[2:])


@cache
def curves():
    return risk_and_loss(table(), LAPLACE)


@cache
def audit(*, held_out):
    rows = people(300)
    return em.audit(rows[:100], rows[100:200], holdout=rows[200:] if held_out else None)


@cache
def synthetic_choice(max_risk):
    return em.choose_synthetic(
        people(100),
        quasi_identifiers=COLUMNS[:2],
        sensitive=COLUMNS[2],
        max_risk=max_risk,
        max_loss=0.99,
        method="privbayes",
        epsilons=(0.5, 1.0, 2.0),
        runs=2,
        domain=DOMAIN,
    )


@cache
def synthetic_table():
    """A synthetic table; what its looks are called is up to its method."""
    made = em.synthesize(people(100), method="privbayes", columns=list(COLUMNS), domain=DOMAIN)
    return replace(made, spent=tuple(replace(look, what="zählung") for look in made.spent))


@cache
def frontier(**targets):
    asked = {"max_risk": None, "max_loss": None, **targets}
    return em.compare_kinds(replace(plan(), **asked), ["counts", "sample"])


def passport(kind):
    return replace(Passport.from_dict(PASSPORTS[kind]["passport"]), dataset="daten")


KINDS = ("counts", "sample", "synthetic", "local", "gaussian")
RESPONSE = em.randomizers.RandomizedResponse(epsilon=1.0, n_values=3)
VALUES = ["k0", "k1", "k2"]
CHARTS = {
    "risk": (draw_risk, lambda: em.homogeneity_risk(table(), LAPLACE, average="records")),
    "risk of cells": (draw_risk, lambda: em.homogeneity_risk(table(), LAPLACE)),
    "risk curve": (draw_risk, lambda: curves().people),
    "risk and loss": (draw_risk_and_loss, curves),
    "targets": (partial(draw_risk_and_loss, max_risk=0.5, max_loss=0.25), curves),
    "targets missed": (partial(draw_risk_and_loss, max_risk=1e-12), curves),
    "cell sizes": (draw_cell_sizes, curves),
    "one small cell": (
        draw_cell_sizes,
        lambda: replace(curves(), cell_sizes=np.array([1, 2_000]), cells_of_size=np.array([1, 3])),
    ),
    "no small cell": (
        draw_cell_sizes,
        lambda: replace(curves(), cell_sizes=np.array([1_500]), cells_of_size=np.array([3])),
    ),
    "thresholds": (
        lambda found, **how: draw_thresholds(found.people.mechanism["epsilon"], found.people_by_threshold, **how),
        curves,
    ),
    "spread": (draw_risk_spread, lambda: risk_spread(table(), LAPLACE)),
    "grid": (draw_heat_map, lambda: risk_grid(table(), LAPLACE)),
    "grid with a target": (
        partial(draw_heat_map, max_risk=0.015),
        lambda: risk_grid(table(), em.Gaussian(epsilon=1.0, delta=1e-5)),
    ),
    "sample": (draw_sample, lambda: em.assess_sample(population=9_000, sample=1_500)),
    "sample with noise": (
        draw_sample,
        lambda: em.assess_sample(population=90, sample=40, mechanism=em.Laplace(epsilon=0.5)),
    ),
    "table sample": (draw_table_sample, lambda: em.sample_of_table(table(), sample=60)),
    "choice": (draw_choice, lambda: em.choose(plan())),
    "no choice": (draw_choice, lambda: em.choose(replace(plan(), max_risk=1e-9, max_loss=1e-9))),
    "declared choice": (
        draw_choice,
        lambda: em.choose_without_looking(n_values=4, cell_size=20, max_risk=0.2, max_loss=0.3),
    ),
    "sample choice": (
        draw_sample_choice,
        lambda: em.choose_sample(population=9_000, max_risk=0.9, max_loss=0.05, max_gap=0.5),
    ),
    "no sample choice": (draw_sample_choice, lambda: em.choose_sample(population=9, max_risk=0.1)),
    "feasible": (draw_feasible, lambda: em.epsilon_for_risk(table(), LAPLACE, 0.2)),
    "not feasible": (draw_feasible, lambda: em.epsilon_for_risk(table(), LAPLACE, 1e-12)),
    "feasible thresholds": (draw_feasible, lambda: em.threshold_for_risk(table(), LAPLACE, 0.2)),
    "frontier": (draw_frontier, frontier),
    "frontier with targets": (draw_frontier, lambda: frontier(max_risk=0.6, max_loss=0.3)),
    "frontier without": (draw_frontier, lambda: frontier(max_risk=0.01, max_loss=0.01)),
    "attackers": (draw_attackers, lambda: em.find_attackers(plan(), max_known=2)),
    "no attacker": (draw_attackers, lambda: em.find_attackers(replace(plan(), max_risk=0.999))),
    "anybody": (draw_attackers, lambda: em.find_attackers(replace(plan(), max_risk=0.01))),
    "guess": (
        draw_guess,
        lambda: em.epsilon_for_advantage(0.1, priors=[0.1, 0.2], event="any", names=["a", "b"]),
    ),
    "guess as printed": (
        draw_guess,
        lambda: em.epsilon_for_advantage(0.1, priors=[0.1], event="single", method="published"),
    ),
    "local risk": (draw_local_risk, lambda: em.local_risk(RESPONSE, [0.5, 0.3, 0.2], n_people=9)),
    "local release": (draw_local_release, lambda: em.local_release(people(), "krank", RESPONSE, domain=VALUES)),
    "proximity": (draw_proximity, lambda: em.proximity(people(100), people(200)[100:])),
    "audit": (draw_audit, lambda: audit(held_out=True)),
    "audit alone": (draw_audit, lambda: audit(held_out=False)),
    "synthetic table": (draw_spending, synthetic_table),
    "synthetic choice": (draw_measured_curves, lambda: synthetic_choice(0.99)),
    "no synthetic choice": (draw_measured_curves, lambda: synthetic_choice(0.01)),
    **{f"passport: {kind}": (draw_passport, partial(passport, kind)) for kind in KINDS},
}
every_chart = pytest.mark.parametrize("name", CHARTS)


@cache
def result(name):
    return CHARTS[name][1]()


def drawn(name, **how):
    return CHARTS[name][0](result(name), **how)


def shown(chart):
    """Every text of a picture."""
    return [element.text for element in ET.fromstring(to_svg(chart)).iter() if element.text and element.text.strip()]


def said(chart):
    """The title and the subtitle."""
    heading = chart.to_dict()["title"]
    return " ".join([*heading["text"], *heading["subtitle"]])


@every_chart
def test_no_english_is_left_in_a_german_chart(name):
    texts = shown(drawn(name, language=GERMAN))
    left = {word for text in texts for word in re.findall("[a-z]+", text.lower())} & {*ENGLISH_WORDS}
    assert left == set(), texts
    assert [text for text in texts if ENGLISH_DECIMAL.search(text)] == []


@every_chart
def test_the_german_words_carry_the_same_numbers(name):
    english = sorted(found.replace(",", "") for found in NUMBER.findall(said(drawn(name))))
    german = NUMBER.findall(said(drawn(name, language=GERMAN)))
    assert sorted(found.replace(".", "").replace(",", ".") for found in german) == english


@every_chart
def test_longer_words_fit_on_a_telephone(name):
    root = ET.fromstring(to_svg(drawn(name, width=NARROW, language=GERMAN)))
    assert float(root.attrib["width"]) <= NARROW + 10


@every_chart
def test_a_chart_is_english_unless_told_otherwise(name):
    chart = drawn(name).to_dict()
    assert chart == drawn(name, language=ENGLISH).to_dict()
    assert "locale" not in chart["config"]


def test_axes_are_written_as_in_the_language():
    def ticks(words):
        return set(shown(drawn("sample", language=words)))

    assert {"1k", "100%"} <= ticks(ENGLISH)
    assert {"1.000", "100\N{NO-BREAK SPACE}%"} <= ticks(GERMAN)


@pytest.mark.parametrize("kind", [Exact, UpperBound, Estimate, Heuristic, AsPrinted])
def test_how_a_number_is_known_has_a_name(kind):
    assert how_known(kind.kind, ENGLISH) == kind.kind
    assert how_known(kind.kind, GERMAN) != kind.kind
