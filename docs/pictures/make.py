"""Draw the pictures of the documentation: python docs/pictures/make.py."""

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright
from rich.console import Console

import epsilometer as em
from epsilometer.charts.export import to_svg
from epsilometer.charts.lines import DASHED, Line, panel
from epsilometer.charts.theme import BLUE, VERMILLION, WIDE, dressed
from epsilometer.cli.rendering import print_assessment
from epsilometer.formulas import homogeneity

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
    _keep("frontier", to_svg(em.compare_kinds(plan).plot()))


def draw_homogeneity() -> None:
    """Draw how often a homogeneous and a mixed cell show a single, true value."""
    epsilons = np.geomspace(0.01, 10, 81)
    alone, mixed = homogeneity.local([[12, 0, 0], [9, 1, 0]], em.Laplace(epsilon=tuple(epsilons.tolist()))).T
    lines = [Line("12 · 0 · 0", alone, BLUE), Line("9 · 1 · 0", mixed, VERMILLION, DASHED)]
    chart = dressed(
        panel(epsilons, lines, title="The cell shows one value, a true one (%)", width=WIDE, height=260),
        title="Noise protects a cell of one value, and betrays a mixed one",
        subtitle="Laplace noise on three counts; what falls below one half shows as zero. Above ε = 1 or so the "
        "minority of the mixed cell is seen again, and the attack on it fails.",
        width=WIDE,
    )
    _keep("homogeneity", to_svg(chart))


def draw_sample() -> None:
    """Draw what a sample gives away, over its size."""
    _keep("sample", to_svg(em.assess_sample(population=100_000, sample=500).plot()))


def draw_guess() -> None:
    """Draw how much better a guess can become."""
    _keep("guess", to_svg(em.epsilon_for_advantage(0.1, groups=[(23, 365)]).plot()))


def draw_distances() -> None:
    """Draw distances of synthetic rows to their own people and to strangers."""
    stays = em.example_table()
    inside, outside = stays.slice(0, 1_600), stays.slice(1_600)
    made = em.synthesize(inside, method="privbayes", epsilon=1.0, public_table=stays)
    _keep("distances", to_svg(em.audit(inside, made.rows, holdout=outside).plot()))


def take_page() -> None:
    """Take a picture of the page, with the example at two targets."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "epsilometer", "serve", "--no-browser", "--ledger", f"{folder}/ledger.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  (our own command)
        address = re.search(r"http://\S+", server.stdout.readline())[0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1180, "height": 1370})
            page.goto(address)
            page.get_by_role("button", name="Open the example").click()
            page.get_by_role("button", name="Show what it gives away").click()
            page.fill("#max_risk_percent", "2")
            page.fill("#max_loss_percent", "5")
            page.wait_for_selector("#use:visible")
            page.wait_for_timeout(500)
            page.screenshot(path=HERE / "page.png")
        server.terminate()
        server.wait()


def _keep(name: str, svg: str) -> None:
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    draw_demo()
    draw_frontier()
    draw_homogeneity()
    draw_sample()
    draw_guess()
    draw_distances()
    take_page()
