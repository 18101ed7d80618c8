"""Paper 004, worked through again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.reproduction.result import Reproduction
from epsilometer.reproduction.synthetic.comparisons import FIRST_DEGREE, RISK, SECOND_DEGREE, Table, all_comparisons
from epsilometer.reproduction.synthetic.errata import all_findings
from epsilometer.reproduction.synthetic.fits import best_family, trained
from epsilometer.reproduction.synthetic.measure import MATCHED, N_RUNS, SEARCHED, TRAINED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.reproduction.synthetic.experiments import Experiments

ABOUT: Final = "Paper 004 is Chen, Yu and Dargahi on the risk of disclosure and the utility of a synthetic dataset."
NOT_REPRODUCIBLE: Final = (
    "The real columns of Tables 1 to 3 and the points of the figures: they come from synthetic tables of a method that "
    "the paper does not name, made from a table that its authors drew and did not publish, on a label that is not "
    "named either."
)
OURS: Final = (
    f"Ours in their place are synthetic tables by DPCopula, one of the methods that the paper lists, {N_RUNS} at each "
    "ε: of a health table like the paper's, whose means and deviations are ours as the paper gives none, and of age, "
    "education, hours, sex and income of the Adult table. Distances are Euclidean, with each column in percent of its "
    f"declared range. Voronoi privacy pairs off {MATCHED:,} random records of either table, and the distance from the "
    f"diagram of all originals is that of these synthetic ones; nearest originals are looked up for {SEARCHED:,}. "
    f"Models are trained on {TRAINED:,} records and tell from the other columns whether the systolic pressure is above "
    "120, or the income above 50,000."
)


def reproduce_synthetic(experiments: Experiments) -> Reproduction:
    """Compare the printed numbers, say what our own tables give, and show the errata."""
    return Reproduction(
        about=ABOUT,
        papers=("004",),
        data=f"our synthetic tables {experiments.source}",
        comparisons=all_comparisons(),
        confirmations=(),
        findings=all_findings(),
        left_out=(NOT_REPRODUCIBLE, OURS, *_own_versions(experiments)),
    )


def _own_versions(experiments: Experiments) -> Iterator[str]:
    for name in experiments.tables:
        yield _own_version(experiments, name, RISK, "Voronoi privacy")
        yield _own_version(experiments, name, FIRST_DEGREE, "variance error")
        yield _own_version(experiments, name, SECOND_DEGREE, "variance error")
    yield _best_families(experiments)
    yield _equal_records(experiments)


def _own_version(experiments: Experiments, name: str, table: Table, quantity: str) -> str:
    """Put one of the paper's tables in words: what its curve says of our tables, and what was measured."""
    runs = experiments.runs(name, quantity)
    curve = trained(runs, table.family, table.trained_on)
    said = curve.predictor(np.array(list(table.real))).tolist()
    rows = "; ".join(
        f"{epsilon:g}: {predicted:.3g} ({runs.mean_at(epsilon):.3g})"
        for epsilon, predicted in zip(table.real, said, strict=True)
    )
    return (
        f"{table.place} with ours, {name}, {experiments.n_rows(name):,} rows: {table.quantity}, at each ε by the curve "
        f"fitted to ε = {', '.join(f'{epsilon:g}' for epsilon in table.trained_on)} (and measured): {rows}."
    )


def _best_families(experiments: Experiments) -> str:
    """Say whether the paper's choice of family holds."""
    quantities = ("mean error", "deviation error", "variance error", "Voronoi privacy")
    winners = [best_family(experiments.runs(name, each)) for name in experiments.tables for each in quantities]
    return (
        "That reciprocal curves of the second degree predict better than exponential and polynomial ones, as the paper "
        f"finds, holds for {winners.count('reciprocal')} of our {len(winners)} curves, each judged at the ε left out "
        "of its fit."
    )


def _equal_records(experiments: Experiments) -> str:
    """Say what y-privacy comes to at worst."""
    least = max(experiments.runs(name, "nearest distance", "least").values.max() for name in experiments.tables)
    return f"The y of y-privacy, the smallest distance to an original, is nowhere above {least:g} in our tables."
