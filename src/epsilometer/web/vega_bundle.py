"""What charts need in a browser: Vega as one script, made from the library that draws our pictures, and their colours.

The script is a megabyte and takes two seconds to make, so it is begun when the server starts. It holds nothing of any
table, and is the same at every start with the same library: a browser may keep it.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Final

import vl_convert
from fastapi import APIRouter, Request
from starlette.responses import Response

from epsilometer.charts.export import VERSION
from epsilometer.charts.theme import SHADES
from epsilometer.report.templating import environment

router = APIRouter()

NAMES: Final = "window.charts = { vegaEmbed, vega, vegaLite };"
ADDRESS: Final = "/static/vega.js"
VERSIONED: Final = f"{ADDRESS}?v={version('vl-convert-python')}-{VERSION}"
KEPT: Final = "private, max-age=31536000, immutable"


@cache
def begun() -> Future[bytes]:
    """Begin to make the script in a thread of its own, once; its result waits until it is done."""
    with_one_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vega")
    making = with_one_thread.submit(_script)
    with_one_thread.shutdown(wait=False)
    return making


def _script() -> bytes:
    return vl_convert.javascript_bundle(NAMES, vl_version=VERSION).encode()


@router.get(ADDRESS)
def vega(request: Request) -> Response:
    """Send the script, unless the browser has it."""
    script = begun().result()
    tag = f'"{hashlib.sha256(script).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": KEPT}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(script, media_type="text/javascript", headers=headers)


@router.get("/static/charts.css")
def colours() -> Response:
    """Send the rules by which charts follow the width and the darkness of the screen, as in reports."""
    style = environment().get_template("charts.css.j2").render(shades=SHADES)
    return Response(style, media_type="text/css")
