"""What is asked of every chart, and how its texts and rows are read."""

import re
from xml.etree import ElementTree as ET

import pytest

from epsilometer.charts.export import to_svg
from epsilometer.charts.theme import NARROW, SHADES, WIDE


@pytest.fixture
def title():
    """Title and subtitle of a chart, each on one line."""

    def read(chart):
        heading = chart.to_dict()["title"]
        return tuple(" ".join(heading[part]).replace("\N{NO-BREAK SPACE}", " ") for part in ("text", "subtitle"))

    return read


@pytest.fixture
def rows():
    """All rows of all data of a chart."""
    return lambda chart: [row for values in chart.to_dict()["datasets"].values() for row in values]


@pytest.fixture
def fits_its_page():
    """Assert that a chart fits both widths, in colours that have twins for dark pages, and names nothing twice."""

    def check(draw):
        for width in (WIDE, NARROW):
            svg = to_svg(draw(width))
            assert float(ET.fromstring(svg).attrib["width"]) <= width + 10
            colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) - {"none", "transparent"}
            assert colours <= {shade.light for shade in SHADES}
            assert " id=" not in svg  # several charts share a page: their ids would collide

    return check
