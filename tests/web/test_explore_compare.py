"""Kinds of release are compared in the background, and the page shows what the library finds."""

import html
import re
import time

import pytest


@pytest.fixture
def table(browser):
    return browser.open_example()


def test_the_kinds_that_were_chosen_are_compared(browser, table):
    done = browser.finished(browser.submit(f"{table}/compare", kinds="counts", max_loss_percent="50"))
    assert done.url.path.startswith(f"{table}/compared/")
    text = html.unescape(re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", done.text, flags=re.DOTALL))
    assert "counts with geometric noise" in text  # what a release draws
    assert "sample" not in text.partition("<h1>")[2]
    assert done.text.count("<svg") == 2  # for a desk and for a telephone
    assert "recommended" in text
    assert "What to keep in mind" in text
    assert "stand here at the worse end of their interval" in text
    assert ("Stronger:" in text) == ("stronger attacker" in text)
    report = browser.get(f"{done.url.path}/report.html")
    assert report.headers["content-disposition"].endswith('-comparison.html"')
    assert report.text.startswith("<!doctype html>")
    assert browser.get(f"{done.url.path}/report.json").json()
    elsewhere = done.url.path.replace(table, browser.open_example())  # on another table nothing was compared
    for path in (elsewhere, f"{elsewhere}/report.html", f"{elsewhere}/report.json"):
        assert browser.get(path).status_code == 404


def test_nothing_chosen_is_said(browser, table):
    answer = browser.submit(f"{table}/compare", max_loss_percent="5")
    assert answer.status_code == 422
    assert "Choose at least one kind" in answer.text


def test_a_target_that_is_none_is_said(browser, table):
    answer = browser.submit(f"{table}/compare", kinds="counts", max_loss_percent="-5")
    assert answer.status_code == 422
    assert "max_loss_percent must be in [0, 100], got -5.0" in answer.text


def test_what_was_not_compared_is_not_there(browser, table, app):
    opened = app.state.desk[table.rpartition("/")[2]]
    job = app.state.jobs.start("other", time.sleep, title="t", back="/", opened=opened)
    answer = browser.get(f"{table}/compared/{job.id}")
    assert answer.status_code == 404
    assert "has not been made" in answer.text
