"""Who may talk to the server: pages that it served itself, in the browser of the person who started it.

The port is open to every program on this computer, and browsers let any web page send requests to it. So a request
must name this server (else a foreign name could be made to lead here), be for a path and know a word that are new at
every start, and, if it changes anything, come from a page of this server and carry what only such a page knows.
"""

from __future__ import annotations

import hmac
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from epsilometer.web.settings import HOST
from epsilometer.web.uploads import too_large

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from epsilometer.web.door import Door
    from epsilometer.web.settings import Settings

COOKIE: Final = "epsilometer"
SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
FORM_LIMIT: Final = 2**20  # bytes of a request that uploads nothing
UPLOAD_PATH: Final = "/uploads"
AROUND_A_FILE: Final = 2**16  # bytes of a form besides the file in it
FIRST_PART: Final = 2**12  # bytes among which an upload must show that it comes from our form
CSRF_FIELD: Final = "csrf"
CSRF_HEADER: Final = "x-csrf-token"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # With no-referrer, browsers send "Origin: null" with our own forms, and there would be nothing to check.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
STRANGER: Final = (
    "This page belongs to whoever started it.\n\n"
    "Open the address that `epsilometer serve` printed when it started: it ends in a word that lets you in.\n"
    "If you have used it, open it again: a new address then stands in the terminal where it runs.\n"
)
FOREIGN: Final = (
    "This request did not come from a page of this server, so nothing was done.\n\n"
    "Go back, load the page again, and repeat what you did.\n"
)


class Guard:
    """Stands before the application, and lets through what may pass."""

    def __init__(self, app: ASGIApp, settings: Settings, door: Door) -> None:
        self._app, self._settings, self._door = app, settings, door
        self._host = f"{HOST}:{settings.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, with_headers(send))
        else:  # there are no web sockets here
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, prefix = Headers(scope=scope), self._settings.prefix
        try:
            if headers.getlist("host") != [self._host]:
                raise nothing_here()
            if not scope["path"].startswith(f"{prefix}/"):
                await self._let_in(scope, headers)(scope, receive, send)
                return
            body = Limited(receive, limit_for(scope["path"].removeprefix(prefix), self._settings))
            self._check_sender(headers)
            if scope["method"] not in SAFE_METHODS:
                await self._check_change(headers, receive, body)
        except HTTPException as refusal:
            await PlainTextResponse(refusal.detail, refusal.status_code)(scope, receive, send)
            return
        await self._app({**scope, "root_path": prefix}, body, send)

    def _let_in(self, scope: Scope, headers: Headers) -> Response:
        """Give the cookie to whoever brings a ticket, and lead to the page; outside it there is nothing else."""
        if scope["method"] != "GET" or scope["path"] != "/" or not self._origin_is_ours(headers):
            raise nothing_here()
        self._door.take(ticket_in(scope))
        first = f"{self._settings.prefix}/"
        response = RedirectResponse(first, HTTPStatus.SEE_OTHER)
        response.set_cookie(COOKIE, self._settings.cookie, httponly=True, samesite="strict", path=first)
        return response

    def _check_sender(self, headers: Headers) -> None:
        if not has_cookie(headers, self._settings.cookie):
            raise HTTPException(HTTPStatus.FORBIDDEN, STRANGER)
        if not self._origin_is_ours(headers):
            raise HTTPException(HTTPStatus.FORBIDDEN, FOREIGN)

    def _origin_is_ours(self, headers: Headers) -> bool:
        """Whether no other page sent the request, as far as the browser says; it says nothing if somebody typed it."""
        return headers.getlist("origin") in ([], [f"http://{self._host}"])

    async def _check_change(self, headers: Headers, receive: Receive, body: Limited) -> None:
        """Check that a request which may change something comes from a page of ours, and is not too long."""
        if "origin" not in headers or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise HTTPException(HTTPStatus.FORBIDDEN, FOREIGN)
        if declared_length(headers) > body.limit:
            while (await receive()).get("more_body", False):
                pass  # a browser reads the answer only when it has sent everything
            raise too_large(body.limit)
        if not same(await sent_csrf(headers, body), self._settings.csrf):
            raise HTTPException(HTTPStatus.FORBIDDEN, FOREIGN)


class Limited:
    """What a client sends, up to a limit; its beginning can be looked at before it is read."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self.limit, self._seen = receive, limit, 0
        self._ahead: list[Message] = []

    async def __call__(self) -> Message:
        return self._ahead.pop(0) if self._ahead else await self._next()

    async def beginning(self, most: int) -> bytes:
        """Return what the client sends first, all of it or at least so many bytes; it is still there to be read."""
        body, more = b"", True
        while more and len(body) < most:
            self._ahead.append(await self._next())
            body += self._ahead[-1].get("body", b"")
            more = self._ahead[-1].get("more_body", False)
        return body

    async def _next(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self.limit:
            raise too_large(self.limit)
        return message


def with_headers(send: Send) -> Send:
    """Return a sender that adds the rules which browsers are to keep."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")  # but for scripts of ours, which say so themselves
        await send(message)

    return guarded


def nothing_here() -> HTTPException:
    """Return the answer that tells a stranger nothing, not even that there is a page."""
    return HTTPException(HTTPStatus.NOT_FOUND, "")


def ticket_in(scope: Scope) -> str:
    """Return the word that an address carries."""
    return parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [""])[0]


def same(given: str, secret: str) -> bool:
    """Whether a word is the secret one, in a time that does not tell how much of it is right."""
    return hmac.compare_digest(given.encode(), secret.encode())


def has_cookie(headers: Headers, word: str) -> bool:
    """Whether the cookie is among those of the request; other servers may have set some of the same name."""
    return any(same(each.strip(), f"{COOKIE}={word}") for each in headers.get("cookie", "").split(";"))


def declared_length(headers: Headers) -> int:
    """Return how long the client says its request is; what it says is checked again as it arrives."""
    given = headers.get("content-length", "0")
    return int(given) if re.fullmatch(r"[0-9]{1,18}", given) else 0


def limit_for(path: str, settings: Settings) -> int:
    """Return the most bytes that a request may have."""
    return settings.max_upload + AROUND_A_FILE if path == UPLOAD_PATH else FORM_LIMIT


async def sent_csrf(headers: Headers, body: Limited) -> str:
    """Return the word by which a form shows where it comes from.

    It is in a header, or is a field of the form: anywhere in a plain one, first in one with a file, of which only the
    beginning is looked at.
    """
    if CSRF_HEADER in headers:
        return headers[CSRF_HEADER]
    if headers.get("content-type", "").startswith("multipart/form-data"):
        return first_field(await body.beginning(FIRST_PART))
    return parse_qs((await body.beginning(body.limit)).decode("utf-8", "replace")).get(CSRF_FIELD, [""])[0]


def first_field(body: bytes) -> str:
    r"""Return the first field of a form with a file, if it is the one that every form of ours begins with.

    >>> first_field(b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nword\r\n--x')
    'word'
    """
    found = re.match(rb'--[^\r\n]+\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n([\w-]*)\r\n--', body)
    return found[1].decode() if found else ""
