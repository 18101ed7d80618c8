"""Long work that pages start: each function runs in a process of its own, and says how far it is."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.assess import assess_counted
from epsilometer.assessments.choose import choose
from epsilometer.assessments.counted import counted
from epsilometer.assessments.currency.compare import compare_kinds
from epsilometer.assessments.curves import risk_and_loss
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.assessments.sampling.assess import assess_sample
from epsilometer.assessments.sampling.choose import choose_sample
from epsilometer.assessments.sampling.table import sample_of_table
from epsilometer.plans.release_kinds import Counts, Sample
from epsilometer.report.building.counts import counts_report
from epsilometer.report.building.sample import sample_report
from epsilometer.report.writing import write_report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.assessments.counted import Counted
    from epsilometer.plans.plan import Plan
    from epsilometer.report.model import Report
    from epsilometer.vocabulary.frontier import Frontier
    from epsilometer.vocabulary.telling import Tell

RISKIEST: Final = 10  # cells that a report lists


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOrder:
    """What a report is to be about.

    Attributes:
        plan: the table, the release and the targets.
        table_name: what the owner calls the table.
        file: the name of the report, whose ending says in which form it is.
        language: of its texts.
        adversary: of a sample, whose risk the target is about.
    """

    plan: Plan
    table_name: str
    file: str
    language: str
    adversary: str = "unknown"


def compared(plan: Plan, kinds: Sequence[str], *, tell: Tell) -> Frontier:
    """Compare kinds of release."""
    return compare_kinds(plan, kinds, tell=tell)


def written_report(order: ReportOrder, *, tell: Tell) -> Mapping[str, bytes]:
    """Make a report, and return its files by name."""
    tell("counting the table", 0.0)
    counts = counted(order.plan)._replace(name=order.table_name)
    make = _of_sample if isinstance(order.plan.release, Sample) else _of_counts
    report = make(order, counts, tell)
    tell("drawing and writing", 0.7)
    with tempfile.TemporaryDirectory() as folder:
        write_report(report, Path(folder) / order.file, overwrite=False)
        files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _of_counts(order: ReportOrder, counts: Counted, tell: Tell) -> Report:
    plan = order.plan
    mechanism = plan.released_as(Counts).mechanism
    tell("working out the risks", 0.1)
    assessment = assess_counted(plan, counts, riskiest=RISKIEST)
    tell("simulating the losses", 0.2)
    curves = [risk_and_loss(freq, mechanism) for freq in counts.tables]
    choice = None
    if plan.max_risk is not None and plan.max_loss is not None:
        tell("looking for the noise that meets the targets", 0.4)
        choice = choose(plan)
    spread = risk_spread(counts.tables[0], mechanism)
    return counts_report(assessment, curves, choice=choice, spread=spread, language=order.language)


def _of_sample(order: ReportOrder, counts: Counted, tell: Tell) -> Report:
    plan, freq = order.plan, counts.tables[0]
    size = plan.released_as(Sample).size
    tell("working out the sample", 0.2)
    n_values = max(2, freq.n_values)
    assessment = assess_sample(population=freq.n_records, sample=size, n_values=n_values)
    choice = None
    if plan.max_risk is not None or plan.max_loss is not None:
        tell("looking for the sizes that meet the targets", 0.4)
        choice = choose_sample(
            population=freq.n_records,
            max_risk=plan.max_risk,
            max_loss=plan.max_loss,
            adversary=order.adversary,
            n_values=n_values,
        )
    table = sample_of_table(freq, sample=size, name=counts.name)
    return sample_report(assessment, choice=choice, table=table, language=order.language)
