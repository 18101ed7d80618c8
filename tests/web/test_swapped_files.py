"""A file that is no longer the one that was opened is not read, and the page says so."""

import html
import os
import re

import pytest

from epsilometer.errors import UnreadableFile
from epsilometer.releases.ledger import open_ledger
from epsilometer.web.seen_file import SeenFile

TABLE = "ward,job\n" + "a,nurse\nb,baker\nb,nurse\n" * 20
SECRET = TABLE.replace("a,", "SECRETWARD,")
ROLES = {"role-0": "quasi-identifier", "role-1": "sensitive"}
SAMPLE = {"kind": "sample", "size": "5", "file": "drawn.csv"}
ANOTHER = "people.csv is no longer the file that was opened, but another one or a link to it; it was not read."
CHANGED = "people.csv has changed since it was opened. Open it again to read it as it is now."


def text(answer):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


@pytest.fixture
def given(tmp_path):
    """A file in a folder that the server is given."""
    path = tmp_path / "given" / "people.csv"
    path.parent.mkdir()
    path.write_text(TABLE)
    return path


@pytest.fixture
def browser(serving, given):
    return serving(source=given.parent)


@pytest.fixture
def table(browser):
    offer = re.search(r'name="offer" value="([^"]+)"', browser.get("/").text)[1]
    return browser.submit("/tables", offer=offer).url.path


@pytest.fixture
def swap(given, tmp_path):
    """Put a link to a secret file in place of the file."""

    def swapped():
        (tmp_path / "outside.csv").write_text(SECRET)
        given.unlink()
        given.symlink_to(tmp_path / "outside.csv")

    return swapped


def test_a_link_in_its_place_is_not_counted(browser, table, swap):
    swap()
    answer = browser.submit(table, **ROLES)
    assert answer.status_code == 422
    assert ANOTHER in text(answer)
    assert "If that is meant, open it again." in text(answer)
    assert "SECRETWARD" not in browser.get(f"{table}/cells").text


def test_what_was_counted_before_stays(browser, table, swap):
    browser.submit(table, **ROLES)
    before = browser.get(f"{table}/cells").text
    swap()
    browser.submit(table, **{"role-0": "sensitive", "role-1": "quasi-identifier"})
    assert browser.get(f"{table}/cells").text == before


def test_a_file_that_was_changed_is_not_mixed_with_what_it_was(browser, table, given):
    given.write_text(TABLE + "c,baker\n")
    assert CHANGED in text(browser.submit(table, **ROLES))


def test_a_file_that_is_gone_is_missed(browser, table, given):
    given.unlink()
    answer = browser.submit(table, **ROLES)
    assert answer.status_code == 422
    assert "people.csv cannot be read: no such file or directory. See where it is, and open it again." in text(answer)


def test_no_cost_of_a_release_of_another_file_is_shown(browser, table, swap, settings):
    with open_ledger(settings.ledger) as ledger:
        ledger.set_budget("people", epsilon=1.0, delta=0.0)
    browser.submit(table, **ROLES)
    swap()
    for answer in (browser.get(f"{table}/release"), browser.submit(f"{table}/release", **SAMPLE)):
        assert answer.status_code == 422
        assert ANOTHER in text(answer)


def test_no_budget_is_weighed_against_another_file(browser, table, swap):
    browser.submit(table, **ROLES)
    shown = browser.submit(f"{table}/release", **SAMPLE)
    swap()
    assert ANOTHER in text(browser.submit(f"{shown.url.path}/budget", epsilon="1"))


def test_no_work_is_done_on_another_file(browser, table, swap, settings):
    browser.submit(table, **ROLES)
    shown = browser.submit(f"{table}/release", **SAMPLE)
    swap()
    for started in (
        browser.submit(shown.url.path, confirmation="people"),
        browser.submit(f"{table}/report", form="json"),
        browser.submit(f"{table}/compare", kinds="sample"),
    ):
        assert ANOTHER in text(browser.finished(started))
    assert not settings.ledger.exists()


def test_what_is_swapped_while_it_is_read_is_noticed(given, swap):
    with pytest.raises(UnreadableFile, match="no longer the file that was opened"), SeenFile.at(given).unchanged():
        swap()


def test_the_same_file_by_way_of_a_link_is_the_same_file(given, tmp_path):
    seen = SeenFile.at(given)
    given.rename(tmp_path / "moved.csv")
    given.symlink_to(tmp_path / "moved.csv")
    seen.check()


def test_a_file_of_another_time_has_changed(given):
    seen = SeenFile.at(given)
    os.utime(given, ns=(0, 0))
    with pytest.raises(UnreadableFile, match="has changed since it was opened"):
        seen.check()
