"""The numbers that Paper 002 prints, next to ours."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.sampling.loss import sampling_utility_loss
from epsilometer.assessments.sampling.risk import sampling_risk
from epsilometer.reproduction.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Iterator

PAPER: Final = "002"
CAPTION, MEANT = 1_000_000, 500  # people: as the caption of Table 4.1 says, and as its numbers are
TABLE: Final = ((1, "66.74%", "19.55%"), (100, "74.85%", "2.79%"), (500, "75.05%", "0%"))
ROUNDED: Final = "Q2: 66.733 % rounds to 66.73 %."
WRONG_POPULATION: Final = "Q2: the numbers are those of 500 people."
MANY: Final = 10**9  # people in a sample: as good as infinitely many


def all_comparisons() -> tuple[Comparison, ...]:
    """Return the printed numbers in the order of the paper."""
    return tuple(chain(_running_example(), _without_release(), _limits(), _population_size(), _table()))


def vulnerability(n: int, m: int, adversary: str, prior: str) -> float:
    """Return the posterior vulnerability of one adversary."""
    return float(sampling_risk(population=n, sample=m, adversary=adversary, prior=prior).value)


def loss(n: int, m: int, prior: str) -> float:
    """Return the posterior loss of the analyst."""
    return float(sampling_utility_loss(population=n, sample=m, prior=prior).value)


def _row(place: str, quantity: str, printed: str, ours: float, why_not: str = "") -> Comparison:
    return Comparison(paper=PAPER, place=place, quantity=quantity, printed=printed, ours=ours, why_not=why_not)


def _running_example() -> Iterator[Comparison]:
    for adversary, printed in (("in", "1"), ("out", "0.667"), ("unknown", "0.833")):
        ours = vulnerability(2, 1, adversary, "frequencies")
        yield _row("Example 3.7", f"posterior vulnerability, n = 2, m = 1, adversary {adversary}", printed, ours)


def _without_release() -> Iterator[Comparison]:
    risk = sampling_risk(population=CAPTION, sample=1)
    yield _row("Theorem 4.1.1", "prior vulnerability", "0.5", risk.no_release)
    before = sampling_utility_loss(population=CAPTION, sample=1).no_release
    yield _row("Section 4.3", "prior loss of the analyst, frequencies, at least", "> 25%", before)


def _limits() -> Iterator[Comparison]:
    first = sampling_risk(population=CAPTION, sample=1, adversary="in")
    yield _row("Figure 4.1", "posterior vulnerability, m = 1, adversary in", "1", float(first.value))
    yield _row("Figure 4.1", "multiplicative leakage, m = 1, adversary in", "2", float(first.multiplicative_leakage))
    for prior, risk, leakage in (("frequencies", "0.75", "1.5"), ("datasets", "0.5", "1.0")):
        many = sampling_risk(population=MANY, sample=MANY, adversary="in", prior=prior)
        yield _row("Section 4.3", f"limit of the vulnerability for large samples, {prior}", risk, float(many.value))
        yield _row("Section 4.3", f"limit of the leakage, {prior}", leakage, float(many.multiplicative_leakage))


def _population_size() -> Iterator[Comparison]:
    ends = [vulnerability(n, 100, "unknown", "frequencies") for n in (100, CAPTION)]
    yield _row("Figure 4.2", "change of the vulnerability, m = 100, n from 100 to 10⁶", "< 1%", abs(ends[0] - ends[1]))


def _table() -> Iterator[Comparison]:
    for n, why_not in ((CAPTION, WRONG_POPULATION), (MEANT, ROUNDED)):
        for m, risk, error in TABLE:
            place = f"Table 4.1, n = {n:,}"
            ours = vulnerability(n, m, "unknown", "frequencies")
            yield _row(place, f"posterior vulnerability, m = {m}", risk, ours, why_not)
            yield _row(place, f"posterior loss, m = {m}", error, loss(n, m, "frequencies"), why_not)
