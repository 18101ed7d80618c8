"""A sign of life appears after a second, on stderr, unless told to be quiet."""

import io
import sys
import time

import pytest

from epsilometer.cli import progress as module
from epsilometer.cli.progress import progress
from epsilometer.vocabulary.telling import listener, silent


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(module, "REMINDER", 0.01)


def wait_for(condition):
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert condition()


def test_lines_when_piped(impatient, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("Counting", quiet=False):
        wait_for(lambda: "Counting … 0 s\n" in sys.stderr.getvalue())


def test_a_clock_on_a_terminal_that_is_wiped_at_the_end(impatient, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress("Counting", quiet=False):
        wait_for(lambda: "\rCounting … 0 s" in sys.stderr.getvalue())
    assert sys.stderr.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        ("100", "Counting the table: trying to leave sex out: simulating ████████████░░░░░░░░░░░░ 50% … 0 s"),
        ("80", "trying to leave sex out: simulating ████████████░░░░░░░░░░░░ 50% … 0 s"),
        ("60", "trying to leave sex out… ████████████░░░░░░░░░░░░ 50% … 0 s"),
        ("10", "… ████████████░░░░░░░░░░░░ 50% … 0 s"),
    ],
)
def test_a_clock_keeps_to_one_line_of_the_terminal(impatient, monkeypatch, columns, shown):
    """What a terminal breaks into two lines cannot be written over from the start of the first."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("COLUMNS", columns)
    with progress("Counting the table", quiet=False) as tell:
        tell("trying to leave sex out: simulating", 0.5)
        wait_for(lambda: f"\r{shown}\x1b[K" in sys.stderr.getvalue())


def test_nothing_when_quiet_or_quick(impatient, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("Counting", quiet=True):
        time.sleep(0.05)
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    with progress("Counting", quiet=False):
        pass
    assert sys.stderr.getvalue() == ""


def test_steps_are_shown_with_a_bar(impatient, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("Making", quiet=False) as tell:
        tell("fitting", 0.25)
        wait_for(lambda: "Making: fitting ██████░░░░░░░░░░░░░░░░░░ 25%" in sys.stderr.getvalue())


def test_whoever_scans_a_table_meanwhile_is_heard(impatient, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("Counting", quiet=False):
        listener()("counting rows", 0.5)
        wait_for(lambda: "Counting: counting rows ████████████░░░░░░░░░░░░ 50% … 0 s\n" in sys.stderr.getvalue())
    assert listener() is silent
