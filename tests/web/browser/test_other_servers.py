"""Other servers on this computer, which the same browser visits, get nothing of the page."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from epsilometer.web.settings import HOST


class Curious(BaseHTTPRequestHandler):
    """Writes down the cookies it is sent, and sets one of the name that it would like to have."""

    def do_GET(self) -> None:
        self.server.cookies.append(self.headers["Cookie"])
        self.send_response(200)
        self.send_header("Set-Cookie", "epsilometer=chosen; Path=/")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><link rel=icon href=data:,><title>another server</title>")

    def log_message(self, *_arguments) -> None:
        pass


@pytest.fixture
def other():
    """Another server on this computer."""
    with ThreadingHTTPServer((HOST, 0), Curious) as server:
        server.cookies = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_another_server_is_not_sent_the_cookie_and_cannot_take_its_place(visiting, other):
    with visiting() as visit:
        for path in ("/", "/tables/x", "/static/page.css"):
            visit.page.goto(f"http://{HOST}:{other.server_port}{path}")
            assert visit.page.title() == "another server"
        assert other.cookies == [None, "epsilometer=chosen", "epsilometer=chosen"]
        page = visit.open("/")
        assert page.title().startswith("Choose a table")
        (ours,) = (each for each in page.context.cookies() if each["value"] != "chosen")
        assert (ours["path"], ours["httpOnly"], ours["sameSite"]) == (
            f"/{visit.root.rpartition('/')[2]}/",
            True,
            "Strict",
        )
        assert page.evaluate("document.cookie") == "epsilometer=chosen"


def test_an_address_that_was_used_says_what_to_do(visiting, capsys):
    with visiting() as visit:
        page = visit.enter()
        assert "Open the new address that stands in the terminal" in page.inner_text("body")
        assert page.url == visit.door
        assert "Warning: the address of the page was opened a second time" in capsys.readouterr().out
