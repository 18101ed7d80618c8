"""A server in memory, and a browser that it has let in."""

import time
from dataclasses import replace

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from starlette.testclient import TestClient

from epsilometer.web.app import create_app
from epsilometer.web.settings import Settings

PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"
EXAMPLE_ROLES = {
    "role-0": "quasi-identifier",
    "bins-0": "20",
    "role-1": "quasi-identifier",
    "role-4": "sensitive",
}


class Client(TestClient):
    """A client of the page: addresses begin below the path of this start, unless they have it already."""

    def __init__(self, app, **options) -> None:
        super().__init__(app, base_url=ORIGIN, raise_server_exceptions=False, **options)
        self.root = app.state.settings.prefix

    def request(self, method: str, url: str, **options):
        inside = url.startswith(self.root) or "ticket=" in url
        return super().request(method, url if inside else f"{self.root}{url}", **options)

    def enter(self):
        """Go in by the door."""
        return self.get(self.app.state.door.address())


class Browser(Client):
    """A browser on the page: it sends the origin with everything, and the word of the forms with what changes."""

    def __init__(self, app) -> None:
        super().__init__(app, headers={"origin": ORIGIN})
        self.csrf = app.state.settings.csrf
        self.enter()

    def submit(self, path: str, **fields: str):
        """Send a form."""
        return self.post(path, data={"csrf": self.csrf, **fields})

    def upload(self, name: str, content: bytes):
        """Send a file as the first page does."""
        return self.post("/uploads", data={"csrf": self.csrf}, files={"file": (name, content)})

    def open_example(self) -> str:
        """Open the built-in example with some roles, and return its address."""
        table = self.submit("/example").url.path
        answer = self.post(table, data={"csrf": self.csrf, **EXAMPLE_ROLES}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        return table

    def finished(self, answer):
        """Wait for the work that an answer leads to, and return the page that shows its result."""
        job, end = answer.url.path, time.monotonic() + 120
        assert job.startswith(f"{self.root}/jobs/"), answer.text
        while self.get(f"{job}/state").json()["state"] == "running":
            assert time.monotonic() < end
            time.sleep(0.05)
        return self.get(job)


@pytest.fixture
def settings(tmp_path):
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    return Settings(port=PORT, folder=folder, ledger=tmp_path / "ledger.sqlite", max_upload=2**20)


@pytest.fixture
def app(settings):
    made = create_app(settings)
    yield made
    made.state.jobs.close()


@pytest.fixture
def stranger(app):
    """A client that knows nothing but the port."""
    return Client(app, follow_redirects=False)


@pytest.fixture
def browser(app):
    """A browser that was let in."""
    return Browser(app)


@pytest.fixture(scope="module")
def browser_for_all(tmp_path_factory):
    """A browser that all tests of a file share: for many questions that leave nothing behind."""
    folder = tmp_path_factory.mktemp("private")
    app = create_app(Settings(port=PORT, folder=folder, ledger=folder / "ledger.sqlite", max_upload=2**20))
    yield Browser(app)
    app.state.jobs.close()


@pytest.fixture
def serving(settings):
    """Start a server with other settings, and return a browser that was let in."""
    apps = []

    def started(**changes):
        apps.append(create_app(replace(settings, **changes)))
        return Browser(apps[-1])

    yield started
    for app in apps:
        app.state.jobs.close()
