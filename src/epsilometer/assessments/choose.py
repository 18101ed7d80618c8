"""Choose a parameter of a release: little enough risk, little enough loss."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.choosing.answer import PEOPLE, Telling, answer, checked_targets
from epsilometer.assessments.choosing.axis import axis_named
from epsilometer.assessments.choosing.relaxations import larger_threshold, less_detail, looser_target
from epsilometer.assessments.choosing.search import Problem
from epsilometer.assessments.choosing.size_answer import choose_size
from epsilometer.assessments.choosing.subject import CountedTable
from epsilometer.assessments.counted import frequency_tables, joint_counts
from epsilometer.assessments.drawn_noise import release_warnings
from epsilometer.errors import UnknownChoice
from epsilometer.plans.release_kinds import Counts, Sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.choosing.axis import Axis
    from epsilometer.plans.plan import Plan
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.choice import Choice
    from epsilometer.vocabulary.relaxation import Relaxation

CAVEATS: Final[tuple[str, ...]] = (
    "A parameter chosen by looking at the table is itself a look at it; choosing without looking needs none.",
    "The risk is certified on the whole of a stretch.",
    "The loss is simulated at many points, at the ends of each stretch and at what is recommended, not between them.",
)
EMPTY_COMBINATIONS: Final = (
    "The loss is that of the cells that are not empty. A release over declared values publishes every combination and "
    "cuts noise below zero to zero, so that counts pile up in the empty ones: its loss can be much larger, and its "
    "total too high. Fewer or coarser columns, a threshold, thresholded support, or the post-processing non-negative, "
    "which keeps the total, help."
)
COARSER: Final = "The loss of a coarser table is measured against the coarser table; the detail is counted as the cost."
SEVERAL_CELLS: Final = (
    "Coarser bins and fewer columns were not tried: some people count in several cells, and the counts do not say "
    "whose cells would become one."
)


def choose(plan: Plan, *, parameter: str | None = None) -> Choice:
    """Find every epsilon, threshold or size that meets the plan's targets for each of its sensitive attributes.

    For counts the share of people disclosed must be at most ``plan.max_risk``: certified, not sampled. The loss must
    be at most ``plan.max_loss`` at the worse end of its interval. Of the points that meet both, the smallest epsilon
    is recommended, which gives the strongest guarantee; or the threshold of least risk, since a large one may leave
    single values behind. Where nothing is feasible, the cheapest single changes are looked for.

    For a sample an attacker must name the value of at most ``plan.max_risk`` of the people, as :func:`compare` has
    it. Sizes are evaluated one by one, and the smallest that meets both targets is recommended; nothing is certified
    between them.

    Args:
        plan: the table with roles, bins, filter, release and both targets; what is chosen need not be right in it.
        parameter: for counts ``"epsilon"``, unless it is ``"threshold"``, the publication threshold at the plan's
            epsilon; for a sample ``"size"``.

    >>> from epsilometer import Plan, example_table
    >>> plan = Plan(table=example_table(), quasi_identifiers=("sex", "district"), sensitive=("reason",),
    ...             max_risk=0.02, max_loss=0.1)
    >>> choose(plan).recommended is not None
    True
    """
    if isinstance(plan.release, Sample):
        if parameter not in (None, "size"):
            raise UnknownChoice("parameter", parameter, ["size"], hint="A sample has no other.")
        return choose_size(plan)
    return _choose_for_counts(plan, "epsilon" if parameter is None else parameter)


def _choose_for_counts(plan: Plan, parameter: str) -> Choice:
    mechanism = plan.released_as(Counts).mechanism
    targets, axis = checked_targets(plan.max_risk, plan.max_loss), axis_named(parameter, mechanism)
    counts = joint_counts(plan)
    tables = frequency_tables(counts)
    problem = _problem(axis, tables)
    found = problem.search(targets)
    relaxations: list[Relaxation] = []
    caveats = CAVEATS
    if found.recommended is None:
        relaxations += less_detail(counts, partial(_problem, axis), targets)
        relaxations += looser_target(problem, found)
        if parameter == "epsilon":
            relaxations += larger_threshold(
                mechanism, lambda noise: _problem(axis_named(parameter, noise), tables), targets
            )
        caveats += (COARSER if counts.max_cells_per_person == 1 else SEVERAL_CELLS,)
    telling = Telling(PEOPLE, looked=True, based_on={"table": counts.name, **plan.described()})
    drawn = () if found.recommended is None else release_warnings(tables, axis.at(found.recommended), targets.max_risk)
    return answer(problem, found, relaxations, telling, caveats, warnings=(*drawn, EMPTY_COMBINATIONS))


def _problem(axis: Axis, tables: Sequence[FrequencyTable]) -> Problem:
    return Problem(axis, tuple(CountedTable(freq, axis) for freq in tables))
