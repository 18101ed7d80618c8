"""The figures of Paper 002 as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.sampling.loss import sampling_utility_loss
from epsilometer.assessments.sampling.risk import sampling_risk
from epsilometer.assessments.sampling.setting import ADVERSARIES
from epsilometer.reproduction.figure import Curve, Figure, curve
from epsilometer.reproduction.sampling.comparisons import CAPTION, MEANT

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES: Final = tuple(range(1, 101))
SMALL: Final = tuple(range(1, MEANT))
SIZE: Final = "people in the sample (log scale)"
FIXED: Final = 100  # people in the sample of Figure 4.2


def all_figures() -> Iterator[Figure]:
    """Yield figures 4.1 to 4.5."""
    yield _vulnerabilities("002-figure-4-1", "frequencies", "Being drawn costs most in small samples")
    yield _population()
    yield _trade(
        "002-figure-4-3", "frequencies", "The first hundred people bring most of the accuracy, and of the risk"
    )
    yield _vulnerabilities("002-figure-4-4", "datasets", "If people are independent, those outside lose nothing")
    yield _trade("002-figure-4-5", "datasets", "If people are independent, risk grows as error falls")


def _vulnerabilities(name: str, prior: str, title: str) -> Figure:
    return Figure(
        name=name,
        title=title,
        subtitle=f"Prior on {prior}, {CAPTION:,} people. The lines of out and unknown lie on each other.",
        x_title=SIZE,
        y_title="",
        curves=tuple(_of_adversaries(prior)),
    )


def _of_adversaries(prior: str) -> Iterator[Curve]:
    for adversary in ADVERSARIES:
        risk = sampling_risk(population=CAPTION, sample=SIZES, adversary=adversary, prior=prior)
        rows = (("posterior vulnerability", risk.value), ("multiplicative leakage", risk.multiplicative_leakage))
        for row, values in rows:
            yield curve(row, f"prior on {prior}", adversary, known="exact", x=SIZES, value=values)


def _population() -> Figure:
    populations = np.unique(np.geomspace(FIXED + 1, CAPTION, 60).round().astype(np.int64)).tolist()
    curves = [
        curve(
            "posterior vulnerability",
            f"{FIXED} people in the sample",
            adversary,
            known="exact",
            x=populations,
            value=[float(sampling_risk(population=n, sample=FIXED, adversary=adversary).value) for n in populations],
        )
        for adversary in ADVERSARIES
    ]
    return Figure(
        name="002-figure-4-2",
        title="The size of the population hardly matters",
        subtitle=f"Prior on frequencies, {FIXED} people in the sample.",
        x_title="people in the population (log scale)",
        y_title="",
        curves=tuple(curves),
    )


def _trade(name: str, prior: str, title: str) -> Figure:
    risk = sampling_risk(population=MEANT, sample=SMALL, prior=prior)
    loss = sampling_utility_loss(population=MEANT, sample=SMALL, prior=prior)
    lines = (
        ("vulnerability, unknown", risk.value),
        ("without a release", np.full(len(SMALL), risk.no_release)),
    )
    errors = (("loss of the analyst", loss.value), ("loss without a release", np.full(len(SMALL), loss.no_release)))
    column = f"prior on {prior}, {MEANT} people"
    return Figure(
        name=name,
        title=title,
        subtitle="The analyst's loss is the expected error of the share.",
        x_title=SIZE,
        y_title="",
        curves=tuple(
            curve(row, column, line, known="exact", x=SMALL, value=values)
            for row, drawn in (("risk", lines), ("loss", errors))
            for line, values in drawn
        ),
    )
