"""Which sizes of a sample meet both targets? Sizes are evaluated one by one; nothing is known of those between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.choosing.relaxations import more_loss, more_risk
from epsilometer.assessments.choosing.search import Found
from epsilometer.assessments.currency.guess import LARGEST_COUNT, OVERALL, better
from epsilometer.assessments.currency.repeats import affordable, mean_of_releases
from epsilometer.assessments.currency.sample import TWO, named_by_sample, simulated_samples
from epsilometer.assessments.exploring.slider_stretches import stretches_of
from epsilometer.vocabulary.evidence import Estimate, Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.assessments.choosing.search import Targets
    from epsilometer.assessments.currency.subject import Subject
    from epsilometer.vocabulary.arrays import IntArray
    from epsilometer.vocabulary.frontier import Known
    from epsilometer.vocabulary.relaxation import Relaxation

NAME: Final = "sample size"
N_POINTS: Final = 25  # sizes to begin with
HALVINGS: Final = 8  # of the steps between them: the ends are found to a three-hundredth of the size, or exactly
REPEATS: Final = 50
SEED: Final = 0  # the same for every size: what differs between two of them is the size alone


class Evaluated(NamedTuple):
    """What samples of one size come to.

    Attributes:
        risk: how often an attacker names a random person's value right.
        loss: mean total variation distance of the 1- and 2-way shares.
    """

    risk: Known
    loss: Estimate


class SampledTable:
    """One sensitive attribute of a table whose rows are sampled."""

    def __init__(self, subject: Subject) -> None:
        self.about = " and ".join(subject.freq.sensitive)
        self.subject = subject
        self._evaluated: dict[int, Evaluated] = {}

    @property
    def exact(self) -> bool:
        """Whether the risk is computed rather than simulated."""
        return self.subject.freq.n_values <= TWO

    def at(self, size: int) -> Evaluated:
        """Return risk and loss of samples of one size; asked again, the same."""
        if size not in self._evaluated:
            self._evaluated[size] = self._evaluate(size)
        return self._evaluated[size]

    def _evaluate(self, size: int) -> Evaluated:
        subject = self.subject
        repeats = affordable(REPEATS, subject.counts.size * N_POINTS)
        right, losses = simulated_samples(subject, size, repeats, np.random.default_rng(SEED))
        if self.exact:
            found: Known = Exact(float(named_by_sample(subject, np.array([size]))[0]))
        else:
            found = mean_of_releases(right, subject.raw)
        risk, _ = better(found, LARGEST_COUNT, subject.no_release, OVERALL)
        return Evaluated(risk, mean_of_releases(losses))


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """One size for several attributes of a table, of which each must meet both targets.

    Attributes:
        tables: the attributes.
        start: the sizes that are evaluated whatever the targets are, ascending.
    """

    tables: tuple[SampledTable, ...]
    start: IntArray

    def risk(self, size: int) -> float:
        """Return the largest risk of an attribute, at the worse end of its interval if it has one."""
        return max(at_most(table.at(size).risk) for table in self.tables)

    def loss(self, size: int) -> float:
        """Return the largest loss of an attribute, at the worse end of its interval."""
        return max(at_most(table.at(size).loss) for table in self.tables)

    def tried(self, targets: Targets) -> IntArray:
        """Return the sizes to evaluate: those to start with, and more wherever a target is met on one side only."""
        sizes = self.start
        for _ in range(HALVINGS):
            met = self._met(sizes, targets)
            before = np.flatnonzero((met[:, 1:] != met[:, :-1]).any(axis=0))
            sizes = np.union1d(sizes, (sizes[before] + sizes[before + 1]) // 2)
        return sizes

    def search(self, targets: Targets) -> Found:
        """Find the sizes that meet both targets, each evaluated itself; the smallest of them is recommended."""
        sizes = self.tried(targets)
        of_risk, of_loss = self._met(sizes, targets)
        stretches = stretches_of(sizes, of_risk & of_loss)
        return Found(
            targets=targets,
            risks=(),
            risk_stretches=stretches_of(sizes, of_risk),
            loss_stretches=stretches_of(sizes, of_loss),
            stretches=stretches,
            recommended=stretches[0].low if stretches else None,
            within=stretches[0] if stretches else None,
        )

    def looser_targets(self, targets: Targets) -> list[Relaxation]:
        """Find the smallest risk target, and the smallest loss target, that some size meets with the other as it is."""
        sizes = self.tried(targets)
        of_risk, of_loss = self._met(sizes, targets)
        again = replace(self, start=sizes)
        relaxations = more_risk(NAME, again.search, targets, map(self.risk, sizes[of_loss].tolist()))
        if of_risk.any():
            relaxations += more_loss(NAME, again.search, targets, map(self.loss, sizes[of_risk].tolist()))
        return relaxations

    def _met(self, sizes: IntArray, targets: Targets) -> NDArray[np.bool_]:
        """Say which target is met at which size: risk and loss x sizes."""
        return np.array(
            [
                [self.risk(size) <= targets.max_risk for size in sizes.tolist()],
                [self.loss(size) <= targets.max_loss for size in sizes.tolist()],
            ]
        )


def sizes_of(tables: tuple[SampledTable, ...]) -> Sizes:
    """Return the question of a size for a table, from a single row to all rows."""
    even = np.geomspace(1, tables[0].subject.n_people, N_POINTS)
    return Sizes(tables, np.unique(np.rint(even).astype(np.int64)))


def at_most(known: Known) -> float:
    """Return the number itself, or the upper end of its interval."""
    return float(known.interval.high if isinstance(known, Estimate) else known.value)
