"""Setting the budget of a data set, and what its owner should know about that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_statement import statement

if TYPE_CHECKING:
    from pathlib import Path

LARGE_DELTA: Final = 1e-3


def set_budget(ledger: Path, dataset: str, *, epsilon: float, delta: float) -> tuple[str, ...]:
    """Set what all releases of a data set may cost together, and say what that means; a ledger is started if needed."""
    with open_ledger(ledger) as opened:
        before, known = opened.budget(dataset), opened.datasets()
        opened.set_budget(dataset, epsilon=epsilon, delta=delta)
        lines = [statement(opened, dataset=dataset).in_words]
    if before is not None:
        lines.append(f"The budget was ε = {before.epsilon:g} at δ = {before.delta:g}.")
    if known and dataset not in known:
        lines.append(f"{dataset} is new in this ledger, which knows {', '.join(known)}.")
    if delta > LARGE_DELTA:
        lines.append(f"δ = {delta:g} is large: with that chance a release may show a person as they are.")
    return tuple(lines)
