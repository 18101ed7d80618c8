"""Nobody but the person who started the server gets anything out of it, or anything done by it."""

import asyncio
import re

import pytest
from fastapi import APIRouter
from starlette.websockets import WebSocketDisconnect

from epsilometer.web.guard import COOKIE, POLICY, SAFE_METHODS, first_field
from epsilometer.web.settings import Settings

PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"


def all_routes(router):
    """Every route, also those of the routers that the application includes."""
    for route in router.routes:
        included = getattr(route, "original_router", None)
        yield from [route] if included is None else all_routes(included)


def addresses(app, *, changing: bool):
    """An address for every route and method, with made-up ids."""
    for route in all_routes(app):
        for method in getattr(route, "methods", None) or {"GET"}:
            if (method not in SAFE_METHODS) == changing:
                yield method, re.sub(r"\{\w+(:path)?\}", "x", route.path)


# Host


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        f"localhost:{PORT}",
        f"[::1]:{PORT}",
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1.evil.example:{PORT}",
        f"127.0.0.1:{PORT}@evil.example",
        f"0.0.0.0:{PORT}",
        "",
    ],
)
def test_any_other_name_that_leads_here_gets_nothing(app, browser, host):
    """A web page can make its own name lead to this computer; its cookies and origin would then be right."""
    ticket = app.state.door.address()
    for path in ("/", ticket, "/static/page.css"):
        answer = browser.get(path, headers={"host": host}, follow_redirects=False)
        assert (answer.status_code, answer.text) == (404, "")
        assert "set-cookie" not in answer.headers
    assert browser.get(ticket).status_code == 200  # it was not used up


def test_two_names_are_none(browser):
    hosts = [("host", f"127.0.0.1:{PORT}"), ("host", "evil.example")]
    assert browser.get("/", headers=hosts).status_code == 404


# The path that is new at every start


def test_outside_the_path_there_is_nothing_whoever_asks_and_no_body_is_read(app, settings):
    """Other servers and pages must not even learn that this one is here."""
    addresses_outside = [
        "/",
        "/?ticket=",
        "/?ticket=guessed",
        f"/?ticket={settings.cookie}",
        "/tables",
        "/uploads",
        "/static/page.css",
        settings.prefix,
        f"{settings.prefix}x/",
        f"/x{settings.prefix}/",
    ]
    for address in addresses_outside:
        for method in ("GET", "HEAD", "POST", "OPTIONS"):
            sent = asked(app, settings, method, address)
            assert sent[0]["status"] == 404, (method, address)
            assert b"".join(message.get("body", b"") for message in sent) == b""
            assert "set-cookie" not in dict(sent[0]["headers"])


def asked(app, settings, method, address):
    """What the server answers to somebody who knows every word, if nothing of what is sent can be read."""
    path, _, query = address.partition("?")
    headers = {"host": f"127.0.0.1:{PORT}", "origin": ORIGIN, "cookie": f"{COOKIE}={settings.cookie}"}
    headers |= {"x-csrf-token": settings.csrf, "content-length": "10"}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": ("127.0.0.1", PORT),
    }
    sent = []

    async def receive():
        raise AssertionError("nobody reads what a stranger sends")

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent


# The word that lets in


def test_the_ticket_becomes_a_cookie_and_leaves_the_address(stranger, settings):
    answer = stranger.enter()
    assert (answer.status_code, answer.headers["location"]) == (303, f"{settings.prefix}/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}={settings.cookie};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Domain" not in cookie
    assert stranger.get("/").status_code == 200


def test_the_cookie_does_not_go_to_other_servers_on_this_computer(stranger, settings):
    """Browsers send cookies to all ports of a host: a path that nobody else knows keeps it from other servers."""
    cookie = stranger.enter().headers["set-cookie"]
    path = re.search(r"Path=([^;]+)", cookie)[1]
    assert path == f"{settings.prefix}/"
    assert len(settings.prefix) > 20
    assert settings.cookie not in path


def test_the_address_of_the_start_tells_neither_the_path_nor_the_cookie(app, settings):
    """How programs are started can be seen by everybody on this computer."""
    address = app.state.door.address()
    for word in (settings.prefix, settings.cookie, settings.csrf):
        assert word not in address


def test_without_the_cookie_every_address_says_only_what_to_do(app, stranger):
    for method, path in [*addresses(app, changing=False), *addresses(app, changing=True), ("GET", "/static/page.css")]:
        answer = stranger.request(method, path, headers={"origin": ORIGIN})
        assert answer.status_code == 403, (method, path)
        if method != "HEAD":
            assert "Open the address that `epsilometer serve` printed" in answer.text, (method, path)


@pytest.mark.parametrize("wrong", ["", "x", "ü", "{cookie}x", "{csrf}", "x; other={cookie}"])
def test_a_wrong_cookie_lets_nobody_in(stranger, settings, wrong):
    word = wrong.format(cookie=settings.cookie, csrf=settings.csrf)
    assert stranger.get("/", headers={"cookie": f"{COOKIE}={word}".encode()}).status_code == 403


@pytest.mark.parametrize("cookies", ["{0}=x; {1}", "{1}; {0}=x", "a=b;{1};c"])
def test_cookies_of_other_servers_do_not_shut_the_owner_out(stranger, settings, cookies):
    """Any server on this computer can set a cookie of the same name for all of them."""
    cookie = cookies.format(COOKIE, f"{COOKIE}={settings.cookie}")
    assert stranger.get("/", headers={"cookie": cookie}).status_code == 200


def test_words_are_new_at_every_start(tmp_path):
    first, second = (Settings(port=PORT, folder=tmp_path, ledger=tmp_path) for _ in range(2))
    words = {word for each in (first, second) for word in (each.prefix, each.cookie, each.csrf)}
    assert len(words) == 6
    assert min(len(each.cookie) for each in (first, second)) >= 43  # 256 bits
    assert min(map(len, words)) >= 23  # 128 bits
    assert not any(word in repr(first) for word in words)


# Where a request comes from


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", f"http://localhost:{PORT}", f"{ORIGIN}/"])
def test_what_another_page_asks_for_is_not_answered(app, browser, stranger, origin):
    assert browser.get("/", headers={"origin": origin}).status_code == 403
    ticket = app.state.door.address()
    assert stranger.get(ticket, headers={"origin": origin}).status_code == 404
    assert stranger.get(ticket).status_code == 303  # it was not used up


def test_two_origins_are_none_of_ours(browser):
    assert browser.get("/", headers=[("origin", ORIGIN), ("origin", "http://evil.example")]).status_code == 403


# Requests that change something


def test_there_are_routes_that_change_something(app):
    assert ("POST", "/uploads") in set(addresses(app, changing=True))
    assert ("POST", "/tables/x/release/x") in set(addresses(app, changing=True))


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
        {"origin": ORIGIN, "sec-fetch-site": "none"},
        {"origin": ""},
    ],
)
def test_no_route_changes_anything_for_another_page(app, browser, headers):
    for method, path in addresses(app, changing=True):
        answer = browser.request(method, path, data={"csrf": browser.csrf}, headers=headers)
        assert answer.status_code == 403, (method, path)
        assert "did not come from a page of this server" in answer.text


def test_a_client_that_does_not_say_where_it_comes_from_is_not_believed(app, browser):
    del browser.headers["origin"]
    for method, path in addresses(app, changing=True):
        assert browser.request(method, path, data={"csrf": browser.csrf}).status_code == 403, (method, path)


@pytest.mark.parametrize("word", [None, "", "wrong", "{cookie}"])
def test_no_route_changes_anything_without_the_word_of_the_forms(app, browser, settings, word):
    fields = {} if word is None else {"csrf": word.format(cookie=settings.cookie)}
    for method, path in addresses(app, changing=True):
        for content in ({"data": fields}, {"data": fields, "files": {"file": ("a.csv", b"a\n1\n")}}):
            answer = browser.request(method, path, **content)
            assert answer.status_code == 403, (method, path, content)
        assert browser.request(method, path, headers={"x-csrf-token": fields.get("csrf", "")}).status_code == 403
    assert not list(settings.folder.iterdir())


def test_a_new_route_is_guarded_without_doing_anything_for_it(app, browser):
    router = APIRouter()
    router.add_api_route("/new", lambda: "done", methods=["POST", "PUT", "PATCH", "DELETE"])
    app.include_router(router)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert browser.request(method, "/new").status_code == 403
        assert browser.request(method, "/new", headers={"x-csrf-token": browser.csrf}).json() == "done"


def test_no_other_page_may_ask_what_is_allowed(browser):
    answer = browser.options("/uploads", headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nword\r\n--x',
        b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nword',
        b'preamble\r\n--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nword\r\n--x',
    ],
)
def test_the_word_of_a_form_with_a_file_must_come_first(body):
    assert first_field(body) == ""


# What browsers are told


def test_every_answer_carries_the_rules_for_browsers(app, browser, stranger):
    table = browser.open_example()
    app.add_api_route("/defect", lambda: 1 / 0)
    for client, path in [
        (browser, "/"),
        (browser, table),
        (browser, "/static/page.css"),
        (browser, "/nothing"),
        (browser, "/defect"),
        (stranger, "/"),
    ]:
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline():
    assert POLICY.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    for rule in ("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "connect-src 'self'"):
        assert rule in POLICY


def test_no_page_has_scripts_or_styles_in_it(browser):
    table = browser.open_example()
    for path in ("/", table, f"{table}/release", "/nothing"):
        text = browser.get(path).text
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:", text), path


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/docs/oauth2-redirect"])
def test_the_server_does_not_describe_itself(browser, path):
    assert browser.get(path).status_code == 404


def test_there_are_no_web_sockets(browser):
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/"):
        pass


# Limits


def test_a_form_has_a_limit(browser):
    answer = browser.submit("/tables", offer="x" * 2**20)
    assert answer.status_code == 413
    assert "epsilometer serve FILE" in answer.text


def test_the_limit_holds_for_a_body_of_unknown_length(browser, settings):
    def chunks():
        yield f"csrf={settings.csrf}&offer=".encode()
        for _ in range(20):
            yield b"x" * 2**16

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert browser.post("/tables", content=chunks(), headers=headers).status_code == 413


def test_a_body_longer_than_it_says_is_cut_off(app, settings):
    """The server counts what arrives, whatever was declared."""
    sent = []
    headers = {
        "host": f"127.0.0.1:{PORT}",
        "origin": ORIGIN,
        "cookie": f"{COOKIE}={settings.cookie}",
        "x-csrf-token": settings.csrf,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": "10",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"{settings.prefix}/tables",
        "raw_path": f"{settings.prefix}/tables".encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": ("127.0.0.1", PORT),
    }

    async def receive():
        return {"type": "http.request", "body": b"x" * 2**16, "more_body": True}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 413
