"""The figures of papers 000 and 001 as numbers.

The papers' own points are pictures and cannot be compared; what their text says of the figures is compared in
:mod:`~epsilometer.reproduction.homogeneity.comparisons`.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.loss import utility_loss
from epsilometer.formulas import homogeneity
from epsilometer.reproduction.figure import Curve, Figure, curve
from epsilometer.reproduction.homogeneity.readings import LAPLACE, SETTINGS, exact, pdp, printed_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from epsilometer.reproduction.confirmation import Confirmation
    from epsilometer.reproduction.homogeneity.experiments import Experiments
    from epsilometer.reproduction.homogeneity.readings import Setting
    from epsilometer.tables.frequency_table import FrequencyTable

EPSILON: Final = "privacy parameter ε (log scale)"
RISK: Final = "mean risk of a cell"
SURFACE: Final = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
COARSE: Final = np.geomspace(1e-3, 1e2, 21)
LOSS_GRID: Final = np.array([0.1, 0.5, 1.0, 3.0, 10.0])
LOSS_REPEATS: Final = 50


def all_figures(experiments: Experiments, confirmations: Iterable[Confirmation]) -> Iterator[Figure]:
    """Yield every figure that the tables allow; Figure 5 of paper 001 needs the labels of the cells."""
    simulated = tuple(confirmations)
    yield _laplace(experiments, simulated)
    yield _gaussian(experiments, simulated)
    yield _surface(experiments)
    yield _thresholding(experiments)
    yield _sizes(experiments)
    yield _three_tables(experiments)
    if experiments.has_labels:
        yield _utility(experiments)


def _laplace(experiments: Experiments, simulated: tuple[Confirmation, ...]) -> Figure:
    return Figure(
        name="000-figure-3",
        title="500 simulated releases lie on the formula, with Laplace noise",
        subtitle="Line: exact. Points: mean of 500 releases; their 95 % intervals are smaller than the points.",
        x_title=EPSILON,
        y_title=RISK,
        curves=tuple(_with_simulation(experiments, (LAPLACE,), simulated)),
    )


def _gaussian(experiments: Experiments, simulated: tuple[Confirmation, ...]) -> Figure:
    return Figure(
        name="000-figure-4",
        title="500 simulated releases lie on the formula, with Gaussian noise",
        subtitle="Lines: exact, one for each δ. Points: mean of 500 releases for δ = 0.001.",
        x_title=EPSILON,
        y_title=RISK,
        curves=tuple(_with_simulation(experiments, SETTINGS[1:], simulated)),
    )


def _surface(experiments: Experiments) -> Figure:
    return Figure(
        name="000-figure-5",
        title="ε moves the risk more than δ does, with Gaussian noise for pDP",
        subtitle="Paper 000 draws a surface over ε and δ; here each δ is a line.",
        x_title=EPSILON,
        y_title=RISK,
        curves=tuple(
            _risk(name, freq, pdp(delta), "exact")
            for (name, freq), delta in product(_first_tables(experiments), SURFACE)
        ),
    )


def _thresholding(experiments: Experiments) -> Figure:
    adult = experiments.adult
    tables = (("Adult pieces", experiments.adult_pieces), ("Adult cells", adult))
    rules = (("largest count (hard)", homogeneity.hard), ("share of counts (soft)", homogeneity.soft))
    curves = []
    for (name, freq), (rule, formula) in product(tables, rules):
        values = formula(freq.profile.counts, LAPLACE.noise(*COARSE)) @ freq.profile.n_cells / freq.n_cells
        curves.append(curve(name, "Laplace", rule, known="exact", x=COARSE, value=values))
    best = float(curves[2].value[-1])
    return Figure(
        name="000-figure-6",
        title=f"In the real Adult cells even the best guess stays at {best:.1%} without noise, not 100 %",
        subtitle="The attacker guesses from all published counts of the cell, not only where one value is left.",
        x_title=EPSILON,
        y_title="mean chance to name a member's value",
        curves=tuple(curves),
    )


def _sizes(experiments: Experiments) -> Figure:
    tables = (
        ("Adult pieces", experiments.adult_pieces),
        ("Adult cells", experiments.adult),
        ("Bankruptcy", experiments.bankruptcy),
        ("Bankruptcy subset", experiments.subset),
    )
    curves = []
    for name, freq in tables:
        sizes, cells = freq.profile.cells_of_sizes
        curves.append(curve(name, "sizes", "cells", known="counted", x=sizes, value=cells))
    return Figure(
        name="001-figure-3",
        title="Most cells hold very few records",
        subtitle="Number of cells of each size; paper 001 shows the pieces where it says cells.",
        x_title="records in the cell (log scale)",
        y_title="cells",
        curves=tuple(curves),
    )


def _three_tables(experiments: Experiments) -> Figure:
    adult, bankruptcy, subset = experiments.adult, experiments.bankruptcy, experiments.subset
    curves = []
    for setting in SETTINGS:
        curves += [
            _risk("Adult", experiments.adult_pieces, setting, "as printed"),
            _risk("Adult", adult, setting, "exact"),
            _risk("Bankruptcy", bankruptcy, setting, "as printed"),
            _risk("Bankruptcy", bankruptcy, setting, "exact"),
            _bound("Bankruptcy subset", subset, setting),
            _risk("Bankruptcy subset", subset, setting, "exact"),
        ]
    printed, right = (float(values.value[-1]) for values in curves[:2])
    return Figure(
        name="001-figure-4",
        title=f"Adult: the risk grows to {right:.1%}, not to {printed:.0%}",
        subtitle="Dashed: as printed (pieces for Adult, equations 12 and 22 for the subset). Solid: exact.",
        x_title=EPSILON,
        y_title=RISK,
        curves=tuple(sorted(curves, key=lambda drawn: ("Adult", "Bankruptcy", "Bankruptcy subset").index(drawn.row))),
    )


def _utility(experiments: Experiments) -> Figure:
    curves = []
    for setting in SETTINGS:
        epsilons = LOSS_GRID[setting.grid[-1] >= LOSS_GRID]
        loss = utility_loss(experiments.subset, setting.noise(*epsilons), ways=(1, 2, 3), repeats=LOSS_REPEATS, seed=0)
        mechanism, line = _labels(setting)
        for way, estimate in loss.by_way.items():
            value, low, high = map(np.asarray, (estimate.value, estimate.interval.low, estimate.interval.high))
            curves.append(
                Curve(
                    row=f"{way}-way marginals",
                    column=mechanism,
                    line=line,
                    known="simulated",
                    x=epsilons,
                    value=value,
                    low=low,
                    high=high,
                )
            )
    return Figure(
        name="001-figure-5",
        title="Marginals of the Bankruptcy subset come closer to the truth up to ε = 10",
        subtitle=(
            f"Mean total variation distance over the marginals and {LOSS_REPEATS} releases; paper 001 draws boxes."
        ),
        x_title=EPSILON,
        y_title="distance from the table",
        curves=tuple(sorted(curves, key=lambda drawn: drawn.row)),
    )


def _with_simulation(
    experiments: Experiments, settings: Iterable[Setting], simulated: tuple[Confirmation, ...]
) -> Iterator[Curve]:
    for (name, freq), setting in product(_first_tables(experiments), settings):
        yield _risk(name, freq, setting, "exact")
        points = [
            (point.epsilon, point.simulated, point.low, point.high)
            for point in simulated
            if (point.table, point.mechanism, point.delta) == (name, setting.mechanism, setting.delta)
        ]
        if points:
            x, value, low, high = np.array(points).T
            mechanism, line = _labels(setting)
            yield Curve(row=name, column=mechanism, line=line, known="simulated", x=x, value=value, low=low, high=high)


def _first_tables(experiments: Experiments) -> tuple[tuple[str, FrequencyTable], ...]:
    """Return the tables of paper 000, as it counted them."""
    return ("Adult pieces", experiments.adult_pieces), ("Bankruptcy", experiments.bankruptcy)


def _risk(name: str, freq: FrequencyTable, setting: Setting, known: str) -> Curve:
    risk = exact(freq, setting.noise(*setting.grid))
    return curve(name, *_labels(setting), known=known, x=setting.grid, value=risk)


def _bound(name: str, freq: FrequencyTable, setting: Setting) -> Curve:
    bound = printed_bound(freq, setting.noise(*setting.grid))
    return curve(name, *_labels(setting), known="as printed", x=setting.grid, value=bound)


def _labels(setting: Setting) -> tuple[str, str]:
    return setting.mechanism, f"δ = {setting.delta:g}"
