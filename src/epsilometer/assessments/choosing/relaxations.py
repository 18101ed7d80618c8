"""Which single change makes both targets possible, and what does it cost?

Of each kind of change the cheapest is looked for: a larger threshold, coarser bins for one column, one column less,
a little more risk, a little more error.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.choosing.answer import shown, shown_point
from epsilometer.assessments.counted import frequency_tables
from epsilometer.assessments.inverse import ROUNDING
from epsilometer.tables.coarsening import as_option, coarser_bins, in_coarser_bins, without_column
from epsilometer.vocabulary.relaxation import Relaxation, relative_change
from epsilometer.vocabulary.telling import under
from epsilometer.vocabulary.wording import rounded_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from epsilometer.assessments.choosing.search import Found, Problem, Targets

    Search = Callable[[Targets], Found | None]
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.counting import JointCounts
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.profile import Profile
    from epsilometer.vocabulary.stretch import Stretch

THRESHOLDS: Final = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
N_LOOKED_AT: Final = 100  # points of each stretch at which the smallest risk is looked for
DIGITS: Final = 3  # of a looser target, rounded up
TRYING: Final = "nothing meets both targets, trying to {change}"
SMALLEST: Final = 1e-300  # stands for a target of zero, which has no digits


class _Change(NamedTuple):
    """A change before it is known whether it helps."""

    kind: str
    words: str
    setting: dict[str, str | float]
    cost: float
    cost_in_words: str


class _Coarser(NamedTuple):
    """A table with less detail."""

    change: _Change
    tables: tuple[FrequencyTable, ...]


def larger_threshold(
    mechanism: Mechanism, problem_with: Callable[[Mechanism], Problem], targets: Targets
) -> list[Relaxation]:
    """Find the smallest publication threshold, of a few, at which some epsilon meets both targets."""
    larger = (threshold for threshold in THRESHOLDS if threshold > mechanism.threshold)
    changed = ((_of_threshold(mechanism, t), problem_with(replace(mechanism, threshold=t))) for t in larger)
    return _first_possible(changed, targets)


def less_detail(
    counts: JointCounts, problem_of: Callable[[Sequence[FrequencyTable]], Problem], targets: Targets
) -> list[Relaxation]:
    """Find the coarser bins of one column, and the column to drop, that give up the fewest bits.

    The counts are regrouped in the engine. What is given up is the entropy of the cell of a person drawn at random,
    before less after: one bit is what telling two equally large groups apart is worth.
    """
    coarser = sorted(_coarser_tables(counts), key=lambda table: table.change.cost)
    return [
        relaxation
        for kind in ("bins", "column")
        for relaxation in _first_possible(
            ((change, problem_of(tables)) for change, tables in coarser if change.kind == kind), targets
        )
    ]


def looser_target(problem: Problem, found: Found) -> list[Relaxation]:
    """Find the smallest risk target, and the smallest loss target, that some point meets with the other as it is."""
    targets, relaxations = found.targets, []
    if found.loss_stretches:
        points = np.unique([np.geomspace(s.low, s.high, N_LOOKED_AT) for s in found.loss_stretches])
        ends = [end for s in found.loss_stretches for end in (s.low, s.high)]
        seen = map(problem.risk, (*ends, *points.tolist()))
        relaxations += more_risk(problem.axis.name, problem.search_if_risk_allows, targets, seen)
    if found.risk_stretches:
        inside = [x for x in problem.axis.points if any(s.low < x < s.high for s in found.risk_stretches)]
        ends = [end for s in found.risk_stretches for end in (s.low, s.high)]
        seen = map(problem.loss, (*ends, *inside))
        relaxations += more_loss(problem.axis.name, problem.search_if_risk_allows, targets, seen)
    return relaxations


def more_risk(parameter: str, search: Search, targets: Targets, seen: Iterable[float]) -> list[Relaxation]:
    """Accept the smallest of the risks that were seen where the loss meets its target."""
    looser = targets._replace(max_risk=_loosened(targets.max_risk, seen))
    return _if_possible(_of_risk(targets, looser), parameter, partial(search, looser))


def more_loss(parameter: str, search: Search, targets: Targets, seen: Iterable[float]) -> list[Relaxation]:
    """Accept the smallest of the losses that were seen where the risk meets its target."""
    looser = targets._replace(max_loss=_loosened(targets.max_loss, seen))
    return _if_possible(_of_loss(targets, looser), parameter, partial(search, looser))


def _first_possible(changed: Iterable[tuple[_Change, Problem]], targets: Targets) -> list[Relaxation]:
    """Return the first change with which some point meets the targets."""
    for change, problem in changed:
        if possible := _if_possible(change, problem.axis.name, partial(problem.search_if_risk_allows, targets)):
            return possible
    return []


def _if_possible(change: _Change, parameter: str, search: Callable[[], Found | None]) -> list[Relaxation]:
    """Return the change if some point is found with it."""
    with under(TRYING.format(change=change.words)):
        found = search()
    if found is None or found.recommended is None:
        return []
    return [_relaxation(change, parameter, found.stretches, found.recommended)]


def _loosened(target: float, seen: Iterable[float]) -> float:
    """Round the smallest number seen up, beyond a target that could not be met."""
    return min(1.0, rounded_up(max(target, SMALLEST, min(seen)) * (1 + ROUNDING), DIGITS))


def _of_threshold(mechanism: Mechanism, threshold: float) -> _Change:
    return _Change(
        "threshold",
        f"publish noisy counts below {threshold:g} as zero, instead of those below {mechanism.threshold:g}",
        {"threshold": threshold},
        relative_change(max(mechanism.threshold, 0.0), threshold),
        "more of the small counts",
    )


def _of_risk(before: Targets, after: Targets) -> _Change:
    words = f"accept a risk of {after.max_risk:g} instead of {before.max_risk:g}"
    cost = relative_change(before.max_risk, after.max_risk)
    in_words = f"the risk target: {after.max_risk:g} instead of {before.max_risk:g}"
    return _Change("risk", words, {"max_risk": after.max_risk}, cost, in_words)


def _of_loss(before: Targets, after: Targets) -> _Change:
    words = f"accept a loss of {after.max_loss:g} instead of {before.max_loss:g}"
    cost = relative_change(before.max_loss, after.max_loss)
    in_words = f"the accuracy target: {after.max_loss:g} instead of {before.max_loss:g}"
    return _Change("loss", words, {"max_loss": after.max_loss}, cost, in_words)


def _coarser_tables(counts: JointCounts) -> Iterator[_Coarser]:
    if counts.max_cells_per_person > 1:
        return
    before = frequency_tables(counts)[0].profile
    for column, bins in coarser_bins(counts):
        tables = frequency_tables(in_coarser_bins(counts, column, bins))
        setting: dict[str, str | float] = {"bin": as_option(column, bins)}
        change = _of_detail("bins", f"put {column} into bins of {bins}", setting, before, tables[0].profile)
        yield _Coarser(change, tables)
    for column in counts.roles.quasi_identifiers if len(counts.roles.quasi_identifiers) > 1 else ():
        tables = frequency_tables(without_column(counts, column))
        change = _of_detail("column", f"leave {column} out", {"drop": column}, before, tables[0].profile)
        yield _Coarser(change, tables)


def _of_detail(kind: str, words: str, setting: dict[str, str | float], before: Profile, after: Profile) -> _Change:
    told_apart = _bits(before)
    lost = told_apart - _bits(after)
    in_words = f"{lost:.2f} of the {told_apart:.2f} bits that the quasi-identifiers tell of a person"
    return _Change(kind, words, setting, lost, in_words)


def _bits(profile: Profile) -> float:
    """Entropy of the cell of a person drawn at random, in bits."""
    shares = profile.sizes / profile.total_records
    return float(-(profile.n_cells * shares) @ np.log2(shares))


def _relaxation(change: _Change, parameter: str, stretches: tuple[Stretch, ...], recommended: float) -> Relaxation:
    possible = (
        f"then {parameter} from {shown(stretches)} meets both targets, and {shown_point(recommended)} is recommended"
    )
    return Relaxation(
        kind=change.kind,
        change=change.words,
        setting=change.setting,
        cost=change.cost,
        cost_in_words=change.cost_in_words,
        stretches=stretches,
        recommended=recommended,
        in_words=f"{change.words}; {possible}. It gives up {change.cost_in_words}.",
    )
