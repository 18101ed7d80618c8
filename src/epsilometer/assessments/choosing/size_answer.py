"""Choose the size of a sample, and say what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.choosing.answer import LOOKED, RiskPhrase, binding, checked_targets, refusal, shown
from epsilometer.assessments.choosing.sizes import NAME, SampledTable, at_most, sizes_of
from epsilometer.assessments.counted import frequency_tables, joint_counts
from epsilometer.assessments.currency.repeats import CONFIDENCE
from epsilometer.assessments.currency.sample import ASSUMPTIONS as OF_A_SAMPLE
from epsilometer.assessments.currency.subject import Subject
from epsilometer.assessments.currency.wording import ASSUMPTIONS
from epsilometer.errors import BadQuestion
from epsilometer.plans.release_kinds import Sample
from epsilometer.vocabulary.choice import Choice, SampleConsequences, TradeOff
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.relaxation import cheapest_first
from epsilometer.vocabulary.wording import percent_at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.choosing.search import Found
    from epsilometer.assessments.choosing.sizes import Sizes
    from epsilometer.plans.plan import Plan
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.frontier import Known

NAMED: Final = RiskPhrase(
    "an attacker names the value of at most {} of the people",
    "lets an attacker name the value of at most {} of the people",
)
EXACT: Final = "With two values the risk is exact at each size that was evaluated."
ESTIMATED: Final = (
    "With more than two values the risk is an estimate from simulated samples, judged at the worse end of its interval."
)
CAVEATS: Final = (
    "A stretch joins neighbouring sizes that were evaluated and meet both targets; nothing is certified between them.",
    "The loss is simulated with the same random numbers at every size, and judged at the worse end of its interval.",
    "A sample shows the rows of those in it as they are; only a release with an ε limits what a person's row tells.",
    "A size chosen by looking at the table is itself a look at it.",
)
ROWS: Final = "Rows are sampled; some people have several, and their chance to be in the sample is larger."


def choose_size(plan: Plan) -> Choice:
    """Find the sizes of a simple random sample that meet the plan's targets for each of its sensitive attributes."""
    if plan.released_as(Sample).strata:
        raise BadQuestion("A size is chosen for a simple random sample. Leave the strata out of the plan.")
    targets = checked_targets(plan.max_risk, plan.max_loss)
    counts = joint_counts(plan)
    tables = tuple(SampledTable(Subject.of(plan, freq)) for freq in frequency_tables(counts))
    problem = sizes_of(tables)
    found = problem.search(targets)
    size = None if found.recommended is None else int(found.recommended)
    changes = cheapest_first(problem.looser_targets(targets) if size is None else ())
    reason = certificate(problem, found) if size is None else ""
    n_people = tables[0].subject.n_people
    words = refusal(found, NAME, NAMED, reason, changes) if size is None else recommendation(found, size, n_people)
    return Choice(
        parameter="size",
        looked_at_the_data=True,
        based_on={"table": counts.name, **plan.described()},
        max_risk=targets.max_risk,
        max_loss=targets.max_loss,
        stretches=found.stretches,
        risk_stretches=found.risk_stretches,
        loss_stretches=found.loss_stretches,
        recommended=size,
        consequences=None if size is None else _consequences(problem, size),
        binding=binding(found),
        certificate=reason,
        relaxations=changes,
        in_words=f"{words} {LOOKED}",
        mechanism={"name": "sample", "size": size, "rows": n_people},
        curves=tuple(_trade_off(table, problem.tried(targets)) for table in tables),
        caveats=_caveats(tables, counts.max_cells_per_person),
    )


def recommendation(found: Found, size: int, n_people: int) -> str:
    """Say how many rows to publish, and what else would do."""
    max_risk, max_loss = found.targets
    return (
        f"Publish a random sample of {size:,} of the {n_people:,} rows. From {shown(found.stretches)} rows "
        f"{NAMED.met.format(f'{max_risk:g}')} and at most {max_loss:g} of the accuracy is lost; {size:,} is the "
        "smallest size found, and so shows the fewest people."
    )


def certificate(problem: Sizes, found: Found) -> str:
    """Say what rules out what among the sizes that were evaluated; a sample of all rows loses nothing."""
    targets, sizes = found.targets, problem.tried(found.targets)
    accurate = [size for size in sizes.tolist() if problem.loss(size) <= targets.max_loss]
    private = [size for size in sizes.tolist() if problem.risk(size) <= targets.max_risk]
    seen = f"{len(sizes)} sizes from 1 to {sizes[-1]:,} rows were evaluated, none between them."
    if not private:
        no_release = max(table.subject.no_release for table in problem.tables)
        return (
            f"None has a risk of {targets.max_risk:g}: the smallest is {min(map(problem.risk, sizes.tolist())):.4g}, "
            f"and without any release the most common value is right for {percent_at_least(no_release)} of the people. "
            f"{seen}"
        )
    return (
        f"The risk is at most {targets.max_risk:g} from {shown(found.risk_stretches)} rows only; the smallest loss "
        f"there is {min(map(problem.loss, private)):.3g}. The loss is at most {targets.max_loss:g} from "
        f"{shown(found.loss_stretches)} rows only; the smallest risk there is {min(map(problem.risk, accurate)):.4g}. "
        f"{seen}"
    )


def _consequences(problem: Sizes, size: int) -> SampleConsequences:
    subjects = [table.subject for table in problem.tables]
    return SampleConsequences(
        risk=problem.risk(size),
        loss=problem.loss(size),
        no_release=max(subject.no_release for subject in subjects),
        raw=max(subject.raw for subject in subjects),
        in_sample=size / subjects[0].n_people,
    )


def _trade_off(table: SampledTable, sizes: IntArray) -> TradeOff:
    """Return risk and loss at the sizes that were evaluated."""
    found = [table.at(size) for size in sizes.tolist()]
    return TradeOff(
        about=table.about,
        points=sizes.astype(np.float64),
        risk=np.array([float(point.risk.value) for point in found]),
        risk_interval=None if table.exact else _interval([point.risk for point in found]),
        loss=Estimate(
            np.array([float(point.loss.value) for point in found]), _interval([point.loss for point in found])
        ),
        no_release=table.subject.no_release,
    )


def _interval(known: Sequence[Known]) -> Interval:
    """Return the intervals of a curve; where a number is exact, both ends are the number."""
    low: FloatArray = np.array([float(k.interval.low if isinstance(k, Estimate) else k.value) for k in known])
    return Interval(low, np.array([at_most(k) for k in known]), CONFIDENCE)


def _caveats(tables: Sequence[SampledTable], cells_per_person: int) -> tuple[str, ...]:
    known = (EXACT,) * any(table.exact for table in tables) + (ESTIMATED,) * (not all(table.exact for table in tables))
    rows = (ROWS,) if cells_per_person > 1 else ()
    return (*known, *CAVEATS, *rows, *ASSUMPTIONS, *OF_A_SAMPLE)
