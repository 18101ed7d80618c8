"""The server as it is started: who can reach it, what it says, and what is left when it ends."""

import http.client
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest
import typer
from typer.testing import CliRunner

from epsilometer.cli.serve import serve
from epsilometer.errors import BadOutput, BadQuestion, MissingExtra, UnreadableFile
from epsilometer.web import serving as serving_module

STARTER = "import typer; from epsilometer.cli.serve import serve; typer.run(serve)"
CSV = "age,sex,job\n30,f,nurse\n41,m,baker\n"


class Running:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )
        self.said = self.process.stdout.readline()
        self.port, self.ticket = re.search(r"http://127\.0\.0\.1:(\d+)/\?ticket=(\S+)", self.said).groups()
        self.root, self.cookie = self.enter()

    def enter(self) -> tuple[str, str]:
        """Go in by the door, and return the path of the page and the cookie."""
        with self.asked("GET", f"/?ticket={self.ticket}") as answer:
            assert answer.status == 303
            return answer.headers["Location"].removesuffix("/"), answer.headers["Set-Cookie"].partition(";")[0]

    @contextmanager
    def asked(self, method: str, address: str, body=None, **headers: str):
        chunked = body is not None and not isinstance(body, bytes)
        with closing(http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=30)) as connection:
            connection.request(method, address, body, headers, encode_chunked=chunked)
            with connection.getresponse() as answer:
                yield answer

    def ask(self, method: str, path: str, body=None, **headers: str):
        known = {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{self.port}"}
        with self.asked(method, f"{self.root}{path}", body, **{**known, **headers}) as answer:
            return answer.status, answer.read().decode()

    def csrf(self) -> str:
        return re.search(r'name="csrf" value="([^"]+)"', self.ask("GET", "/")[1])[1]

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)


@contextmanager
def started(folder: Path, *arguments: str):
    running = Running(folder, *arguments)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
        running.process.communicate()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server that was given a folder, and takes files of a mebibyte."""
    folder = tmp_path_factory.mktemp("serving")
    (folder / "given").mkdir()
    (folder / "given" / "people.csv").write_text(CSV)
    with started(folder, "given", "--max-upload", "1") as made:
        yield made


def kept(running):
    """What lies in the folder of the server."""
    (folder,) = running.temporary.glob("epsilometer-page-*")
    return sorted(path.name for path in folder.iterdir())


def form(csrf: str, name: str, content: bytes) -> tuple[dict[str, str], bytes]:
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{csrf}\r\n'.encode(),
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode(),
        content,
        b"\r\n--x--\r\n",
    ]
    return {"Content-Type": "multipart/form-data; boundary=x"}, b"".join(parts)


def test_it_listens_on_this_computer_only(running):
    process = psutil.Process(running.process.pid)
    listening = [each.laddr for each in process.net_connections() if each.status == psutil.CONN_LISTEN]
    assert [(each.ip, each.port) for each in listening] == [("127.0.0.1", int(running.port))]


def test_nothing_lets_it_listen_elsewhere():
    shown = CliRunner().invoke(_program(), ["--help"]).output
    assert "--host" not in shown
    assert "--bind" not in shown
    assert "--port" in shown


def test_it_answers_to_whoever_came_in_by_the_address_that_it_said(running):
    assert running.ask("GET", "/")[0] == 200
    assert running.ask("GET", "/", Cookie="")[0] == 403
    assert running.ask("GET", "/", Host="evil.example") == (404, "")


def test_outside_the_path_of_this_start_it_says_nothing_and_reads_nothing(running):
    for path in ("/", "/uploads", "/static/page.css"):
        with running.asked("GET", path, Cookie=running.cookie) as answer:
            assert (answer.status, answer.read()) == (404, b"")
    with socket.create_connection(("127.0.0.1", int(running.port)), timeout=30) as connection:
        head = f"Host: 127.0.0.1:{running.port}\r\nCookie: {running.cookie}\r\nContent-Length: 1000\r\n"
        connection.sendall(f"POST /uploads HTTP/1.1\r\n{head}\r\n".encode())  # and nothing of what it announces
        assert connection.recv(2**10).startswith(b"HTTP/1.1 404 ")
    assert kept(running) == []


def test_an_address_that_is_opened_again_is_refused_and_a_new_one_printed(tmp_path):
    with started(tmp_path) as running:
        with running.asked("GET", f"/?ticket={running.ticket}") as answer:
            assert answer.status == 403
            assert "stands in the terminal" in answer.read().decode()
        running.end(signal.SIGINT)
        said = running.process.communicate()[0]
        assert "Warning: the address of the page was opened a second time" in said
        (again,) = re.findall(r"/\?ticket=(\S+)", said)
        assert again != running.ticket


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_without_a_word_and_what_was_sent_is_gone(tmp_path, how):
    with started(tmp_path) as running:
        headers, body = form(running.csrf(), "people.csv", CSV.encode())
        assert running.ask("POST", "/uploads", body, **headers)[0] == 303
        (folder,) = running.temporary.glob("epsilometer-page-*")
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(kept(running)) == 1
        assert running.end(how) == 0
        assert not list(running.temporary.glob("epsilometer-page-*"))
        said, complaints = running.process.communicate()
        assert running.ticket not in said  # it was said once, in the line before
        assert complaints == ""


def test_a_file_of_unknown_length_is_not_kept_beyond_the_limit(running):
    headers, body = form(running.csrf(), "people.csv", b"x" * 3 * 2**20)
    chunks = (body[start : start + 2**16] for start in range(0, len(body), 2**16))
    try:
        status = running.ask("POST", "/uploads", chunks, **headers, **{"Transfer-Encoding": "chunked"})[0]
    except (BrokenPipeError, ConnectionResetError):  # it need not listen to the end
        status = 413
    assert status == 413
    assert kept(running) == []


def test_a_file_that_says_it_is_too_large_is_answered_when_it_is_sent(running):
    headers, body = form(running.csrf(), "people.csv", b"x" * 3 * 2**20)
    status, said = running.ask("POST", "/uploads", body, **headers)
    assert status == 413
    assert "1 MiB" in said
    assert kept(running) == []


def test_a_client_that_sends_less_than_it_says_leaves_nothing(running):
    headers, body = form(running.csrf(), "people.csv", CSV.encode())
    lines = {
        "Host": f"127.0.0.1:{running.port}",
        "Origin": f"http://127.0.0.1:{running.port}",
        "Cookie": running.cookie,
        "Content-Length": str(len(body) + 1_000),
        **headers,
    }
    with socket.create_connection(("127.0.0.1", int(running.port))) as connection:
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        connection.sendall(f"POST {running.root}/uploads HTTP/1.1\r\n{head}\r\n".encode() + body[:-5])
    assert running.ask("GET", "/")[0] == 200
    assert kept(running) == []


def test_of_a_given_folder_the_tables_are_offered(running):
    assert "<bdi>people.csv</bdi>" in running.ask("GET", "/")[1]


def _program():
    program = typer.Typer(add_completion=False)
    program.command()(serve)
    return program


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["nothing.csv"], UnreadableFile, "There is no file or folder nothing.csv. Check the name."),
        (["notes.txt"], UnreadableFile, "notes.txt is not a kind of table that can be read: it must end in .csv"),
        (["--out", "nowhere"], BadOutput, "Cannot write to nowhere: there is no such folder."),
    ],
)
def test_what_cannot_be_served_is_said_at_once(tmp_path, monkeypatch, arguments, error, message):
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("nothing")
    answer = CliRunner().invoke(_program(), arguments)
    assert isinstance(answer.exception, error)
    assert message in str(answer.exception)


def test_a_port_that_is_taken_is_said_at_once():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = CliRunner().invoke(_program(), ["--no-browser", "--port", str(port)])
    assert isinstance(answer.exception, BadQuestion)
    assert str(answer.exception) == (
        f"Port {port} cannot be used: another program listens there. Choose another, or none for a free one."
    )


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    usual = importlib.util.find_spec
    monkeypatch.setattr("epsilometer.cli.serve.find_spec", lambda name: None if name == "uvicorn" else usual(name))
    answer = CliRunner().invoke(_program(), [])
    assert isinstance(answer.exception, MissingExtra)
    assert (
        str(answer.exception)
        == "The page needs the optional part web: in a copy of the repository, pip install '.[web]'."
    )


def test_the_browser_is_started_with_a_ticket_of_its_own(monkeypatch, tmp_path):
    """Other people on this computer can see how programs are started."""
    opened, seen = threading.Event(), {}
    monkeypatch.setattr(webbrowser, "open", lambda address: (seen.update(address=address), opened.set()))
    monkeypatch.setattr(serving_module, "_run", lambda app, _listening: seen.update(settings=app.state.settings))
    said = []
    serving_module.serve_page(
        source=None, port=0, max_upload=1, ledger=tmp_path / "l", out=None, browser=True, say=said.append
    )
    assert opened.wait(10)
    settings = seen["settings"]
    printed = re.search(r"http://\S+", said[0])[0]
    for address in (printed, seen["address"]):
        assert re.fullmatch(rf"http://127\.0\.0\.1:{settings.port}/\?ticket=[\w-]{{43}}", address)
        assert settings.prefix not in address
    assert printed != seen["address"]
    assert settings.max_upload == 2**20
    assert len(settings.prefix) > 20
