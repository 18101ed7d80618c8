"""The papers' figures as numbers and as charts."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from epsilometer.reproduction.drawing import draw_figure
from epsilometer.reproduction.homogeneity.confirmations import all_confirmations
from epsilometer.reproduction.homogeneity.experiments import from_files, from_profiles
from epsilometer.reproduction.homogeneity.figures import all_figures

DATA = Path(__file__).parents[3] / "shared" / "data"


def by_name(experiments, confirmations=()):
    return {figure.name: figure for figure in all_figures(experiments, confirmations)}


@pytest.fixture(scope="module")
def figures():
    experiments = from_profiles()
    return by_name(experiments, all_confirmations(experiments))


def curves(figure, **labels):
    return [drawn for drawn in figure.curves if all(getattr(drawn, key) == labels[key] for key in labels)]


def test_all_figures_but_the_one_that_needs_labels(figures):
    assert sorted(figures) == [
        *(f"000-figure-{number}" for number in (3, 4, 5, 6)),
        *(f"001-figure-{number}" for number in (3, 4)),
    ]


def test_figure_4_of_001_has_nine_panels_with_their_asymptotes(figures):
    figure = figures["001-figure-4"]
    assert len({(drawn.row, drawn.column) for drawn in figure.curves}) == 9
    ends = {(drawn.row, drawn.known): (drawn.value[0], drawn.value[-1]) for drawn in curves(figure, column="Laplace")}
    expected = {
        ("Adult", "as printed"): (0.25113, 1),
        ("Adult", "exact"): (0.29869, 0.80735),
        ("Bankruptcy", "as printed"): (0.25061, 1),
        ("Bankruptcy", "exact"): (0.25061, 1),
        ("Bankruptcy subset", "as printed"): (0.10041, 0.75015),
        ("Bankruptcy subset", "exact"): (0.16536, 0.69231),
    }
    assert ends.keys() == expected.keys()
    for key, values in expected.items():
        assert ends[key] == pytest.approx(values, abs=6e-6)
    assert all(drawn.x.max() < 1 for drawn in curves(figure, column="Gaussian, aDP"))


def test_figures_3_and_4_of_000_carry_the_simulation(figures):
    for name, n_curves in (("000-figure-3", 2), ("000-figure-4", 4)):
        simulated = curves(figures[name], known="simulated")
        assert len(simulated) == n_curves
        assert all((drawn.low < drawn.high).all() for drawn in simulated)


def test_figure_5_of_000_rises_with_epsilon_and_delta(figures):
    drawn = np.array([curve.value for curve in curves(figures["000-figure-5"], row="Bankruptcy")])
    assert (np.diff(drawn, axis=0) >= 0).all()
    assert (np.diff(drawn, axis=1) >= 0).all()


def test_figure_3_of_001_counts_every_cell(figures):
    totals = {drawn.row: drawn.value.sum() for drawn in figures["001-figure-3"].curves}
    assert totals == {"Adult pieces": 5974, "Adult cells": 5009, "Bankruptcy": 103, "Bankruptcy subset": 78}


def test_a_figure_as_csv_holds_every_point(figures):
    figure = figures["001-figure-3"]
    rows = list(csv.DictReader(io.StringIO(figure.to_csv().decode())))
    assert len(rows) == sum(len(drawn.x) for drawn in figure.curves)
    assert rows[0]["row"] == "Adult pieces"
    assert (float(rows[0]["x"]), float(rows[0]["value"])) == (1, 3309)


@pytest.mark.parametrize("name", ["000-figure-3", "001-figure-3", "001-figure-4"])
def test_charts_have_a_panel_for_each_row_and_column(figures, name):
    figure = figures[name]
    drawn = draw_figure(figure).to_dict()
    panels = [panel["title"] for row in drawn["vconcat"] for panel in row["hconcat"]]
    assert panels == list(dict.fromkeys(f"{curve.row}: {curve.column}" for curve in figure.curves))


@pytest.mark.skipif(not DATA.is_dir(), reason="the raw files are not part of the project")
def test_figure_5_of_001_falls_with_epsilon():
    """Paper 001: big drops from 0.1 to 1 and from 1 to 10."""
    figure = by_name(from_files(DATA))["001-figure-5"]
    for drawn in curves(figure, column="Laplace"):
        at = dict(zip(drawn.x.tolist(), drawn.value.tolist(), strict=True))
        assert at[0.1] > 2 * at[1.0] > 8 * at[10.0]
