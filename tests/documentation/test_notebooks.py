"""The notebooks of the tutorial run from the first cell to the last, and show what the pages show."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "tutorial"
RESULTS = {"counts": 4, "sample": 3, "synthetic": 3}  # cells that end in a result, which shows itself


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """All notebooks, run in a process of their own: a kernel's sockets are not this one's to close."""
    folder = tmp_path_factory.mktemp("notebooks")
    done = subprocess.run(
        [sys.executable, FOLDER / "run_notebooks.py", folder], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def outputs(path):
    """Return the outputs of each cell of code."""
    return [cell.outputs for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def kinds(path):
    return [[sorted(output.get("data", {output.output_type: None})) for output in cell] for cell in outputs(path)]


def test_there_are_three():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(RESULTS)


@pytest.mark.parametrize("name", RESULTS)
def test_a_notebook_runs_and_shows_what_is_kept(name, fresh):
    assert kinds(fresh / f"{name}.ipynb") == kinds(FOLDER / f"{name}.ipynb")
    pages = [
        output.data.get("text/html", "")
        for cell in outputs(fresh / f"{name}.ipynb")
        for output in cell
        if "data" in output
    ]
    cards = [page for page in pages if "<svg" in page]
    assert len(cards) == RESULTS[name]
    assert not any("<script" in card for card in cards)
