"""Pages from templates: everything that comes from data is escaped, and shows every character it has."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from starlette.responses import HTMLResponse

from epsilometer.report.templating import templates_of
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
    from jinja2 import Environment
    from starlette.requests import Request

LONGEST: Final = 80  # characters of a name that a page shows


@cache
def environment() -> Environment:
    """Return what turns the templates of the pages into HTML."""
    return templates_of("epsilometer.web", percent, percent_at_least, joined, shown_up, shown_down, short, typed)


def page(request: Request, template: str, *, status: int = HTTPStatus.OK, **context: object) -> HTMLResponse:
    """Return a page made from a template of this package, which extends ``base.html.j2``.

    Templates may use ``root``, with which every address begins, ``csrf``, the word that every form carries, ``opened``,
    the table that the page is about, or ``None``, and ``path``, the address of the page.
    """
    settings = request.app.state.settings
    known = {
        "root": settings.prefix,
        "csrf": settings.csrf,
        "path": request.url.path,
        "opened": None,
        "confidential": CONFIDENTIAL,
    }
    return HTMLResponse(environment().get_template(template).render({**known, **context}), status)


def typed(text: str) -> str:
    r"""Return what was typed into a field of several lines, with its lines as they are.

    >>> typed("<b>\r\nna\x00me")
    Markup('&lt;b&gt;\nna�me')
    """
    return Markup("\n").join(map(readable, text.splitlines()))


def short(text: str, most: int = LONGEST) -> str:
    """Return the beginning of a text that is too long to be read.

    >>> short("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"
