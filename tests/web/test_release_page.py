"""A release is shown first, made after an explicit yes, once, and entered in the ledger."""

import html
import io
import json
import re
import time
import zipfile

import pytest

from epsilometer.releases.ledger import open_ledger
from epsilometer.web import jobs as jobs_module
from epsilometer.web.jobs import Job

NAME = "Example: invented hospital stays"
DECLARED = {
    "kind": "counts",
    "epsilon": "0.5",
    "domain-0": "0..120",
    "domain-1": "female\r\nmale",
    "domain-2": "birth\ncirculatory\ndigestive\ninjury\nmental health\nrespiratory",
    "file": "stays.csv",
}
LARGE = {**DECLARED, "domain-1": "\n".join(["female", "male", *map(str, range(25_000))])}


def text(answer):
    """What a person reads on the page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


def entries(settings):
    with open_ledger(settings.ledger, must_exist=True) as ledger:
        return ledger.entries()


@pytest.fixture
def table(browser):
    return browser.open_example()


def test_the_form_is_filled_in_from_the_address(browser, table):
    page = browser.get(f"{table}/release?kind=counts&epsilon=0.25&mechanism=discrete-gaussian&delta=1e-7").text
    assert 'id="epsilon" value="0.25"' in page
    assert '<option value="discrete-gaussian" selected>' in page
    assert 'id="delta" value="1e-7"' in page
    assert "A release cannot be taken back." in page


@pytest.mark.parametrize(("kind", "field"), [("sample", "size"), ("synthetic", "method"), ("local", "randomizer")])
def test_every_kind_has_its_own_fields(browser, table, kind, field):
    assert f'name="{field}"' in browser.get(f"{table}/release?kind={kind}").text


def test_looking_spends_nothing_and_starts_no_ledger(browser, table, settings):
    asked = browser.submit(f"{table}/release", **DECLARED)
    shown = text(asked)
    assert "Publish this?" in shown
    assert "Publish counts with two-sided geometric noise, whole numbers, at ε = 0.5" in shown
    assert "Spent so far nothing" in shown
    assert "This release ε = 0.5 at δ = 0" in shown
    assert "none is set, so nothing is refused" in shown
    assert str(settings.folder) not in shown
    assert not settings.ledger.exists()


def test_the_question_says_how_large_the_file_will_be_and_warns_of_one_that_is_mostly_empty(browser, table):
    asked = browser.submit(f"{table}/release", **DECLARED)
    assert "will have 84 rows" in text(asked)
    assert "are empty, more than" not in text(asked)
    wards = "\n".join(["female", "male", *map(str, range(500))])
    sparse = text(browser.submit(f"{table}/release", **{**DECLARED, "domain-1": wards}))
    assert "are empty, more than the 2,400 people counted" in sparse
    assert sparse.index("are empty, more than") < sparse.index("It cannot be taken back")


def test_a_confirmed_release_is_entered_published_and_can_be_downloaded(browser, table, settings):
    asked = browser.submit(f"{table}/release", **DECLARED)
    done = browser.finished(browser.submit(asked.url.path, confirmation=NAME))
    assert "It is released" in text(done)
    assert "The guarantee is ε = 0.5" in text(done)
    assert "What this very table gives away" in text(done)
    assert "Download it now: it is deleted when the page ends." in text(done)
    (entry,) = entries(settings)
    assert (entry.dataset, entry.kind, entry.state) == (NAME, "counts", "done")
    assert [look.epsilon for look in entry.looks] == [0.5]
    download = browser.get(f"{done.url.path}/download")
    assert download.headers["content-disposition"] == 'attachment; filename="stays.zip"'
    with zipfile.ZipFile(io.BytesIO(download.content)) as files:
        assert set(files.namelist()) == {"stays.csv", "stays.csv.passport.json", "stays.csv.passport.html"}
        rows = files.read("stays.csv").decode().splitlines()
        passport = json.loads(files.read("stays.csv.passport.json"))
    assert len(rows) == 1 + 7 * 2 * 6  # a row for every combination of seven bins, two sexes and six reasons
    assert passport["ledger_entry"] == entry.id
    assert "private" not in json.dumps(passport)  # the folder of the server


def test_with_a_folder_for_releases_the_files_stand_there(serving, tmp_path):
    out = tmp_path / "published"
    out.mkdir()
    browser = serving(out=out)
    asked = browser.submit(f"{browser.open_example()}/release", **DECLARED)
    assert f"in the folder {out}" in text(asked)
    done = browser.finished(browser.submit(asked.url.path, confirmation=NAME))
    assert f"It also stands in {out}" in text(done)
    assert "Download it now" not in text(done)
    assert {path.name for path in out.iterdir()} == {"stays.csv", "stays.csv.passport.json", "stays.csv.passport.html"}
    again = browser.submit(asked.url.path.rpartition("/")[0], **DECLARED)
    assert again.status_code == 422
    assert "stays.csv or its passport is there already. Call it stays-2.csv, or tick" in text(again)
    assert len(entries(browser.app.state.settings)) == 1


@pytest.mark.parametrize("typed", ["", "yes", NAME[:-1], NAME.lower()])
def test_without_the_typed_name_nothing_is_published(browser, table, settings, typed):
    asked = browser.submit(f"{table}/release", **DECLARED)
    answer = browser.submit(asked.url.path, confirmation=typed)
    assert answer.status_code == 422
    assert "That is not the name of the data set. Nothing was published." in text(answer)
    assert not settings.ledger.exists()


def test_a_second_yes_leads_to_the_work_of_the_first(browser, table, settings):
    asked = browser.submit(f"{table}/release", **DECLARED)
    first = browser.submit(asked.url.path, confirmation=NAME)
    second = browser.submit(asked.url.path, confirmation=NAME)
    assert first.url == second.url
    browser.finished(first)
    assert browser.submit(asked.url.path, confirmation=NAME).url.path.startswith(f"{table}/released/")
    assert len(entries(settings)) == 1


def test_what_is_confirmed_is_what_was_shown(app, browser, table, settings):
    """Neither other fields in the confirmation nor roles that were changed since make another release."""
    asked = browser.submit(f"{table}/release", **DECLARED)
    browser.submit(table, **{"role-2": "quasi-identifier", "role-3": "sensitive"})
    answer = browser.submit(asked.url.path, confirmation=NAME, epsilon="50", kind="sample", size="2400")
    browser.finished(answer)
    (entry,) = entries(settings)
    assert (entry.kind, entry.plan["sensitive"], entry.looks[0].epsilon) == ("counts", ["reason"], 0.5)


def test_a_release_over_the_budget_is_refused_and_nothing_is_written(browser, table, settings, tmp_path):
    with open_ledger(settings.ledger) as ledger:
        ledger.set_budget(NAME, epsilon=0.75, delta=0.0)
    first = browser.submit(f"{table}/release", **DECLARED)
    assert "Would be left ε = 0.25" in text(first)
    raced = browser.submit(f"{table}/release", **DECLARED)  # shown while the first was not made yet
    browser.finished(browser.submit(first.url.path, confirmation=NAME))

    late = browser.submit(f"{table}/release", **DECLARED)
    shown = text(late)
    assert "The rest of the budget does not pay for this release, so it cannot be made." in shown
    assert "Spent so far ε = 0.5" in shown
    assert "Would be left not enough" in shown
    assert "counts done stays.csv" in shown  # the release before it
    assert 'name="confirmation"' not in late.text

    for page in (late, raced):
        refused = browser.finished(browser.submit(page.url.path, confirmation=NAME))
        assert "0.25 is left" in text(refused)
        assert "Nothing was published." in text(refused)
    assert len(entries(settings)) == 1
    assert len([path for path in settings.folder.rglob("stays.csv*") if path.is_file()]) == 3  # of the first alone


def test_a_sample_is_released_too(browser, table, settings):
    asked = browser.submit(f"{table}/release", kind="sample", size="24", file="drawn.csv")
    done = browser.finished(browser.submit(asked.url.path, confirmation=NAME))
    assert "a random sample of 24 rows" in text(done)
    assert "The rows of 24 people, 1.0 % of all, are published as they are" in text(done)
    assert entries(settings)[0].kind == "sample"


def test_a_release_cancelled_while_it_is_drawn_is_spent_and_leaves_no_file(app, browser, table, settings):
    """The noise of a million counts takes a while: time enough to end it after it was entered."""
    answer = browser.submit(browser.submit(f"{table}/release", **LARGE).url.path, confirmation=NAME)
    job = app.state.jobs[answer.url.path.rpartition("/")[2]]
    end = time.monotonic() + 120
    while job.running and job.step != "drawing the noise":
        assert time.monotonic() < end
        time.sleep(0.01)
    assert "It was cancelled." in text(browser.submit(f"/jobs/{job.id}/cancel"))
    assert [entry.state for entry in entries(settings)] == ["failed"]
    assert not [path for path in settings.folder.rglob("*stays.csv*") if path.is_file()]
    with open_ledger(settings.ledger) as ledger:
        assert ledger.composition(NAME).epsilon == 0.5


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"kind": "counts", "epsilon": "-1", "support": "thresholded", "support_delta": "1e-6"},
            "Epsilon must be above 0; got -1.",
        ),
        (
            {"kind": "counts", "epsilon": "a", "support": "thresholded", "support_delta": "1e-6"},
            "Epsilon must be a number, written with digits",
        ),
        ({"kind": "counts", "support": "thresholded"}, "Chance to be listed for one person is needed, and empty."),
        ({"kind": "counts"}, "Which values occur is a secret. Say what 'age', 'sex' and 'reason' may hold."),
        ({"kind": "local"}, "Which values occur is a secret. Say what 'reason' may hold."),
        ({**DECLARED, "mechanism": "gaussian"}, "Delta is needed, and empty."),
        ({**DECLARED, "domain-0": "120..0"}, "high"),
        ({**DECLARED, "mechanism": "none"}, "Noise must be one of laplace, geometric"),
        ({"kind": "sample", "size": "0"}, "Number of rows must be 1 or more; got 0."),
        ({"kind": "sample", "size": "99999"}, "Number of rows must be in [1, 2400]; got 99999."),
        (
            {"kind": "sample", "size": "2.5"},
            "Number of rows must be a whole number, written with digits alone; got '2.5'.",
        ),
        ({"kind": "sample"}, "Number of rows is needed, and empty."),
        ({"kind": "raw"}, "kind must be one of counts, sample, synthetic, local"),
        *(
            ({**DECLARED, "file": name}, "is no name for the file")
            for name in (
                "../stays.csv",
                "/tmp/stays.csv",
                "a/b.csv",
                "stays.txt",
                "stays",
                ".csv",
                "a\\b.csv",
                "x" * 200 + ".csv",
            )
        ),
    ],
)
def test_what_is_wrong_is_said_and_what_was_entered_stays(browser, table, settings, fields, message):
    answer = browser.submit(f"{table}/release", **fields)
    assert answer.status_code == 422
    assert message in text(answer)
    if fields["kind"] != "raw":
        for name, value in fields.items():
            if name in ("epsilon", "size", "file"):
                assert f'value="{html.escape(value)}"' in answer.text
    assert not settings.ledger.exists()


def test_a_question_that_was_never_asked_has_no_answer(browser, table):
    assert browser.get(f"{table}/release/guessed").status_code == 410
    assert browser.submit(f"{table}/release/guessed", confirmation=NAME).status_code == 410


def test_the_work_of_something_else_is_no_release(app, browser, table):
    app.state.jobs._jobs["other"] = Job(kind="other", title="Other", back="/", then="/", state="done", result=1)
    for job in ("unknown", "other"):
        assert browser.get(f"{table}/released/{job}").status_code == 404
        assert browser.get(f"{table}/released/{job}/download").status_code == 404


def test_a_release_belongs_to_the_table_that_it_was_shown_for(browser, table, settings):
    other = browser.open_example()
    asked = browser.submit(f"{table}/release", **DECLARED)
    elsewhere = asked.url.path.replace(table, other)
    for answer in (
        browser.get(elsewhere),
        browser.get(f"{elsewhere}/form"),
        browser.submit(elsewhere, confirmation=NAME),
        browser.submit(f"{elsewhere}/budget", epsilon="1"),
    ):
        assert answer.status_code == 410
    assert not settings.ledger.exists()
    done = browser.finished(browser.submit(asked.url.path, confirmation=NAME)).url.path
    assert browser.get(f"{done}/download").status_code == 200
    for path in (done, f"{done}/download"):
        assert browser.get(path.replace(table, other)).status_code == 404


def test_a_release_whose_files_are_appearing_is_not_cancelled(app, browser, table, settings, monkeypatch):
    """The work has told the page before the first of them appears."""
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.1)
    answer = browser.submit(browser.submit(f"{table}/release", **DECLARED).url.path, confirmation=NAME)
    job = app.state.jobs[answer.url.path.rpartition("/")[2]]
    while job.running and not job.no_way_back:
        time.sleep(0.001)
    browser.submit(f"/jobs/{job.id}/cancel")
    assert "It is released" in text(browser.finished(answer))
    assert [entry.state for entry in entries(settings)] == ["done"]


def test_a_release_that_is_killed_has_failed_and_the_ledger_is_named(app, browser, table, settings):
    answer = browser.submit(browser.submit(f"{table}/release", **LARGE).url.path, confirmation=NAME)
    job = app.state.jobs[answer.url.path.rpartition("/")[2]]
    process, _ = app.state.jobs._at_work[job.id]
    while job.running and job.step != "drawing the noise":
        time.sleep(0.01)
    process.kill()
    shown = text(browser.finished(answer))
    assert job.state == "failed"
    assert f"what it cost: epsilometer ledger show --ledger {settings.ledger}" in shown
    assert "It was cancelled" not in shown
