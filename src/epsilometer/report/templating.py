"""Pages from templates: everything that comes from data is escaped, and every number stays in one piece."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from collections.abc import Callable

DECIMALS = 1_000


@cache
def environment() -> Environment:
    """Return what turns the templates of reports into pages."""
    return templates_of("epsilometer.report", unbroken)


def templates_of(package: str, *filters: Callable[..., str]) -> Environment:
    """Return what turns the templates of a package into pages; filters go by their own names."""
    made = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {function.__name__: function for function in filters}
    return made


def rounded(value: float, *, up: bool) -> str:
    """Write a measure with three decimals at most.

    >>> rounded(0.90712, up=True), rounded(2.71828, up=False)
    ('0.908', '2.718')
    """
    if math.isinf(value):
        return "unbounded"
    if value.is_integer():
        return f"{value:,.0f}"
    thousandths = value * DECIMALS
    return f"{(math.ceil(thousandths - 1e-9) if up else math.floor(thousandths + 1e-9)) / DECIMALS:,.3f}"


def unbroken(text: str) -> str:
    """Keep every number on one line with its sign."""
    return text.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}").replace(" %", "\N{NO-BREAK SPACE}%")


def _shown(value: object) -> object:
    """Make text harmless to read; markup is ours already."""
    return readable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
