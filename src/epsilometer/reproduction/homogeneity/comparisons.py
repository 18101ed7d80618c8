"""Every number that Section 4 of papers 000 and 001 prints, next to ours.

The papers count Adult by pieces (quasi-identifiers and income) and describe it by cells (quasi-identifiers).
Where that matters there is a row for each: the pieces show whether their arithmetic is right, the cells whether
their statement is.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas import homogeneity
from epsilometer.formulas.size_fits import zero_truncated_poisson_mle
from epsilometer.reproduction.comparison import Comparison
from epsilometer.reproduction.homogeneity.experiments import (
    ADULT_QUASI_IDENTIFIERS,
    SUBSET_QUASI_IDENTIFIERS,
    homogeneous_cells,
)
from epsilometer.reproduction.homogeneity.readings import (
    ALL_NOISE,
    DELTAS,
    GRID,
    NO_NOISE,
    classic,
    exact,
    laplace,
    largest_gap_of_calibrations,
    printed_bound,
    probabilistic,
    steepest_epsilon,
)
from epsilometer.utility.marginals import Marginals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.mechanisms import Mechanism
    from epsilometer.reproduction.homogeneity.experiments import Experiments
    from epsilometer.tables.frequency_table import FrequencyTable

FIRST, SECOND = "000", "001"
PIECES: Final = "Adult pieces"
CELLS: Final = "Adult cells"
WRONG_CELLS: Final = "E4: pieces were counted, not cells."
SATURATION: Final = 31.6  # the epsilon of paper 001, Section 4 (3)


def all_comparisons(experiments: Experiments) -> tuple[Comparison, ...]:
    """Return the printed numbers in the order of the papers."""
    first = (_counts(FIRST, experiments), _first_statements(experiments), _thresholding(experiments))
    second = (
        _counts(SECOND, experiments),
        _subset_counts(experiments),
        _second_statements(experiments),
        _subset_statements(experiments),
        _size_laws(experiments),
        _marginals(experiments),
    )
    return tuple(comparison for part in (*first, *second) for comparison in part)


def _counts(paper: str, experiments: Experiments) -> Iterator[Comparison]:
    def row(quantity: str, printed: str, ours: float, why_not: str = "") -> Comparison:
        return Comparison(
            paper=paper, place="Section 4", quantity=quantity, printed=printed, ours=ours, why_not=why_not
        )

    adult, bankruptcy = experiments.adult, experiments.bankruptcy
    cells = "5974" if paper == FIRST else "5,974"
    yield row("Adult: records", "27,504", adult.n_records)
    yield row(f"{PIECES}: number", cells, experiments.adult_pieces.n_cells)
    yield row(f"{CELLS}: number", cells, adult.n_cells, WRONG_CELLS)
    yield row(f"{CELLS}: share homogeneous", "100%", homogeneous_cells(adult) / adult.n_cells, WRONG_CELLS)
    yield row("Bankruptcy: records", "250", bankruptcy.n_records)
    yield row("Bankruptcy cells: number", "103", bankruptcy.n_cells)
    yield row("Bankruptcy cells: homogeneous", "103", homogeneous_cells(bankruptcy))


def _first_statements(experiments: Experiments) -> Iterator[Comparison]:
    def row(quantity: str, printed: str, ours: float, why_not: str = "") -> Comparison:
        return Comparison(
            paper=FIRST, place="Section 4", quantity=quantity, printed=printed, ours=ours, why_not=why_not
        )

    for name, freq, why_not in _both_countings(experiments):
        yield row(f"{name}: risk at ε = 10, Laplace", "≈ 100%", _risk(freq, laplace(10.0)), why_not)
        too_early = why_not or "E16: far from it at ε = 10."
        pdp = _risk(freq, probabilistic(1e-3, 10.0))
        yield row(f"{name}: risk at ε = 10, pDP with δ = 0.001", "≈ 100%", pdp, too_early)
        for noise, mechanism in _nothing_but_noise():
            yield row(f"{name}: lower asymptote, {noise}", "25%", _risk(freq, mechanism), why_not)
        yield row(f"{name}: pDP above aDP by at most", "< 0.05", largest_gap_of_calibrations(freq))
        yield row(f"{name}: ε of the fastest growth, Laplace", "0.1 to 10", steepest_epsilon(freq))


def _thresholding(experiments: Experiments) -> Iterator[Comparison]:
    """Figure 6: the attackers of Appendix E, who also guess where several values are published."""
    tables = ((PIECES, experiments.adult_pieces, ""), (CELLS, experiments.adult, WRONG_CELLS))
    rules = (("hard", homogeneity.hard), ("soft", homogeneity.soft))
    for (name, freq, why_not), (rule, formula) in product(tables, rules):
        profile = freq.profile
        low, high = formula(profile.counts, laplace(GRID[0], GRID[-1])) @ profile.n_cells / freq.n_cells
        for end, printed, ours, why in (("lower", "> 0.25", low, ""), ("upper", "100%", high, why_not)):
            yield Comparison(
                paper=FIRST,
                place="Section 5, Figure 6",
                quantity=f"{name}: {end} asymptote, {rule} thresholding",
                printed=printed,
                ours=float(ours),
                why_not=why,
            )


def _subset_counts(experiments: Experiments) -> Iterator[Comparison]:
    subset, adult = experiments.subset, experiments.adult
    heterogeneous = subset.n_cells - homogeneous_cells(subset)
    attributes = len(ADULT_QUASI_IDENTIFIERS)
    for place, quantity, printed, ours, why_not in (
        ("Section 4", "Adult: quasi-identifiers", "7", attributes, "E18: seven are announced, six listed."),
        ("Section 4", "Subset: quasi-identifiers", "5", len(SUBSET_QUASI_IDENTIFIERS), ""),
        ("Section 4", "Subset: values K", "3", subset.n_values, ""),
        ("Section 4", "Subset cells: number", "78", subset.n_cells, ""),
        ("Section 4", "Subset cells: homogeneous", "54", homogeneous_cells(subset), ""),
        ("Section 4", "Subset cells: heterogeneous", "24", heterogeneous, ""),
        ("Section 4", "Subset cells: share heterogeneous", "31%", heterogeneous / subset.n_cells, ""),
        ("Figure 3", f"{PIECES}: smallest", "1", _smallest(experiments.adult_pieces), ""),
        ("Figure 3", f"{PIECES}: largest", "240", _largest(experiments.adult_pieces), ""),
        ("Figure 3", f"{CELLS}: largest", "240", _largest(adult), WRONG_CELLS),
    ):
        yield Comparison(
            paper=SECOND, place=place, quantity=quantity, printed=printed, ours=float(ours), why_not=why_not
        )


def _second_statements(experiments: Experiments) -> Iterator[Comparison]:
    def row(number: str, quantity: str, printed: str, ours: float, why_not: str = "") -> Comparison:
        place = f"Section 4{number}"
        return Comparison(paper=SECOND, place=place, quantity=quantity, printed=printed, ours=ours, why_not=why_not)

    for name, freq, why_not in _both_countings(experiments):
        yield row("", f"{name}: risk without noise", "100%", homogeneous_cells(freq) / freq.n_cells, why_not)
        yield row(" (2)", f"{name}: upper asymptote, Laplace", "100%", _risk(freq, laplace(NO_NOISE)), why_not)
        yield row(" (2)", f"{name}: risk at ε = 10, Laplace", "≈ 100%", _risk(freq, laplace(10.0)), why_not)
        for (noise, mechanism), number in zip(_nothing_but_noise(), (" (2)", " (3)", " (3)"), strict=True):
            yield row(number, f"{name}: lower asymptote, {noise}", "25%", _risk(freq, mechanism), why_not)
        for delta in DELTAS:
            quantity = f"{name}: risk at ε = 31.6, pDP with δ = {delta:g}"
            too_small = why_not or "E16: it depends on δ."
            yield row(" (3)", quantity, "100%", _risk(freq, probabilistic(delta, SATURATION)), too_small)
        yield row(" (5)", f"{name}: pDP above aDP by at most", "< 5%", largest_gap_of_calibrations(freq))
        yield row(", end", f"{name}: ε of the fastest growth, Laplace", "1 to 10", steepest_epsilon(freq))
        vague = why_not or 'The paper says "close to" the minimum; this is a quarter above it.'
        yield row(", end", f"{name}: risk at ε = 0.1, Laplace", "≈ 25%", _risk(freq, laplace(0.1)), vague)


def _subset_statements(experiments: Experiments) -> Iterator[Comparison]:
    subset = experiments.subset
    low, high = printed_bound(subset, laplace(ALL_NOISE, NO_NOISE))
    for quantity, printed, ours, why_not in (
        ("Subset: upper asymptote of equation (12)", "0.75", high, ""),
        ("Subset: lower asymptote of equation (12)", "0.1", low, ""),
        ("Subset: risk without noise", "0.75", _risk(subset, laplace(NO_NOISE)), "E2: that of resampled cells."),
        ("Subset: lower asymptote of the risk", "0.1", _risk(subset, laplace(ALL_NOISE)), "E1, E2."),
        ("Bankruptcy: lower asymptote", "0.25%", _risk(experiments.bankruptcy, laplace(ALL_NOISE)), "E3: 25 %."),
        ("Subset: lower over upper asymptote of (12)", "25%", low / high, "E3: 25 % is the share for K = 2."),
    ):
        yield Comparison(
            paper=SECOND,
            place="Section 4 (6)",
            quantity=quantity,
            printed=printed,
            ours=float(ours),
            why_not=why_not,
        )


def _size_laws(experiments: Experiments) -> Iterator[Comparison]:
    empty_cells = "E11: the cells are non-empty, the fitted law has empty ones."
    for name, freq, printed in (
        (PIECES, experiments.adult_pieces, "4.6"),
        ("Bankruptcy", experiments.bankruptcy, "2.43"),
    ):
        mean = freq.n_records / freq.n_cells
        for quantity, ours, why_not in (
            ("mean size", mean, ""),
            ("maximum-likelihood λ of non-empty cells", zero_truncated_poisson_mle(mean), empty_cells),
        ):
            yield Comparison(
                paper=SECOND,
                place="Section 4",
                quantity=f"{name}: {quantity}",
                printed=printed,
                ours=ours,
                why_not=why_not,
            )


def _marginals(experiments: Experiments) -> Iterator[Comparison]:
    if not experiments.has_labels:
        return
    subset = experiments.subset
    ways = Marginals.of_cells(subset.cells(), subset.n_values, ways=(1, 2, 3)).ways
    for way, printed in ((1, "6"), (2, "15"), (3, "20")):
        yield Comparison(
            paper=SECOND,
            place="Section 4, Figure 5",
            quantity=f"Subset: {way}-way marginals",
            printed=printed,
            ours=float((ways == way).sum()),
        )


def _both_countings(experiments: Experiments) -> tuple[tuple[str, FrequencyTable, str], ...]:
    """Return the tables the papers call homogeneous, with why the statements fail for one of them."""
    return (
        (PIECES, experiments.adult_pieces, ""),
        (CELLS, experiments.adult, WRONG_CELLS),
        ("Bankruptcy", experiments.bankruptcy, ""),
    )


def _nothing_but_noise() -> tuple[tuple[str, Mechanism], ...]:
    return (
        ("Laplace", laplace(ALL_NOISE)),
        ("aDP", classic(DELTAS[0], ALL_NOISE)),
        ("pDP", probabilistic(DELTAS[0], ALL_NOISE)),
    )


def _risk(freq: FrequencyTable, mechanism: Mechanism) -> float:
    return float(exact(freq, mechanism)[0])


def _smallest(freq: FrequencyTable) -> int:
    return int(np.min(freq.profile.sizes))


def _largest(freq: FrequencyTable) -> int:
    return int(np.max(freq.profile.sizes))
