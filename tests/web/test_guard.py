"""Nobody but the person who started the server gets anything out of it, or anything done by it."""

import asyncio
import re

import pytest
from fastapi import APIRouter
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from epsilometer.web.app import create_app
from epsilometer.web.guard import POLICY, SAFE_METHODS, first_field
from epsilometer.web.settings import Settings

PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"
COOKIE = f"epsilometer-{PORT}"


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


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"[::1]:{PORT}"])
def test_the_server_answers_to_its_own_names(browser, host):
    assert browser.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1.evil.example:{PORT}",
        f"127.0.0.1:{PORT}@evil.example",
        f"0.0.0.0:{PORT}",
        "",
    ],
)
def test_a_foreign_name_that_leads_here_gets_nothing(browser, settings, host):
    """A web page can make its own name lead to this computer; its cookies and origin would then be right."""
    for path in ("/", f"/?token={settings.token}", "/static/page.css"):
        answer = browser.get(path, headers={"host": host}, follow_redirects=False)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


# The word that lets in


def test_the_word_becomes_a_cookie_and_leaves_the_address(stranger, settings):
    answer = stranger.get(f"/?token={settings.token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Domain" not in cookie
    assert stranger.get("/").status_code == 200


def test_the_word_that_starts_the_browser_is_good_for_one_visit(stranger, settings):
    assert stranger.get(f"/?token={settings.ticket}").status_code == 303
    stranger.cookies.clear()
    assert stranger.get(f"/?token={settings.ticket}").status_code == 403
    assert stranger.get(f"/?token={settings.token}").status_code == 303


def test_without_the_cookie_every_address_says_only_what_to_do(app, stranger):
    for method, path in [*addresses(app, changing=False), *addresses(app, changing=True), ("GET", "/static/page.css")]:
        answer = stranger.request(method, path, headers={"origin": ORIGIN})
        assert answer.status_code == 403, (method, path)
        if method != "HEAD":
            assert "Open the address that `epsilometer serve` printed" in answer.text, (method, path)


@pytest.mark.parametrize("wrong", ["", "x", "ü", "{token}x", "{csrf}"])
def test_a_wrong_word_lets_nobody_in(stranger, settings, wrong):
    word = wrong.format(token=settings.token, csrf=settings.csrf)
    assert stranger.get("/", params={"token": word}).status_code == 403
    assert stranger.get("/", headers={"cookie": f"{COOKIE}={word}".encode()}).status_code == 403


def test_the_word_lets_in_at_the_first_page_only(stranger, settings):
    assert stranger.get(f"/static/page.css?token={settings.token}").status_code == 403


def test_the_cookie_of_another_port_does_not_count(stranger, settings):
    assert stranger.get("/", headers={"cookie": f"epsilometer-{PORT + 1}={settings.token}"}).status_code == 403


def test_words_are_new_at_every_start(tmp_path):
    first, second = (Settings(port=PORT, folder=tmp_path, ledger=tmp_path) for _ in range(2))
    words = {word for each in (first, second) for word in (each.token, each.ticket, each.csrf)}
    assert len(words) == 6
    assert min(map(len, words)) >= 43  # 256 bits
    assert first.token not in repr(first)


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


@pytest.mark.parametrize("word", [None, "", "wrong", "{token}"])
def test_no_route_changes_anything_without_the_word_of_the_forms(app, browser, settings, word):
    fields = {} if word is None else {"csrf": word.format(token=settings.token)}
    for method, path in addresses(app, changing=True):
        for content in ({"data": fields}, {"data": fields, "files": {"file": ("a.csv", b"a\n1\n")}}):
            answer = browser.request(method, path, **content)
            assert answer.status_code == 403, (method, path, content)
        assert browser.request(method, path, headers={"x-csrf-token": fields.get("csrf", "")}).status_code == 403
    assert not list(settings.folder.iterdir())


def test_a_new_route_is_guarded_without_doing_anything_for_it(settings):
    router = APIRouter()
    router.add_api_route("/new", lambda: "done", methods=["POST", "PUT", "PATCH", "DELETE"])
    app = create_app(settings)
    app.include_router(router)
    client = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
    client.get(f"/?token={settings.token}")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.request(method, "/new").status_code == 403
        assert client.request(method, "/new", headers={"x-csrf-token": settings.csrf}).json() == "done"


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
        assert not re.search(r"""(src|href|action)=["'](?!/|#|data:,)""", text), path


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
        "cookie": f"{COOKIE}={settings.token}",
        "x-csrf-token": settings.csrf,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": "10",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/tables",
        "raw_path": b"/tables",
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
