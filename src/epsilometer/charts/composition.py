"""What do several looks at the same people cost together, and what is left of a budget?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.charts.rows import Row, bars, up_to_longest
from epsilometer.charts.theme import BLUE, GREEN, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent, shown_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from epsilometer.vocabulary.composition import Composition

AXIS: Final = "privacy parameter ε (smaller is safer)"
READING: Final = (
    "What all releases of a data set cost together, as an upper bound, and what its budget leaves for more."
)


class Spent(NamedTuple):
    """A data set: what its releases cost, and the epsilon that is left; ``None`` without a budget."""

    dataset: str
    composition: Composition
    remaining: float | None


def draw_composition(composition: Composition, *, width: int = WIDE) -> alt.LayerChart:
    """Draw what the looks cost together, added up and by the laws of their noise."""
    bounds = {"Added up": composition.added_up, "By the laws of the noise": composition.tight}
    subtitle = (
        f"Whoever sees everything tells at most {percent(composition.membership_advantage)} better than a coin who is "
        "in the data. Both bars are upper bounds, and the shorter one counts."
    )
    title = composition.in_words.partition(". ")[0].partition(" (")[0].removesuffix(".")
    return _drawn([_cost(name, bound) for name, bound in bounds.items()], title, subtitle, width)


def draw_budgets(accounts: Sequence[Spent], *, width: int = WIDE) -> alt.LayerChart:
    """Draw what is spent of each data set and, where it has a budget, what is left."""
    rows = []
    for dataset, composition, remaining in accounts:
        rows.append(_cost(f"{short(dataset)}: spent", composition.epsilon))
        if remaining is not None:
            rows.append(Row(f"{short(dataset)}: left of the budget", remaining, shown_down(remaining), GREEN))
    return _drawn(rows or [Row("Nothing was published", 0.0, "0", BLUE)], _finding(accounts), READING, width)


def _drawn(rows: Sequence[Row], title: str, subtitle: str, width: int) -> alt.LayerChart:
    """Draw bars; one without a bound goes as far as the longest that has one."""
    longest = max((row.value for row in rows if math.isfinite(row.value)), default=0.0) or 1.0
    finite = [row._replace(value=min(row.value, longest)) for row in rows]
    chart = bars(finite, up_to_longest(finite, AXIS, format="~g"), width=width)
    return dressed(chart, title=title, subtitle=subtitle, width=width)


def _cost(name: str, epsilon: float) -> Row:
    if math.isinf(epsilon):
        return Row(f"{name}: no epsilon holds", epsilon, "no bound", VERMILLION)
    return Row(name, epsilon, shown_up(epsilon), BLUE)


def _finding(accounts: Sequence[Spent]) -> str:
    if len(accounts) != 1:
        limited = sum(account.remaining is not None for account in accounts)
        return f"{len(accounts)} data sets, of which {limited} {'has' if limited == 1 else 'have'} a budget"
    ((dataset, composition, remaining),) = accounts
    spent = "what is spent has no bound" if math.isinf(composition.epsilon) else f"ε = {shown_up(composition.epsilon)}"
    spent = f"{short(dataset)}: {spent}{' is spent' if math.isfinite(composition.epsilon) else ''}"
    if remaining is None:
        return f"{spent}, and no budget limits it"
    return f"{spent}, and {shown_down(remaining) if remaining else 'nothing'} is left of the budget"
