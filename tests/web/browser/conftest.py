"""A real server and a real browser. Whatever a page loads from elsewhere, or complains about, is kept."""

import threading
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
pytest.importorskip("playwright", reason="playwright drives the browser")

import uvicorn

from epsilometer.web.app import create_app
from epsilometer.web.settings import HOST, Settings

ROLES = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "sensitive"}


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server that listens: its application."""
    folder = tmp_path_factory.mktemp("private")
    config = uvicorn.Config(lambda: None, host=HOST, port=0, log_level="error")
    listening = config.bind_socket()
    settings = Settings(port=listening.getsockname()[1], folder=folder, ledger=folder / "ledger.sqlite")
    app = create_app(settings)
    running = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield app
    app.state.jobs.close()
    running.should_exit = True
    thread.join(10)
    listening.close()


class Visit:
    """A browser window on the server, and what went wrong in it."""

    def __init__(self, page, app) -> None:
        settings = app.state.settings
        self.page, self.root = page, f"http://{HOST}:{settings.port}{settings.prefix}"
        self.door = app.state.door.address()
        self.complaints, self.addresses = [], []
        page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.addresses.append(request.url))

    def enter(self):
        return self._goto(self.door)

    def open(self, path):
        return self._goto(f"{self.root}{path}")

    def _goto(self, address):
        self.page.goto(address)
        self.page.wait_for_load_state("networkidle")
        return self.page

    @property
    def elsewhere(self):
        """What was asked of anybody but the pages of this server."""
        ours = (f"{self.root}/", self.door, "data:", "blob:")
        return [url for url in self.addresses if not url.startswith(ours)]


@pytest.fixture
def visiting(chromium, server):
    """Open a window with these settings, let in by a ticket of its own."""

    @contextmanager
    def opened(**options):
        context = chromium.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})
        visit = Visit(context.new_page(), server)
        visit.enter()
        yield visit
        context.close()

    return opened


@pytest.fixture(scope="session")
def csv_file(tmp_path_factory):
    rng = np.random.default_rng(3)
    n = 600
    district = rng.integers(0, 12, n)
    reason = np.where(district % 4 == 0, "fracture", rng.choice(["birth", "fracture", "heart"], n))
    path = tmp_path_factory.mktemp("data") / "stays.csv"
    pd.DataFrame({"district": district.astype(str), "sex": rng.choice(["f", "m"], n), "reason": reason}).to_csv(
        path, index=False
    )
    return path


@pytest.fixture(scope="module")
def table(chromium, server, csv_file):
    """The address of a table that was sent and given roles through the pages."""
    context = chromium.new_context()
    visit = Visit(context.new_page(), server)
    page = visit.enter()
    page.set_input_files("#file", csv_file)
    page.click("text=Open it")
    page.wait_for_selector("[name=role-0]")
    for name, role in ROLES.items():
        page.select_option(f"[name={name}]", role)
    page.click("text=Show what it gives away")
    page.wait_for_url("**/counts")
    address = page.url.removeprefix(visit.root).removesuffix("/counts")
    assert (visit.complaints, visit.elsewhere) == ([], [])
    context.close()
    return address
