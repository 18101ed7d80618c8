"""Whatever stands in a table, the pages show it as text."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest

NAMES = {
    "markup": "<script>alert(1)</script>",
    "attribute": '" onmouseover="alert(1)',
    "single": "' autofocus onfocus='alert(1)",
    "template": "{{ 7 * 191 }}{% raw %}",
    "formula": "=HYPERLINK(1)",
    "reordering": "safe\u202egnp.exe\u2066",
    "comment": "--><img src=x onerror=alert(1)>",
    "long": "long" * 2_500,
    "quotes": 'it\'s "quoted" & more',
    "spaces": "two\u00a0words",
}


@pytest.fixture(params=NAMES)
def hostile(request):
    return NAMES[request.param]


@pytest.fixture
def table(browser, hostile):
    """A table with a hostile file name, column name and value, and roles for all of it."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow([hostile, "age", f"{hostile} too"])
    rows.writerows([[hostile, 30, hostile], ["b", 41, "other"], ["b", 30, hostile], [hostile, 41, "other"]])
    name = f"{hostile[:200].replace('/', '')}.csv"
    return browser.upload(name, text.getvalue().encode()).url.path


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def check_text(page):
    """No part of the name works as markup or code, none turns the text around, and the long one is cut."""
    found = Tags(page)
    assert not [tag for tag, _ in found.tags if tag in {"img", "style", "iframe", "object", "svg"}]
    assert all("src" in attributes for tag, attributes in found.tags if tag == "script")
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on") or name == "style"]
    assert "autofocus" not in {name for _, attributes in found.tags for name in attributes}
    assert "1337" not in found.text
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
    assert "long" * 600 not in found.text


def test_every_page_shows_it_as_text(browser, table, hostile):
    roles = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "sensitive"}
    wrong = browser.submit(
        table, **roles, **{"bins-1": hostile[:500], "where": hostile[:500], "missing": hostile[:500]}
    )
    assert wrong.status_code == 422
    check_text(wrong.text)
    answer = browser.post(table, data={"csrf": browser.csrf, **roles}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    for page in ("/", table, f"{table}/release", f"{table}/release?kind=local", f"{table}/release?kind=synthetic"):
        shown = browser.get(page)
        assert shown.status_code == 200
        assert "<bdi>" in shown.text
        check_text(shown.text)


def test_errors_show_it_as_text(browser, table, hostile):
    roles = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "sensitive"}
    browser.submit(table, **roles)
    refused = browser.submit(f"{table}/release", kind="counts", epsilon="1", **{"domain-1": hostile[:500]})
    assert refused.status_code == 422
    check_text(refused.text)
    unknown = browser.get(f"{table}/release", params={"kind": hostile[:500]})
    assert unknown.status_code == 422
    check_text(unknown.text)


def test_the_question_before_a_release_shows_it_as_text(browser, table):
    roles = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "sensitive"}
    browser.submit(table, **roles)
    asked = browser.submit(f"{table}/release", kind="counts", epsilon="1", support="thresholded", support_delta="1e-6")
    assert asked.url.path.startswith(f"{table}/release/"), asked.text
    check_text(asked.text)
