"""A local release on a terminal: the answer in words, then the estimates, then the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from epsilometer.cli.rendering import print_list, table_with_columns
from epsilometer.report.sentences import in_words

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from epsilometer.vocabulary.local_release import LocalRelease

USELESS: Final = 0.5  # width of an interval of a share that tells next to nothing


def print_local_release(made: LocalRelease, out: Path, console: Console) -> None:
    """Print what was released and what can be read off it."""
    console.print(Text(f"{in_words(made)} The reports are in {out}."))
    table = table_with_columns(
        f"What an analyst reads off the reports on {made.column}",
        ("", "estimate", f"{made.statistics[0].interval.confidence:.0%} interval"),
        plain=not console.is_terminal,
    )
    for statistic in made.statistics:
        interval = statistic.interval
        table.add_row(Text(statistic.name), f"{statistic.value:.4g}", f"{interval.low:.4g} to {interval.high:.4g}")
    console.print()
    console.print(table)
    if warnings := _warnings(made):
        print_list("What to keep in mind", warnings, console)
    print_list("What was drawn", _drawn(made), console)
    if made.risk is not None:
        print_list("What the numbers take for granted", made.risk.assumptions, console)


def _warnings(made: LocalRelease) -> list[str]:
    """What a reader must know before using the estimates."""
    found = []
    if not made.shuffled:
        found.append("The reports are in the order of the table: whoever knows the order knows whose report is whose.")
    if made.labels and max(s.interval.high - s.interval.low for s in made.statistics[: len(made.labels)]) > USELESS:
        found.append("The intervals are wider than the shares: these people are too few for so small an epsilon.")
    if "low" in made.drawing:
        ends = f"{made.drawing['low']:g} and {made.drawing['high']:g}"
        found.append(f"Numbers beyond {ends} count as these ends, in the mean too.")
        found.append("An attacker's chance needs a prior over numbers: em.local_risk(randomizer, shares, values=…).")
    return found


def _drawn(made: LocalRelease) -> list[str]:
    lines = [str(made.drawing["guarantee"]), f"Law: {made.drawing['law']}.", "Randomness: the operating system's."]
    risk = made.risk
    if made.shuffled and risk is not None and risk.shuffled_epsilon is not None:
        shuffled = f"ε = {risk.shuffled_epsilon:.4g} at δ = {risk.shuffled_delta:g}"
        lines.append(f"For whoever sees only the shuffled reports: {shuffled}.")
    return lines
