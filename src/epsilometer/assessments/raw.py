"""Risk of publishing a table as it is: the yardstick that every protected release is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.formulas import anonymity, closeness, diversity, vulnerability
from epsilometer.vocabulary.raw_risk import (
    Anonymity,
    Closeness,
    Diversity,
    Inference,
    Likeness,
    RawRisk,
    Reidentification,
)
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.profile import Profile
    from epsilometer.vocabulary.source import Source

ASSUMPTIONS: Final = (
    "The table is published as it is, without noise, sampling or suppression.",
    "The attacker knows every quasi-identifier of the target exactly, and of the rest only the overall shares.",
    "The target is in the table, with one record.",
)
CAVEATS: Final = (
    "Without a table of the population the journalist's risk is put at its largest, the prosecutor's.",
    "The ordered distance takes the sensitive values in column order: ignore it for values without order.",
    "k, alpha, l, c, t, beta and delta are those of the worst cell: a single small cell decides them.",
)


def raw_risk(freq: FrequencyTable, *, threshold: float = 0.2) -> RawRisk:
    """Every common measure of the disclosure risk of an unprotected table. All exact.

    Args:
        freq: the counted table.
        threshold: probability above which a person counts as exposed to re-identification; the usual 0.2 asks
            for cells of at least five.
    """
    profile = freq.profile
    return RawRisk(
        n_records=profile.total_records,
        n_cells=profile.total_cells,
        n_values=profile.n_values,
        anonymity=Anonymity(
            k=anonymity.k_anonymity(profile.counts), alpha=anonymity.largest_value_share(profile.counts)
        ),
        diversity=_diversity(profile),
        closeness=Closeness(
            equal_distance=closeness.t_equal(profile.counts, profile.n_cells),
            ordered_distance=closeness.t_ordered(profile.counts, profile.n_cells),
        ),
        likeness=_likeness(profile),
        reidentification=_reidentification(profile, threshold),
        inference=Inference(
            prior=vulnerability.attribute_prior(profile.counts, profile.n_cells),
            posterior=vulnerability.attribute_posterior(profile.counts, profile.n_cells),
        ),
        assumptions=ASSUMPTIONS,
        caveats=(*CAVEATS, *freq.notes),
        source=_sources(),
    )


def _diversity(profile: Profile) -> Diversity:
    distinct_l = diversity.distinct_l(profile.counts)
    recursive_l = max(distinct_l, 2)
    in_homogeneous_cells = anonymity.homogeneous_records(profile.counts, profile.n_cells)
    return Diversity(
        distinct_l=distinct_l,
        entropy_l=diversity.entropy_l(profile.counts),
        recursive_c=diversity.recursive_c(profile.counts, level=recursive_l),
        recursive_l=recursive_l,
        homogeneous_cells=anonymity.homogeneous_cells(profile.counts, profile.n_cells),
        homogeneous_records=in_homogeneous_cells,
        homogeneous_share=in_homogeneous_cells / profile.total_records,
    )


def _likeness(profile: Profile) -> Likeness:
    return Likeness(
        basic_beta=closeness.basic_beta(profile.counts, profile.n_cells),
        enhanced_beta=closeness.enhanced_beta(profile.counts, profile.n_cells),
        delta_disclosure=closeness.delta_disclosure(profile.counts, profile.n_cells),
        delta_disclosure_present=closeness.delta_disclosure_present(profile.counts, profile.n_cells),
    )


def _reidentification(profile: Profile, threshold: float) -> Reidentification:
    unique = anonymity.unique_records(profile.counts, profile.n_cells)
    largest = vulnerability.prosecutor_largest(profile.counts)
    posterior = vulnerability.identity_posterior(profile.counts, profile.n_cells)
    return Reidentification(
        unique_records=unique,
        unique_share=unique / profile.total_records,
        prosecutor_largest=largest,
        prosecutor_mean=posterior,
        share_above_threshold=vulnerability.share_above(profile.counts, profile.n_cells, threshold=threshold),
        threshold=threshold,
        journalist_largest=largest,
        marketer=posterior,
        prior=vulnerability.identity_prior(profile.counts, profile.n_cells),
        posterior=posterior,
    )


def _sources() -> tuple[Source, ...]:
    formulas = [
        formula
        for module in (anonymity, diversity, closeness, vulnerability)
        for formula in vars(module).values()
        if callable(formula)
    ]
    return tuple(dict.fromkeys(mark for formula in formulas for mark in sources_of(formula)))
