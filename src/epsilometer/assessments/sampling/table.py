"""A sample of a real table: its own shares next to the priors of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.sampling.loss import loss_of
from epsilometer.assessments.sampling.risk import vulnerability_of
from epsilometer.assessments.sampling.setting import TWO, checked_setting
from epsilometer.errors import OutOfRange
from epsilometer.formulas import sampling
from epsilometer.formulas.sampling.many_cells import inside_and_outside
from epsilometer.vocabulary.table_sample import CellAverage, GroupSample, TableSample

if TYPE_CHECKING:
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

ASSUMPTIONS: Final = (
    "Every group of so many people is equally likely to be drawn; of each cell the same part, rounded to whole people.",
    "An attacker who knows the shares knows how many people have each value, and of nobody who they are.",
    "To that attacker a sample tells nothing of a person of whom it is not known whether they were drawn.",
    "An attacker with the model's prior knows only how many people there are.",
)
CAVEATS: Final = ("Shares of small cells are facts about few people: who knows them knows a good deal already.",)


class _Own(NamedTuple):
    """What the shares of some groups give away, one number for each."""

    before: FloatArray
    inside: FloatArray
    outside: FloatArray


def sample_of_table(
    freq: FrequencyTable, *, sample: int, prior: str | float = "frequencies", name: str = "the table", limit: int = 10
) -> TableSample:
    """Assess a random sample of a counted table: for everybody, and cell by cell.

    Args:
        freq: the counted table.
        sample: number of people in the sample.
        prior: what an attacker believes who does not know the shares, as in :func:`sampling_risk`.
        name: what to call the table.
        limit: how many cells to list, the largest first.

    >>> from epsilometer import FrequencyTable
    >>> found = sample_of_table(FrequencyTable.from_counts([[30, 10], [5, 15]]), sample=6)
    >>> round(found.everybody.no_release, 4), round(found.everybody.inside, 4), found.cells[0].sampled
    (0.5833, 0.6617, 4)
    """
    setting = checked_setting(
        population=freq.n_records, sample=sample, prior=prior, n_values=max(TWO, freq.n_values), mechanism=None
    )
    if limit < 1:
        raise OutOfRange("limit", limit, "[1, inf)", hint="It is a number of cells.")
    m, profile = setting.samples[0], freq.profile
    totals = profile.totals
    rate = m / setting.population
    everybody = _group({}, totals, m, profile.values, prior)
    largest = np.argsort(-profile.sizes, kind="stable")
    groups = [_cell(cell, profile.values, rate, prior) for cell in freq.first_cells(largest, limit)]
    groups.sort(key=lambda group: (-group.people, *group.label.values()))
    return TableSample(
        table=name,
        sensitive=" and ".join(freq.sensitive) or "the value",
        quasi_identifiers=freq.quasi_identifiers or ("cell",),
        n_values=setting.n_values,
        prior=setting.prior,
        alpha=setting.alpha,
        everybody=everybody,
        cells=tuple(groups),
        n_cells=freq.n_cells,
        average=_average(profile.counts, profile.n_cells, rate),
        assumptions=ASSUMPTIONS,
        caveats=(*CAVEATS, *freq.notes),
    )


def drawn_of(people: IntArray, rate: float) -> IntArray:
    """How many people of each cell are in a sample that takes the same part of each.

    >>> drawn_of(np.array([40, 20, 1]), 0.1).tolist()
    [4, 2, 0]
    """
    return np.minimum(np.rint(people * rate).astype(np.int64), people)


def _cell(cell: dict[str, object], values: tuple[str, ...], rate: float, prior: str | float) -> GroupSample:
    n_keys = len(cell) - len(values)
    label = {name: str(value) for name, value in list(cell.items())[:n_keys]}
    counts = np.array(list(cell.values())[n_keys:], dtype=np.int64)
    return _group(label, counts, int(drawn_of(counts.sum(), rate)), values, prior)


def _group(
    label: dict[str, str], counts: IntArray, drawn: int, values: tuple[str, ...], prior: str | float
) -> GroupSample:
    people = int(counts.sum())
    own = _own_shares(counts[None, :], np.array([drawn]))
    model = _model(people, drawn, len(values), prior)
    return GroupSample(
        label=label,
        people=people,
        sampled=drawn,
        counts={value: int(n) for value, n in zip(values, counts, strict=True) if n},
        no_release=float(own.before[0]),
        inside=float(own.inside[0]) if drawn else None,
        outside=float(own.outside[0]) if drawn < people else None,
        loss=float(sampling.own_shares_loss(counts, drawn)) if drawn else None,
        **model,
    )


def _model(people: int, drawn: int, n_values: int, prior: str | float) -> dict[str, float | None]:
    """Return what an attacker and an analyst with the model's prior make of the group."""
    if not drawn:
        return {"model_inside": None, "model_outside": 1 / max(TWO, n_values), "model_loss": None}
    setting = checked_setting(population=people, sample=drawn, prior=prior, n_values=max(TWO, n_values), mechanism=None)
    return {
        "model_inside": vulnerability_of(setting, drawn, "in").high,
        "model_outside": vulnerability_of(setting, drawn, "out").high if drawn < people else None,
        "model_loss": loss_of(setting, drawn).high,
    }


def _own_shares(counts: IntArray, drawn: IntArray) -> _Own:
    """Return what the shares give away, for each row of counts; NaN where nobody is inside or outside."""
    return _Own(counts.max(axis=1) / counts.sum(axis=1), *inside_and_outside(counts, drawn))


def _average(counts: IntArray, n_cells: IntArray, rate: float) -> CellAverage:
    """Return means over people, each in their own cell."""
    people = counts.sum(axis=1)
    drawn = drawn_of(people, rate)
    own = _own_shares(counts, drawn)
    in_sample, out_of_sample = n_cells * drawn, n_cells * (people - drawn)
    return CellAverage(
        no_release=float(n_cells @ counts.max(axis=1) / (n_cells @ people)),
        inside=_mean(own.inside, in_sample),
        outside=_mean(own.outside, out_of_sample),
    )


def _mean(values: FloatArray, weights: IntArray) -> float | None:
    counted = weights > 0
    return float(np.average(values[counted], weights=weights[counted])) if counted.any() else None
