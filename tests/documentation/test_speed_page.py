"""The page about speed says what the results file holds; nothing is timed here."""

import importlib
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
FOUND = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))


@pytest.fixture
def benchmarks(monkeypatch):
    """Load a module of the benchmarks, which are not installed."""
    monkeypatch.syspath_prepend(ROOT)
    return lambda name: importlib.import_module(f"benchmarks.{name}")


def test_the_page_shows_what_was_measured(benchmarks):
    speed_page = benchmarks("speed_page")
    assert speed_page.measured(FOUND) in speed_page.PAGE.read_text(encoding="utf-8")


def test_every_question_was_asked(benchmarks):
    assert set(FOUND["questions"]) == set(benchmarks("__main__").QUESTIONS)


def test_no_tool_is_faster_on_the_same_work():
    slower = [
        (one["work"], one["size"], tool)
        for several in FOUND["questions"].values()
        for one in several
        for tool, peer in one["peers"].items()
        if peer["seconds"] < one["ours"]["seconds"]
    ]
    assert slower == []


def times_the_limit(question):
    """How much longer our time is than what the machine needs at least, whatever of it takes longest."""
    return {
        (one["work"], one["size"]): one["ours"]["seconds"] / max(limit["seconds"] for limit in one["limits"].values())
        for one in FOUND["questions"][question]
        if one["limits"]
    }


def test_counting_takes_little_longer_than_reading_the_rows_and_adding_one_for_each():
    found = times_the_limit("counting")
    assert found
    assert max(found.values()) <= 1.3


@pytest.mark.parametrize(("at", "most", "n_works"), [(" ε = ", 5, 10), (" 100 ε", 3, 4)], ids=["one epsilon", "curves"])
def test_closed_forms_take_a_few_passes_over_the_counts(at, most, n_works):
    """Of profiles that no cache holds: as long as copying every count, or the bare look-ups, comparisons and tallies.

    Where all counts matter, arithmetic is the limit: two exponentials of each. The global risk is left out: it takes
    its tallies, and then sums over the tens of thousands of sizes that a law allows, however many cells there are.
    """
    found = {
        (work, size): times
        for (work, size), times in times_the_limit("closed_forms").items()
        if at in size and "global" not in work
    }
    assert len(found) == n_works
    assert {key: times for key, times in found.items() if times > most} == {}


def test_the_picture_names_every_tool(benchmarks):
    svg = ET.parse(benchmarks("speed_page").PICTURE)
    words = {text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")}
    tools = {tool for several in FOUND["questions"].values() for one in several for tool in one["peers"]}
    assert tools <= words


def test_the_results_name_no_machine():
    assert set(FOUND) == {"machine", "questions"}
    assert set(FOUND["machine"]) == {"cores", "memory in GB", "system", "python"}


@pytest.mark.parametrize(("theirs", "agree"), [(3.0, True), (3.1, False)], ids=["agree", "disagree"])
def test_results_that_disagree_are_not_recorded(benchmarks, monkeypatch, theirs, agree):
    comparison, turns = benchmarks("comparison"), benchmarks("turns")
    measured = {"seconds": 2.0, "core_seconds": 1.0, "gigabytes": 0.1, "version": "1"}
    results = {"epsilometer": [3.0], "peer": [theirs]}
    monkeypatch.setattr(turns, "_run", lambda python, way, arguments: measured | {"result": results[way.tool]})
    peer = comparison.Way("peer", print, "numpy")
    asked = comparison.Comparison(work="work", size="size", same="same", ours=print, peers=(peer,))
    if agree:
        assert turns.compared(asked)["peers"]["peer"]["seconds"] == 2.0
    else:
        with pytest.raises(turns.Disagreement, match="peer"):
            turns.compared(asked)


def test_a_way_runs_in_a_process_of_its_own(benchmarks):
    comparison, turns, noise = (benchmarks(name) for name in ("comparison", "turns", "questions.noise"))
    asked = comparison.Comparison(
        work="work", size="size", same="same", ours=noise.simulated_noise, arguments={"n_counts": 10}, turns=1
    )
    found = turns.compared(asked)["ours"]
    assert 0 < found["fastest"] == found["seconds"] == found["slowest"]
    assert found["gigabytes"] > 0
