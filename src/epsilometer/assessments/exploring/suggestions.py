"""Which part each column may play: a suggestion from its name and its values, for a person to decide."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from epsilometer.assessments.exploring.column_words import KNOWN, meaning_of
from epsilometer.tables.column_summaries import summarise_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from epsilometer.assessments.exploring.column_words import Says
    from epsilometer.tables.column_summaries import ColumnSummary

Role = Literal["quasi-identifier", "sensitive", "person id", "ignore"]

ONLY_A_SUGGESTION: Final = (
    "These are guesses from the names and the numbers of values. You know what an attacker could know: decide yourself."
)
NEARLY_ALL: Final = 0.85  # of the rows differ, where the number of different values is known to a tenth
FEWEST_ROWS: Final = 20  # to tell that from chance
MOST_UNBINNED: Final = 20  # values of a number that need no bins
USUAL_BINS: Final = 15
FEW_VALUES: Final = 20  # of what a table may be about
EXACT: Final = 900  # different values up to which their number is no estimate
PEOPLE_PER_CELL: Final = 10  # on average, if every combination occurs
LONG_TEXT: Final = 40  # characters, on average: sentences rather than names and numbers
BY_NAME: Final[Mapping[Says, tuple[Role, str]]] = {
    "known": ("quasi-identifier", ", and it has {values} distinct values: people could know it of each other."),
    "hidden": ("sensitive", ", and it has {values} distinct values: people would not want it known."),
    "numbers people": ("person id", ", and it has {values} distinct values: it says whose row it is."),
    "names people": ("ignore", ": it points at people directly, and has no place in a release."),
}
BY_NAME_ALONE: Final[Mapping[Says, tuple[Role, str]]] = {
    **BY_NAME,
    "known": ("ignore", ", but nearly every row differs: make it coarser before you count it."),
    "hidden": ("ignore", ", but nearly every row differs: it cannot be counted as it is."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What a column may be, and why; a guess.

    Attributes:
        column: its name.
        role: ``"quasi-identifier"``, ``"sensitive"``, ``"person id"`` or ``"ignore"``.
        bins: width of bins to begin with, for a number with many values; ``None`` if it needs none.
        reason: why, in a sentence for people.
        n_distinct: how many different values it has; many of them are known to a tenth only.
        summary: what else is known of the column.
    """

    column: str
    role: Role
    bins: float | None
    reason: str
    n_distinct: int
    summary: ColumnSummary


def suggest_roles(table: object, *, missing: Iterable[str] = ()) -> tuple[Suggestion, ...]:
    """Suggest a role for every column of a table, in one scan; at most one column is suggested as the person id.

    What people could know of each other is suggested as long as cells of several people remain, what is known most
    widely first: an attacker may know more, but a table of counts by a dozen columns has a person in each cell.

    Args:
        table: an opened table, or anything ``open_table`` takes.
        missing: words that mark a missing value in text.

    >>> import pandas as pd
    >>> people = pd.DataFrame({"id": range(40), "Alter": [*range(20, 60)], "Diagnose": ["a", "b"] * 20})
    >>> [(each.role, each.bins) for each in suggest_roles(people)]
    [('person id', None), ('quasi-identifier', 5.0), ('sensitive', None)]
    """
    suggestions = [suggested(summary) for summary in summarise_columns(table, missing=missing)]
    return tuple(_with_cells_of_several(_with_something_to_hide(_with_one_person_id(suggestions))))


def suggested(summary: ColumnSummary) -> Suggestion:
    """Suggest a role for one column by itself."""
    role, reason = _without_values(summary) or _free_text(summary) or _by_name(summary) or _by_values(summary)
    bins = bin_width(summary) if role != "person id" else None
    return Suggestion(
        column=summary.name, role=role, bins=bins, reason=reason, n_distinct=summary.n_distinct, summary=summary
    )


def bin_width(summary: ColumnSummary) -> float | None:
    """Return a round width that puts the numbers of a column into about a dozen bins; ``None`` if it needs none.

    >>> from epsilometer.tables.column_summaries import ColumnSummary
    >>> bin_width(ColumnSummary(name="age", type="int64", kind="number", n_rows=900, n_missing=0, n_distinct=73,
    ...                         smallest=17, largest=90))
    5.0
    """
    if summary.smallest is None or summary.largest is None or summary.n_distinct <= MOST_UNBINNED:
        return None
    least = (summary.largest - summary.smallest) / USUAL_BINS
    if not 0 < least < math.inf:
        return None
    power = 10.0 ** math.floor(math.log10(least))
    return float(next(f"{step * power:.1g}" for step in (1, 2, 5, 10) if step * power >= least))


def _without_values(summary: ColumnSummary) -> tuple[Role, str] | None:
    if summary.n_missing == summary.n_rows:
        return "ignore", "It has no value in any row."
    if summary.kind == "nested":
        return "ignore", f"It holds {summary.type}, which has no values to count."
    if summary.n_distinct == 1:
        return "ignore", f"It has one value only{', or none' if summary.n_missing else ''}: it tells nobody apart."
    return None


def _free_text(summary: ColumnSummary) -> tuple[Role, str] | None:
    """Tell sentences by their values, whatever the column is called; only a long code has a name that says more."""
    meaning = meaning_of(summary.name)
    a_code = meaning is not None and meaning.says in ("numbers people", "names people")
    long = summary.kind == "text" and (summary.mean_length or 0) > LONG_TEXT
    if long and nearly_all_differ(summary) and not a_code:
        return "ignore", "Nearly every row differs, and the texts are long: looks like free text."
    return None


def _by_name(summary: ColumnSummary) -> tuple[Role, str] | None:
    meaning = meaning_of(summary.name)
    if meaning is None:
        return None
    reasons = BY_NAME_ALONE if nearly_all_differ(summary) and summary.kind != "number" else BY_NAME
    role, reason = reasons[meaning.says]
    return role, f"Its name says {meaning.about}{reason.format(values=number_of_values(summary))}"


def _by_values(summary: ColumnSummary) -> tuple[Role, str]:
    if nearly_all_differ(summary):
        if summary.kind == "text" or "int" in summary.type:
            return "person id", "Nearly every row differs: looks like a person id."
        return "ignore", "Nearly every row differs: looks like a measurement."
    return "ignore", (
        f"Its name says nothing to go by, and it has {number_of_values(summary)} distinct values. If people could know "
        "it of each other, make it a quasi-identifier; if they would not want it known, sensitive."
    )


def nearly_all_differ(summary: ColumnSummary) -> bool:
    """Say whether nearly every row has a value of its own."""
    n_present = summary.n_rows - summary.n_missing
    return n_present >= FEWEST_ROWS and summary.n_distinct >= NEARLY_ALL * n_present


def number_of_values(summary: ColumnSummary) -> str:
    """Write how many different values there are; more than a few hundred are known to a tenth only.

    >>> from epsilometer.tables.column_summaries import ColumnSummary
    >>> number_of_values(ColumnSummary(name="id", type="int64", kind="number", n_rows=8_000, n_missing=0,
    ...                                n_distinct=7_892))
    'about 7,900'
    """
    if summary.n_distinct <= EXACT:
        return f"{summary.n_distinct}"
    return f"about {float(f'{summary.n_distinct:.2g}'):,.0f}"


def _with_one_person_id(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Keep the first column that its name makes a person id, or else the first that its values do."""
    candidates = [each for each in suggestions if each.role == "person id"]
    if not candidates:
        return suggestions
    kept = next((each for each in candidates if meaning_of(each.column) is not None), candidates[0])
    other = f"It tells people apart as well; {kept.column!r} was taken for the person id."
    return [
        replace(each, role="ignore", reason=other) if each.role == "person id" and each is not kept else each
        for each in suggestions
    ]


def _with_something_to_hide(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Where no name sounds sensitive, take the last column of few values that nothing else was said of."""
    if any(each.role == "sensitive" for each in suggestions):
        return suggestions
    last = next((each for each in reversed(suggestions) if _may_be_the_subject(each)), None)
    reason = "No name sounds sensitive; this is the last column of few values, often what a table is about."
    return [replace(each, role="sensitive", reason=reason) if each is last else each for each in suggestions]


def _with_cells_of_several(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Keep the quasi-identifiers that are known most widely, until cells would become too small."""
    known = sorted((each for each in suggestions if each.role == "quasi-identifier"), key=_rank)
    room = max((each.summary.n_rows for each in known), default=0) / PEOPLE_PER_CELL
    too_fine = []
    for each in known:
        if _n_cells(each) <= room:
            room /= _n_cells(each)
        elif each is not known[0]:
            too_fine.append(each)
    more = " With the other columns it would leave few people in a cell: add it if the table shall show it."
    return [
        replace(each, role="ignore", reason=each.reason + more) if each in too_fine else each for each in suggestions
    ]


def _rank(suggestion: Suggestion) -> int:
    """Order what people know of each other by how widely it is known."""
    meaning = meaning_of(suggestion.column)
    return [*KNOWN].index(meaning.about) if meaning is not None and meaning.about in KNOWN else len(KNOWN)


def _n_cells(suggestion: Suggestion) -> float:
    """Return how many groups the column makes."""
    summary = suggestion.summary
    if suggestion.bins is None or summary.smallest is None or summary.largest is None:
        return summary.n_distinct
    return math.floor((summary.largest - summary.smallest) / suggestion.bins) + 1


def _may_be_the_subject(suggestion: Suggestion) -> bool:
    unknown = suggestion.role == "ignore" and meaning_of(suggestion.column) is None
    return unknown and 1 < suggestion.n_distinct <= FEW_VALUES
