"""Charts as files: no browser, no network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import vl_convert
from altair import SCHEMA_VERSION

if TYPE_CHECKING:
    from epsilometer.charts.theme import AnyChart

VERSION: Final = ".".join(SCHEMA_VERSION.lstrip("v").split(".")[:2])
PRINT: Final = 2.0  # pixels of the picture for each of the chart


def to_svg(chart: AnyChart) -> str:
    """Return a chart as an SVG document."""
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version=VERSION)


def to_png(chart: AnyChart) -> bytes:
    """Return a chart as a PNG picture, sharp enough to print."""
    return vl_convert.vegalite_to_png(chart.to_dict(), vl_version=VERSION, scale=PRINT)


def to_json(chart: AnyChart) -> str:
    """Return a chart as a Vega-Lite specification with its data."""
    return json.dumps(chart.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
