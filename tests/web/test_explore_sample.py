"""The page on samples shows what the library computes, at every size."""

import html
import math
import re

import numpy as np
import pytest

import epsilometer as em
from epsilometer.report.odds import said
from epsilometer.vocabulary.wording import percent, percent_at_least


@pytest.fixture
def table(browser):
    return browser.open_example()


@pytest.fixture
def freq(app, table):
    return app.state.desk[table.rpartition("/")[2]].counted().tables[0]


@pytest.fixture
def about(freq):
    return {"population": freq.n_records, "n_values": freq.n_values}


def view(browser, table, **asked):
    answer = browser.get(f"{table}/sample/view", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def points(share):
    return percent(share).replace("%", "percentage points")


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def at_most(answer):
    """The upper end of an answer with an interval, the number of an exact one."""
    return float(np.asarray(answer.interval.high if hasattr(answer, "interval") else answer.value))


@pytest.mark.parametrize("adversary", ["unknown", "in", "out"])
def test_the_numbers_of_the_model_are_those_of_the_library(browser, table, about, adversary):
    for size in (1, 24, 240, 2_000):
        risk = em.sampling_risk(sample=size, adversary=adversary, **about)
        loss = em.sampling_utility_loss(sample=size, **about)
        texts = {
            name: plain(text) for name, text in view(browser, table, size=size, adversary=adversary)["texts"].items()
        }
        assert texts["model_this_sample"] == percent(risk.value)
        assert texts["any_table"] == percent(float(np.asarray(risk.any_table)))
        assert texts["model_no_release"] == percent_at_least(risk.no_release)
        assert texts["model_loss"] == points(loss.value)


def test_the_page_leads_with_what_the_command_line_says_of_the_table(browser, table, freq):
    found = em.sample_of_table(freq, sample=240)
    shown = browser.get(f"{table}/sample/cells", params={"size": 240}).json()
    spoken, texts = said(found), {name: plain(text) for name, text in shown["texts"].items()}
    assert shown["complete"]
    assert [texts[name] for name in ("finding", "baseline", "attacker", "known")] == list(spoken.sentences)
    assert texts["loss"] == points(found.everybody.loss)
    assert texts["no_release"] == percent_at_least(found.everybody.no_release)
    assert tuple(shown["lists"]["caveats"]) == found.caveats
    page = html.unescape(browser.get(f"{table}/sample", params={"size": 240}).text)
    places = [page.index(text) for text in (shown["texts"]["finding"], shown["texts"]["baseline"], "the model expects")]
    assert places == sorted(places)


@pytest.mark.parametrize("size", [1, 240, 2_399])
def test_the_numbers_of_the_table_are_for_whoever_knows_its_shares(browser, table, freq, size):
    everybody = em.sample_of_table(freq, sample=size).everybody
    for adversary, after in (("unknown", everybody.no_release), ("in", everybody.inside), ("out", everybody.outside)):
        texts = view(browser, table, size=size, adversary=adversary)["texts"]
        assert plain(texts["this_sample"]) == percent(after)
        no_more = after <= everybody.no_release + 1e-9
        assert texts["this_meaning"].endswith("No more than without a release, apart from rounding.") == no_more


@pytest.mark.parametrize(
    ("asked", "whom"),
    [
        ({}, "known to be in the sample"),
        ({"adversary": "in"}, "known to be in the sample"),
        ({"adversary": "out"}, "known not to be in the sample"),
        ({"adversary": "unknown"}, "of whom it is not known whether they are in the sample"),
    ],
)
def test_headline_and_number_are_about_the_attacker_who_is_chosen(browser, table, freq, asked, whom):
    everybody = em.sample_of_table(freq, sample=24).everybody
    texts = browser.get(f"{table}/sample/cells", params={"size": 24, **asked}).json()["texts"]
    texts = {name: plain(text) for name, text in texts.items()}
    assert f"Of 1,000 people {whom}, whoever knows the shares of reason" in texts["finding"]
    assert texts["this_meaning"].startswith(f"of the people {whom} are named right")
    assert f"people {whom}" in texts["model"]
    after = {"out": everybody.outside, "unknown": everybody.no_release}.get(asked.get("adversary"), everybody.inside)
    assert f"names the value of about {math.ceil(1000 * after - 1e-9)} right" in texts["finding"]
    assert texts["baseline"].startswith("Without a release")
    assert f" {math.floor(1000 * everybody.no_release)} of 1,000" in texts["baseline"]
    page = browser.get(f"{table}/sample", params={"size": 24, **asked}).text
    assert f'value="{asked.get("adversary", "in")}" checked' in page


def test_nobody_is_outside_of_everybody(browser, table, about):
    asked = {"size": about["population"], "adversary": "out"}
    texts = browser.get(f"{table}/sample/cells", params=asked).json()["texts"]
    assert texts["this_meaning"].startswith("of the people known to be in the sample are")
    assert "known not to be" not in texts["finding"]


def test_what_cells_give_away_comes_by_a_request_of_its_own(browser, table):
    before = view(browser, table, size=77)
    assert not before["complete"]
    assert before["texts"]["finding"] == "working it out …"
    after = browser.get(f"{table}/sample/cells", params={"size": 77}).json()
    assert view(browser, table, size=77) == after
    page = browser.get(f"{table}/sample", params={"size": 78, "complete": "yes"}).text
    assert "working it out" not in page


def test_the_lines_are_on_the_safe_side_of_the_library(browser, table, about):
    rows = view(browser, table)["chart"]["rows"]
    for row in rows["risk"][::9]:
        size = int(row["x"])
        assert row["unknown"] == pytest.approx(at_most(em.sampling_risk(sample=size, **about).answer))
        assert row["inside"] == pytest.approx(at_most(em.sampling_risk(sample=size, adversary="in", **about).answer))
        assert ("outside" in row) == (size < about["population"])


def test_everybody_in_the_sample_is_a_size_too(browser, table, about):
    shown = view(browser, table, size=about["population"], adversary="out")
    assert shown["texts"]["outside"] == "nobody is"
    assert "risk" not in shown["chart"]["rows"]["here"][0]


def test_the_recommended_size_keeps_the_targets(browser, table, about):
    shown = view(browser, table, max_risk_percent=60, max_loss_percent=10, adversary="unknown")
    size = int(shown["recommended"])
    assert em.sampling_risk(sample=size, **about).value <= 0.6
    assert em.sampling_utility_loss(sample=size, **about).value <= 0.1
    smallest = em.choose_sample(max_risk=0.6, max_loss=0.1, **about).smallest
    assert smallest <= size
    assert plain(shown["texts"]["use"]) == f"Use {size:,} people"
    assert "is kept from" in shown["texts"]["band"]


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ({}, "Say what risk and what loss are acceptable"),
        ({"max_risk_percent": "0"}, "No position of the slider will do: the risk is small enough at no position"),
        ({"max_risk_percent": "0"}, "A size between two positions may: “Make a report” looks at every size."),
        ({"max_risk_percent": "0", "max_loss_percent": "99"}, "of the slider and the loss is small enough from 1 to"),
    ],
)
def test_where_targets_are_met_is_said(browser, table, targets, words):
    assert words in plain(view(browser, table, **targets)["texts"]["band"])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"size": "0"}, "size must be in the whole numbers [1, 2400], got 0"),
        ({"size": "2401"}, "size must be in the whole numbers [1, 2400], got 2401"),
        ({"size": "1.5"}, "size must be a whole number, written with digits alone; got '1.5'."),
        ({"size": "few"}, "size must be a whole number, written with digits alone; got 'few'"),
        ({"adversary": "me"}, "adversary must be one of in, out, unknown; got 'me'."),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(browser, table, asked, message):
    answer = browser.get(f"{table}/sample/view", params=asked)
    assert answer.status_code == 422
    assert message in answer.json()["error"]
    page = browser.get(f"{table}/sample", params=asked)
    assert page.status_code == 422
    assert message in html.unescape(page.text)


def test_the_page_holds_the_first_view(browser, table):
    page = html.unescape(browser.get(f"{table}/sample", params={"size": 100, "complete": "yes"}).text)
    shown = view(browser, table, size=100)
    for name in ("finding", "baseline", "model", "this_sample", "loss", "noise"):
        assert shown["texts"][name] in page
    assert re.search(r"/release\?kind=sample&roles=\w+&sensitive=reason&size=100", page)
