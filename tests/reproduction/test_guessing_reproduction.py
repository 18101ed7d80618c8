"""Paper 003 worked through again, against figures that were worked out independently of this package."""

import json
import math
import runpy
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from epsilometer.cli.main import main
from epsilometer.report.documents import schema_text
from epsilometer.reproduction.drawing import draw_figure
from epsilometer.reproduction.finding import Severity
from epsilometer.reproduction.guessing.case_study import (
    group_aware,
    mean_error,
    mean_worst_gain,
    one_for_all,
    own_epsilon,
    printed_epsilon,
    prior_free_epsilon,
    worst_gain,
)
from epsilometer.reproduction.guessing.experiments import from_counts, from_files
from epsilometer.reproduction.guessing.figures import all_figures
from epsilometer.reproduction.guessing.releases import HISTOGRAM, MEAN, NOISES, expected_error
from epsilometer.reproduction.guessing.reproduce import reproduce_guessing

DATA = Path(__file__).parents[3] / "shared" / "data"
EXPLANATION = Path(__file__).parents[2] / "docs" / "explanation"
RAW = pytest.mark.skipif(not DATA.is_dir(), reason="the raw files are not part of the project")


@pytest.fixture(scope="module")
def experiments():
    return from_counts()


@pytest.fixture(scope="module")
def reproduction(experiments):
    return reproduce_guessing(experiments)


@pytest.fixture(scope="module")
def findings(reproduction):
    return {finding.id: finding for finding in reproduction.findings}


@pytest.fixture(scope="module")
def figures(experiments):
    return {figure.name: figure for figure in all_figures(experiments)}


def curves(figure, **labels):
    return [drawn for drawn in figure.curves if all(getattr(drawn, key) == labels[key] for key in labels)]


def logit(p):
    return math.log(p / (1 - p))


def counted(groups):
    return {(group.name, age): int(n) for group in groups for age, n in enumerate(group.people.tolist()) if n}


# --- the data ---------------------------------------------------------------------------------------------------


@RAW
def test_packaged_counts_are_those_of_the_raw_table(experiments):
    rows = pd.read_csv(DATA / "adult.csv", usecols=["education", "sex", "age"])
    for by in ("education", "sex"):
        direct = Counter(zip(rows[by], rows["age"], strict=True))
        assert counted(getattr(experiments, by)) == direct


@RAW
def test_counting_the_raw_table_gives_the_packaged_counts(experiments):
    raw = from_files(DATA)
    for by in ("education", "sex"):
        assert counted(getattr(raw, by)) == counted(getattr(experiments, by))
    assert raw.source == "counted from the raw table"


def test_groups_stand_in_the_order_of_their_size(experiments):
    for groups in (experiments.education, experiments.sex):
        sizes = [group.n_people for group in groups]
        assert sizes == sorted(sizes)
        assert sum(sizes) == 48_842
    assert len(experiments.education) == 16


@pytest.mark.parametrize(
    ("degree", "k", "n"), [("Preschool", 45, 83), ("Doctorate", 54, 594), ("Masters", 67, 2657), ("HS-grad", 71, 15784)]
)
def test_uniqueness_is_the_product_of_the_birthday_problem(experiments, degree, k, n):
    group = experiments.group(degree)
    assert (group.n_ages, group.n_people) == (k, n)
    assert group.uniqueness == pytest.approx(math.prod(1 - i / n for i in range(k)), rel=1e-12)


# --- the errata -------------------------------------------------------------------------------------------------


def test_every_erratum_is_there_once(reproduction):
    assert [finding.id for finding in reproduction.findings] == [f"B{number}" for number in range(1, 7)]


def test_unsafe_errata_are_critical(reproduction):
    critical = [finding.id for finding in reproduction.findings if finding.severity is Severity.CRITICAL]
    assert critical == ["B4", "B5"]


@pytest.mark.parametrize(
    ("erratum", "pairs"),
    [
        ("B1", []),
        ("B2", []),
        ("B3", [(-logit(0.6), 0), (-logit(0.51), 0)]),
        ("B4", [(epsilon, 2 * math.log(1.05 / 0.95)) for epsilon in (0.61289, 0.20042, 0.43596, 6.4223)]),
        ("B5", [(0.1, 0.17), (0.810930, 0.519410)]),
        ("B6", [(0.1, 0.131488), (0.479573, 0.370617), (0.479573, 0.239787)]),
    ],
)
def test_numbers_of_an_erratum(findings, erratum, pairs):
    found = [(pair.printed, pair.right) for pair in findings[erratum].pairs]
    assert len(found) == len(pairs)
    for pair, known in zip(found, pairs, strict=True):
        assert pair == pytest.approx(known, rel=1e-5, abs=6e-7)


@pytest.mark.parametrize(
    ("erratum", "words"),
    [
        ("B3", ["0.1001 - πi"]),
        ("B4", ["0.9729 or more", "infinite", "0.441085", "0.208633", "0.253484"]),
        ("B6", ["suffices", "between the two"]),
    ],
)
def test_numbers_in_the_words_of_an_erratum(findings, erratum, words):
    assert [word for word in words if word not in findings[erratum].right] == []


def test_the_errata_page_is_what_the_findings_say():
    page = EXPLANATION / "errata-guessing.md"
    assert runpy.run_path(str(EXPLANATION / "make_errata.py"))["pages"]()[page] == page.read_text(encoding="utf-8")


# --- printed numbers and simulations ----------------------------------------------------------------------------


def test_comparisons(reproduction):
    found = [(row.agrees, row.ours, row.note) for row in reproduction.comparisons]
    known = [
        (True, 1 - 0.492702765676014593, ""),
        (True, 23, ""),
        (True, 0.1, ""),
        (True, 0.1, ""),
        (False, 0.131488, "B6."),
        (False, 0.17, "B5."),
    ]
    assert [(agrees, note) for agrees, _, note in found] == [(agrees, note) for agrees, _, note in known]
    assert [ours for _, ours, _ in found] == pytest.approx([ours for _, ours, _ in known], abs=5e-7)


def test_simulations_agree_with_the_expected_errors(reproduction):
    """With 24 intervals of 95 %, more than five misses have a probability below 1 in 500."""
    assert len(reproduction.confirmations) == 24
    assert sum(not row.agrees for row in reproduction.confirmations) <= 5
    assert all(abs(row.simulated / row.exact - 1) < 0.15 for row in reproduction.confirmations)


def test_only_the_gaussian_may_fail(reproduction):
    assert {(row.mechanism, row.delta) for row in reproduction.confirmations} == {
        ("Laplace", 0), ("Gaussian", 1e-6), ("exponential", 0)
    }  # fmt: skip


# --- the case study ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("advantage", [0.01, 0.05, 0.1])
def test_epsilon_of_a_group_is_the_difference_of_log_odds(experiments, advantage):
    for group in experiments.education:
        expected = logit(group.uniqueness + advantage) - logit(group.uniqueness)
        assert own_epsilon(advantage, group) == pytest.approx(expected, rel=1e-9)
        assert printed_epsilon(advantage, group) == pytest.approx(expected, rel=1e-9)
        assert own_epsilon(advantage, group) >= prior_free_epsilon(advantage)


def test_the_rule_asks_for_no_noise_where_the_formula_has_no_value(experiments):
    bare = [group for group in (*experiments.education, *experiments.sex) if group.uniqueness + 0.2 > 1]
    assert [group.name for group in bare] == ["Some-college", "HS-grad", "Female", "Male"]
    for group in bare:
        assert math.isnan(printed_epsilon(0.2, group))
        assert own_epsilon(0.2, group) == math.inf
        assert worst_gain(own_epsilon(0.2, group)) == 1
        assert {expected_error(MEAN, noise, math.inf, group) for noise in NOISES} == {0}


@pytest.mark.parametrize(("advantage", "epsilon"), [(0.01, 0.0400013), (0.1, 0.4013414)])
def test_prior_free_epsilon(advantage, epsilon):
    assert prior_free_epsilon(advantage) == pytest.approx(epsilon, abs=5e-8)
    assert worst_gain(epsilon) == pytest.approx(advantage, abs=1e-7)


def test_errors_with_laplace_noise_follow_from_its_scale(experiments):
    """Scale 100 / epsilon for the mean; the histogram moves two bars, so twice that."""
    for group in experiments.education:
        normal = math.sqrt(2 / math.pi) * math.sqrt(2) * 100 / 0.5 / math.sqrt(group.n_people)
        assert expected_error(MEAN, "Laplace", 0.5, group) == pytest.approx(normal, rel=1e-12)
        assert expected_error(HISTOGRAM, "Laplace", 0.5, group) == pytest.approx(2 * normal, rel=1e-12)


def test_gaussian_error_of_the_histogram_is_that_of_two_moved_bars(experiments):
    group = experiments.group("Masters")
    one, two = (expected_error(statistic, "Gaussian", 0.5, group) for statistic in (MEAN, HISTOGRAM))
    assert two == pytest.approx(math.sqrt(2) * one, rel=1e-9)


@pytest.mark.parametrize("statistic", [MEAN, HISTOGRAM], ids=lambda statistic: statistic.name)
def test_noisier_randomisers_err_more(experiments, statistic):
    group = experiments.group("Doctorate")
    for epsilon in (0.2, 0.4, 1.0):
        errors = [expected_error(statistic, noise, epsilon, group) for noise in ("Laplace", "Gaussian", "exponential")]
        assert errors == sorted(errors)


def test_the_exponential_mechanism_uses_half_of_its_epsilon():
    for statistic in (MEAN, HISTOGRAM):
        randomizer = NOISES["exponential"](statistic, 0.8).randomizer
        assert randomizer.tight_epsilon == pytest.approx(0.4, rel=1e-9)


def test_group_aware_noise_saves_error_and_costs_protection(experiments):
    groups = experiments.education
    own, common = group_aware(0.1, groups), one_for_all(0.1, groups)
    assert set(common) == {min(own)}
    errors = [mean_error(MEAN, "Laplace", epsilons, groups) for epsilons in (own, common)]
    people = np.array([group.n_people for group in groups])
    by_hand = [200 / math.sqrt(math.pi) * np.sum(np.sqrt(people) / eps) / people.sum() for eps in (own, common)]
    assert errors == pytest.approx(by_hand, rel=1e-12)
    assert errors == pytest.approx([2.3955, 4.1448], abs=1e-4)
    gains = [mean_worst_gain(epsilons, groups) for epsilons in (own, common)]
    assert gains == pytest.approx([0.2195, 0.1001], abs=1e-4)


def test_what_came_out_is_said(reproduction):
    said = " ".join(reproduction.left_out)
    for words in (
        "declared to lie between 0 and 100",
        "83 people of Preschool a total ε = 12.7",
        "ε = 0.4013 keeps 0.1 against any attacker",
        "no value for Some-college, HS-grad, 26,662 of 48,842 people, and for 2 of 2 sexes",
        "from 4.14 to 2.40 years",
        "from 0.100 to 0.220",
        "an error of 1.87 years: less",
    ):
        assert words in said


# --- figures and command line -----------------------------------------------------------------------------------


def test_figure_by_group_ends_where_the_formula_does(figures, experiments):
    figure = figures["003-epsilon-by-group"]
    (printed,) = curves(figure, row="total ε", line="δ = 0.2", known="as printed")
    assert printed.x.max() == experiments.group("Bachelors").n_people
    assert "83 people have a total ε of 12.7 for δ = 0.1" in figure.title
    epsilons = group_aware(0.1, experiments.education)
    assert max(epsilons) == epsilons[0] == pytest.approx(12.7257, abs=1e-4)


@pytest.mark.parametrize("advantage", [0.01, 0.05, 0.1, 0.2])
def test_figure_by_group_shows_that_an_attacker_gains_more_than_promised(figures, advantage):
    labels = {"row": "largest gain of an attacker", "line": f"δ = {advantage}"}
    (promised,), (allowed,) = (
        curves(figures["003-epsilon-by-group"], known=known, **labels) for known in ("exact", "as printed")
    )
    assert set(promised.value) == {advantage}
    assert (allowed.value > advantage).all()
    assert len(allowed.value) == 18


def test_figure_by_randomiser_falls_with_the_error(figures):
    figure = figures["003-error-by-randomizer"]
    assert len(figure.curves) == 2 * 2 * 3 * 2
    for drawn in figure.curves:
        assert (np.diff(drawn.x) < 0).all()
        assert (np.diff(drawn.value) > 0).all()


def test_figure_of_group_awareness_has_shares_below_one_and_gains_above_the_promise(figures):
    figure = figures["003-group-aware"]
    assert "saves 42% of the error" in figure.title
    for drawn in curves(figure, row="error, one ε for all = 1", line="own ε for each group"):
        assert (drawn.value < 1).all()
    for drawn in curves(figure, row="largest gain of an attacker"):
        assert (drawn.value >= drawn.x).all()


def test_one_epsilon_is_more_accurate_for_gains_up_to_what_the_title_says(figures):
    figure = figures["003-group-aware-trade"]
    for column in ("by education", "by sex"):
        own, one = curves(figure, column=column)
        assert (own.value == one.value).all()
        told = own.value <= 0.8
        assert told.sum() > 10
        assert (one.x[told] < own.x[told]).all()


def test_every_figure_can_be_drawn(figures):
    assert len(figures) == 4
    for figure in figures.values():
        drawn = draw_figure(figure).to_dict()
        panels = [panel["title"] for row in drawn["vconcat"] for panel in row["hconcat"]]
        assert panels == list(dict.fromkeys(f"{curve.row}: {curve.column}" for curve in figure.curves))


def test_command_line_gives_json_by_the_schema(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["epsilometer", "reproduce", "guessing", "--json", "--quiet"])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(document)
    assert document["papers"] == ["003"]
    assert document["data"] == "from the counts in the package"
