"""A server in memory, and a browser that it has let in."""

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


class Browser(TestClient):
    """A browser on the page: it sends the origin with everything, and the word of the forms with what changes."""

    def __init__(self, app, csrf: str) -> None:
        super().__init__(app, base_url=ORIGIN, headers={"origin": ORIGIN}, raise_server_exceptions=False)
        self.csrf = csrf

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
    return TestClient(app, base_url=ORIGIN, follow_redirects=False, raise_server_exceptions=False)


@pytest.fixture
def browser(app):
    """A browser that was let in."""
    return _let_in(app)


@pytest.fixture
def serving(settings):
    """Start a server with other settings, and return a browser that was let in."""
    apps = []

    def started(**changes):
        apps.append(create_app(replace(settings, **changes)))
        return _let_in(apps[-1])

    yield started
    for app in apps:
        app.state.jobs.close()


def _let_in(app) -> Browser:
    made = Browser(app, app.state.settings.csrf)
    made.get(f"/?token={app.state.settings.token}")
    return made
