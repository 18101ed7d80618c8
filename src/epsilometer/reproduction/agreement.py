"""How many of the printed numbers come out, and how bad are the errors that were found?"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from epsilometer.charts.rows import Row, bars, up_to_longest
from epsilometer.charts.theme import GREEN, PURPLE, QUIET, VERMILLION, WIDE, dressed
from epsilometer.reproduction.finding import Severity

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.reproduction.result import Reproduction


def draw_agreement(result: Reproduction, *, width: int = WIDE) -> alt.LayerChart:
    """Draw how many printed and simulated numbers agree with ours, and the errata by severity."""
    agreeing = sum(comparison.agrees for comparison in result.comparisons)
    confirmed = sum(confirmation.agrees for confirmation in result.confirmations)
    errata = Counter(finding.severity for finding in result.findings)
    simulated = {
        "Simulated numbers with the exact one in their interval": (confirmed, GREEN),
        "Simulated numbers without": (len(result.confirmations) - confirmed, QUIET),
    }
    numbers = {
        "Printed numbers that come out": (agreeing, GREEN),
        "Printed numbers that do not": (len(result.comparisons) - agreeing, VERMILLION),
        **(simulated if result.confirmations else {}),
        **{f"Errata, {severity.value}": (errata[severity], PURPLE) for severity in Severity},
    }
    rows = [Row(name, number, f"{number:,}", shade) for name, (number, shade) in numbers.items()]
    chart = bars(rows, up_to_longest(rows, "how many", format=",~f"), width=width)
    printed, found = len(result.comparisons), len(result.findings)
    errors = "1 erratum was" if found == 1 else f"{found:,} errata were"
    title = f"{agreeing:,} of {printed:,} printed numbers come out, and {errors} found"
    return dressed(chart, title=title, subtitle=result.about, width=width)
