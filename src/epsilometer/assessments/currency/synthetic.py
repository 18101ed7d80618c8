"""Synthetic tables over epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa

from epsilometer.assessments.currency.guess import LARGEST_COUNT, OVERALL, better, right_by_largest_count
from epsilometer.assessments.currency.repeats import mean_of_releases
from epsilometer.assessments.currency.subject import WAYS, split_cells
from epsilometer.assessments.synthetic.domains import Known as KnownDomains
from epsilometer.assessments.synthetic.domains import public_domain
from epsilometer.assessments.synthetic.synthesize import Setting, make
from epsilometer.attacks.guessers import People, logistic_model
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.synthesizers.registry import synthesizer
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.records import read_records
from epsilometer.utility.marginals import Marginals
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.currency.subject import Simulation, Subject
    from epsilometer.plans.release_kinds import Synthetic
    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import IntArray

EPSILONS: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
MOST_TRAINED: Final = 5_000  # synthetic rows that a model is trained on: enough for shares, and quick
NUMBER: Final = "number of the synthetic table"
MODEL: Final = "trains a logistic regression on the synthetic table"
ASSUMPTIONS: Final = (
    (
        "Synthetic: the attacker names the most frequent value of the person's cell in the synthetic table "
        "(if nobody is in it, the most common value of all), or what a logistic regression trained on it "
        "says, whichever is right more often."
    ),
    (
        "Synthetic: the tables were made to be measured, with simulated noise; domains that were not declared "
        "are taken to be known, as those that occur. Finding them privately would lose more."
    ),
    "Synthetic: the analyst takes the shares of the synthetic table as they are.",
)


def synthetic_curve(
    subject: Subject, release: Synthetic, parameters: tuple[float, ...], chance: Simulation
) -> FrontierCurve:
    """Return the curve of synthetic tables: tables are made at a few epsilons, attacked and compared."""
    maker = Maker.of(subject, release, chance.seed)
    epsilons = np.unique([*EPSILONS, *parameters]).tolist()
    points, n_tables, rng = [], len(epsilons) * chance.runs, chance.rng()
    for number, epsilon in enumerate(epsilons):
        tables = []
        for run in range(number * chance.runs, (number + 1) * chance.runs):
            chance.tell(f"synthetic table {run + 1} of {n_tables}, at ε = {epsilon:g}", run / n_tables)
            tables.append(maker.table(epsilon, run))
        seen = measured(subject, tables, rng)
        found, attacker = _best(seen, subject.raw)
        risk, attacker = better(found, attacker, subject.no_release, OVERALL)
        points.append(
            FrontierPoint(
                parameter=epsilon,
                risk=risk,
                attacker=attacker,
                loss=mean_of_releases(np.array([table.loss for table in seen])),
                planned=epsilon in parameters,
            )
        )
    return FrontierCurve(
        kind="synthetic",
        name=f"synthetic, {release.method}",
        parameter="epsilon",
        points=tuple(points),
        assumptions=ASSUMPTIONS,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Maker:
    """Makes synthetic tables of one plan, to be measured.

    Attributes:
        records: the rows they are made from.
        release: how.
        known: the domains of the columns.
        seed: what each table's chance is drawn with, together with its number.
    """

    records: Records
    release: Synthetic
    known: KnownDomains
    seed: int

    @classmethod
    def of(cls, subject: Subject, release: Synthetic, seed: int) -> Maker:
        """Read the rows of the plan's table."""
        plan = subject.plan
        columns = tuple(dict.fromkeys((*plan.quasi_identifiers, *plan.sensitive, *release.columns)))
        records = read_records(plan.open(), columns, where=plan.where)
        declared = {name: domain for name, domain in plan.domain.items() if name in columns}
        return cls(records, release, KnownDomains(declared, public_domain(records), release.n_bins), seed)

    def table(self, epsilon: float, number: int) -> pa.Table:
        """Make a table; another number makes another one."""
        for_noise, for_rows = np.random.SeedSequence([self.seed, number]).spawn(2)
        setting = Setting(
            chosen=synthesizer(self.release.method),
            known=self.known,
            noise=SimulatedNoise(int(for_noise.generate_state(1)[0])),
            rng=np.random.default_rng(for_rows),
        )
        return make(self.records, Budget(epsilon, self.release.delta), setting, n_rows=self.release.rows).rows


class Measured(NamedTuple):
    """What one synthetic table gives away to each attacker, and what it loses."""

    right: dict[str, float]
    loss: float


def measured(subject: Subject, tables: Sequence[pa.Table], rng: np.random.Generator) -> list[Measured]:
    """Attack synthetic tables and compare their shares with those of the table itself."""
    plan = subject.plan
    numbered = [table.append_column(NUMBER, pa.array(np.full(table.num_rows, i))) for i, table in enumerate(tables)]
    freq = frequency_table(  # of all of them in one pass of the engine
        pa.concat_tables(numbered),
        quasi_identifiers=(NUMBER, *plan.quasi_identifiers),
        sensitive=plan.sensitive,
        bins=dict(plan.bins),
    )
    labels, counts = split_cells(freq.cells(), freq.n_values)
    numbers, labels = labels.column(0).cast(pa.int64()).to_numpy(), labels.drop_columns([NUMBER])
    each = [np.flatnonzero(numbers == i) for i in range(len(tables))]
    values = freq.profile.values
    return [_measured(side_by_side(subject, labels.take(rows), counts[rows], values), subject, rng) for rows in each]


def _measured(both: SideBySide, subject: Subject, rng: np.random.Generator) -> Measured:
    fallback = np.pad(subject.fallback, (0, both.true.shape[1] - len(subject.fallback)))
    right = {LARGEST_COUNT: float(right_by_largest_count(both.true, both.shown[..., None], fallback)[0])}
    if (by_model := _right_by_model(both, rng)) is not None:
        right[MODEL] = by_model
    marginals = Marginals.of_cells(both.labels, 0, WAYS)
    distances = marginals.distances(both.true.astype(np.float64), both.shown[..., None].astype(np.float64))
    return Measured(right, float(distances.mean()))


class SideBySide(NamedTuple):
    """Two tables over the cells and values of both.

    Attributes:
        labels: what the cells are called.
        codes: the same in numbers, cells x quasi-identifiers.
        true: counts of the table itself, cells x values; its own values come first.
        shown: counts of the other one.
    """

    labels: pa.Table
    codes: IntArray
    true: IntArray
    shown: IntArray


def side_by_side(subject: Subject, labels: pa.Table, counts: IntArray, values: tuple[str, ...]) -> SideBySide:
    """Put the counts of another table next to those of the subject, by the names of their cells and values."""
    all_labels = pa.concat_tables([subject.labels, labels])
    encoded = [column.combine_chunks().dictionary_encode().indices.to_numpy() for column in all_labels.columns]
    codes, first, cell = np.unique(np.column_stack(encoded), axis=0, return_index=True, return_inverse=True)
    place = {value: number for number, value in enumerate(dict.fromkeys((*subject.values, *values)))}
    true, shown = np.zeros((2, len(codes), len(place)), dtype=np.int64)
    own_cells, other_cells = np.split(cell.ravel(), [len(subject.counts)])
    true[own_cells, : len(subject.values)] = subject.counts
    shown[other_cells[:, None], [place[value] for value in values]] = counts
    return SideBySide(all_labels.take(first), codes.astype(np.int64), true, shown)


def _right_by_model(both: SideBySide, rng: np.random.Generator) -> float | None:
    """Share of people whom a model trained on the synthetic rows names right; none where it is not installed."""
    cell, value = np.nonzero(both.shown)
    rows = np.repeat(np.arange(len(cell)), both.shown[cell, value])
    if len(rows) > MOST_TRAINED:
        rows = rng.choice(rows, MOST_TRAINED, replace=False)
    target_cell, target_value = np.nonzero(both.true)
    table, targets = People(both.codes[cell[rows]], value[rows]), People(both.codes[target_cell], target_value)
    try:
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        with threadpool_limits(1):  # several threads only slow small models down
            right = logistic_model(table, targets)
    except ImportError:
        return None
    return float(right @ both.true[target_cell, target_value] / both.true.sum())


def _best(tables: list[Measured], raw: float) -> tuple[Estimate, str]:
    """Return the risk from the attacker who is right more often over all tables, no upper end left out.

    Whoever knows no more than the quasi-identifiers, and names one value for each cell, never beats the raw table.
    """
    found = {name: mean_of_releases(np.array([table.right[name] for table in tables]), raw) for name in tables[0].right}
    name = max(found, key=lambda attacker: found[attacker].value)
    high = max(float(estimate.interval.high) for estimate in found.values())
    interval = found[name].interval
    return Estimate(found[name].value, Interval(interval.low, high, interval.confidence)), name
