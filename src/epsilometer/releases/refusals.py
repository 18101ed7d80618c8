"""Why the rest of a budget does not pay for a release."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from epsilometer.releases.accounting import added_up, composed
from epsilometer.vocabulary.wording import shown_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.releases.ledger_entries import Budget
    from epsilometer.vocabulary.composition import Composition
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def refusal(
    dataset: str, budget: Budget, spent: Sequence[PrivacyLoss], looks: Sequence[PrivacyLoss], *, older: bool
) -> str:
    """Say what a release asks for, what is left, and what all together would come to.

    Args:
        dataset: whose budget it is.
        budget: what it may cost.
        spent: what was charged to it.
        looks: what the release takes.
        older: whether it is another name, under which the same rows were released before.
    """
    asked, asked_delta = map(shown_up, added_up(looks))
    before, after = (composed(part, budget.delta) for part in (spent, [*spent, *looks]))
    known = f"These rows were released as {dataset!r} before, and are charged to that budget too. " if older else ""
    return (
        f"{known}This release asks for ε = {asked} and δ = {asked_delta} of {dataset!r}, which has spent "
        f"ε = {shown_up(before.largest)} of {budget.epsilon:g} at δ = {budget.delta:g}: "
        f"{shown_down(max(0.0, budget.epsilon - before.largest))} is left. {_too_much(before, after, budget)} "
        "Nothing was published. Ask for less, or allow more: epsilometer ledger budget."
    )


def _too_much(before: Composition, after: Composition, budget: Budget) -> str:
    """Say what all releases together would come to."""
    if math.isinf(after.largest):
        most = max(after.added_delta, after.apart.added_delta if after.apart else 0.0)
        return (
            f"With it the chances of failure would add up to δ = {shown_up(most)}, more than "
            f"{budget.delta:g}; a sample costs δ = rows / people."
        )
    twice = (
        " (it hides which of two people is in the data, so that those that hide who is count twice)"
        if before.n_looks and before.adjacency != after.adjacency
        else ""
    )
    return f"All together would be ε = {shown_up(after.largest)}{twice}."
