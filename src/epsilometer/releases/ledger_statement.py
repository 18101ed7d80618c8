"""What was published of each data set, what it cost, and what is left."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.errors import UnknownChoice
from epsilometer.releases.ledger_entries import DONE, FAILED
from epsilometer.vocabulary.joint_risk import JointRisk
from epsilometer.vocabulary.shown import Shown
from epsilometer.vocabulary.wording import readable, rounded_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Budget, Entry
    from epsilometer.vocabulary.composition import Composition


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What was published of one data set.

    Attributes:
        dataset: its name.
        budget: what all releases may cost together; ``None`` if nobody has said.
        remaining: the epsilon that is left of it.
        composition: what all releases guarantee together.
        entries: every release, oldest first.
        joint_risk: what all releases give away together of this very table, as the last one found
            it; ``None`` if none of them could say.
    """

    dataset: str
    budget: Budget | None
    remaining: float | None
    composition: Composition
    entries: tuple[Entry, ...]
    joint_risk: JointRisk | None

    @property
    def in_words(self) -> str:
        """The answer in words."""
        published = sum(entry.state == DONE for entry in self.entries)
        failed = sum(entry.state == FAILED for entry in self.entries)
        begun = len(self.entries) - published - failed
        releases = "1 release was" if published == 1 else f"{published or 'no'} releases were"
        others = {"begun, paid for and not finished": begun, "failed, and paid for": failed}
        said = "".join(f"; {what}: {number}" for what, number in others.items() if number)
        return f"{readable(self.dataset)}: {releases} published{said}. {self._cost}"

    @property
    def _cost(self) -> str:
        if self.budget is None:
            return "There is no budget, so no release is refused. Set one: epsilometer ledger budget."
        spent, left = self.composition.largest, self.remaining or 0.0
        shown = shown_up(spent)
        if self.composition.apart:
            shown += " (the larger of what is spent per person and per row)"
        elif math.isfinite(self.composition.added_up) and shown_up(self.composition.added_up) != shown:
            shown += f" (added up: {shown_up(self.composition.added_up)})"
        rest = f"{rounded_down(left, 4):g} is left" if left else "nothing is left"
        return f"Of a budget of ε = {self.budget.epsilon:g} at δ = {self.budget.delta:g}, {shown} is spent and {rest}."

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "dataset": self.dataset,
            "answer": self.in_words,
            "budget": asdict(self.budget) if self.budget else None,
            "remaining": self.remaining,
            "composition": self.composition.to_dict(),
            "joint_risk": self.joint_risk.to_dict() if self.joint_risk else None,
            "releases": [_described(entry) for entry in self.entries],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement(Shown):
    """What a ledger says of its data sets.

    Attributes:
        accounts: each data set.
        doubt: why this cannot be relied on; empty if every event is what was written.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "ledger"

    accounts: tuple[Account, ...]
    doubt: str = ""

    @property
    def in_words(self) -> str:
        """The answer in words; why it cannot be relied on, if it cannot, comes first."""
        said = [f"Unchecked. {self.doubt}"] if self.doubt else []
        said += [account.in_words for account in self.accounts] or ["Nothing was published, and nothing is planned."]
        return "\n".join(said)

    @property
    def confidential(self) -> bool:
        """Whether something in it was computed from a table itself."""
        return any(account.joint_risk for account in self.accounts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": self.confidential,
            "checked": not self.doubt,
            "answer": self.in_words,
            "datasets": [account.to_dict() for account in self.accounts],
        }

    def plot(self) -> alt.LayerChart:
        """Draw what is spent and what is left of each data set."""
        from epsilometer.charts.composition import Spent, draw_budgets

        return draw_budgets(
            [Spent(account.dataset, account.composition, account.remaining) for account in self.accounts]
        )


def statement(ledger: Ledger, *, dataset: str | None = None) -> Statement:
    """Say what was published of one data set, or of each if none is named."""
    known = ledger.datasets()
    if dataset is not None and dataset not in known:
        raise UnknownChoice("dataset", dataset, known, hint="Those are the data sets of the ledger.")
    return Statement(
        accounts=tuple(
            Account(
                dataset=name,
                budget=ledger.budget(name),
                remaining=ledger.remaining(name),
                composition=ledger.composition(name),
                entries=(entries := ledger.entries(name)),
                joint_risk=_joint_risk(entries),
            )
            for name in ([dataset] if dataset is not None else known)
        ),
        doubt=ledger.doubt,
    )


def _joint_risk(entries: Sequence[Entry]) -> JointRisk | None:
    """Return what the last release found out: it was judged together with all that were there before it."""
    found = [entry.internal["joint"] for entry in entries if entry.state != FAILED and "joint" in entry.internal]
    return JointRisk.from_dict(found[-1]) if found else None


def _described(entry: Entry) -> dict[str, Any]:
    """What everybody who may see the ledger may know of a release; the risks of its table are left out."""
    return {
        "number": entry.number,
        "id": entry.id,
        "time": entry.time,
        "release": entry.kind,
        "state": entry.state,
        "looks": [look.to_dict() for look in entry.looks],
        "output": str(entry.output),
        "files": dict(entry.files),
        "also": list(entry.also),
        "mac": entry.mac,
    }
