"""Papers 000 and 001, worked through again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.reproduction.homogeneity.comparisons import all_comparisons
from epsilometer.reproduction.homogeneity.confirmations import all_confirmations
from epsilometer.reproduction.homogeneity.errata import all_findings
from epsilometer.reproduction.homogeneity.readings import exact, probabilistic
from epsilometer.reproduction.result import Reproduction

if TYPE_CHECKING:
    from epsilometer.reproduction.homogeneity.experiments import Experiments

ABOUT: Final = (
    "Papers 000 and 001 are the first and second version of Liu, Zhao and Zhang on the disclosure risk from "
    "homogeneity attack in differentially private frequency distributions."
)
FIGURES: Final = (
    "The points of the figures: the papers give pictures, no numbers. What their text says of them is compared.",
    "The values of δ in the figures: they stand in the pictures only. Ours are 1e-6, 0.001 and 0.1.",
    "27 and 34 seconds of computing (000, Section 4): times of another machine.",
)
NO_LABELS: Final = (
    "Figure 5 of 001 and the number of its marginals: they need the labels of the cells, which the profiles in "
    "the package do not have. Give the raw tables with --data."
)


def reproduce_homogeneity(experiments: Experiments) -> Reproduction:
    """Compare every number of Section 4, repeat the simulations, and show the errata."""
    advised = exact(experiments.bankruptcy, probabilistic(1e-3, 0.5))[0]
    advice = (
        "ε = 0.5 with δ = 0.001 (000, Section 4) is advice, with no number to compare; "
        f"the risk of Bankruptcy is {advised:.4f} there."
    )
    return Reproduction(
        about=ABOUT,
        papers=("000", "001"),
        data="counted from the raw tables" if experiments.has_labels else "from the profiles in the package",
        comparisons=all_comparisons(experiments),
        confirmations=all_confirmations(experiments),
        findings=all_findings(experiments),
        left_out=(*FIGURES, advice, *(() if experiments.has_labels else (NO_LABELS,))),
    )
