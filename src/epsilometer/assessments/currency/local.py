"""Reports that each person randomises, over epsilon; the quasi-identifiers are published as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from epsilometer.assessments.currency.grids import round_numbers
from epsilometer.assessments.currency.guess import OVERALL, better
from epsilometer.assessments.currency.repeats import BLOCK, affordable, mean_of_releases
from epsilometer.assessments.local.release import randomizer_named
from epsilometer.errors import BadQuestion
from epsilometer.leakage import bayes
from epsilometer.randomizers.analysers import inversion_variance
from epsilometer.randomizers.exponential_choice import ExponentialChoice
from epsilometer.randomizers.randomized_response import RandomizedResponse
from epsilometer.utility.marginals import Sums
from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint

if TYPE_CHECKING:
    from epsilometer.assessments.currency.subject import Simulation, Subject
    from epsilometer.plans.release_kinds import Local
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

EPSILONS: Final = (0.1, 10.0)
RANDOMIZERS: Final = ("response", "exponential")
OWN_REPORT: Final = "takes the person's own report with the overall shares"
WITH_CELL: Final = (
    "takes the person's own report with the shares estimated for the cell, drawn towards the overall ones"
)
NO_SPREAD: Final = 1e-9  # of the shares of cells: they are all alike
ASSUMPTIONS: Final = (
    "Local: each person randomises the sensitive value; the quasi-identifiers are published as they are.",
    (
        "Local: the attacker knows which report is the person's own, as whoever collects them does, and names "
        "the most probable value: with the overall shares as the belief before, or with those that the "
        "reports give for the cell, drawn towards the overall ones, whichever is right more often. The raw "
        "table does not say whose row is whose, so that reports can give away more than it does; shuffling "
        "them lowers the risk."
    ),
    (
        "Local: the analyst undoes the randomisation on average for each share, takes a negative count for "
        "zero, and keeps the totals."
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """How values become reports.

    Attributes:
        counts: how many people of each cell have each value that may be reported.
        channel: probability of each report (column) for each value (row).
        scores: what each report counts towards each value, so that it comes out right on average: reports x values.
        pseudo_counts: people with the overall shares whom the attacker adds to each cell: as many as bring the noise
            of the estimated shares down to how much the shares of cells differ.
    """

    counts: IntArray
    channel: FloatArray
    scores: FloatArray
    pseudo_counts: FloatArray

    @classmethod
    def of(cls, counts: IntArray, channel: FloatArray) -> Self:
        """Work out how reports are undone."""
        sizes, n_people = counts.sum(axis=1), counts.sum()
        shares = counts.sum(axis=0) / n_people
        spread = (counts**2 / sizes[:, None]).sum() / n_people - (shares**2).sum()
        noise = inversion_variance(shares, channel, np.eye(len(channel)), 1).sum()
        return cls(counts, channel, np.linalg.pinv(channel).astype(np.float64), noise / max(spread, NO_SPREAD) * shares)


def local_curve(subject: Subject, release: Local, parameters: tuple[float, ...], chance: Simulation) -> FrontierCurve:
    """Return the curve of local reports: the better of two attackers, the first of them exact; loss simulated."""
    if release.randomizer not in RANDOMIZERS:
        raise BadQuestion(
            f"Local reports are compared for {' or '.join(RANDOMIZERS)}, not for {release.randomizer}. "
            "Change the plan's randomizer."
        )
    epsilons = round_numbers(*EPSILONS, parameters)
    counts, values = _declared(subject)
    shares = counts.sum(axis=0) / subject.n_people
    repeats = affordable(chance.repeats, np.count_nonzero(counts) * counts.shape[1] * len(epsilons))
    rng, points = chance.rng(), []
    for number, epsilon in enumerate(epsilons):
        randomizer = randomizer_named(release.randomizer, epsilon=epsilon, domain=values)
        assert isinstance(randomizer, RandomizedResponse | ExponentialChoice)  # noqa: S101  (checked by name)
        reports = Reports.of(counts, randomizer.channel())
        own_report = float(bayes.posterior(shares, reports.channel))
        right, losses = simulated_reports(subject, reports, repeats, rng)
        with_own = better(mean_of_releases(right), WITH_CELL, own_report, OWN_REPORT)
        risk, attacker = better(*with_own, subject.no_release, OVERALL)
        points.append(
            FrontierPoint(
                parameter=epsilon,
                risk=risk,
                attacker=attacker,
                loss=mean_of_releases(losses),
                planned=epsilon in parameters,
            )
        )
        chance.tell(f"local reports at ε = {epsilon:.2g}", (number + 1) / len(epsilons))
    return FrontierCurve(
        kind="local",
        name="local reports",
        parameter="epsilon",
        points=tuple(points),
        assumptions=ASSUMPTIONS,
    )


def simulated_reports(
    subject: Subject, reports: Reports, repeats: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Let everybody report: how often the own report with the cell's shares is right, and what an analyst loses."""
    counts, marginals = reports.counts, subject.marginals
    n_cells = max(1, BLOCK // (counts.shape[1] * reports.channel.shape[1] * repeats))
    sums, right = [], np.zeros(repeats)
    for first in range(0, len(counts), n_cells):
        cells = slice(first, first + n_cells)
        cell, value = np.nonzero(counts[cells])  # cell by cell, and nobody is in no cell
        drawn = rng.multinomial(counts[cells][cell, value], reports.channel[value], (repeats, len(cell)))
        seen = np.add.reduceat(drawn, np.flatnonzero(np.diff(cell, prepend=-1)), axis=1)  # repeats x cells x reports
        belief = np.maximum(seen @ reports.scores + reports.pseudo_counts, 0.0)
        guess = (belief[..., None] * reports.channel).argmax(axis=2)  # repeats x cells x reports
        right += (drawn * (guess[:, cell] == value[:, None])).sum(axis=(1, 2))
        sums.append(marginals.sums(np.moveaxis(seen, 0, 2).astype(np.float64), cells))
    original = marginals.sums(counts[..., None].astype(np.float64))
    distances = marginals.distances_of_sums(original, _undone(reduce(add, sums), reports.scores))
    return right / subject.n_people, distances.mean(axis=0)


def _undone(seen: Sums, scores: FloatArray) -> Sums:
    """Estimate how many people of each category have each value; the number of people in it is known."""
    estimated = np.maximum(np.einsum("crt,rv->cvt", seen.by_value, scores), 0.0)
    people = seen.by_value.sum(axis=1, keepdims=True)
    return Sums(estimated * people / estimated.sum(axis=1, keepdims=True), seen.in_total)


def _declared(subject: Subject) -> tuple[IntArray, tuple[str, ...]]:
    """Return the counts and the values that may be reported: those that occur, and those that were declared."""
    (first, *others), bins = subject.plan.sensitive, subject.plan.bins
    given = None if others or first in bins else subject.plan.domain.get(first)
    listed = given.get("values", ()) if isinstance(given, Mapping) else given if isinstance(given, list) else ()
    more = (str(value) for value in listed if value is not None)
    values = tuple(dict.fromkeys((*subject.values, *more)))
    return np.pad(subject.counts, ((0, 0), (0, len(values) - len(subject.values)))), values
