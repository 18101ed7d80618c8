"""Every result draws itself and shows itself in a notebook: words, then the picture, and nothing from elsewhere."""

import importlib
import inspect
import json
import pkgutil
import re
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import altair as alt
import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.exploring.risk_grid import risk_grid
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.charts.export import to_json, to_png
from epsilometer.charts.theme import SHADES, WIDE
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_statement import statement
from epsilometer.releases.release import carry_out
from epsilometer.report.fragments import words_of
from epsilometer.reproduction.sampling.reproduce import reproduce_sampling
from epsilometer.vocabulary.passport import Passport
from epsilometer.vocabulary.shown import Shown
from epsilometer.vocabulary.wording import CONFIDENTIAL, readable

PLAIN = "people"
HOSTILE = "<script>alert(1)</script>\"'&\u202e{{ 7 * 7 }}" + "x" * 300
NAMES = pytest.mark.parametrize("name", [PLAIN, HOSTILE], ids=["plain names", "hostile names"])
FRONT_ENDS = ("epsilometer.cli", "epsilometer.web", "epsilometer.__main__")  # they hold no results
PASSPORTS = json.loads((Path(__file__).parents[1] / "reference" / "passports.json").read_text(encoding="utf-8"))
PARTS = {
    "Account": "a ledger's statement draws all of them",
    "AssociationError": "a number of an audit's table",
    "CellAverage": "TableSample draws it",
    "Comparison": "Reproduction draws all of them",
    "Confirmation": "Reproduction draws all of them",
    "DomainOrigin": "a line of a synthetic table",
    "Exposure": "SampleChoice draws it",
    "Field": "Guess draws it",
    "Finding": "PassportCheck and Reproduction draw all of them",
    "Frame": "Audit draws it",
    "FrontierPoint": "Frontier draws all of them",
    "GroupSample": "TableSample draws it",
    "LeakTest": "Audit draws it",
    "LocalEstimate": "arrays for whoever builds their own analysis; LocalRelease draws what a release says",
    "MeasuredCurve": "SyntheticChoice draws it",
    "NullBand": "Audit draws it",
    "PrivacyLoss": "what a look may cost; Composition and Passport draw what looks come to",
    "PropensityError": "a number of an audit's table",
    "Relaxation": "a line of a choice",
    "SampleCurves": "SampleAssessment draws it",
    "SampleRelease": "what is published, not what it gives away",
    "Spending": "SyntheticTable draws all of them",
    "Spread": "RiskSpread draws both of them",
    "Statistic": "LocalRelease draws all of them",
    "Stretch": "Feasible and Choice draw it",
    "TradeOff": "Choice draws it",
    "Usefulness": "tables of an audit",
}


def modules():
    for module in pkgutil.walk_packages(em.__path__, "epsilometer."):
        if not module.name.startswith(FRONT_ENDS):
            yield importlib.import_module(module.name)


@cache
def classes():
    """Every class of the package, by name."""
    return [
        each
        for module in modules()
        for _, each in inspect.getmembers(module, inspect.isclass)
        if each.__module__ == module.__name__
    ]


def shown_classes():
    return {each for each in classes() if issubclass(each, Shown) and not inspect.isabstract(each)}


def test_every_class_with_a_document_shows_itself_or_is_a_part_of_one_that_does():
    documents = {each for each in classes() if "to_dict" in vars(each)}
    missing = {each.__name__ for each in documents if not issubclass(each, Shown)}
    assert missing == PARTS.keys()


def test_every_result_is_tried_here():
    assert {type(result) for result in results(PLAIN).values()} == shown_classes()


@cache
def results(name):
    """One of each result, or one of each of its forms, about columns, values and data sets of this name."""
    return {**of_tables(name), **of_samples_and_guesses(name), **of_releases(name), **of_synthetic_tables(name)}


def rows_of(name):
    rng = np.random.default_rng(0)
    sex, age = rng.integers(0, 2, 300), rng.integers(0, 4, 300)
    ill = np.where(rng.random(300) < 0.6, age, rng.integers(0, 3, 300))
    return pd.DataFrame({f"{name} sex": sex, f"{name} age": age, f"{name} ill": [f"{name} {each}" for each in ill]})


def plan_of(name, mechanism):
    return em.Plan(
        table=rows_of(name),
        unit="row",
        quasi_identifiers=(f"{name} sex", f"{name} age"),
        sensitive=(f"{name} ill",),
        release=em.Counts(mechanism=mechanism),
        dataset=name,
        domain={
            f"{name} sex": [0, 1],
            f"{name} age": [0, 1, 2, 3],
            f"{name} ill": [f"{name} {each}" for each in range(4)],
        },
        max_risk=0.6,
        max_loss=0.3,
    )


def of_tables(name):
    one, curve = em.Laplace(epsilon=1.0), em.Gaussian(epsilon=(0.1, 1.0, 5.0), delta=1e-5)
    plan = plan_of(name, one)
    freq = em.frequency_table(plan.table, quasi_identifiers=plan.quasi_identifiers, sensitive=plan.sensitive)
    assessed = em.assess(plan, riskiest=1)
    several = replace(plan, quasi_identifiers=(f"{name} sex",), sensitive=(f"{name} age", f"{name} ill"))
    return {
        "raw": assessed.attributes[0].raw,
        "risk": em.homogeneity_risk(freq, one),
        "risk curve": em.homogeneity_risk(freq, curve, average="records"),
        "loss": em.utility_loss(freq, one, repeats=5),
        "loss curve": em.utility_loss(freq, curve, repeats=5),
        "scenarios": em.homogeneity_scenarios(freq, one),
        "scenarios curve": em.homogeneity_scenarios(freq, curve),
        "feasible": em.epsilon_for_risk(freq, one, 0.2),
        "assessment": assessed,
        "assessment of several": em.assess(several),
        "attribute": assessed.attributes[0],
        "own record": assessed.attributes[0].own_record,
        "cell": assessed.attributes[0].riskiest[0],
        "choice": em.choose(plan),
        "no choice": em.choose(replace(plan, max_risk=1e-9, max_loss=1e-9)),
        "attackers": em.find_attackers(plan, max_known=2),
        "frontier": em.compare_kinds(plan, ["counts", "sample"]),
        "table sample": em.sample_of_table(freq, sample=20),
        "grid": risk_grid(freq, one),
        "spread": risk_spread(freq, one),
    }


def of_samples_and_guesses(name):
    response = em.randomizers.RandomizedResponse(epsilon=1.0, n_values=4)
    plan = plan_of(name, em.Laplace(epsilon=1.0))
    return {
        "sample risk": em.sampling_risk(population=9, sample=4),
        "sample loss": em.sampling_utility_loss(population=9, sample=4),
        "sample loss curve": em.sampling_utility_loss(population=90, sample=[4, 40]),
        "sample assessment": em.assess_sample(population=9, sample=4),
        "sample choice": em.choose_sample(population=9, max_risk=0.9, max_loss=0.1),
        "no sample choice": em.choose_sample(population=9, max_risk=0.1),
        "declared choice": em.choose_without_looking(n_values=4, cell_size=20, max_risk=0.2, max_loss=0.3),
        "guess": em.epsilon_for_advantage(0.1, priors=[0.1, 0.2], event="any", names=[f"{name} a", f"{name} b"]),
        "local risk": em.local_risk(response, [0.4, 0.3, 0.2, 0.1], n_people=9),
        "local release": em.local_release(
            plan.table, f"{name} ill", response, domain=[f"{name} {each}" for each in range(4)]
        ),
    }


def of_releases(name):
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "ledger.db", Path(folder) / "out.csv"
        with open_ledger(path) as ledger:
            ledger.set_budget(name, epsilon=3.0, delta=1e-6)
        released = carry_out(plan_of(name, em.Laplace(epsilon=1.0)), out=out, ledger=path, overwrite=False)
        with open_ledger(path) as ledger:
            stated = statement(ledger)
        checked = em.check_passport(out.with_name("out.csv.passport.json"), ledger=path)
    return {
        "released": released,
        "statement": stated,
        "composition": released.composition,
        "joint risk": stated.accounts[0].joint_risk,
        "passport": released.passport,
        "passport of a sample": replace(Passport.from_dict(PASSPORTS["sample"]["passport"]), dataset=name),
        "passport check": checked,
    }


def of_synthetic_tables(name):
    rows = rows_of(name)
    training, made, held_out = rows[:100], rows[100:200], rows[200:]
    plan = replace(plan_of(name, em.Laplace(epsilon=1.0)), table=training)
    columns = list(plan.domain)
    return {
        "synthetic table": em.synthesize(training, method="privbayes", columns=columns, domain=plan.domain),
        "proximity": em.proximity(training, made),
        "audit": em.audit(training, made, holdout=held_out),
        "audit without a holdout": em.audit(training, made),
        "marginals": em.marginal_distance(training, made, 2),
        "synthetic choice": em.choose_synthetic(
            training,
            quasi_identifiers=plan.quasi_identifiers,
            sensitive=plan.sensitive[0],
            max_risk=0.9,
            method="privbayes",
            epsilons=(0.5, 1.0, 2.0),
            runs=2,
            domain=plan.domain,
        ),
        "reproduction": replace(reproduce_sampling(), about=name),
    }


def flat(text):
    return readable(re.sub(r"\s+", " ", text))


@cache
def pictures(name):
    return {what: result.plot() for what, result in results(name).items()}


@cache
def cards(name):
    return {what: result._repr_html_() for what, result in results(name).items()}


@NAMES
def test_pictures_state_a_finding_and_become_files(name):
    for what, chart in pictures(name).items():
        assert isinstance(chart, alt.LayerChart | alt.VConcatChart), what
        specification = chart.to_dict()
        assert flat(" ".join(specification["title"]["text"])) == flat(chart.description), what
        assert len(chart.description) > 15, what
        root = ET.fromstring(re.search("<svg.*</svg>", cards(name)[what], re.DOTALL)[0])
        assert float(root.attrib["width"]) <= WIDE + (10 if name == PLAIN else 30), what  # a line of x is a wide one
        assert not [element for element in root.iter() if element.tag.endswith("script")], what
        assert json.loads(to_json(chart)) == specification, what


def test_pictures_are_printed():
    for what, chart in pictures(PLAIN).items():
        assert to_png(chart).startswith(b"\x89PNG\r\n"), what


def test_every_colour_has_a_twin_for_dark_pages():
    for what, card in cards(PLAIN).items():
        colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', card))
        assert colours - {"none", "transparent"} <= {shade.light for shade in SHADES}, what


@NAMES
def test_cards_say_the_answer_and_fetch_nothing(name, read_page):
    for what, result in results(name).items():
        card = cards(name)[what]
        read = read_page(card)
        if not isinstance(result, Passport):  # whose words tests/report/test_passport_page.py holds
            for sentence in words_of(result, finding=pictures(name)[what].description).answer:
                assert flat(sentence) in flat(read.text), what
        assert "script" not in {tag for tag, _ in read.elements}, what
        attributes = {attribute for _, given in read.elements for attribute in given}
        assert not attributes & {"src", "href", "xlink:href", "srcset", "action", "onclick", "onload"}, what
        assert not re.search(r"url\((?!#)", card), what
        assert "\u202e" not in card, what
        assert card.count("<svg") == 1, what


def test_cards_of_what_was_computed_from_the_table_say_so_first(read_page):
    for what, result in results(PLAIN).items():
        text = read_page(cards(PLAIN)[what]).text.strip()
        assert text.startswith(CONFIDENTIAL) == result.confidential, what
        document = result.to_dict() if hasattr(result, "to_dict") else {}
        assert document.get("confidential", result.confidential) == result.confidential, what
