"""The chart of a search for attackers: a dot for each set looked at, lines to hold them against, the cheapest named."""

from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.attackers.find import find_attackers
from epsilometer.charts.attackers import draw_attackers
from epsilometer.charts.export import to_svg
from epsilometer.charts.theme import NARROW, WIDE


def found(max_risk, *, release=None, max_known=2):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, 200), rng.integers(0, 4, 200)
    rows = pd.DataFrame({"a": a, "b": b, "c": rng.integers(0, 2, 200), "s": np.where(rng.random(200) < 0.8, a, b)})
    plan = em.Plan(
        table=rows,
        quasi_identifiers=("a", "b", "c"),
        sensitive=("s",),
        release=release or em.Raw(),
        max_risk=max_risk,
    )
    return find_attackers(plan, max_known=max_known)


def layers(chart):
    drawn = chart.to_dict()
    return [(layer["mark"]["type"], drawn["datasets"][layer["data"]["name"]]) for layer in drawn["layer"]]


def dots(chart):
    return next(rows for kind, rows in layers(chart) if kind == "circle")


@pytest.mark.parametrize("release", [None, em.Counts(mechanism=em.Laplace(epsilon=0.05))], ids=["raw", "counts"])
def test_every_set_looked_at_is_a_dot(release):
    result = found(0.84, release=release)
    drawn = sorted((dot["size"], dot["value"]) for dot in dots(result.plot()))
    assert drawn == sorted((len(known.columns), known.at_most) for known in result.evaluated)
    assert all(abs(dot["x"] - dot["size"]) < 0.5 for dot in dots(result.plot()))


def test_target_and_no_release_are_lines_with_names():
    result = found(0.7)
    marks = layers(draw_attackers(result))
    rules = [rows[0]["value"] for kind, rows in marks if kind == "rule"]
    assert rules == [result.max_risk, result.no_release]
    names = [rows[0]["name"] for kind, rows in marks if kind == "text"]
    assert names[:2] == ["target 70 %", f"no release {result.no_release * 100:.1f} %"]


def test_the_cheapest_attacker_is_ringed_and_named(title):
    result = found(0.7)
    marks = layers(draw_attackers(result))
    (ring,) = next(rows for kind, rows in marks if kind == "point")
    assert (ring["name"], ring["value"]) == ("a", result.breaking[0].raw)
    assert title(draw_attackers(result))[0].startswith("Knowing a is enough: s is named right for ")


def test_the_most_dangerous_set_of_each_size_is_named():
    result = found(0.84)
    worst = {}
    for known in sorted(result.evaluated, key=lambda known: known.at_most):
        worst[len(known.columns)] = known
    assert not result.breaking or len(result.breaking[0].columns) in worst
    named = {rows[0]["name"]: rows[0]["value"] for kind, rows in layers(draw_attackers(result)) if kind == "text"}
    for size, known in worst.items():
        ringed = result.breaking and len(result.breaking[0].columns) == size
        if size and not ringed:
            assert named[", ".join(known.columns)] == known.at_most


def test_what_noise_makes_safe_is_told_apart(title):
    result = found(0.84, release=em.Counts(mechanism=em.Laplace(epsilon=0.05)))
    kinds = {dot["what"] for dot in dots(draw_attackers(result))}
    assert kinds == {"within the target, thanks to the noise", "within the target even without noise"}
    assert title(draw_attackers(result))[0] == (
        "No attacker who was looked for names s right for more than 84 % of the people"
    )


@pytest.mark.parametrize(
    ("max_risk", "start"),
    [
        (1.0, "No attacker who was looked for names s right for more than 100 %"),
        (0.1, "Knowing nothing is enough to break the target of 10 %"),
    ],
    ids=["nobody", "anybody"],
)
def test_an_answer_without_a_search_shows_its_two_ends(max_risk, start, title):
    result = found(max_risk)
    chart = draw_attackers(result)
    assert [dot["value"] for dot in dots(chart)] == [result.no_release, result.all_known]
    assert title(chart)[0].startswith(start)
    assert "all others lie between these two" in title(chart)[1]
    assert ">all 3</text>" in to_svg(chart)


def test_only_sets_that_were_left_out_are_spoken_of(title):
    """Knowing a breaks the target of 70 %: a with b and a with c are not looked at. Nobody breaks 84 % with noise."""
    assert "2 more know all that one of those above the target knows" in title(draw_attackers(found(0.7)))[1]
    noisy = title(draw_attackers(found(0.84, release=em.Counts(mechanism=em.Laplace(epsilon=0.05)))))[1]
    assert "more know all" not in noisy
    assert "Where no noise is needed, the dot shows the raw table." in noisy


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("release", [None, em.Counts(mechanism=em.Laplace(epsilon=0.05))], ids=["raw", "counts"])
def test_the_chart_fits_its_width(release, width):
    svg = to_svg(draw_attackers(found(0.84, release=release), width=width))
    assert float(ET.fromstring(svg).attrib["width"]) <= width + 10


def test_labels_of_the_axis_are_drawn():
    assert ">nothing</text>" in to_svg(draw_attackers(found(0.7)))
