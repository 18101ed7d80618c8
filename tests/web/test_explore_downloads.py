"""What can be taken away is the setting that the page shows."""

import html
import io
import json
import re
import time
import zipfile
from pathlib import Path

import pytest
import yaml

import epsilometer as em
from epsilometer.web.jobs import Job

ASKED = {
    "mechanism": "gaussian",
    "epsilon": "0.5",
    "delta": "1e-05",
    "max_risk_percent": "10",
    "max_loss_percent": "20",
}


@pytest.fixture
def table(browser):
    return browser.open_example()


def report(browser, table, **fields):
    """Order a report, wait for it, and return its page and the file."""
    ready = browser.finished(browser.submit(f"{table}/report", **fields))
    assert ready.url.path.startswith(f"{table}/report/")
    return ready, browser.get(f"{ready.url.path}/download")


def test_the_plan_is_the_setting_and_can_be_carried_out_from_it(browser, table, tmp_path):
    answer = browser.get(f"{table}/download/plan.yaml", params=ASKED)
    assert answer.headers["content-disposition"].startswith("attachment;")
    written = yaml.safe_load(answer.text)
    assert written["targets"] == {"max_risk": 0.1, "max_loss": 0.2}
    path = tmp_path / "plan.yaml"
    path.write_bytes(answer.content)
    plan = em.read_plan(path)
    assert plan.release.mechanism == em.Gaussian(epsilon=0.5, delta=1e-5)


def test_the_plan_of_a_sample(browser, table):
    written = yaml.safe_load(browser.get(f"{table}/download/plan.yaml", params={"kind": "sample", "size": "50"}).text)
    assert written["release"] == {"kind": "sample", "size": 50}


def test_a_plan_of_what_was_sent_names_the_file_and_not_our_copy(browser, settings):
    sent = browser.upload("stays.csv", b"town,job\na,x\nb,y\n").url.path
    browser.submit(sent, **{"role-0": "quasi-identifier", "role-1": "sensitive"})
    text = browser.get(f"{sent}/download/plan.yaml").text
    assert yaml.safe_load(text)["table"] == "stays.csv"
    assert "set its path after 'table:'" in text
    assert str(settings.folder) not in text


def test_a_plan_of_a_given_file_can_be_kept_anywhere(serving, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("stays.csv").write_text("town,job\na,x\nb,y\n")
    browser = serving(source=Path("stays.csv"))
    table = browser.get("/").text.partition("/tables/")[2].partition('"')[0]
    browser.submit(f"/tables/{table}", **{"role-0": "quasi-identifier", "role-1": "sensitive"})
    path = tmp_path / "elsewhere" / "plan.yaml"
    path.parent.mkdir()
    path.write_bytes(browser.get(f"/tables/{table}/download/plan.yaml").content)
    assert em.read_plan(path).table == str(tmp_path / "stays.csv")


def test_a_plan_of_the_example_says_how_to_get_it(browser, table):
    text = browser.get(f"{table}/download/plan.yaml").text
    assert text.startswith("# Write the example beside this plan first: epsilometer demo --save example.csv\n")
    assert yaml.safe_load(text)["table"] == "example.csv"


def test_charts_come_in_three_forms(browser, table):
    begins = {"svg": b"<svg", "png": b"\x89PNG", "json": b"{"}
    for page in ("chart", "sample"):
        for form, begin in begins.items():
            answer = browser.get(f"{table}/download/{page}.{form}", params={"size": "50"})
            assert answer.content.startswith(begin), (page, form)
            assert answer.headers["content-disposition"].endswith(f'.{form}"')


def test_the_chart_is_that_of_the_setting(browser, table):
    chart = browser.get(f"{table}/download/chart.json", params={"epsilon": "0.5"}).json()
    shown = browser.get(f"{table}/counts/view", params={"epsilon": "0.5"}).json()
    assert chart["datasets"]["risk"] == shown["chart"]["rows"]["risk"]
    assert chart["datasets"]["here"][0]["x"] == 0.5
    assert {param["name"]: param["value"] for param in chart["params"]} == shown["chart"]["tops"]
    assert "at ε = 0.5" in json.dumps(chart["title"], ensure_ascii=False).replace("\N{NO-BREAK SPACE}", " ")


def test_other_pictures_are_refused(browser, table):
    answer = browser.get(f"{table}/download/chart.exe")
    assert answer.status_code == 422
    assert "must be one of svg, png, json" in answer.text


def test_the_report_is_about_the_setting(browser, table):
    ready, file = report(browser, table, **ASKED, form="html", language="en")
    assert "The report is ready" in ready.text
    assert file.headers["content-disposition"].endswith('-report.html"')
    text = html.unescape(re.sub(r"<[^>]+>", " ", file.text)).replace("\N{NO-BREAK SPACE}", " ")
    assert text.index("Confidential") < text.index("What would publishing these counts give away?")
    assert "ε = 0.5, δ = 1e-05" in text
    assert "Example: invented hospital stays" in text


def test_a_report_with_files_of_its_own_is_an_archive(browser, table):
    _, file = report(browser, table, kind="sample", size="50", max_risk_percent="60", form="md", language="de")
    packed = zipfile.ZipFile(io.BytesIO(file.content))
    names = packed.namelist()
    assert [name for name in names if name.endswith(".md")] == ["Example-invented-hospital-stays-report.md"]
    assert any(name.endswith(".svg") for name in names)
    assert "Vertraulich" in packed.read("Example-invented-hospital-stays-report.md").decode()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"form": "exe"}, "form must be one of html, md, json; got 'exe'."),
        ({"language": "xx"}, "language must be one of en, de; got 'xx'."),
        ({"kind": "rumour"}, "kind must be one of counts, sample; got 'rumour'."),
        ({"epsilon": "0"}, "epsilon must be in [0.0001, 1000], got 0.0"),
    ],
)
def test_what_cannot_be_reported_is_refused_before_any_work(browser, table, app, fields, message):
    answer = browser.submit(f"{table}/report", **fields)
    assert answer.status_code == 422
    assert message in html.unescape(answer.text)


def test_the_page_before_the_report_keeps_the_setting(browser, table):
    page = browser.get(f"{table}/report", params=ASKED).text
    for name, value in ASKED.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert "counts with Gaussian noise at ε = 0.5, δ = 1e-05" in page
    assert "a risk of at most 10 % and a loss of at most 20 %" in page
    assert "a sample of 50 people" in browser.get(f"{table}/report", params={"kind": "sample", "size": 50}).text


def test_a_report_that_was_never_made(browser, table, app):
    opened = app.state.desk[table.rpartition("/")[2]]
    job = app.state.jobs.start("other", time.sleep, title="t", back="/", opened=opened)
    for page in ("", "/download"):
        answer = browser.get(f"{table}/report/{job.id}{page}")
        assert answer.status_code == 404
        assert "has not been made" in answer.text


def test_a_report_belongs_to_its_table(browser, table, app):
    job = Job(kind="report", title="t", back="/", then="/", state="done", result={"a.html": b"about this table"})
    job.table_id, other = table.rpartition("/")[2], browser.open_example()
    app.state.jobs._jobs[job.id] = job
    for page in ("", "/download"):
        assert browser.get(f"{table}/report/{job.id}{page}").status_code == 200
        answer = browser.get(f"{other}/report/{job.id}{page}")
        assert answer.status_code == 404
        assert "or about another table" in answer.text
