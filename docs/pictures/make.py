"""Draw the pictures of the documentation: python docs/pictures/make.py."""

import io
from pathlib import Path

from rich.console import Console

import epsilometer as em
from epsilometer.charts.export import to_svg
from epsilometer.cli.rendering import print_assessment

HERE = Path(__file__).parent


def draw_demo() -> None:
    """Draw what ``epsilometer demo`` prints on a terminal."""
    plan = em.Plan(
        table=em.example_table(),
        quasi_identifiers=("age", "sex", "district", "admission"),
        sensitive=("reason",),
        bins={"age": 5},
        release=em.Counts(mechanism=em.Laplace(epsilon=(1.0, 0.1, 0.5, 2.0, 5.0, 10.0))),
    )
    console = Console(record=True, width=100, force_terminal=True, file=io.StringIO(), highlight=False)
    print_assessment(em.assess(plan), console)
    svg = console.export_svg(title="epsilometer demo")
    lines = svg.splitlines()
    start = next(i for i, line in enumerate(lines) if "@font-face" in line)
    stop = max(i for i, line in enumerate(lines) if "font-weight: 700" in line and i > start) + 1
    local = [*lines[:start], *lines[stop + 1 :]]  # the picture must not load fonts from the network
    (HERE / "demo.svg").write_text("\n".join(local).replace("Fira Code, monospace", "monospace"), encoding="utf-8")


def draw_frontier() -> None:
    """Draw what ``epsilometer compare`` draws of the built-in example."""
    plan = em.Plan(
        table=em.example_table(),
        quasi_identifiers=("age", "sex", "district"),
        sensitive=("reason",),
        bins={"age": 10},
        max_risk=0.45,
        max_loss=0.1,
    )
    (HERE / "frontier.svg").write_text(to_svg(em.compare_kinds(plan).plot()), encoding="utf-8")


if __name__ == "__main__":
    draw_demo()
    draw_frontier()
