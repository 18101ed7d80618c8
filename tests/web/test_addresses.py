"""Every address on every page is below the path of this start: elsewhere the browser would not send its cookie."""

import io
import re
from html.parser import HTMLParser
from importlib import resources

import pandas as pd
import pytest

from epsilometer.web.desk import EXAMPLE

IN_TEXT = re.compile(r"""["'`(=]/(?:tables|jobs|static|uploads|example)\b""")
FORMS = ("action", "formaction")


class Addresses(HTMLParser):
    """The addresses in a page: all that begin as one, whatever attribute they stand in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms, self.others = set(), set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs) -> None:
        for name, value in attrs:
            if name in FORMS:
                self.forms.add(value)
            elif name in ("href", "src") or (value or "").startswith("/"):
                self.others.add(value)


def walk(browser, answers):
    """Follow every link from these answers, and return the paths that were asked for; check all on the way."""
    walked, waiting = set(), list(answers)
    while waiting:
        answer = waiting.pop()
        assert answer.status_code < 400, answer.url
        for address in below(browser, answer):
            if (path := address.partition("?")[0]) not in walked:
                walked.add(path)
                waiting.append(browser.get(address, follow_redirects=False))
    return walked


def below(browser, answer):
    """Return what an answer leads to, having checked that it is below the path."""
    if "location" in answer.headers:
        found = {answer.headers["location"]}
    elif answer.headers["content-type"].startswith("text/html") and "content-disposition" not in answer.headers:
        page = Addresses(answer.text)
        assert not IN_TEXT.search(answer.text), answer.url
        assert all(address.startswith(f"{browser.root}/") for address in page.forms), (answer.url, page.forms)
        found = {address for address in page.others if not address.startswith(("#", "data:"))}
    else:
        found = set()
    assert all(address.startswith(f"{browser.root}/") for address in found), (answer.url, found)
    return found


def pages_behind_forms(browser, table):
    """Pages that no link leads to."""
    book = io.BytesIO()
    with pd.ExcelWriter(book) as writer:
        for name in ("first", "second"):
            pd.DataFrame({"a": [1, 2]}).to_excel(writer, sheet_name=name, index=False)
    yield browser.upload("book.xlsx", book.getvalue())
    without_roles = browser.upload("people.csv", b"age,job\n30,nurse\n41,baker\n")
    yield without_roles
    yield browser.get(f"{without_roles.url.path}/counts", follow_redirects=False)
    for path, fields in (("compare", {"kinds": "counts"}), ("report", {})):
        working = browser.submit(f"{table}/{path}", **fields)
        assert "data-state=" in working.text
        yield working
        yield browser.finished(working)
    question = browser.submit(f"{table}/release", kind="sample", size="24", file="drawn.csv")
    yield question
    yield browser.finished(browser.submit(question.url.path, confirmation=EXAMPLE))


def test_every_address_on_every_page_is_below_the_path_and_leads_somewhere(browser):
    table = browser.open_example()
    walked = walk(browser, [browser.get("/"), *pages_behind_forms(browser, table)])
    paths = {re.sub(r"/[\w-]{16}(?=/|$)", "/x", path.removeprefix(browser.root)) for path in walked}
    for page in ("", "/counts", "/counts/view", "/sample/cells", "/compared/x/report.html", "/released/x/download"):
        assert f"/tables/x{page}" in paths
    assert paths >= {"/", "/jobs/x/state", "/static/vega.js", "/static/explore.js"}


@pytest.mark.parametrize("status", [404, 422])
def test_pages_about_errors_stay_below_the_path_too(browser, status):
    answer = browser.get("/nothing") if status == 404 else browser.upload("people.csv", b"")
    assert answer.status_code == status
    assert below(browser, answer)


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_no_file_of_ours_has_an_address_of_its_own(folder):
    for file in (resources.files("epsilometer.web") / folder).iterdir():
        assert not IN_TEXT.search(file.read_text(encoding="utf-8").replace('root ~ "/', "")), file.name
