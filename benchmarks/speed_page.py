"""Write docs/explanation/speed.md and its picture from the results: python -m benchmarks.speed_page."""

import json
import statistics
from pathlib import Path

from benchmarks import growth, results

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "explanation" / "speed.md"
PICTURE = DOCS / "pictures" / "speed.svg"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
TEXTS_END, PLOT_END, ROW = 470, 800, 21  # pixels: where dots begin and end, and how high a row is
DARK_PAPER = "#1b1c22"
A_RATIO = """\
Every figure is a ratio: both sides took turns in one run on one machine, and had to come to the same result.
`make bench` measures all of it again, and writes this part of the page."""

GROWING = """\
Of everything that can be asked of a table or a profile, at sizes over three decades, in processor time: the power of
the size that the cost grows with, after fixed costs. Where those are most of every time, there is none to speak of."""


def write(found=None):
    """Write the tables into the page, and draw the picture."""
    found = found or results.read()
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{measured(found)}{after}", encoding="utf-8")
    PICTURE.write_text(picture(found), encoding="utf-8")


def measured(found):
    """The part of the page that comes from the results, marks included."""
    parts = [
        BEGIN,
        _finding(found),
        A_RATIO,
        "![How much longer others take](../pictures/speed.svg)",
        _peers_table(found),
    ]
    parts += [_missing(found), "### Next to what the machine can do", _limits_table(found)]
    parts += ["### What has no peer", _alone_table(found)]
    parts += ["### How cost grows", GROWING, _growth_table(json.loads(growth.KEPT.read_text(encoding="utf-8")))]
    parts += [_machine(found), END]
    return "\n\n".join(part for part in parts if part)


def ratios(found):
    """How many times as long as ours each peer takes: (comparison, tool, times)."""
    return [
        (one, tool, peer["seconds"] / one["ours"]["seconds"])
        for one in _comparisons(found)
        for tool, peer in one["peers"].items()
    ]


def _comparisons(found):
    return [one for several in found["questions"].values() for one in several]


def _finding(found):
    times = [ratio for _, _, ratio in ratios(found)]
    ahead, tools = sum(ratio >= 1 for ratio in times), {tool for _, tool, _ in ratios(found)}
    if ahead == len(times):
        return (
            f"**Ahead of every tool compared on the same work**: {len(times)} comparisons with {len(tools)}"
            f" tools and ways, of which the closest takes {_times(min(times))} our time."
        )
    return f"Ahead in {ahead} of {len(times)} comparisons; what is slower than another tool stands in the table."


def _table(headings, rows):
    """A table in Markdown; a heading that begins with > is above figures, which stand to the right."""
    lines = [[heading.lstrip(">") for heading in headings], ["--:" if h.startswith(">") else "---" for h in headings]]
    return "\n".join(f"| {' | '.join(line)} |" for line in [*lines, *rows])


def _peers_table(found):
    headings = ("the same work", "of what size", ">Epsilometer", "next to", ">takes", ">times ours")
    rows = []
    for one, tool, ratio in ratios(found):
        theirs = one["peers"][tool]
        costs = _cost(one["ours"]), f"{tool} ({theirs['version']})", _cost(theirs)
        rows.append((one["work"], one["size"], *costs, _times(ratio)))
    return _table(headings, rows)


def _limits_table(found):
    headings = ("work", "of what size", ">Epsilometer", "next to", ">takes", ">times it")
    rows = []
    for one in _comparisons(found):
        ours = one["ours"]["seconds"]
        for what, limit in one["limits"].items():
            least = limit["seconds"]
            rows.append((one["work"], one["size"], _seconds(ours), what, _seconds(least), _times(ours / least)))
    return _table(headings, rows)


def _alone_table(found):
    alone = [one for one in _comparisons(found) if not one["peers"] and not one["limits"]]
    rows = [(one["work"], one["size"], _cost(one["ours"])) for one in alone]
    return _table(("work", "of what size", ">Epsilometer"), rows)


def _missing(found):
    missing = {tool: why for one in _comparisons(found) for tool, why in one["missing"].items()}
    return "\n".join(f"{tool} could not be installed: {why}" for tool, why in missing.items())


def _growth_table(grown):
    headings = ("over", ">pieces of work", ">without a power", ">median power", ">steepest", "which is")
    rows = []
    for over in dict.fromkeys(one["over"] for one in grown):
        several = [one for one in grown if one["over"] == over]
        fitted = sorted((one for one in several if one["exponent"] is not None), key=lambda one: one["exponent"])
        steepest, median = fitted[-1], statistics.median(one["exponent"] for one in fitted)
        because = f" ({steepest['more']})" if steepest["more"] else ""
        numbers = len(several), len(several) - len(fitted), f"{median:.2f}", f"{steepest['exponent']:.2f}"
        rows.append((over, *map(str, numbers), f"{steepest['work']}{because}"))
    return _table(headings, rows)


def _machine(found):
    machine, ours = found["machine"], _comparisons(found)[0]["ours"]
    return (
        f"Measured with Epsilometer {ours['version']} on {machine['cores']} cores with {machine['memory in GB']} GB, "
        f"{machine['system']}, Python {machine['python']}."
    )


def _cost(one):
    return f"{_seconds(one['seconds'])}, {one['gigabytes']:.1f} GB"


def _seconds(number):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if number >= size or unit == "µs":
            return f"{_two_digits(number / size)} {unit}"
    raise AssertionError


def _times(ratio):
    return f"{_two_digits(ratio)} ×"


def _two_digits(number):
    """Two digits that count; three where the second says too little about which of two is larger.

    >>> _two_digits(1.268), _two_digits(34.7), _two_digits(1234.0)
    ('1.27', '35', '1,200')
    """
    if number < 10:
        return f"{number:.2f}"
    return f"{float(f'{number:.2g}'):,.0f}"


def picture(found):
    """How much longer others take, as SVG that turns dark with the page."""
    from epsilometer.charts.export import to_svg
    from epsilometer.charts.theme import PAPER, SHADES

    svg = to_svg(chart(found))
    dark = [f'[{a}="{s.light}"]{{{a}:{s.dark}}}' for s in SHADES if s is not PAPER for a in ("fill", "stroke")]
    dark += [f'[fill="{PAPER.light}"]{{fill:{DARK_PAPER}}}']
    style = f"<style>@media (prefers-color-scheme: dark){{{''.join(dark)}}}</style>"
    head, _, body = svg.partition(">")
    return f"{head}>{style}{body}"


def chart(found):
    """A dot for each comparison, the further right the slower the other tool; the line is ours."""
    import altair as alt

    from epsilometer.charts.theme import BLUE, INK, QUIET, VERMILLION, WIDE, dressed, ticks

    rows = _rows(found)
    low, high = min(1.0, *(row["ratio"] for row in rows)), max(row["ratio"] for row in rows)
    span = alt.Scale(type="log", domain=[low, high], range=[TEXTS_END, PLOT_END], nice=False)
    axis = alt.Axis(
        values=ticks(low, high),
        format=",~g",
        grid=True,
        title="times the time of Epsilometer",
        titleX=TEXTS_END,
        titleAlign="left",
    )
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("row:O", axis=None))
    at = alt.X("ratio:Q", scale=span, axis=axis)
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=at, color=alt.condition("datum.ratio >= 1", alt.value(BLUE.light), alt.value(VERMILLION.light))
    )
    figures = base.mark_text(align="left", dx=9, color=INK.light).encode(x=at, text="figure:N")
    works = base.mark_text(align="left", color=QUIET.light).encode(x=alt.value(0), text="work:N")
    tools = base.mark_text(align="right", color=INK.light).encode(x=alt.value(TEXTS_END - 14), text="tool:N")
    one = alt.Chart(alt.Data(values=[{"ratio": 1}])).mark_rule(color=INK.light, strokeWidth=1.5).encode(x=at)
    layers = alt.layer(one, dots, figures, works, tools).properties(width=WIDE, height=ROW * len(rows))
    return dressed(
        layers, title=_title(rows), subtitle="How many times as long other tools take for the same work.", width=WIDE
    )


def _title(rows):
    behind = sum(row["ratio"] < 1 for row in rows)
    return f"Slower than another tool in {behind} of {len(rows)} comparisons" if behind else "Ahead on the same work"


def _rows(found):
    rows, last = [], None
    for number, (one, tool, ratio) in enumerate(ratios(found)):
        work = one["work"] if one["work"] != last else ""
        last = one["work"]
        rows.append({"row": number, "work": work, "tool": tool, "ratio": ratio, "figure": _times(ratio)})
    return rows


if __name__ == "__main__":
    write()
