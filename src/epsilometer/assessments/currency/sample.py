"""A random sample of the rows over its size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.currency.grids import round_numbers
from epsilometer.assessments.currency.guess import LARGEST_COUNT, OVERALL, better, right_by_largest_count
from epsilometer.assessments.currency.repeats import BLOCK, affordable, mean_of_releases
from epsilometer.assessments.homogeneity.averaging import weights_for
from epsilometer.errors import BadQuestion, OutOfRange
from epsilometer.formulas.sampling.majority import named_from_sample
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint

if TYPE_CHECKING:
    from epsilometer.assessments.currency.subject import Simulation, Subject
    from epsilometer.plans.release_kinds import Sample
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.frontier import Known

SMALLEST: Final = 10
LARGEST_SHARE: Final = 0.9  # of the people: a sample of everybody is the raw table
TWO: Final = 2
ASSUMPTIONS: Final = (
    (
        "Sample: every group of so many rows is equally likely; the attacker does not know who is in it, and "
        "names the most frequent value of the person's cell in the sample, of equally frequent ones any; if "
        "nobody of the cell is in it, the most common value of all."
    ),
    "Sample: the analyst takes the shares of the sample as they are.",
)


def sample_curve(subject: Subject, release: Sample, parameters: tuple[float, ...], chance: Simulation) -> FrontierCurve:
    """Return the curve of samples: risk exact for two values and else simulated, loss simulated."""
    if release.strata:
        raise BadQuestion("Kinds of release are compared with simple random samples. Leave the strata out of the plan.")
    for size in parameters:
        if not 1 <= size <= subject.n_people:
            raise OutOfRange("size", int(size), f"[1, {subject.n_people}]", hint="It is a number of the table's rows.")
    sizes = _sizes(subject.n_people, parameters)
    exact = named_by_sample(subject, sizes) if subject.freq.n_values <= TWO else None
    repeats, rng = affordable(chance.repeats, subject.counts.size * len(sizes)), chance.rng()
    points = []
    for number, size in enumerate(sizes.tolist()):
        right, losses = simulated_samples(subject, size, repeats, rng)
        found: Known = mean_of_releases(right, subject.raw) if exact is None else Exact(float(exact[number]))
        risk, attacker = better(found, LARGEST_COUNT, subject.no_release, OVERALL)
        points.append(
            FrontierPoint(
                parameter=float(size),
                risk=risk,
                attacker=attacker,
                loss=mean_of_releases(losses),
                planned=size in parameters,
            )
        )
        chance.tell(f"samples of {size:,} rows", (number + 1) / len(sizes))
    return FrontierCurve(
        kind="sample", name="sample of rows", parameter="rows", points=tuple(points), assumptions=ASSUMPTIONS
    )


def named_by_sample(subject: Subject, sizes: IntArray) -> FloatArray:
    """How often the majority of the cell in a sample, or else the overall mode, is right. Exact, for two values."""
    profile = subject.freq.profile
    both = np.pad(profile.counts, ((0, 0), (0, TWO - profile.n_values)))  # of one value, nobody has the other
    fallback = np.pad(subject.fallback, (0, TWO - profile.n_values))
    weights = weights_for("records", profile)
    named = named_from_sample(both, fallback, subject.n_people, sizes) @ weights / weights.sum()
    return np.minimum(named, subject.raw)  # but for rounding it is never more


def simulated_samples(
    subject: Subject, size: int, repeats: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw samples: how often the largest count of the cell is right in each, and what an analyst loses."""
    right, losses = [], []
    at_once = max(1, BLOCK // subject.counts.size)
    for done in range(0, repeats, at_once):
        flat = rng.multivariate_hypergeometric(subject.counts.ravel(), size, min(at_once, repeats - done))
        drawn = np.moveaxis(flat.reshape(-1, *subject.counts.shape), 0, 2)
        right.append(right_by_largest_count(subject.counts, drawn, subject.fallback))
        distances = subject.marginals.distances(subject.counts.astype(np.float64), drawn.astype(np.float64))
        losses.append(distances.mean(axis=0))
    return np.concatenate(right), np.concatenate(losses)


def _sizes(n_people: int, parameters: tuple[float, ...]) -> IntArray:
    largest = max(1, int(LARGEST_SHARE * n_people))
    sizes = round_numbers(min(SMALLEST, largest), largest, (largest, *parameters))
    return np.array([size for size in sizes if size == int(size)], dtype=np.int64)
