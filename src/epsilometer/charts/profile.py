"""What is a table made of? Sizes of its cells, how many values they mix, and how common each value is."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.cell_sizes import TITLE, size_bars, size_classes
from epsilometer.charts.tally import Bar, room_for_names, stacked, tally
from epsilometer.charts.theme import BLUE, GREEN, QUIET, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.profile import Profile

MOST_VALUES: Final = 9  # bars; rarer values share one


def draw_profile(profile: Profile, *, width: int = WIDE) -> alt.VConcatChart:
    """Draw cells by their records, cells and people by the values in the cell, and people by value."""
    parts = {
        TITLE: size_bars(profile.sizes, profile.n_cells),
        "Cells and people, by different values in the cell": _mixtures(profile),
        "People, by value": _values(profile),
    }
    names = room_for_names(chain.from_iterable(parts.values()), width=width)
    chart = stacked(*(tally(bars, title=title, names=names, width=width) for title, bars in parts.items()))
    subtitle = (
        f"{profile.total_records:,} people in {profile.total_cells:,} cells, {profile.n_values:,} values. A cell is "
        "one combination of the quasi-identifiers; published raw, one that holds a single value tells it of everybody "
        "in it."
    )
    return dressed(chart, title=_finding(profile), subtitle=subtitle, width=width)


def _mixtures(profile: Profile) -> list[Bar]:
    """Return a bar for each number of different values in a cell; cells of one value stand out."""
    present, people = (profile.counts > 0).sum(axis=1), profile.n_cells * profile.sizes
    classes = zip(size_classes(present, profile.n_cells), size_classes(present, people), strict=True)
    return [
        Bar(name, cells, f"{cells:,} ({members:,} people)", VERMILLION if name == "1" else BLUE)
        for (name, cells), (_, members) in classes
    ]


def _values(profile: Profile) -> list[Bar]:
    """Return a bar for each value, the most common first, and one for all that are too many to show."""
    people = profile.totals
    order = np.argsort(-people, kind="stable").tolist()
    shown = order if len(order) <= MOST_VALUES + 1 else order[:MOST_VALUES]
    bars = [_value(profile.values[at], int(people[at]), profile) for at in shown]
    rest = order[len(shown) :]
    if rest:
        bars.append(_value(f"{len(rest):,} other values", int(people[rest].sum()), profile)._replace(shade=QUIET))
    return bars


def _value(name: str, people: int, profile: Profile) -> Bar:
    return Bar(name, people, f"{people:,} ({percent(people / profile.total_records)})", GREEN)


def _finding(profile: Profile) -> str:
    single = (profile.counts > 0).sum(axis=1) == 1
    if not single.any():
        return f"Each of the {profile.total_cells:,} cells mixes at least two values"
    cells, people = int(profile.n_cells[single].sum()), int((profile.n_cells * profile.sizes)[single].sum())
    return (
        f"{cells:,} of {profile.total_cells:,} cells hold one value only, "
        f"with {people:,} of the {profile.total_records:,} people in them"
    )
