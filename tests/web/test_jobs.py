"""Long work says how far it is, can be cancelled, and leaves nothing behind."""

import stat
import threading
import time
from pathlib import Path

import pytest

from epsilometer.web import jobs as jobs_module


@pytest.fixture(autouse=True)
def _work_can_be_imported(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)


@pytest.fixture
def work():
    import pretended_work

    return pretended_work


@pytest.fixture
def jobs(app):
    return app.state.jobs


def until(condition, seconds=60.0):
    """Wait until something holds; fail if it does not."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_work_goes_on_in_its_own_process_and_shows_its_result(jobs, browser, work):
    job = jobs.start("doubling", work.double, 21, title="Doubling <b>", back="/", then="/static/page.css?{id}")
    until(lambda: not job.running)
    assert (job.state, job.result, job.share, job.step) == ("done", 42, 1.0, "doubling")
    answer = browser.get(f"/jobs/{job.id}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{browser.root}/static/page.css?{job.id}")


def test_work_without_a_page_of_its_own_says_that_it_is_done(jobs, browser, work):
    job = jobs.start("doubling", work.double, 21, title="Doubling", back="/")
    until(lambda: not job.running)
    assert "It is done." in browser.get(f"/jobs/{job.id}").text


def test_the_page_shows_how_far_the_work_is(jobs, browser, work, tmp_path):
    flag = tmp_path / "flag"
    job = jobs.start("waiting", work.wait_for, str(flag), title="Waiting <b>", back="/")
    until(lambda: job.share == 0.25)
    shown = browser.get(f"/jobs/{job.id}").text
    assert "waiting for a sign" in shown
    assert "Waiting &lt;b&gt;" in shown
    assert '<progress id="progress" max="1" value="0.25">25 %</progress>' in shown
    state = browser.get(f"/jobs/{job.id}/state").json()
    assert state == {"state": "running", "step": "waiting for a sign", "share": 0.25, "error": ""}
    flag.touch()
    until(lambda: job.state == "done")


def test_an_error_on_purpose_is_shown_in_its_own_words(jobs, browser, work):
    job = jobs.start("refusing", work.refuse, title="Refusing", back="/")
    until(lambda: job.state == "failed")
    assert "epsilon must be in (0, inf), got -1.0." in browser.get(f"/jobs/{job.id}").text


def test_a_defect_is_named_without_what_it_was_about(jobs, browser, work, capfd):
    job = jobs.start("breaking", work.break_down, title="Breaking", back="/")
    until(lambda: job.state == "failed")
    shown = browser.get(f"/jobs/{job.id}").text
    assert "a defect in epsilometer: ZeroDivisionError" in shown
    assert "4711" not in shown
    assert "Traceback" not in shown


def test_work_that_vanishes_has_failed(jobs, browser, work):
    job = jobs.start("vanishing", work.vanish, title="Vanishing", back="/")
    until(lambda: job.state == "failed")
    assert "may have run out of memory" in browser.get(f"/jobs/{job.id}").text


def test_cancelled_work_cleans_up_and_leaves_nothing(jobs, browser, settings, work, tmp_path):
    report = tmp_path / "report"
    job = jobs.start("holding", work.hold_a_file, str(report), title="Holding", back="/")
    until(report.exists)
    held = Path(report.read_text())
    assert settings.folder in held.parents
    assert stat.S_IMODE(held.parent.stat().st_mode) == 0o700
    answer = browser.submit(f"/jobs/{job.id}/cancel")
    assert "It was cancelled." in answer.text
    assert job.state == "cancelled"
    assert (tmp_path / "cleaned").exists()
    until(lambda: not list(settings.folder.iterdir()))


def test_work_that_does_not_listen_is_ended_all_the_same(jobs, settings, work, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.2)
    job = jobs.start("deaf", work.ignore_the_end, str(tmp_path / "report"), title="Deaf", back="/")
    until((tmp_path / "report").exists)
    jobs.cancel(job)
    assert job.state == "cancelled"
    until(lambda: not list(settings.folder.iterdir()))


def test_work_that_was_ended_by_force_and_may_leave_something_is_not_called_cancelled(
    jobs, browser, work, tmp_path, monkeypatch
):
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.2)
    report = tmp_path / "report"
    job = jobs.start("deaf", work.ignore_the_end, str(report), title="Deaf", back="/", remains="Look there.")
    until(report.exists)
    shown = browser.submit(f"/jobs/{job.id}/cancel").text
    assert job.state == "failed"
    assert "It did not stop when it was cancelled, and was ended by force. Look there." in shown


def test_work_that_is_cancelled_before_it_has_begun_is_cancelled(jobs, work, tmp_path):
    job = jobs.start("late", work.wait_for, str(tmp_path / "flag"), title="Late", back="/", remains="Look there.")
    jobs.cancel(job)
    assert (job.state, job.error) == ("cancelled", "")


def test_work_that_cannot_be_taken_back_is_neither_cancelled_nor_killed(jobs, browser, work, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.1)
    report, flag = tmp_path / "report", tmp_path / "flag"
    job = jobs.start("release", work.pass_the_point, str(report), str(flag), title="Publishing", back="/")
    until(report.exists)
    assert "Cancel</button>" not in browser.get(f"/jobs/{job.id}").text
    refused = browser.submit(f"/jobs/{job.id}/cancel")
    assert refused.status_code == 409
    assert "It can no longer be cancelled: what it publishes has begun to appear." in refused.text
    assert job.running
    flag.touch()
    until(lambda: not job.running)
    assert (job.state, job.result) == ("done", "published")


def test_the_end_of_the_server_waits_for_what_cannot_be_taken_back(jobs, work, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.1)
    report, flag = tmp_path / "report", tmp_path / "flag"
    job = jobs.start("release", work.pass_the_point, str(report), str(flag), title="Publishing", back="/")
    until(report.exists)
    closing = threading.Thread(target=jobs.close)
    closing.start()
    closing.join(0.5)
    assert closing.is_alive()
    flag.touch()
    closing.join()
    assert (job.state, job.result) == ("done", "published")


def test_who_cancels_before_there_is_no_way_back_has_cancelled(jobs, work, tmp_path):
    """However late the work notices: it asks before it goes on."""
    report, flag = tmp_path / "report", tmp_path / "flag"
    job = jobs.start("release", work.reach_the_point_late, str(report), str(flag), title="Late", back="/", remains="x")
    until(report.exists)
    cancelling = threading.Thread(target=jobs.cancel, args=(job,))
    cancelling.start()
    until(lambda: job.unwanted)
    flag.touch()
    cancelling.join()
    assert job.state == "cancelled"
    assert not (tmp_path / "appeared").exists()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("fail_behind_the_point", "The disk is full. Look there."),
        ("vanish_behind_the_point", "It stopped without a word; the computer may have run out of memory. Look there."),
        ("vanish", "It stopped without a word; the computer may have run out of memory. Look there."),
        ("break_down", "It stopped because of a defect in epsilometer: ZeroDivisionError. Look there."),
        ("refuse", "epsilon must be in (0, inf), got -1.0."),
    ],
)
def test_where_something_may_remain_it_is_said_where_to_look(jobs, work, capfd, target, message):
    job = jobs.start("release", getattr(work, target), title="Publishing", back="/", remains="Look there.")
    until(lambda: not job.running)
    assert (job.state, job.error) == ("failed", message)


def test_cancelling_finished_work_changes_nothing(jobs, browser, work):
    job = jobs.start("doubling", work.double, 1, title="Doubling", back="/")
    until(lambda: not job.running)
    browser.submit(f"/jobs/{job.id}/cancel")
    assert job.state == "done"


def test_the_end_of_the_server_is_the_end_of_its_work(jobs, settings, work, tmp_path):
    report = tmp_path / "report"
    job = jobs.start("holding", work.hold_a_file, str(report), title="Holding", back="/")
    until(report.exists)
    jobs.close()
    assert job.state == "cancelled"
    assert (tmp_path / "cleaned").exists()


def test_the_page_of_work_on_a_table_has_its_menu_and_says_that_it_is_confidential(app, jobs, browser, work):
    table = browser.open_example()
    back = f"{table.removeprefix(browser.root)}/release?kind=counts"
    opened = app.state.desk[table.rpartition("/")[2]]
    job = jobs.start("refusing", work.refuse, title="Refusing", back=back, opened=opened)
    until(lambda: job.state == "failed")
    shown = browser.get(f"/jobs/{job.id}").text
    assert '<p class="confidential">' in shown
    assert f'href="{table}/counts"' in shown
    other = jobs.start("refusing", work.refuse, title="Refusing", back="/")
    until(lambda: other.state == "failed")
    assert '<p class="confidential">' not in browser.get(f"/jobs/{other.id}").text


@pytest.mark.parametrize("path", ["/jobs/x", "/jobs/x/state", "/jobs/..%2f..%2fetc"])
def test_unknown_work_is_not_found(browser, path):
    assert browser.get(path).status_code == 404
