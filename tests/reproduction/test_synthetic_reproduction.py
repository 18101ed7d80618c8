"""Paper 004 worked through again, against figures that were worked out independently of this package."""

import json
import math
import sys
from itertools import permutations
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from epsilometer.cli.main import main
from epsilometer.report.documents import schema_text
from epsilometer.reproduction.drawing import draw_figure
from epsilometer.reproduction.finding import Severity
from epsilometer.reproduction.synthetic.comparisons import SECOND_DEGREE
from epsilometer.reproduction.synthetic.experiments import FILES, Experiments, from_files, from_package
from epsilometer.reproduction.synthetic.figures import all_figures
from epsilometer.reproduction.synthetic.health import BOUNDS, health_table
from epsilometer.reproduction.synthetic.make_curves import write_curves
from epsilometer.reproduction.synthetic.measure import EPSILONS, MEASURES, N_RUNS, errors, made, measure, measured
from epsilometer.reproduction.synthetic.originals import Original, adult, health
from epsilometer.reproduction.synthetic.reproduce import reproduce_synthetic

DATA = Path(__file__).parents[3] / "shared" / "data"
RAW = pytest.mark.skipif(not DATA.is_dir(), reason="the raw files are not part of the project")
SEVEN = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0]


@pytest.fixture(scope="module")
def experiments():
    return from_package()


@pytest.fixture(scope="module")
def reproduction(experiments):
    return reproduce_synthetic(experiments)


@pytest.fixture(scope="module")
def findings(reproduction):
    return {finding.id: finding for finding in reproduction.findings}


@pytest.fixture(scope="module")
def figures(experiments):
    return {figure.name: figure for figure in all_figures(experiments)}


@pytest.fixture(scope="module")
def small():
    """A health table of 500 rows, synthesized at three epsilons."""
    pytest.importorskip("sklearn", reason="models need the extra synthesis")
    original = health(500)
    return original, list(measure(original, epsilons=(0.1, 1.0, 10.0), n_runs=2))


def curves(figure, **labels):
    return [drawn for drawn in figure.curves if all(getattr(drawn, key) == labels[key] for key in labels)]


def quadratic(nodes, values, at):
    """Lagrange's interpolation in 1/epsilon, by hand."""
    u, x = 1 / np.array(nodes), 1 / at
    return sum(
        value * math.prod((x - u[j]) / (u[i] - u[j]) for j in range(3) if j != i) for i, value in enumerate(values)
    )


# --- printed numbers --------------------------------------------------------------------------------------------


def test_every_number_comes_out_or_says_why_not(reproduction):
    assert len(reproduction.comparisons) == 3 + 7 + 7 + 7
    assert {row.paper for row in reproduction.comparisons} == {"004"}
    wrong = [(row.place, row.quantity, row.note) for row in reproduction.comparisons if not row.agrees]
    rounding = "Within what the seven decimals of the three errors it is fitted to leave open."
    assert wrong == [
        ("Section 3.2.5", "Laplace noise stays within ± 2σ", "R4."),
        ("Section 3.2.5", "Laplace noise stays below 2σ", "R4."),
        ("Table 3", "variance error, %, ε = 0.05 (predicted)", rounding),
        ("Table 3", "variance error, %, ε = 0.1 (predicted)", rounding),
    ]


def test_the_example_of_p_privacy(reproduction):
    assert [row.ours for row in reproduction.comparisons if row.printed == "2/27"] == [pytest.approx(2 / 27)]


def test_table_1_is_the_quadratic_through_three_of_its_rows(reproduction):
    rows = [row for row in reproduction.comparisons if row.place == "Table 1"]
    by_hand = [quadratic([0.02, 0.1, 1.0], [37, 18, 6], at) for at in (0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0)]
    assert [row.ours for row in rows] == pytest.approx(by_hand)
    assert sum("training point" in row.quantity for row in rows) == 3


def test_table_3_is_as_near_as_the_seven_decimals_of_its_inputs_allow():
    """An input off by half of its last digit moves the prediction by that times its Lagrange weight."""
    for at, printed, ours in zip(SEVEN, SECOND_DEGREE.predicted, SECOND_DEGREE.ours(), strict=True):
        weights = [quadratic([0.01, 0.5, 10.0], unit, at) for unit in np.eye(3)]
        assert abs(float(printed) - ours) <= 5e-8 * (1 + sum(map(abs, weights)))
        assert ours == pytest.approx(quadratic([0.01, 0.5, 10.0], [91.1924361, 0.6377946, 0.1335111], at))


# --- the errata -------------------------------------------------------------------------------------------------


def test_every_erratum_is_there_once(reproduction):
    assert [finding.id for finding in reproduction.findings] == [f"R{number}" for number in range(1, 8)]
    critical = [finding.id for finding in reproduction.findings if finding.severity is Severity.CRITICAL]
    assert critical == ["R2", "R5"]


@pytest.mark.parametrize(
    ("erratum", "pairs"),
    [
        ("R1", [(0, 1 / 2)]),
        ("R2", [(1 / 5, 2 / 5)]),
        ("R3", []),
        (
            "R4",
            [
                (0.95, 1 - math.exp(-2 * math.sqrt(2))),
                (0.95, 1 - math.exp(-2 * math.sqrt(2)) / 2),
                (math.sqrt(2) / 10, math.log(20) / 20),
                (math.sqrt(2) / 10, math.log(10) / 20),
            ],
        ),
        ("R5", [(0, 1.5), (1.5, 0)]),
    ],
)
def test_numbers_of_an_erratum(findings, erratum, pairs):
    found = [(pair.printed, pair.right) for pair in findings[erratum].pairs]
    assert len(found) == len(pairs)
    for pair, known in zip(found, pairs, strict=True):
        assert pair == pytest.approx(known, rel=1e-9)


def test_r1_both_matchings_cost_the_same():
    costs = [sum(abs(o - d) for o, d in zip((0, 1), order, strict=True)) for order in permutations((2, 3))]
    within = [sum(abs(o - d) <= 1 for o, d in zip((0, 1), order, strict=True)) for order in permutations((2, 3))]
    assert costs == [4, 4]
    assert within == [0, 1]


def test_r4_percentages_in_words(findings):
    assert "94.09%" in findings["R4"].right
    assert "97.04%" in findings["R4"].right


def test_r6_errors_cancel_and_equation_14_is_far_off(findings):
    cancelled, *equation = [(pair.printed, pair.right) for pair in findings["R6"].pairs]
    assert cancelled == (0, 0.5)
    assert equation[0] == pytest.approx((20, 91.1924361))
    assert [printed for printed, _ in equation] == pytest.approx([0.2 / epsilon for epsilon in SEVEN])


def test_r7_lists_the_rows_that_no_curve_was_fitted_to(findings):
    pairs = {pair.quantity: (pair.printed, pair.right) for pair in findings["R7"].pairs}
    assert len(pairs) == 12
    assert pairs["Table 1: risk distance, ε = 0.05"] == (28, 34)
    assert pairs["Table 2: variance error, %, ε = 0.1"] == (8.603435, 3.1175912)


# --- the tables -------------------------------------------------------------------------------------------------


def test_the_health_table_follows_its_laws():
    """Height and weight are independent normals; with 200,000 rows five standard errors are the limits below."""
    rows = health_table(200_000, seed=7).to_pandas()
    assert rows["HEIGHT"].mean() == pytest.approx(170, abs=0.11)
    assert rows["HEIGHT"].std() == pytest.approx(math.hypot(9, math.sqrt(1 / 12)), abs=0.08)
    assert rows["WEIGHT"].mean() == pytest.approx(72, abs=0.14)
    assert rows["WEIGHT"].std() == pytest.approx(math.hypot(12, math.sqrt(1 / 12)), abs=0.1)
    assert abs(rows["HEIGHT"].corr(rows["WEIGHT"])) < 0.0112
    index = rows["WEIGHT"] / (rows["HEIGHT"] / 100) ** 2
    assert (rows["BMI"] - index).abs().quantile(0.99) < 1
    for column, base, slope, noise in (("DBP", 55, 1.0, 2.0), ("SBP", 85, 1.4, 3.0)):
        left = rows[column] - base - slope * index
        assert left.mean() == pytest.approx(0, abs=0.1)
        assert noise < left.std() < noise * 1.1


def test_the_health_table_is_that_of_its_seed():
    assert health_table(50).equals(health_table(50))
    assert not health_table(50, seed=1).equals(health_table(50, seed=2))


def test_the_declared_bounds_hold_but_for_a_few():
    rows = health_table(100_000)
    outside = sum(
        int(((rows[name].to_numpy() < low) | (rows[name].to_numpy() > high)).sum())
        for name, (low, high) in BOUNDS.items()
    )
    assert outside <= 5


@RAW
def test_adult_is_read_as_whole_numbers():
    original = adult(DATA)
    rows = pd.read_csv(DATA / "adult.csv")
    found = original.records.rows.to_pandas()
    assert found["age"].tolist() == rows["age"].tolist()
    assert found["sex"].sum() == (rows["sex"] == "Male").sum() == 32_650
    assert found["income"].mean() == pytest.approx((rows["income"] == ">50K").mean())


# --- the measurements -------------------------------------------------------------------------------------------


def test_synthetic_tables_have_the_size_and_the_domain(small):
    original, _ = small
    synthetic = made(original, 1.0, seed=3)
    assert synthetic.rows.schema == original.records.rows.schema
    assert len(synthetic) == len(original.records)
    for name, (low, high) in original.bounds.items():
        assert synthetic.numbers(name).min() >= low
        assert synthetic.numbers(name).max() <= high
    assert not synthetic.rows.equals(made(original, 1.0, seed=4).rows)


def test_measurements_are_what_the_rows_say(small):
    """Brute force on the same synthetic table, which its seed makes again."""
    original, found = small
    last = {(each.quantity, each.of): each.value for each in found if each.seed == 5}
    synthetic = made(original, 10.0, seed=5)
    before, after = original.records.rows.to_pandas(), synthetic.rows.to_pandas()
    for name in before:
        assert last["mean error", name] == pytest.approx(100 * abs(after[name].mean() / before[name].mean() - 1))
        assert last["variance error", name] == pytest.approx(100 * abs(after[name].var() / before[name].var() - 1))
        assert last["deviation error", name] == pytest.approx(100 * abs(after[name].std() / before[name].std() - 1))
    widths = np.array([high - low for low, high in original.bounds.values()])
    here, there = (100 * rows.to_numpy() / widths for rows in (before, after))
    nearest = np.array([np.linalg.norm(here - record, axis=1).min() for record in there])
    assert last["nearest distance", "mean"] == pytest.approx(nearest.mean())
    assert last["nearest distance", "least"] == pytest.approx(nearest.min())
    assert last["accuracy", "lr"] > last["accuracy", "largest class"] + 0.2


def test_everything_is_measured_at_every_epsilon(small):
    _, found = small
    kinds = {(each.quantity, each.of) for each in found}
    assert len(kinds) == 3 * 5 + 4 + 1 + 7
    assert len(found) == len(kinds) * 6
    assert [each.epsilon for each in found if each.quantity == "p"] == [0.1, 0.1, 1, 1, 10, 10]
    assert {each.n_rows for each in found} == {500}


def test_the_stored_files_have_their_provenance(experiments):
    assert experiments.tables == ["Health", "Adult"]
    for table, n_rows in (("Health", 1_000_000), ("Adult", 48_842)):
        assert experiments.n_rows(table) == n_rows
        rows = experiments.measurements.query("table == @table")
        assert set(rows["method"]) == {"dpcopula"}
        assert sorted(set(zip(rows["epsilon"], rows["seed"], strict=True))) == [
            (epsilon, seed) for seed, epsilon in enumerate(np.repeat(EPSILONS, N_RUNS))
        ]
        assert len(rows) == 24 * 27
        assert np.isfinite(rows["value"]).all()


def stored(experiments, table, seed, quantity):
    rows = experiments.measurements.query("table == @table and seed == @seed and quantity == @quantity")
    return dict(zip(rows["of"], rows["value"], strict=True))


def test_stored_errors_of_the_health_table_come_out_again(experiments):
    """One of its 24 synthetic tables, with all of its rows."""
    again = {each.of: each.value for each in measured(health(), 0.1, 10, [errors]) if each.quantity == "variance error"}
    assert again == pytest.approx(stored(experiments, "Health", 10, "variance error"), rel=1e-5)


@RAW
def test_stored_measurements_of_adult_come_out_again(experiments):
    again = {each.of: each.value for each in measured(adult(DATA), 1.0, 15, MEASURES[:3]) if each.quantity == "p"}
    assert again == pytest.approx(stored(experiments, "Adult", 15, "p"), rel=1e-5)


@RAW
def test_measuring_anew_takes_both_tables(monkeypatch):
    taken = []

    def counted(original: Original):
        taken.append((original.name, len(original.records)))
        return iter(())

    monkeypatch.setattr("epsilometer.reproduction.synthetic.experiments.measure", counted)
    monkeypatch.setattr("epsilometer.reproduction.synthetic.experiments.health", lambda: health(10))
    assert from_files(DATA).source == "measured anew"
    assert taken == [("Health", 10), ("Adult", 48_842)]


def test_the_files_are_what_measuring_writes(small, monkeypatch, tmp_path):
    original, found = small
    script = "epsilometer.reproduction.synthetic.make_curves"
    monkeypatch.setattr(f"{script}.health", lambda: original)
    monkeypatch.setattr(f"{script}.adult", lambda data: original)
    monkeypatch.setattr(f"{script}.measure", lambda original: found)
    write_curves(DATA, tmp_path)
    direct = Experiments.of(found, "").measurements
    for name in FILES:
        read = pd.read_csv(tmp_path / name, keep_default_na=False)
        assert read.columns.tolist() == direct.columns.tolist()
        assert read["value"].to_numpy() == pytest.approx(direct["value"].to_numpy(), rel=1e-5)


# --- figures and result -----------------------------------------------------------------------------------------


TABLES = pytest.mark.parametrize("table", ["Health", "Adult"])


def test_all_figures_are_there_for_both_tables(figures):
    assert list(figures) == [f"004-figure-{n}-{table}" for table in ("health", "adult") for n in range(1, 9)]


@TABLES
def test_figure_1_has_the_measured_points_and_three_families(figures, experiments, table):
    drawn = curves(figures[f"004-figure-1-{table.lower()}"], row="distance from the optimal table")
    assert [each.line for each in drawn] == ["measured", "reciprocal", "exponential", "polynomial"]
    rows = experiments.measurements.query("table == @table and quantity == 'Voronoi privacy'")
    by_epsilon = rows.groupby("epsilon")["value"]
    assert drawn[0].x.tolist() == by_epsilon.mean().index.tolist()
    assert drawn[0].value == pytest.approx(by_epsilon.mean().to_numpy())
    assert drawn[0].low == pytest.approx(by_epsilon.min().to_numpy())
    assert drawn[0].high == pytest.approx(by_epsilon.max().to_numpy())


@TABLES
def test_figure_2_averages_the_columns(figures, table):
    figure = figures[f"004-figure-2-{table.lower()}"]
    each = [drawn.value for drawn in curves(figure, row="error, %", column="each column", known="joined")]
    (mean,) = curves(figure, row="error, %", column="mean of the columns", known="joined")
    assert len(each) == 5
    assert np.mean(each, axis=0) == pytest.approx(mean.value)
    (logarithm,) = curves(figure, row="log10 of the error", line="mean")
    assert 10**logarithm.value == pytest.approx(mean.value)


@TABLES
def test_figure_3_has_errors_that_fall_and_a_reciprocal_curve_that_is_nearest_to_them(figures, table):
    figure = figures[f"004-figure-3-{table.lower()}"]
    assert "3 times of 3" in figure.title
    for row in {drawn.row for drawn in figure.curves}:
        (points,) = curves(figure, row=row, line="measured")
        assert points.value[0] > 5 * points.value[-1]
        away = {
            line: np.abs(np.interp(np.log(points.x), np.log(drawn.x), drawn.value) - points.value).sum()
            for line in ("reciprocal", "exponential", "polynomial")
            for drawn in curves(figure, row=row, line=line)
        }
        assert min(away, key=away.get) == "reciprocal"


@TABLES
def test_figures_4_and_5_are_curves_fitted_to_three_epsilons(figures, table):
    figure = figures[f"004-figure-5-{table.lower()}"]
    (points,) = curves(figure, row="variance, error in %", line="measured")
    (shares,) = curves(figure, row="predicted / measured", line="degree 2")
    assert points.x.tolist() == shares.x.tolist() == SEVEN
    by_hand = [quadratic([0.01, 0.5, 10.0], points.value[[0, 3, 6]], at) for at in SEVEN]
    assert shares.value * points.value == pytest.approx(by_hand)
    (shares,) = curves(figure, row="predicted / measured", line="degree 1")
    line = np.polyfit(1 / np.array([0.01, 0.5, 10.0]), points.value[[0, 3, 6]], 1)
    assert shares.value * points.value == pytest.approx(np.polyval(line, 1 / np.array(SEVEN)))
    first = figures[f"004-figure-4-{table.lower()}"]
    (drawn,) = curves(first, row="variance, error in %", line="degree 1")
    assert drawn.value == pytest.approx(np.polyval(line, 1 / drawn.x))


@TABLES
@pytest.mark.parametrize("number", [6, 7, 8])
def test_figures_6_to_8_have_a_panel_for_each_model(figures, table, number):
    figure = figures[f"004-figure-{number}-{table.lower()}"]
    assert not figure.from_zero
    for model in ("SVM", "LR", "MLP"):
        points, originals, largest = curves(figure, row=table, column=model)
        assert len(points.x) == len(EPSILONS)
        assert (points.value < 1).all()
        assert originals.value[0] > largest.value[0]
        assert points.value.mean() > largest.value[0]


def test_every_figure_can_be_drawn(figures):
    for figure in figures.values():
        drawn = draw_figure(figure).to_dict()
        panels = [panel["title"] for row in drawn["vconcat"] for panel in row["hconcat"]]
        assert sorted(panels) == sorted({f"{curve.row}: {curve.column}" for curve in figure.curves})


def test_axes_of_a_short_range_have_ticks_and_need_no_zero(figures):
    """The risk of the health table goes from 3.1 to 4.7, where there is no 1, 2 or 5."""
    drawn = draw_figure(figures["004-figure-6-health"]).to_dict()
    encoding = drawn["vconcat"][0]["hconcat"][0]["layer"][0]["encoding"]
    assert encoding["x"]["axis"] == {"format": "~g", "tickCount": 4}
    assert encoding["y"]["scale"] == {"zero": False}


def test_what_cannot_be_compared_is_said(reproduction):
    said = " ".join(reproduction.left_out)
    for words in (
        "a method that the paper does not name",
        "whose means and deviations are ours as the paper gives none",
        "pairs off 2,000 random records",
        "Table 1 with ours, Health, 1,000,000 rows",
        "Table 3 with ours, Adult, 48,842 rows",
        "holds for 8 of our 8 curves",
        "is nowhere above 0 in our tables",
    ):
        assert words in said


def test_the_summary_counts_what_is_there(reproduction):
    assert reproduction.summary.startswith("In 20 of 24 comparisons the printed number comes out")
    assert "There are 7 errata, of which R2, R5 are critical." in reproduction.summary


def test_command_line_gives_json_by_the_schema(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["epsilometer", "reproduce", "synthetic", "--json", "--quiet"])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(document)
    assert document["papers"] == ["004"]
    assert document["data"] == "our synthetic tables as measured for the package"
    assert {finding["id"] for finding in document["findings"]} == {f"R{n}" for n in range(1, 8)}
