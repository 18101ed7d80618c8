"""The figures of Paper 004 in our version: what was measured of our synthetic tables, and curves fitted to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.reproduction.figure import Curve, Figure, curve
from epsilometer.reproduction.synthetic.comparisons import TRAINING
from epsilometer.reproduction.synthetic.fits import DEGREES, FAMILIES, PREDICTED, best_family, fitted, trained

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.reproduction.synthetic.experiments import Experiments, Runs
    from epsilometer.vocabulary.arrays import FloatArray

STATISTICS: Final = {
    "mean, error in %": "mean error",
    "standard deviation, error in %": "deviation error",
    "variance, error in %": "variance error",
}
MODELS: Final = {"SVM": "svm", "LR": "lr", "MLP": "mlp"}
RISKS: Final = (  # of Figures 6 to 8, with what was measured for each
    ("6", "Voronoi privacy", "Voronoi privacy", ""),
    ("7", "mean nearest distance", "nearest distance", "mean"),
    ("8", "p of p-privacy", "p", ""),
)
MEASURED: Final = "measured"
COARSE: Final = (0.01, 0.1, 1.0, 10.0)  # the epsilons of Figure 2
GRID: Final = np.geomspace(PREDICTED[0], PREDICTED[-1], 80)
EPSILON: Final = "privacy parameter ε (log scale)"
RANGE: Final = "Points and bars: mean and range of the runs."
TRAINED: Final = f"Fitted to ε = {', '.join(f'{epsilon:g}' for epsilon in TRAINING)}. {RANGE}"


def all_figures(experiments: Experiments) -> Iterator[Figure]:
    """Yield figures 1 to 8 for each table."""
    for table in experiments.tables:
        yield _risk(experiments, table)
        yield _each_column(experiments, table)
        yield _families(experiments, table)
        yield _first_degree(experiments, table)
        yield _both_degrees(experiments, table)
        yield from _against_accuracy(experiments, table)


def _name(number: str, table: str) -> str:
    return f"004-figure-{number}-{table.lower()}"


def _points(row: str, column: str, line: str, runs: Runs) -> Curve:
    """Draw the mean of the runs at each epsilon, with their range."""
    low, high = runs.values.min(axis=1), runs.values.max(axis=1)
    x, value = runs.epsilons, runs.means
    return Curve(row=row, column=column, line=line, known="simulated", x=x, value=value, low=low, high=high)


def _with_families(row: str, table: str, runs: Runs) -> Iterator[Curve]:
    yield _points(row, table, MEASURED, runs)
    for line, family in FAMILIES.items():
        yield curve(row, table, line, known="fitted", x=GRID, value=fitted(runs, family).at(GRID))


def _risk(experiments: Experiments, table: str) -> Figure:
    runs = experiments.runs(table, "Voronoi privacy")
    return Figure(
        name=_name("1", table),
        title=f"{table}: the {best_family(runs)} curve predicts the risk distance best at an ε left out of its fit",
        subtitle=f"Both readings of the Voronoi distance, each column in percent of its declared range. {RANGE}",
        x_title=EPSILON,
        y_title="",
        curves=(
            *_with_families("distance from the optimal table", table, runs),
            *_with_families("distance from the diagram", table, experiments.runs(table, "distance to the diagram")),
        ),
    )


def _each_column(experiments: Experiments, table: str) -> Figure:
    runs = experiments.runs(table, "variance error")
    first, last = (runs.mean_at(epsilon) for epsilon in (COARSE[0], COARSE[-1]))
    return Figure(
        name=_name("2", table),
        title=f"{table}: from ε = 0.01 to 10 the error of the variance falls from {first:.3g}% to {last:.2g}%",
        subtitle=f"At the four ε of the paper, as it is and as its logarithm to base ten. {RANGE}",
        x_title=EPSILON,
        y_title="",
        curves=tuple(_variances(experiments, table)),
    )


def _variances(experiments: Experiments, table: str) -> Iterator[Curve]:
    shown = [(column, "each column", column) for column in experiments.columns(table)]
    for line, panel, of in [*shown, ("mean", "mean of the columns", None)]:
        runs = experiments.runs(table, "variance error", of).at(COARSE)
        yield _points("error, %", panel, line, runs)
        yield curve("error, %", panel, line, known="joined", x=runs.epsilons, value=runs.means)
        yield curve("log10 of the error", panel, line, known="joined", x=runs.epsilons, value=np.log10(runs.means))


def _families(experiments: Experiments, table: str) -> Figure:
    shown = {row: experiments.runs(table, quantity) for row, quantity in STATISTICS.items()}
    n_won = sum(best_family(runs) == "reciprocal" for runs in shown.values())
    return Figure(
        name=_name("3", table),
        title=f"{table}: the reciprocal curve predicts best at an ε left out of its fit, {n_won} times of {len(shown)}",
        subtitle=f"Means over the columns of the size of the error. {RANGE}",
        x_title=EPSILON,
        y_title="",
        curves=tuple(drawn for row, runs in shown.items() for drawn in _with_families(row, table, runs)),
    )


def _first_degree(experiments: Experiments, table: str) -> Figure:
    runs, epsilon = experiments.runs(table, "variance error"), PREDICTED[-1]
    said, known = float(trained(runs, DEGREES["degree 1"]).at(epsilon)), runs.mean_at(epsilon)
    return Figure(
        name=_name("4", table),
        title=(
            f"{table}: at ε = {epsilon:g} the curve of the first degree says {said:.2g}% where the error of the "
            f"variance is {known:.2g}%"
        ),
        subtitle=TRAINED,
        x_title=EPSILON,
        y_title="",
        curves=tuple(
            drawn
            for row, quantity in STATISTICS.items()
            for drawn in _predicted(row, table, experiments.runs(table, quantity), ["degree 1"])
        ),
    )


def _predicted(row: str, table: str, runs: Runs, degrees: list[str]) -> Iterator[Curve]:
    yield _points(row, table, MEASURED, runs.at(PREDICTED))
    for degree in degrees:
        yield curve(row, table, degree, known="fitted", x=GRID, value=trained(runs, DEGREES[degree]).at(GRID))


def _both_degrees(experiments: Experiments, table: str) -> Figure:
    runs, row = experiments.runs(table, "variance error"), "predicted / measured"
    shares = {degree: _shares(runs, degree) for degree in DEGREES}
    worst = {degree: float(np.abs(share - 1).max()) for degree, share in shares.items()}
    return Figure(
        name=_name("5", table),
        title=(
            f"{table}: the curve of the second degree is off by up to {worst['degree 2']:.0%} of the error measured, "
            f"that of the first by up to {worst['degree 1']:.0%}"
        ),
        subtitle=TRAINED,
        x_title=EPSILON,
        y_title="",
        curves=(
            *_predicted("variance, error in %", table, runs, list(DEGREES)),
            curve(row, table, MEASURED, known="exact", x=PREDICTED, value=np.ones(len(PREDICTED))),
            *(curve(row, table, degree, known="joined", x=PREDICTED, value=shares[degree]) for degree in DEGREES),
        ),
    )


def _shares(runs: Runs, degree: str) -> FloatArray:
    return np.asarray(trained(runs, DEGREES[degree]).at(PREDICTED) / runs.at(PREDICTED).means)


def _against_accuracy(experiments: Experiments, table: str) -> Iterator[Figure]:
    known = experiments.runs(table, "accuracy", MODELS["LR"]).means
    for number, risk, quantity, of in RISKS:
        at = experiments.runs(table, quantity, of).means
        yield Figure(
            name=_name(number, table),
            title=(
                f"{table}: from ε = 0.01 to 10 the {risk} goes from {at[0]:.3g} to {at[-1]:.3g}, the accuracy of LR "
                f"from {known[0]:.1%} to {known[-1]:.1%}"
            ),
            subtitle="Models trained on synthetic records and tested on originals; bars: range of the runs at an ε.",
            x_title=f"{risk} (log scale)",
            y_title="accuracy",
            curves=tuple(drawn for model in MODELS for drawn in _accuracies(experiments, table, model, at)),
            from_zero=False,
        )


def _accuracies(experiments: Experiments, table: str, model: str, at: FloatArray) -> Iterator[Curve]:
    """Draw the accuracy at each risk, between that of models trained on originals and that of the largest class."""
    runs = experiments.runs(table, "accuracy", MODELS[model])
    yield Curve(
        row=table,
        column=model,
        line="on synthetic",
        known="simulated",
        x=at,
        value=runs.means,
        low=runs.values.min(axis=1),
        high=runs.values.max(axis=1),
    )
    levels = {
        "on originals": experiments.runs(table, "accuracy of originals", MODELS[model]),
        "largest class": experiments.runs(table, "accuracy", "largest class"),
    }
    for line, level in levels.items():
        ends = [at.min(), at.max()]
        yield curve(table, model, line, known="exact", x=ends, value=np.full(2, level.values.mean()))
