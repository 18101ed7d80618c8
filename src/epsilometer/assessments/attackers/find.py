"""Find the attacker who breaks a target knowing least."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.attackers.contributions import contributions
from epsilometer.assessments.attackers.lattice import Evaluated, affordable, search
from epsilometer.assessments.attackers.question import asked
from epsilometer.assessments.attackers.released import judge_by, share_disclosed
from epsilometer.assessments.attackers.wording import assumptions, caveats, in_words
from epsilometer.formulas import anonymity
from epsilometer.tables.column_sets import columns_of
from epsilometer.tables.counting import count_table
from epsilometer.tables.roles import assign_roles
from epsilometer.tables.subset_counts import subset_counts
from epsilometer.vocabulary.attackers import Attacker, Attackers, Knowledge, Level, cheapest_first
from epsilometer.vocabulary.telling import silent, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from epsilometer.assessments.attackers.question import Question
    from epsilometer.plans.plan import Plan
    from epsilometer.tables.counting import JointCounts
    from epsilometer.tables.subset_counts import SubsetCounts
    from epsilometer.vocabulary.telling import Tell

MOST_DESCRIBED: Final = 20
COUNTED: Final = 0.05  # of the work, as it is told


def find_attackers(
    plan: Plan,
    *,
    candidates: Iterable[str] | None = None,
    max_known: float = 3,
    costs: Mapping[str, float] | None = None,
    max_risk: float | None = None,
    tell: Tell = silent,
) -> Attackers:
    """Find every smallest set of columns whose knowledge breaks the target, cheapest first. Exact.

    A person of the table is drawn at random; the attacker knows their values of some columns, has the release, and
    names one sensitive value. The target is broken if that is right for more than ``max_risk`` of the people. From
    a raw table the attacker names the most frequent value of the cell; from counts with noise the one published
    largest, ties at random, and where nothing is published the most common value overall.

    Args:
        plan: the table and its roles; a release of :class:`Counts` with one epsilon, or :class:`Raw`. Several
            sensitive columns are taken together: the attacker has to name their combination.
        candidates: columns an attacker might know; the plan's quasi-identifiers if none are given.
        max_known: the most that an attacker may know: a number of columns or, with ``costs``, a total cost.
        costs: how hard columns are to know; 1 for those not named.
        max_risk: the target; the plan's if not given.
        tell: told how far the search is.

    >>> from epsilometer import Plan, Raw, example_table
    >>> plan = Plan(table=example_table(), quasi_identifiers=("age", "sex", "district"), sensitive=("reason",),
    ...             bins={"age": 10}, release=Raw(), max_risk=0.46)
    >>> [known.columns for known in find_attackers(plan).breaking]
    [('age', 'sex')]
    """
    question = asked(plan, candidates=candidates, max_known=max_known, costs=costs or {}, max_risk=max_risk)
    tell("counting the table", 0.0)
    joint = _counted(plan, tuple(question.costs))
    counts = subset_counts(joint)
    sets = affordable([question.costs[name] for name in counts.columns], question.max_known)
    nothing, all_known = (n / counts.n_records for _, n in counts.named_right([0, (1 << len(counts.columns)) - 1]))
    found = _found(counts, sets, (nothing, all_known), question, within(tell, COUNTED, 1.0))
    evaluated = tuple(_knowledge(known, one, counts, question) for known, one in found.items())
    result = Attackers(
        in_words="",
        sensitive=" | ".join(plan.sensitive),
        costs=question.costs,
        max_known=question.max_known,
        max_risk=question.max_risk,
        mechanism=None if question.mechanism is None else question.mechanism.describe(),
        no_release=nothing,
        all_known=all_known,
        evaluated=evaluated,
        attackers=tuple(_attacker(one, counts, question) for one in cheapest_first(evaluated)[:MOST_DESCRIBED]),
        contributions=contributions(found, counts.columns),
        levels=_levels(found, sets),
        assumptions=assumptions(question.mechanism),
        caveats=caveats(joint, counts.note),
    )
    return replace(result, in_words=in_words(result))


def _counted(plan: Plan, candidates: tuple[str, ...]) -> JointCounts:
    """Count the combinations of all candidates in one scan; bins of quasi-identifiers that are none play no part."""
    table = plan.open()
    left_out = set(plan.quasi_identifiers) - set(candidates)
    bins = {name: given for name, given in plan.bins.items() if name not in left_out}
    roles = assign_roles(table.columns, candidates, plan.sensitive, person_id=plan.person_id, bins=bins)
    return count_table(table, roles, where=plan.where)


def _found(
    counts: SubsetCounts, sets: list[int], ends: tuple[float, float], question: Question, tell: Tell
) -> dict[int, Evaluated]:
    """Search, unless the answer is known before: who knows nothing breaks the target, or who knows all does not."""
    target, (nothing, all_known) = question.max_risk, ends
    if nothing > target:
        return {0: Evaluated(nothing, nothing, breaks=True)}
    if all_known <= target:
        return {0: Evaluated(nothing, None, breaks=False)}
    return search(counts, sets, target, judge_by(counts, question.mechanism), tell)


def _knowledge(known: int, one: Evaluated, counts: SubsetCounts, question: Question) -> Knowledge:
    names = {counts.columns[column] for column in columns_of(known)}
    return Knowledge(
        columns=tuple(name for name in question.costs if name in names),
        cost=math.fsum(question.costs[name] for name in names),
        raw=one.raw,
        released=one.released,
        breaks=one.breaks,
    )


def _attacker(knowledge: Knowledge, counts: SubsetCounts, question: Question) -> Attacker:
    profile = counts.profile(map(counts.columns.index, knowledge.columns))
    return Attacker(
        knowledge=knowledge,
        disclosed=share_disclosed(profile, question.mechanism),
        n_cells=profile.total_cells,
        n_alone=anonymity.unique_records(profile.counts, profile.n_cells),
    )


def _levels(found: Mapping[int, Evaluated], sets: list[int]) -> tuple[Level, ...]:
    n_sets = Counter(map(int.bit_count, sets))
    n_evaluated = Counter(map(int.bit_count, found))
    n_breaking = Counter(known.bit_count() for known, one in found.items() if one.breaks)
    return tuple(
        Level(n_columns=size, n_sets=n_sets[size], n_evaluated=n_evaluated[size], n_breaking=n_breaking[size])
        for size in sorted(n_sets)
        if size
    )
