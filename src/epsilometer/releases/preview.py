"""What a release would cost, before anything is spent or drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from epsilometer.publication.chance import Chance
from epsilometer.releases.accounting import added_up, composed, fits
from epsilometer.releases.entering import dataset_name, fingerprint_of
from epsilometer.releases.joint import joint_risk_of
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_statement import statement
from epsilometer.releases.release import prepare
from epsilometer.releases.this_table import this_table_risk
from epsilometer.vocabulary.telling import silent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from epsilometer.plans.plan import Plan
    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.releases.ledger_statement import Account
    from epsilometer.vocabulary.composition import Composition
    from epsilometer.vocabulary.joint_risk import JointRisk
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss
    from epsilometer.vocabulary.risk import Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a release would cost.

    Attributes:
        dataset: what the ledger calls the data.
        looks: each look at the data that it takes.
        alone: what it guarantees by itself.
        account: what the ledger says of the data set now; ``None`` if it does not know it.
        together: what all releases would guarantee together with it.
        also: older names of the same rows, whose budgets it would be charged to as well.
        remaining: the epsilon that would be left of the budget; ``None`` without one.
        paid: whether the rest of every budget that it is charged to pays for it; true without one.
        risk: the share of people that it discloses of this very table, confidential; ``None`` where it is not known.
        joint: the same of all releases of the data set together with it.
        sizes: the rows of each file of counts over declared domains next to the people counted, in words.
        warnings: what to think over before saying yes, in words: files that are mostly empty.
    """

    dataset: str
    looks: tuple[PrivacyLoss, ...]
    alone: Composition
    account: Account | None
    together: Composition
    also: tuple[str, ...]
    remaining: float | None
    paid: bool
    risk: Risk | None
    joint: JointRisk | None
    sizes: tuple[str, ...]
    warnings: tuple[str, ...]


def preview(plan: Plan, *, ledger: Path) -> Preview:
    """Say what a release would cost and give away; nothing is drawn, and no ledger is started or changed.

    Whatever can be seen to stand in the way of the release is an error here already.
    """
    table = plan.open_for_release()
    dataset, prepared = dataset_name(plan.table, plan.dataset), prepare(plan, silent, Chance())
    sizes = prepared.examine()
    looks, spent, account = tuple(prepared.looks), [], None
    also: tuple[str, ...] = ()
    paid = True
    earlier: tuple[Entry, ...] = ()
    if ledger.exists():
        with open_ledger(ledger, must_exist=True) as opened:
            also = opened.also(dataset, fingerprint_of(opened, plan.table, table))
            paid = all(_pays(opened, name, looks) for name in (dataset, *also))
            spent, earlier = opened.looks(dataset), opened.entries(dataset)
            if dataset in opened.datasets():
                (account,) = statement(opened, dataset=dataset).accounts
    budget = account.budget if account else None
    together = composed([*spent, *looks], budget.delta if budget else min(added_up([*spent, *looks])[1], 1.0))
    return Preview(
        dataset=dataset,
        looks=looks,
        alone=composed(looks, prepared.delta),
        account=account,
        together=together,
        also=also,
        remaining=max(0.0, budget.epsilon - together.largest) if budget else None,
        paid=paid,
        risk=this_table_risk(plan),
        joint=joint_risk_of(plan, prepared.noisy_tables, earlier),
        sizes=tuple(size.in_words for size in sizes),
        warnings=tuple(warning for size in sizes for warning in size.warnings),
    )


def _pays(ledger: Ledger, dataset: str, looks: Sequence[PrivacyLoss]) -> bool:
    """Whether the rest of a budget pays for a release."""
    budget = ledger.budget(dataset)
    return budget is None or fits([*ledger.looks(dataset), *looks], epsilon=budget.epsilon, delta=budget.delta)
