"""Answers to the script of a page: JSON, also where something is wrong, and how long the work took."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from epsilometer.errors import EpsilometerError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.requests import Request


class LiveRoute(APIRoute):
    """A route whose refusals are one line of JSON, and whose answers say how long they took."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        usual = super().get_route_handler()

        async def timed(request: Request) -> Response:
            start = time.perf_counter()
            try:
                response = await usual(request)
            except EpsilometerError as error:
                message = request.app.state.desk.in_words(str(error))
                response = JSONResponse({"error": message}, HTTPStatus.UNPROCESSABLE_ENTITY)
            except HTTPException as refusal:
                response = JSONResponse({"error": refusal.detail}, refusal.status_code)
            response.headers["Server-Timing"] = f"view;dur={1e3 * (time.perf_counter() - start):.1f}"
            return response

        return timed
