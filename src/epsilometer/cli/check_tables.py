"""What a check of a passport came to, on a terminal: the answer in words, then what differs, then the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.rendering import titled_table
from epsilometer.vocabulary.passport_check import FAILED, NOT_POSSIBLE, PASSED
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epsilometer.releases.transcripts.check import TranscriptCheck
    from epsilometer.vocabulary.passport_check import PassportCheck


def print_check(checked: PassportCheck, console: Console) -> None:
    """Print a check: with lines on a terminal, as plain text when piped."""
    plain = not console.is_terminal
    console.print(_text(checked.in_words))
    console.print(_text(f"Release of {checked.dataset}, {checked.released_at}."))
    parts = (
        (FAILED, "What differs", ("check", "expected", "found")),
        (NOT_POSSIBLE, "What was not possible", ("check", "needs")),
        (PASSED, "What holds", ("check",)),
    )
    for outcome, title, headings in parts:
        if checked.number(outcome):
            console.print()
            console.print(_table(checked, outcome, title, headings, plain=plain))


def _table(checked: PassportCheck, outcome: str, title: str, headings: tuple[str, ...], *, plain: bool) -> Table:
    table = titled_table(title, plain=plain)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for finding in checked.findings:
        if finding.outcome == outcome:
            cells = (finding.what, *((finding.expected, finding.found) if outcome == FAILED else (finding.missing,)))
            table.add_row(*map(_text, cells[: len(headings)]))
    return table


def _text(words: str) -> Text:
    return Text(readable(words))


def print_transcripts(checked: TranscriptCheck, console: Console) -> None:
    """Print what came of running a plan on neighbouring tables."""
    from rich.text import Text

    from epsilometer.vocabulary.wording import CONFIDENTIAL

    ends = "" if checked.outcome == "published" else f" The release of the table itself fails: {checked.outcome}"
    told = f"{len(checked.told)} of them tell more than the noise covers" if checked.told else "none tells them apart"
    console.print(Text(f"{checked.n_pairs} tables that differ by one person: {told}.{ends}"))
    for line in checked.told:
        console.print(Text(f"  {line}"))
    console.print(Text(CONFIDENTIAL, style="bold"))
