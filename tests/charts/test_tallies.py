"""Charts that count: the profile of a table, and how the risk is spread over its people and cells."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.charts.export import to_svg
from epsilometer.charts.profile import draw_profile
from epsilometer.charts.risk_spread import draw_risk_spread
from epsilometer.charts.tally import Bar, room_for_names, tally
from epsilometer.charts.theme import BLUE, NARROW, VERMILLION, WIDE
from epsilometer.vocabulary.profile import Profile

PROFILE = Profile.from_counts([[3, 0, 0], [2, 1, 0], [40, 30, 10], [3, 0, 0], [0, 0, 1]], ("flu", "cold", "none"))
widths = pytest.mark.parametrize("width", [WIDE, NARROW])


def panels(chart):
    """The title of each panel with its bars."""
    drawn = chart.to_dict()
    for part in drawn["vconcat"]:
        rows = [drawn["datasets"][layer["data"]["name"]] for layer in part["layer"]]
        (heading,), bars = rows[0], rows[1]
        yield heading["title"], bars


def test_the_profile_shows_sizes_mixtures_and_values(title):
    drawn = {name: [(bar["name"], bar["number"], bar["text"]) for bar in bars] for name, bars in panels(PROFILE.plot())}
    sizes, mixtures, values = drawn.values()
    assert [bar for bar in sizes if bar[1]] == [("1", 1, "1"), ("3–4", 3, "3"), ("50–80", 1, "1")]
    assert mixtures == [("1", 3, "3 (7 people)"), ("2", 1, "1 (3 people)"), ("3", 1, "1 (80 people)")]
    assert values == [("flu", 48, "48 (53.4 %)"), ("cold", 31, "31 (34.5 %)"), ("none", 11, "11 (12.3 %)")]
    assert title(PROFILE.plot())[0] == "3 of 5 cells hold one value only, with 7 of the 90 people in them"


def test_cells_of_one_value_stand_out():
    _, (_, mixtures), _ = panels(draw_profile(PROFILE))
    assert [bar["shade"] for bar in mixtures] == [VERMILLION.light, BLUE.light, BLUE.light]


def test_a_table_of_mixed_cells_says_so(title):
    assert title(Profile.from_counts([[2, 1], [5, 5]]).plot())[0] == "Each of the 2 cells mixes at least two values"


def test_rare_values_share_a_bar():
    profile = Profile.from_counts([np.arange(1, 41)])
    *_, (_, values) = panels(draw_profile(profile))
    assert [bar["number"] for bar in values] == [*range(40, 31, -1), sum(range(1, 32))]
    assert values[-1]["name"] == "31 other values"
    *_, (_, all_shown) = panels(draw_profile(Profile.from_counts([np.arange(1, 11)])))
    assert len(all_shown) == 10  # a bar for one other value alone would hide its name for nothing


def test_values_that_look_alike_keep_their_bars():
    profile = Profile.from_counts([[2, 3]], ("x" * 300 + "a", "x" * 300 + "b"))
    *_, (_, values) = panels(draw_profile(profile))
    assert [bar["number"] for bar in values] == [3, 2]


@pytest.mark.parametrize("name", ["<script>alert('x')</script>", "\u202e\"&'\x00]]>", "x" * 300, "العمر", "', '"])
@widths
def test_hostile_values_are_text(name, width):
    svg = to_svg(draw_profile(Profile.from_counts([[2, 3]], (name, "b")), width=width))
    root = ET.fromstring(svg)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert "\u202e" not in svg
    assert float(root.attrib["width"]) <= width + 10


@widths
def test_large_numbers_fit(width):
    profile = Profile.from_counts([[2**50, 0, 2**50], [0, 10**12, 3]], ("W" * 60, "M" * 60, "i"))
    assert float(ET.fromstring(to_svg(draw_profile(profile, width=width))).attrib["width"]) <= width + 10


@given(st.integers(1, 400))
def test_names_get_at_most_a_third_of_the_chart(length):
    room = room_for_names([Bar("x" * length, 1, "1", BLUE)], width=WIDE)
    assert 0 < room <= 0.34 * WIDE


def test_bars_of_nothing_are_drawn():
    chart = tally([Bar("none", 0, "0", BLUE)], title="Nothing", names=60, width=WIDE).to_dict()
    scales = [
        layer["encoding"]["x"]["scale"]["domain"] for layer in chart["layer"] if "scale" in layer["encoding"]["x"]
    ]
    assert scales
    assert all(scale == [0, 1] for scale in scales)


def classed(risks, bounds):
    """How many risks fall between bounds, lower ones included."""
    return [sum(low <= risk < high for risk in risks) for low, high in bounds]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_everybody_is_in_one_class_of_risks(epsilon):
    spread = risk_spread(em.FrequencyTable.from_counts([[3, 0], [2, 1], [40, 9], [1, 0]]), em.Laplace(epsilon=epsilon))
    bounds = [(0.5, 2.0), (0.1, 0.5), (0.01, 0.1), (0.001, 0.01), (0.0, 0.001)]
    for (heading, bars), risks in zip(
        panels(spread.plot()),
        (np.repeat(spread.people.risks, spread.people.numbers), np.repeat(spread.cells.risks, spread.cells.numbers)),
        strict=True,
    ):
        assert heading in ("People, by their risk", "Cells, by their risk")
        assert [bar["number"] for bar in bars] == classed(risks.tolist(), bounds)
        assert [bar["name"] for bar in bars][::4] == ["50 % or more", "below 0.1 %"]


@pytest.mark.parametrize(
    ("counts", "epsilon", "finding"),
    [
        ([[9, 0], [30, 30]], 1.0, "At ε = 1, 9 of 69 people have a risk of at least 50 %"),
        ([[1, 0], [30, 30]], 1.0, "At ε = 1, 1 of 61 people has a risk of at least 10 %"),  # 0.6967 * 0.6967 = 0.485
        ([[30, 30]], 1.0, "At ε = 1, nobody's risk reaches 1 %"),
    ],
)
def test_the_highest_level_that_somebody_reaches_is_the_finding(counts, epsilon, finding, title):
    spread = risk_spread(em.FrequencyTable.from_counts(counts), em.Laplace(epsilon=epsilon))
    assert title(draw_risk_spread(spread))[0] == finding


def test_the_spread_is_read_out_next_to_the_guess_without_a_release(title):
    """Nine alone: (1 - z(9)) z(0) = 0.69666, a mean of 9 * 0.69666 / 69 = 0.09087; 39 of 69 have the first value."""
    spread = risk_spread(em.FrequencyTable.from_counts([[9, 0], [30, 30]]), em.Laplace(epsilon=1.0))
    assert title(spread.plot())[1] == (
        "Risk not exceeded by half of the people: below 0.0001 %; by 90 in 100: 69.7 %; by 99 in 100: 69.7 %; "
        "by anyone: 69.7 %. Mean: 9.1 % (exact). A guess without a release is right for 56.5 %."
    )


def test_a_risk_too_small_for_a_double_is_not_called_zero(title):
    spread = risk_spread(em.FrequencyTable.from_counts([[9_000, 9_000]]), em.Laplace(epsilon=1.0))
    assert spread.people.not_exceeded_by(1.0) == 0
    assert "by anyone: below 0.0001 %." in title(spread.plot())[1]
