"""What a person sees when something is wrong: a page, a sentence, and nothing of the program's insides."""

import html
import threading
from types import SimpleNamespace

import pytest
from fastapi import Request
from starlette.exceptions import HTTPException

from epsilometer.errors import BadTable
from epsilometer.web.app import create_app
from epsilometer.web.confirming import MOST_WAITING, Confirmations, Waiting
from epsilometer.web.rendering import short


def test_a_defect_is_a_page_without_a_trace(app, browser, caplog):
    def broken():
        secret = "value 4711"  # noqa: F841  (a trace would show it)
        raise ZeroDivisionError("about 4711")

    app.add_api_route("/broken", broken)
    answer = browser.get("/broken")
    assert answer.status_code == 500
    assert "a defect in epsilometer" in answer.text
    assert "4711" not in answer.text
    assert "Traceback" not in answer.text
    assert "ZeroDivision" not in answer.text


def test_an_error_on_purpose_is_shown_as_text(app, browser):
    def refuses():
        raise BadTable("The table <b>people</b> is empty.")

    app.add_api_route("/refuses", refuses)
    answer = browser.get("/refuses")
    assert answer.status_code == 422
    assert "The table &lt;b&gt;people&lt;/b&gt; is empty." in answer.text
    assert "<h1>That does not work</h1>" in answer.text


def test_an_address_without_a_page_says_so(browser):
    answer = browser.get("/nothing/here")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.text


def test_a_number_that_is_none_is_named(app, browser):
    def wants(number: int):
        return number

    app.add_api_route("/wants", wants)
    answer = browser.get("/wants?number=<i>")
    assert answer.status_code == 422
    assert "number: Input should be a valid integer" in html.unescape(answer.text)
    assert "<i>" not in answer.text


def test_nothing_is_told_to_collectors_of_telemetry(monkeypatch, settings):
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    told = create_app(settings)._telemetry
    assert not [name for name in ("tracing", "metrics", "logs", "operation_spans", "auto_configure") if told[name]]


def test_a_long_name_is_cut_and_a_short_one_is_not():
    assert short("x" * 80) == "x" * 80
    assert short("x" * 81) == "x" * 79 + "…"


def test_only_the_latest_questions_wait_for_an_answer():
    waiting = Confirmations()
    table = SimpleNamespace(id="a")
    shown = Waiting(table_id="a", plan=None, preview=None, asked=None)
    words = [waiting.wait_for(shown) for _ in range(MOST_WAITING + 1)]
    assert waiting.about(table, words[-1]) is shown
    with pytest.raises(HTTPException, match="shown too long ago"):
        waiting.about(table, words[0])


def test_a_release_that_is_confirmed_twice_at_once_is_started_once():
    waiting, started, together = Confirmations(), [], threading.Barrier(8)
    shown = Waiting(table_id="a", plan=None, preview=None, asked=None)

    def start():
        started.append(object())
        return started[-1]

    def confirm():
        together.wait()
        waiting.confirm(shown, start)

    threads = [threading.Thread(target=confirm) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started) == 1


def test_an_open_table_can_be_asked_from_many_threads(app, browser):
    opened = app.state.desk[browser.open_example().rpartition("/")[2]]
    found, together = [], threading.Barrier(8)

    def ask():
        together.wait()
        found.append((opened.counted(), opened.explorer("reason")))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(counts is found[0][0] and explorer is found[0][1] for counts, explorer in found)


def test_pages_know_the_word_of_their_forms(app, browser):
    def shows(request: Request):
        return request.app.state.settings.csrf

    app.add_api_route("/csrf", shows)
    assert f'name="csrf" value="{browser.get("/csrf").json()}"' in browser.get("/").text
