"""How properties are tested, anew or repeatably, which tests are measured, how pages are read and commands run."""

import os
import re
import shutil
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import mpmath
import pytest
from hypothesis import settings

settings.register_profile("explore", deadline=None, max_examples=60)
settings.register_profile("repeatable", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "explore")

# Tests that only pass through what must be covered, on their way to a page, a picture, a file or a database.
UNMEASURED = frozenset({
    "charts", "cli", "documentation", "engines", "publication", "report", "reproduction", "synthesizers", "web",
})  # fmt: skip
TESTS = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Leave them out of the measuring, which makes them take half as long again.

    What must be covered is so by tests of its own, then. ``coverage run -m pytest`` measures everything.
    """
    for item in items:
        if TESTS in item.path.parents and item.path.relative_to(TESTS).parts[0] in UNMEASURED:
            item.add_marker("no_cover")


@pytest.fixture(autouse=True)
def _fifty_digits():
    """Give every test the same digits: mpmath keeps them for the whole process, whoever set them last."""
    with mpmath.workdps(50):
        yield


@pytest.fixture(scope="module")
def chromium():
    """Open a real browser, for one module: while it is open, nothing else in the process can run an event loop."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no chromium on this computer")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


class _Reader(HTMLParser):
    """What a browser makes of a page: its text in order, and its elements."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.elements = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.texts))


@pytest.fixture
def read_page():
    """Read a page or a card as a browser does."""
    return _Reader


@dataclass(frozen=True)
class Outcome:
    """What a command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line in this process, as the console script does."""
    from epsilometer.cli.main import main

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["epsilometer", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
        captured = capsys.readouterr()
        return Outcome(exit_.value.code or 0, captured.out, captured.err)

    return call
