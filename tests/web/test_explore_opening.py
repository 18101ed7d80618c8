"""What can be opened is listed once, and who starts the page with a file sees its columns."""

import re
from dataclasses import replace

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from epsilometer.web.desk import Desk

CSV = b"age,sex,job\n30,f,nurse\n41,m,baker\n30,f,baker\n"


def listed(browser):
    """The names of the tables at hand, and how many are open."""
    page = browser.get("/").text
    return re.findall(r'name="offer" value="[^"]+"><bdi>([^<]*)</bdi>', page), page.count(" rows</li>")


def test_a_file_that_is_sent_twice_is_listed_once(browser, settings):
    first, second = (browser.upload("people.csv", CSV) for _ in range(2))
    assert first.url == second.url
    assert listed(browser) == (["people.csv"], 1)
    assert len(list(settings.folder.glob("*.csv"))) == 1


def test_another_content_or_another_name_is_another_table(browser):
    browser.upload("people.csv", CSV)
    browser.upload("people.csv", CSV + b"50,m,baker\n")
    browser.upload("others.csv", CSV)
    assert listed(browser) == (["people.csv", "people.csv", "others.csv"], 3)


@pytest.mark.parametrize(
    ("name", "content"), [("empty.csv", b""), ("no-rows.csv", b"a,b\n"), ("no.parquet", b"nothing of the kind")]
)
def test_what_cannot_be_read_is_not_kept(browser, settings, name, content):
    answer = browser.upload(name, content)
    assert answer.status_code == 422
    assert name in answer.text
    assert listed(browser) == ([], 0)
    assert not list(settings.folder.iterdir())


def test_a_given_file_is_shown_at_once_and_the_first_page_stays_in_reach(serving, tmp_path):
    (tmp_path / "people.csv").write_bytes(CSV)
    browser = serving(source=tmp_path / "people.csv")  # it has been let in, and led on
    assert listed(browser) == (["people.csv"], 1)


def test_the_first_look_leads_to_the_columns_of_the_given_file(stranger, app, settings, tmp_path):
    (tmp_path / "people.csv").write_bytes(CSV)
    app.state.desk = Desk(replace(settings, source=tmp_path / "people.csv"))
    stranger.enter()
    answer = stranger.get("/")
    assert answer.status_code == 303
    assert "people.csv</bdi> has 3 rows and 3 columns" in stranger.get(answer.headers["location"]).text
    assert stranger.get("/").status_code == 200


def test_a_given_file_that_cannot_be_read_does_not_bar_the_first_page(serving, tmp_path):
    (tmp_path / "people.csv").write_bytes(b"")
    browser = serving(source=tmp_path / "people.csv")
    assert browser.get("/").status_code == 200
    assert listed(browser) == (["people.csv"], 0)
