"""Setting the budget of a data set, and what its owner should know about that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadQuestion
from epsilometer.releases.entering import dataset_name
from epsilometer.releases.ledger import check_budget, open_ledger
from epsilometer.releases.ledger_statement import statement

if TYPE_CHECKING:
    from pathlib import Path

LARGE_DELTA: Final = 1e-3
FILES: Final = (".csv", ".tsv", ".gz", ".parquet", ".arrow", ".jsonl", ".xlsx")  # a name that looks like a file's


def set_budget(
    ledger: Path, dataset: str, *, epsilon: float, delta: float, who: str | None = None, why: str = ""
) -> tuple[str, ...]:
    """Set what all releases of a data set may cost together, and say what that means; a ledger is started if needed.

    Args:
        ledger: file of the ledger.
        dataset: name of the data set.
        epsilon: what all releases may cost together.
        delta: chance that the guarantee fails, for all of them together.
        who: who says so; the name that the user is logged in with if not said.
        why: the reason, for the record.
    """
    if not dataset.strip():
        raise BadQuestion("A data set needs a name. Say whose budget it is.")
    check_budget(epsilon, delta)  # before a ledger is started for it
    with open_ledger(ledger) as opened:
        before, known = opened.budget(dataset), opened.datasets()
        opened.set_budget(dataset, epsilon=epsilon, delta=delta, who=who, why=why)
        lines = [statement(opened, dataset=dataset).in_words]
    if before is not None:
        lines.append(f"The budget was ε = {before.epsilon:g} at δ = {before.delta:g}.")
    if known and dataset not in known:
        lines.append(f"{dataset} is new in this ledger, which knows {', '.join(known)}.")
    if (entered_as := dataset_name(dataset, None)) != dataset and dataset.lower().endswith(FILES):
        lines.append(f"A release of the file {dataset} is entered as {entered_as!r} unless it names another data set.")
    if delta > LARGE_DELTA:
        lines.append(f"δ = {delta:g} is large: with that chance a release may show a person as they are.")
    return tuple(lines)
