"""The four measures by the papers' experiment: publish many times, and look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.homogeneity.fits import SHARES_UNTESTED, fitted_shares, fitted_sizes, in_words
from epsilometer.assessments.homogeneity.reading import Reading
from epsilometer.errors import OutOfRange
from epsilometer.formulas.empirical_bayes import CommonShares, Dirichlet, HomogeneousCells
from epsilometer.formulas.homogeneity import simulation
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import ArrayLike, IntArray

NEW_CELLS: Final = 1_000  # cells drawn in each repeat where the measure is about a new cell


class Experiment(NamedTuple):
    """What to draw, what to look for, and what the cells count for."""

    draw: simulation.CellDraw
    attack: simulation.Attack
    weights: ArrayLike
    assumptions: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


def simulated(
    measure: str, freq: FrequencyTable, noise: Mechanism, average: str, *, repeats: int, seed: int
) -> Reading:
    """Estimate a measure from ``repeats`` releases."""
    if repeats < 1:
        raise OutOfRange("repeats", repeats, "[1, inf)", hint="The papers use 500.")
    experiment = EXPERIMENTS[measure](freq, average)
    estimate = simulation.simulate(
        experiment.draw,
        experiment.attack,
        noise,
        experiment.weights,
        rng=np.random.default_rng(seed),
        repeats=repeats,
    )
    drawn = f"{repeats:,} releases were simulated, seeded with {seed}."
    return Reading(estimate, sources_of(simulation.simulate), (*experiment.assumptions, drawn), experiment.caveats)


def _local(freq: FrequencyTable, average: str) -> Experiment:
    profile = freq.profile
    attack = simulation.shows_a_present_value if average == "cells" else simulation.shows_the_members_value
    draw = simulation.as_they_are(profile.counts, profile.n_cells)
    return Experiment(draw, attack, _weights(_sizes(freq), average))


def _expected(freq: FrequencyTable, average: str) -> Experiment:
    profile, sizes = freq.profile, _sizes(freq)
    shares = np.repeat(profile.counts / profile.sizes[:, None], profile.n_cells, axis=0)
    draw = simulation.drawn_with_shares(sizes, shares)
    return Experiment(draw, simulation.shows_a_present_value, _weights(sizes, average))


def _shrinkage(freq: FrequencyTable, average: str) -> Experiment:
    fit, sizes = fitted_shares(freq.profile), _sizes(freq)
    draw = _drawn(sizes, fit)
    weights = _weights(sizes, average)
    return Experiment(draw, simulation.shows_a_present_value, weights, (in_words(fit),), (SHARES_UNTESTED,))


def _global(freq: FrequencyTable, _average: str) -> Experiment:
    fit, sizes = fitted_shares(freq.profile), fitted_sizes(freq)[0]
    draw = simulation.drawn_with_random_sizes(sizes.law, lambda drawn: _drawn(drawn, fit))
    notes, caveats = (in_words(fit), str(sizes)), (SHARES_UNTESTED, *sizes.caveats)
    return Experiment(draw, simulation.shows_a_present_value, _even(), notes, caveats)


def _global_fixed(freq: FrequencyTable, _average: str) -> Experiment:
    sizes, shares = fitted_sizes(freq)[0], CommonShares(freq.profile.shares)
    draw = simulation.drawn_with_random_sizes(sizes.law, lambda drawn: _drawn(drawn, shares))
    return Experiment(draw, simulation.shows_a_present_value, _even(), (str(sizes),), sizes.caveats)


def _drawn(sizes: ArrayLike, fit: Dirichlet | HomogeneousCells | CommonShares) -> simulation.CellDraw:
    n = np.asarray(sizes)
    match fit:
        case Dirichlet():
            return simulation.drawn_with_dirichlet_shares(n, fit.alpha)
        case HomogeneousCells():
            single = np.eye(len(fit.shares), dtype=np.int64)[0]
            return simulation.as_they_are(n[:, None] * single, np.ones(len(n), dtype=np.int64))
        case CommonShares():
            return simulation.drawn_with_shares(n, np.broadcast_to(fit.shares, (len(n), len(fit.shares))))


def _sizes(freq: FrequencyTable) -> IntArray:
    return np.repeat(freq.profile.sizes, freq.profile.n_cells)


def _weights(sizes: IntArray, average: str) -> ArrayLike:
    weights = np.ones(len(sizes)) if average == "cells" else sizes
    return weights / weights.sum()


def _even() -> ArrayLike:
    return np.full(NEW_CELLS, 1 / NEW_CELLS)


EXPERIMENTS: Final[Mapping[str, Callable[[FrequencyTable, str], Experiment]]] = {
    "local": _local,
    "expected": _expected,
    "shrinkage": _shrinkage,
    "global": _global,
    "global-fixed": _global_fixed,
}
