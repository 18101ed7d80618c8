"""The script that draws charts comes from this server, once, and browsers keep it."""

from epsilometer.web.vega_bundle import VERSIONED


def test_the_script_is_sent_once(browser):
    first = browser.get(VERSIONED)
    assert first.headers["content-type"].startswith("text/javascript")
    assert "window.charts" in first.text[:2_000] + first.text[-2_000:]
    assert len(first.content) > 500_000
    assert "immutable" in first.headers["cache-control"]
    again = browser.get(VERSIONED, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_charts_turn_dark_with_the_page(browser):
    style = browser.get("/static/charts.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "prefers-color-scheme: dark" in style.text
