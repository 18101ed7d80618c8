"""Paper 002, worked through again."""

from __future__ import annotations

from typing import Final

from epsilometer.reproduction.result import Reproduction
from epsilometer.reproduction.sampling.comparisons import all_comparisons
from epsilometer.reproduction.sampling.errata import all_findings

ABOUT: Final = (
    "Paper 002 is the thesis of Gonze on attribute inference and utility when the histogram of a random sample is "
    "published."
)
LEFT_OUT: Final = ("The points of the figures: the paper gives pictures. What its text says of them is compared.",)


def reproduce_sampling() -> Reproduction:
    """Compare the printed numbers and show the errata; the paper has no data and no simulations."""
    return Reproduction(
        about=ABOUT,
        papers=("002",),
        data="from the formulas alone",
        comparisons=all_comparisons(),
        confirmations=(),
        findings=all_findings(),
        left_out=LEFT_OUT,
    )
