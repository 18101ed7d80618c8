"""Pages from templates: everything that comes from data is escaped, and shows every character it has."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from epsilometer.vocabulary.wording import (
    CONFIDENTIAL,
    joined,
    percent,
    percent_at_least,
    readable,
    shown_down,
    shown_up,
)

if TYPE_CHECKING:
    from starlette.requests import Request

LONGEST: Final = 80  # characters of a name that a page shows


@cache
def environment() -> Environment:
    """Return what turns the templates of the pages into HTML."""
    made = Environment(
        loader=PackageLoader("epsilometer.web"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (percent, percent_at_least, joined, shown_up, shown_down, short)
    made.filters |= {function.__name__: function for function in filters}
    return made


def page(request: Request, template: str, *, status: int = HTTPStatus.OK, **context: object) -> HTMLResponse:
    """Return a page made from a template of this package, which extends ``base.html.j2``.

    Templates may use ``csrf``, the word that every form carries, ``opened``, the table that the page is about, or
    ``None``, and ``path``, the address of the page.
    """
    known = {
        "csrf": request.app.state.settings.csrf,
        "path": request.url.path,
        "opened": None,
        "confidential": CONFIDENTIAL,
    }
    return HTMLResponse(environment().get_template(template).render({**known, **context}), status)


def short(text: str, most: int = LONGEST) -> str:
    """Return the beginning of a text that is too long to be read.

    >>> short("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _shown(value: object) -> object:
    """Make text harmless to read; markup is ours already."""
    return readable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
