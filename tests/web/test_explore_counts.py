"""The page on noisy counts shows what the library computes, at every setting of its controls."""

import html
import io
import json
import math
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.assessments.exploring.counts_explorer import slider_positions
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.plans.release_kinds import Counts
from epsilometer.vocabulary.wording import percent, percent_at_least

ROLES = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "sensitive"}
MECHANISMS = {
    "laplace": em.Laplace,
    "geometric": em.Geometric,
    "gaussian": em.Gaussian,
    "discrete-gaussian": em.DiscreteGaussian,
}


def people(n=400):
    rng = np.random.default_rng(5)
    district, sex = rng.integers(0, 9, n), rng.integers(0, 2, n)
    reason = np.where(district % 3 == 0, "fracture", rng.choice(["birth", "fracture", "heart"], n))
    return pd.DataFrame({"district": district.astype(str), "sex": sex.astype(str), "reason": reason})


@pytest.fixture
def table(browser):
    sent = browser.upload("stays.csv", people().to_csv(index=False).encode())
    browser.submit(sent.url.path, **ROLES)
    return sent.url.path


@pytest.fixture(scope="module")
def freq():
    return em.frequency_table(people(), quasi_identifiers=["district", "sex"], sensitive="reason")


def view(browser, table, part="view", **asked):
    answer = browser.get(f"{table}/counts/{part}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_three_numbers_are_those_of_the_library_rounded_to_the_safe_side(browser, table, freq, name):
    delta = {"delta": 1e-4} if "gaussian" in name else {}
    for epsilon, (threshold, adjacency) in product((0.1, 0.33, 1.0, 10.0), ((0.5, "add-remove"), (3.0, "replace"))):
        noise = MECHANISMS[name](epsilon=epsilon, threshold=threshold, adjacency=adjacency, **delta)
        risk = em.homogeneity_risk(freq, noise, average="records")
        asked = {"mechanism": name, "epsilon": epsilon, "threshold": threshold, "adjacency": adjacency, **delta}
        texts = {key: plain(text) for key, text in view(browser, table, **asked)["texts"].items()}
        assert texts["this_table"] == percent(risk.value)
        assert texts["any_table"] == percent(risk.any_table)
        assert texts["no_release"] == percent_at_least(risk.no_release)
        assert texts["cells"] == percent(em.homogeneity_risk(freq, noise).value)
        assert float(texts["this_table"].split()[-2]) >= 100 * risk.value * (1 - 1e-9)


def test_the_lines_of_the_chart_are_those_of_the_library(browser, table, freq):
    rows = view(browser, table, threshold=2)["chart"]["rows"]
    epsilons = [row["x"] for row in rows["risk"]]
    assert epsilons == slider_positions().tolist()
    risk = em.homogeneity_risk(freq, em.Geometric(epsilon=tuple(epsilons), threshold=2.0), average="records")
    np.testing.assert_allclose([row["people"] for row in rows["risk"]], risk.value, rtol=1e-9)
    np.testing.assert_allclose([row["any_table"] for row in rows["risk"]], risk.any_table, rtol=1e-9)


def test_the_present_position_is_marked_where_it_is_also_between_positions(browser, table, freq):
    shown = view(browser, table, epsilon=0.7)
    risk = em.homogeneity_risk(freq, em.Geometric(epsilon=0.7), average="records")
    assert shown["chart"]["rows"]["here"] == [{"x": 0.7, "risk": pytest.approx(risk.value)}]
    nearest = slider_positions()[shown["position"]]
    assert abs(math.log(nearest / 0.7)) == min(abs(np.log(slider_positions() / 0.7)))


def test_losses_come_by_a_request_of_their_own_and_stay(browser, table):
    before = view(browser, table, epsilon=0.7)
    assert not before["complete"]
    assert before["texts"]["loss"] == "working it out …"
    assert before["chart"]["rows"]["loss"] == []
    after = view(browser, table, "losses", epsilon=0.7)
    assert after["complete"]
    assert len(after["chart"]["rows"]["loss"]) == len(slider_positions())
    assert view(browser, table, epsilon=0.7) == after


def test_the_recommended_epsilon_is_the_smallest_position_that_choose_accepts(browser, table, app):
    targets = {"max_risk": 0.2, "max_loss": 0.08}
    plan = em.Plan(
        table=people(),
        quasi_identifiers=("district", "sex"),
        sensitive=("reason",),
        release=Counts(mechanism=em.Geometric(epsilon=1.0)),
        **targets,
    )
    accepted = em.choose(plan).stretches
    shown = view(browser, table, "losses", max_risk_percent=20, max_loss_percent=8)
    inside = [e for e in slider_positions() if any(s.low <= e <= s.high for s in accepted)]
    assert float(shown["recommended"]) == pytest.approx(min(inside), rel=0.13)  # neighbouring positions
    assert shown["present"]["recommended"]
    assert plain(shown["texts"]["use"]) == f"Use ε = {shown['recommended']}"
    band = shown["chart"]["rows"]["band"]
    assert band[0]["x"] == float(shown["recommended"])
    assert f"from ε = {band[0]['x']:g} to {band[0]['until']:g}" in plain(shown["texts"]["band"])


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ({}, "Say what risk and what loss are acceptable"),
        (
            {"max_risk_percent": "100"},
            "The risk is small enough from ε = 0.01 to 10. Nothing below 0.01 or above 10 was looked at.",
        ),
        (
            {"max_loss_percent": "100"},
            "The loss is small enough from ε = 0.01 to 10. Nothing below 0.01 or above 10 was looked at.",
        ),
        ({"max_risk_percent": "0", "max_loss_percent": "0"}, "No position of the slider meets both: the risk is small"),
        ({"max_risk_percent": "0", "max_loss_percent": "0"}, "enough at no position of the slider, the loss from"),
        ({"max_risk_percent": "0", "max_loss_percent": "0"}, "A narrow stretch between two positions may: “Make a"),
    ],
)
def test_where_targets_are_met_is_said(browser, table, targets, said):
    assert said in plain(view(browser, table, "losses", **targets)["texts"]["band"])


def test_before_the_losses_are_known_nothing_is_said_about_them(browser, table):
    shown = view(browser, table, max_risk_percent=100, max_loss_percent=100)
    assert "not known yet" in shown["texts"]["band"]
    assert shown["recommended"] is None
    assert shown["chart"]["rows"]["band"] == []


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"epsilon": "-1"}, "epsilon must be in [0.0001, 1000], got -1.0. Below there is nothing but noise"),
        ({"epsilon": "nan"}, "epsilon must be a number, written with digits"),
        ({"epsilon": "1e-9"}, "epsilon must be in [0.0001, 1000], got 1e-09"),
        ({"epsilon": "1,5"}, "epsilon must be a number, written with digits and a point as in 0.5; got '1,5'."),
        ({"mechanism": "magic"}, "mechanism must be one of laplace, geometric"),
        ({"mechanism": "gaussian", "delta": "2"}, "delta must be in (0, 1), got 2.0"),
        ({"adjacency": "x"}, "adjacency must be one of add-remove, replace; got 'x'."),
        ({"threshold": "1e16"}, "threshold must be in [-1e+15, 1e+15], got 1e+16"),
        ({"max_risk_percent": "101"}, "max_risk_percent must be in [0, 100], got 101.0"),
        (
            {"max_loss_percent": "much"},
            "max_loss_percent must be a number, written with digits and a point as in 0.5; got 'much'",
        ),
        ({"sensitive": "sex"}, "sensitive must be one of reason; got 'sex'."),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(browser, table, asked, message):
    for part in ("view", "losses"):
        answer = browser.get(f"{table}/counts/{part}", params=asked)
        assert answer.status_code == 422
        assert message in answer.json()["error"]
    page = browser.get(f"{table}/counts", params=asked)
    assert page.status_code == 422
    assert message in html.unescape(page.text)


def test_the_page_holds_the_first_view_and_reads_without_a_script(browser, table):
    asked = {"epsilon": "0.5", "max_risk_percent": "10", "complete": "yes"}
    page = browser.get(f"{table}/counts", params=asked).text
    shown = view(browser, table, epsilon=0.5, max_risk_percent=10)
    for name in (
        "finding",
        "likely",
        "raw",
        "baseline",
        "this_table",
        "any_table",
        "no_release",
        "loss",
        "band",
        "noise",
        "promise",
    ):
        places = re.findall(rf'data-text="{name}"[^>]*>([^<]*)<', page)
        assert places, name
        assert {html.unescape(text) for text in places} == {shown["texts"][name]}
    assert "Of the cells published with one value, those where a member picked at random has it" in page
    begun = json.loads(re.search(r'id="begin">(.*?)</script>', page, re.DOTALL)[1])
    assert begun["view"] == shown
    assert [float(text) for text in begun["positions"]] == slider_positions().tolist()


def test_links_carry_the_setting(browser, table):
    asked = {"mechanism": "gaussian", "epsilon": "0.5", "delta": "1e-05", "max_loss_percent": "7"}
    page = browser.get(f"{table}/counts", params=asked).text
    links = [html.unescape(link) for link in re.findall(r'data-carry href="([^"]+)"', page)]
    assert {link.partition("?")[0].removeprefix(table) for link in links} >= {"/release", "/cells", "/report"}
    for link in links:
        assert "mechanism=gaussian&epsilon=0.5&delta=1e-05" in link
        assert "max_loss_percent=7" in link
    assert "delta" not in view(browser, table, mechanism="laplace", delta="0.1")["address"]


def test_tabs_begin_with_what_was_asked_last_of_the_same_roles(browser, table):
    view(browser, table, epsilon=2.5, threshold=3, max_risk_percent=7)
    view(browser, table, "losses", epsilon=4)  # answered late, after the slider has moved on
    browser.get(f"{table}/sample/view", params={"size": 123, "max_risk_percent": 9})
    refused = browser.get(f"{table}/counts/view", params={"mechanism": "gaussian", "epsilon": 3, "delta": 2})
    assert refused.status_code == 422
    counts = browser.get(f"{table}/counts").text
    assert re.search(r'name="epsilon"[^>]* value="2.5"', counts)
    assert re.search(r'name="max_risk_percent"[^>]* value="7"', counts)
    assert "noise at ε = 2.5" in plain(browser.get(f"{table}/cells").text)
    assert 'id="epsilon" value="2.5"' in browser.get(f"{table}/release").text
    assert 'id="threshold" value="3"' in browser.get(f"{table}/release?kind=counts").text
    assert 'id="size" value="123"' in browser.get(f"{table}/release?kind=sample").text
    assert re.search(r'name="size"[^>]* value="123"', browser.get(f"{table}/sample").text)
    assert re.search(r'name="epsilon"[^>]* value="1"', browser.get(f"{table}/counts?threshold=3").text)
    browser.submit(table, **{**ROLES, "role-1": "ignore"})
    assert 'id="epsilon" value="1"' in browser.get(f"{table}/release").text
    assert re.search(r'name="epsilon"[^>]* value="1"', browser.get(f"{table}/counts").text)


def test_delta_is_asked_for_where_there_is_one(browser, table):
    assert view(browser, table, mechanism="discrete-gaussian")["present"]["delta"]
    assert not view(browser, table, mechanism="geometric")["present"]["delta"]


def test_answers_say_how_long_they_took(browser, table):
    timing = browser.get(f"{table}/counts/view").headers["server-timing"]
    assert re.fullmatch(r"view;dur=[0-9]+\.[0-9]", timing)


def test_several_attributes_have_numbers_of_their_own(browser):
    frame = people().assign(insurance=lambda rows: np.where(rows["sex"] == "0", "public", "private"))
    table = browser.upload("stays.csv", frame.to_csv(index=False).encode()).url.path
    browser.submit(table, **ROLES, **{"role-3": "sensitive"})
    freq = em.frequency_table(frame, quasi_identifiers=["district", "sex"], sensitive="insurance")
    risk = em.homogeneity_risk(freq, em.Geometric(epsilon=1.0), average="records")
    assert plain(view(browser, table, sensitive="insurance")["texts"]["this_table"]) == percent(risk.value)


def test_a_table_without_roles_leads_to_its_columns(browser):
    table = browser.upload("stays.csv", people().to_csv(index=False).encode()).url.path
    answer = browser.get(f"{table}/counts", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{table}?first=roles")


def test_names_from_the_table_stay_text(browser):
    hostile = "</script><script>alert(1)</script>\u202e" + "x" * 500
    frame = people().rename(columns={"reason": hostile})
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    table = browser.upload("<b>.csv", buffer.getvalue().encode()).url.path
    browser.submit(table, **ROLES)
    page = browser.get(f"{table}/counts").text
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;alert" in page


@pytest.mark.parametrize("rows", ["a,x\n", "a,x\na,x\nb,x\n", "a,x\nb,y\n"])
def test_the_smallest_tables_have_pages_too(browser, rows):
    table = browser.upload("few.csv", f"town,job\n{rows}".encode()).url.path
    browser.submit(table, **{"role-0": "quasi-identifier", "role-1": "sensitive"})
    for page in ("counts?complete=yes&max_risk_percent=5&max_loss_percent=5", "sample?max_risk_percent=5", "cells"):
        assert browser.get(f"{table}/{page}").status_code == 200, page


def test_every_setting_that_can_be_asked_for_is_answered(browser, table):
    for name, epsilon in product(MECHANISMS, ("0.0001", "1000")):
        assert view(browser, table, "losses", mechanism=name, epsilon=epsilon)["complete"]


def test_noise_is_at_first_what_a_release_draws_and_other_noise_says_so(browser, table):
    first = view(browser, table)
    assert "geometric noise" in first["texts"]["finding"]
    assert not first["present"]["drawn"]
    assert not view(browser, table, mechanism="discrete-gaussian")["present"]["drawn"]
    for mechanism, drawn in (("laplace", "geometric noise at the same ε"), ("gaussian", "discrete Gaussian noise")):
        shown = view(browser, table, mechanism=mechanism)
        assert shown["present"]["drawn"]
        assert f"A release publishes whole numbers: it draws {drawn}" in plain(shown["texts"]["drawn"])


def test_the_answer_names_the_attacker_and_what_the_raw_table_gives_away(browser, table, freq):
    heading = re.sub(r"<[^>]+>", "", re.search(r"<h1>.*?</h1>", browser.get(f"{table}/counts").text)[0])
    assert heading == "What would somebody who knows district and sex learn of reason from noisy counts?"
    texts = {name: plain(text) for name, text in view(browser, table, epsilon=0.5)["texts"].items()}
    certain = em.raw_risk(freq).diversity.homogeneous_records
    assert texts["raw"] == (
        f"Of the 400 people in this table, an attacker who knows district and sex can be certain of the reason of "
        f"{certain} if you publish it raw: everyone in their cell shares it."
    )
    numbers = re.findall(r"about \d+ of 400 people", texts["finding"])
    assert len(numbers) == 2  # this table, and the worst
    assert texts["baseline"].endswith("of 400 people, by luck.")


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_how_many_people_bear_a_large_risk_is_said(browser, table, freq, epsilon):
    expected = risk_spread(freq, em.Geometric(epsilon=epsilon)).people.number_at_least(0.5)
    said = plain(view(browser, table, epsilon=epsilon)["texts"]["likely"])
    assert said.startswith(f"At this setting {expected} of the 400 people" if expected else "At this setting nobody")


def test_what_is_to_know_about_the_counts_is_to_be_kept_in_mind(browser):
    csv = people().to_csv(index=False) + ",1,birth\n"
    table = browser.upload("stays.csv", csv.encode()).url.path
    browser.submit(table, **ROLES)
    caveats = view(browser, table)["lists"]["caveats"]
    assert any("no value for district; missing is counted as a value of its own" in line for line in caveats)


def test_a_bound_that_is_certainty_is_left_out(browser, table):
    assert "cannot come to believe" in view(browser, table, epsilon=0.5)["texts"]["promise"]
    assert "cannot come to believe" not in view(browser, table, epsilon=12)["texts"]["promise"]


def test_from_near_only_the_people_count(browser, table):
    near = view(browser, table, near="yes", max_risk_percent=30)["chart"]
    assert set(near["rows"]["risk"][0]) == {"x", "people"}
    assert near["tops"]["riskTop"] >= max(0.3, *(row["people"] for row in near["rows"]["risk"]))


def test_where_nothing_will_do_what_finds_a_way_is_named(browser, table):
    said = plain(view(browser, table, "losses", max_risk_percent=0, max_loss_percent=0)["texts"]["band"])
    assert "“Make a report” looks there as well, and otherwise for the smallest change that would do" in said
    assert "epsilometer choose --plan PLAN.yaml" in said


# Two tabs


OTHER_ROLES = {"role-0": "quasi-identifier", "role-1": "sensitive", "role-2": "ignore"}
CHANGED = "The columns' roles were changed in another tab. Load this page again."


def test_numbers_of_other_roles_are_never_shown_under_these(browser, table):
    here = view(browser, table)["address"]
    browser.submit(table, **OTHER_ROLES)
    for part in ("counts/view", "counts/losses"):
        answer = browser.get(f"{table}/{part}?{here}")
        assert (answer.status_code, answer.json()) == (409, {"error": CHANGED})
    for page in ("cells", "download/cells.csv", "download/chart.svg", "download/plan.yaml", "report"):
        answer = browser.get(f"{table}/{page}?{here}")
        assert answer.status_code == 409, page
        assert CHANGED in html.unescape(answer.text)
    browser.submit(table, **ROLES)
    assert browser.get(f"{table}/counts/view?{here}").status_code == 200  # they are the same again


def test_reports_and_comparisons_are_of_the_roles_of_their_page(browser, table):
    page = browser.get(f"{table}/compare").text
    stale = re.search(r'name="roles" value="(\w+)"', page)[1]
    browser.submit(table, **OTHER_ROLES)
    assert browser.submit(f"{table}/compare", kinds="raw", roles=stale).status_code == 409
    assert browser.submit(f"{table}/report", roles=stale).status_code == 409


def test_the_page_loaded_again_is_about_the_roles_of_now(browser, table):
    for page, words in (("counts", "learn of <bdi>sex</bdi>"), ("sample", "give away about <bdi>sex</bdi>")):
        browser.submit(table, **ROLES)
        here = browser.get(f"{table}/{page}/view").json()["address"]
        browser.submit(table, **OTHER_ROLES)
        answer = browser.get(f"{table}/{page}?{here}")
        assert answer.status_code == 200
        assert words in answer.text
