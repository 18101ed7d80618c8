"""How fast the page follows the slider: Adult, and ten million rows in a Parquet file.

A real server in a thread and a real browser. The slider is moved by the keyboard; each move is timed twice: what the
server needs, from the header Server-Timing, and from the key to the redrawn chart, from the marks that the page sets.
Needs chromium, and ../shared/data/adult.csv for Adult. Run: python benchmarks/page.py [rows]
"""

import shutil
import statistics
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import duckdb
import uvicorn
from playwright.sync_api import expect, sync_playwright

from epsilometer.tables.bins import as_bins
from epsilometer.web.app import create_app
from epsilometer.web.desk import Roles
from epsilometer.web.settings import HOST, Settings

ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv"
ADULT_ROLES = Roles(
    quasi_identifiers=("age", "sex", "race"),
    sensitive=("occupation",),
    bins={"age": as_bins("age", 5)},
    missing=("?",),
)
MADE_ROLES = Roles(quasi_identifiers=("age", "sex", "region"), sensitive=("reason",), bins={"age": as_bins("age", 5)})
MOVES = 30
NOISES = ("laplace", "geometric", "gaussian", "discrete-gaussian")


def made(folder, n_rows):
    path = folder / "made.parquet"
    duckdb.sql(f"""
        COPY (
            SELECT (hash(i) % 90)::INT AS age, (hash(i, 1) % 2)::INT AS sex, (hash(i, 2) % 50)::INT AS region,
                   'r' || ((hash(i, 3) % 12) * (hash(i) % 3 + 1) % 15) AS reason
            FROM range({n_rows}) AS t(i)
        ) TO '{path}' (FORMAT parquet)
    """)
    return path


@contextmanager
def serving(folder, source):
    """Run a server in a thread, and give its application and its settings."""
    config = uvicorn.Config(lambda: None, host=HOST, port=0, log_level="error")
    listening = config.bind_socket()
    private = Path(tempfile.mkdtemp(dir=folder))
    settings = Settings(port=listening.getsockname()[1], folder=private, ledger=private / "ledger.db", source=source)
    app = create_app(settings)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield app, settings
    server.should_exit = True
    thread.join()


def opened(app, roles):
    desk = app.state.desk
    start = time.perf_counter()
    table = desk.open(desk.offers()[0])
    looked = time.perf_counter()
    table.choose(roles)
    counted = time.perf_counter()
    freq = table.counted().tables[0]
    print(
        f"  {freq.n_records:,} rows, {freq.n_cells:,} cells, {freq.n_values} values: "
        f"suggested roles in {looked - start:.2f} s, counted in {counted - looked:.2f} s"
    )
    return table


def moved(page, address, noise):
    """Move the slider and return the milliseconds of the server and those until the chart was redrawn."""
    server, redraw = [], []
    page.goto(f"{address}?mechanism={noise}&epsilon=0.1")
    expect(page.locator("#chart")).to_have_attribute("data-drawn", "yes")
    expect(page.locator("[data-text=loss]").first).to_contain_text("%", timeout=300_000)
    page.focus("#slider")
    for _ in range(MOVES):
        page.evaluate("performance.clearMeasures('redraw')")
        with page.expect_response("**/counts/view?*") as answer:
            page.keyboard.press("ArrowRight")
        server.append(float(answer.value.headers["server-timing"].partition("dur=")[2]))
        while not (measured := page.evaluate("performance.getEntriesByName('redraw').map((one) => one.duration)")):
            pass
        redraw += measured
    return server, redraw


def report(name, numbers):
    return f"{name} {statistics.median(numbers):5.1f} ms (slowest {max(numbers):5.1f})"


def measure(browser, folder, title, source, roles):
    print(title)
    with serving(folder, source) as (app, settings):
        table = opened(app, roles)
        page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
        page.goto(app.state.door.address())
        address = f"http://{HOST}:{settings.port}{settings.prefix}/tables/{table.id}/counts"
        for noise in NOISES:
            server, redraw = moved(page, address, noise)
            print(f"  {noise:<18} {report('server', server)}   {report('key to chart', redraw)}")
        for noise in ("laplace", "discrete-gaussian"):
            first, losses = (
                page.request.get(f"{address}/{part}?mechanism={noise}&threshold=7", timeout=300_000).headers[
                    "server-timing"
                ]
                for part in ("view", "losses")
            )
            print(f"  {noise:<18} a new threshold {first[9:]} ms, its losses {losses[9:]} ms")
        page.context.close()


def main(n_rows=10_000_000):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        if ADULT.exists():
            measure(browser, folder, "Adult", ADULT, ADULT_ROLES)
        measure(browser, folder, f"{n_rows:,} rows in Parquet", made(Path(folder), n_rows), MADE_ROLES)
        browser.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
