"""The four measures, exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.assessments.homogeneity.averaging import (
    in_order_of_size,
    number,
    share_of_people_disclosed,
    sizes_and_weights,
    total_weight,
    weighted_mean,
    weights_for,
)
from epsilometer.assessments.homogeneity.reading import Reading
from epsilometer.formulas import homogeneity
from epsilometer.formulas.homogeneity.closed_forms import has_closed_form
from epsilometer.formulas.homogeneity.expected_total import total_in_closed_form
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.noise import exponential_tails
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.noise import Noise


def local(freq: FrequencyTable, noise: Noise, average: str) -> Reading:
    """Risk of the counts as they are (Definition 7)."""
    if average == "records":
        value, formula = share_of_people_disclosed(freq.profile, noise), homogeneity.local_records
    else:
        value, formula = weighted_mean(homogeneity.local, freq.profile, noise, average), homogeneity.local
    return Reading(Exact(number(value)), sources_of(formula))


def expected(freq: FrequencyTable, noise: Noise, average: str) -> Reading:
    """Risk had the members of each cell drawn their values anew from the cell's shares (Definition 8)."""
    profile = freq.profile
    tails = exponential_tails(noise)
    if tails is not None and has_closed_form(profile.n_values, profile.largest_size, noise):
        weights, in_all = weights_for(average, profile), total_weight(average, profile)
        value = total_in_closed_form(profile.counts, weights, in_all, profile.largest_size, tails) / in_all
    else:
        value = weighted_mean(homogeneity.expected_of_counts, in_order_of_size(profile), noise, average)
    note = "Members of a cell draw their values anew, with the cell's own shares: a resampling risk."
    return Reading(Exact(number(value)), sources_of(homogeneity.expected_of_counts), (note,))


def shrinkage(freq: FrequencyTable, noise: Noise, average: str) -> Reading:
    """Risk with shares that vary from cell to cell by a fitted Dirichlet law (Definition 9)."""
    from epsilometer.assessments.homogeneity.fits import SHARES_UNTESTED, fitted_shares, in_words

    fit = fitted_shares(freq.profile)
    sizes, weights = sizes_and_weights(average, freq.profile)
    value = homogeneity.shrinkage(sizes, fit, noise) @ weights / weights.sum()
    return Reading(Exact(number(value)), sources_of(homogeneity.shrinkage), (in_words(fit),), (SHARES_UNTESTED,))


def global_(freq: FrequencyTable, noise: Noise, _average: str) -> Reading:
    """Risk of a new cell, its size and shares drawn from fitted laws (Definition 10)."""
    from epsilometer.assessments.homogeneity.fits import SHARES_UNTESTED, fitted_shares, fitted_sizes, in_words

    fit, sizes = fitted_shares(freq.profile), fitted_sizes(freq)[0]
    value = homogeneity.global_shrinkage(fit, sizes.law, noise)
    notes, caveats = (in_words(fit), str(sizes)), (SHARES_UNTESTED, *sizes.caveats)
    return Reading(Exact(number(value)), sources_of(homogeneity.global_shrinkage), notes, caveats)


def global_fixed(freq: FrequencyTable, noise: Noise, _average: str) -> Reading:
    """Risk of a new cell with the overall shares and a size drawn from a fitted law (variant of Definition 10)."""
    from epsilometer.assessments.homogeneity.fits import fitted_sizes

    sizes = fitted_sizes(freq)[0]
    value = homogeneity.global_fixed(freq.profile.shares, sizes.law, noise)
    notes = ("Every cell has the overall shares.", str(sizes))
    return Reading(Exact(number(value)), sources_of(homogeneity.global_fixed), notes, sizes.caveats)


READINGS: Final[Mapping[str, Callable[[FrequencyTable, Noise, str], Reading]]] = {
    "local": local,
    "expected": expected,
    "shrinkage": shrinkage,
    "global": global_,
    "global-fixed": global_fixed,
}
