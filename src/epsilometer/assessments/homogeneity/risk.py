"""Risk of the homogeneity attack on noisy counts of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.assessments.homogeneity import exact
from epsilometer.assessments.homogeneity.averaging import AVERAGES, number
from epsilometer.assessments.homogeneity.pieces import of_pieces
from epsilometer.errors import UnknownChoice
from epsilometer.formulas import homogeneity
from epsilometer.vocabulary.risk import Risk

if TYPE_CHECKING:
    from epsilometer.assessments.homogeneity.reading import Reading
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable

MEASURES: Final = tuple(exact.READINGS)
METHODS: Final = ("exact", "published", "simulated")
ABOUT_A_NEW_CELL: Final = ("global", "global-fixed")

ASSUMPTIONS: Final = (
    "The attacker knows the quasi-identifiers of the target exactly, and that the target is in the table.",
    "Each record counted is a person of its own; with a person id, a person counts once in each of their cells.",
    "Every count of a listed cell gets independent noise; a noisy count below the threshold shows as zero.",
    "The non-empty cells are taken as listed: the risk is that of the counts, not of the list.",
)
CAVEATS: Final = (
    "A published cell with a single value is no proof: other values may have vanished in the noise.",
    "Listing only the cells that are not empty is itself not differentially private.",
)
QUESTIONS: Final = {
    "cells": "In how many of the cells does the published table show a single value that a member really has?",
    "records": "For how many people does the published table show their own value as the only one in their cell?",
}


def homogeneity_risk(
    freq: FrequencyTable,
    mechanism: Mechanism,
    measure: str = "local",
    method: str = "exact",
    average: str = "cells",
    *,
    repeats: int = 500,
    seed: int = 0,
) -> Risk:
    """Probability that noisy counts show a cell with a single, true value: the homogeneity attack.

    Args:
        freq: the counted table.
        mechanism: the noise; with several epsilons the answer is a curve.
        measure: ``"local"`` is the risk of the table as it is. ``"expected"`` lets the members of each cell draw
            their values anew, ``"shrinkage"`` with shares that vary between cells by a fitted law; ``"global"``
            draws the size of the cell as well, ``"global-fixed"`` at the overall shares.
        method: ``"exact"``; ``"published"`` for the printed equations, errors included; ``"simulated"`` for an
            estimate with a 95 % interval.
        average: ``"cells"`` is the papers' mean over the cells; ``"records"`` weights each cell by its people, and
            for the local measure is the share of people disclosed.
        repeats: how many releases are simulated.
        seed: what they are seeded with.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> risk = homogeneity_risk(FrequencyTable.from_counts([[19, 1]]), Laplace(epsilon=1.0), average="records")
    >>> round(risk.value, 6), risk.no_release, round(risk.any_table, 6)
    (0.288102, 0.95, 0.696735)
    """
    check_words(measure, method, average)
    reading = _reading(freq, mechanism, measure, method, average, repeats=repeats, seed=seed)
    people = measure == "local" and average == "records"
    largest = homogeneity.largest_local_records if people else homogeneity.largest_local
    return Risk(
        question=QUESTIONS["records" if people else "cells"],
        measure=f"homogeneity {measure}",
        average=average,
        answer=reading.answer,
        no_release=float(freq.profile.shares.max()),
        any_table=number(largest(freq.n_values, mechanism)),
        mechanism=mechanism.describe(),
        assumptions=(*ASSUMPTIONS, *reading.assumptions),
        caveats=(*CAVEATS, *reading.caveats, *contribution_caveats(freq)),
        source=reading.source,
    )


def check_words(measure: str, method: str, average: str) -> None:
    """Refuse words that name no measure, method or average, and combinations that make no sense."""
    for name, given, allowed in (
        ("measure", measure, MEASURES),
        ("method", method, METHODS),
        ("average", average, AVERAGES),
    ):
        if given not in allowed:
            raise UnknownChoice(name, given, allowed)
    if measure in ABOUT_A_NEW_CELL and average != "cells":
        raise UnknownChoice("average", average, ["cells"], hint=f"The {measure} measure is about a new cell.")


def _reading(
    freq: FrequencyTable, mechanism: Mechanism, measure: str, method: str, average: str, *, repeats: int, seed: int
) -> Reading:
    if method == "exact":
        return exact.READINGS[measure](freq, mechanism, average)
    if (measure, method) == ("local", "published"):
        return of_pieces(freq, mechanism, average)
    if method == "published":
        from epsilometer.assessments.homogeneity import published

        return published.READINGS[measure](freq, mechanism, average)
    from epsilometer.assessments.homogeneity.simulated import simulated

    return simulated(measure, freq, mechanism, average, repeats=repeats, seed=seed)


def contribution_caveats(freq: FrequencyTable) -> tuple[str, ...]:
    """Say what a person in several cells means for the guarantee."""
    cells = freq.max_cells_per_person
    if cells == 1:
        return ()
    return (f"One person appears in up to {cells} cells: their own guarantee is {cells} times epsilon.",)
