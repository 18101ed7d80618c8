"""Tables that are given or sent: nothing else can be read, nothing too large is kept, and names are only shown."""

import io
import os
import re
import stat

import openpyxl
import pytest

CSV = b"age,sex,job\n30,f,nurse\n41,m,baker\n30,f,baker\n"


def offered(browser):
    """The names on the first page, with the ids that open them."""
    page = browser.get("/").text
    return {name: offer for offer, name in re.findall(r'name="offer" value="([^"]+)"><bdi>([^<]*)</bdi>', page)}


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


# What was given


def test_a_given_file_can_be_opened(serving, tmp_path):
    (tmp_path / "people.csv").write_bytes(CSV)
    (tmp_path / "others.csv").write_bytes(CSV)
    browser = serving(source=tmp_path / "people.csv")
    offers = offered(browser)
    assert list(offers) == ["people.csv"]
    answer = browser.submit("/tables", offer=offers["people.csv"])
    assert "people.csv</bdi> has 3 rows and 3 columns" in answer.text


def test_of_a_folder_only_the_tables_in_it_are_offered(serving, tmp_path):
    folder = tmp_path / "given"
    (folder / "deeper").mkdir(parents=True)
    for name in ("b.csv", "a.parquet", "C.XLSX", "notes.txt", ".csv.swp", "x::y.csv", "*.csv", "deeper/d.csv"):
        (folder / name).write_bytes(CSV)
    (folder / "folder.csv").mkdir()
    assert list(offered(serving(source=folder))) == ["C.XLSX", "a.parquet", "b.csv"]


def test_a_link_out_of_the_folder_is_not_followed(serving, tmp_path):
    folder = tmp_path / "given"
    folder.mkdir()
    (tmp_path / "secret.csv").write_bytes(CSV)
    (folder / "in.csv").write_bytes(CSV)
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "inside.csv").symlink_to(folder / "in.csv")
    (folder / "broken.csv").symlink_to(tmp_path / "nothing.csv")
    assert list(offered(serving(source=folder))) == ["in.csv", "inside.csv"]


def test_a_file_that_turns_into_a_link_is_no_longer_opened(serving, tmp_path):
    folder = tmp_path / "given"
    folder.mkdir()
    (tmp_path / "secret.csv").write_bytes(CSV)
    (folder / "in.csv").write_bytes(CSV)
    browser = serving(source=folder)
    offer = offered(browser)["in.csv"]
    (folder / "in.csv").unlink()
    (folder / "in.csv").symlink_to(tmp_path / "secret.csv")
    assert browser.submit("/tables", offer=offer).status_code == 404


@pytest.mark.parametrize(
    "named", ["", "people.csv", "../people.csv", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "people.csv%00", "0"]
)
def test_a_table_is_opened_by_its_id_and_by_nothing_else(serving, tmp_path, named):
    (tmp_path / "people.csv").write_bytes(CSV)
    browser = serving(source=tmp_path)
    assert browser.submit("/tables", offer=named).status_code == 404
    assert browser.get(f"/tables/{named or 'x'}").status_code == 404


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/guard.py", "/static//etc/passwd"]
)
def test_nothing_but_our_own_files_is_served(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_the_example_can_be_opened_more_than_once(browser):
    first, second = (browser.submit("/example") for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert first.url != second.url
    assert "has 2,400 rows and 5 columns" in second.text


def test_the_example_is_kept_where_only_its_owner_can_read_it(browser, settings):
    before = os.umask(0)
    try:
        browser.submit("/example")
    finally:
        os.umask(before)
    (kept,) = settings.folder.glob("example*")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


# What was sent


def test_a_sent_file_is_kept_where_only_its_owner_can_read_it(browser, settings):
    answer = browser.upload("people.csv", CSV)
    assert "people.csv</bdi> has 3 rows and 3 columns" in answer.text
    (kept,) = settings.folder.glob("*.csv")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert re.fullmatch(r"[0-9a-f]{32}\.csv", kept.name)
    assert kept.read_bytes() == CSV
    assert "people.csv" in offered(browser)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("../../etc/cron.d/people.csv", "people.csv"),
        ("C:\\data\\people.csv", "people.csv"),
        ("<img src=x onerror=alert(1)>.csv", "&lt;img src=x onerror=alert(1)&gt;.csv"),
        ("\u202evsc.elpoep.csv", "\ufffdvsc.elpoep.csv"),
    ],
)
def test_the_name_of_a_sent_file_is_shown_and_nothing_else(browser, settings, sent, shown):
    answer = browser.upload(sent, CSV)
    assert answer.status_code == 200
    assert f"<bdi>{shown}</bdi>" in answer.text
    assert all(re.fullmatch(r"[0-9a-f]{32}\.csv", path.name) for path in settings.folder.iterdir())


def test_a_long_name_is_cut(browser):
    answer = browser.upload("x" * 2_000 + ".csv", CSV)
    assert answer.status_code == 200
    assert "x" * 300 not in answer.text


@pytest.mark.parametrize("name", ["people.exe", "people", "people.csv.zip", "people.db", "people.gz", ".html"])
def test_what_is_no_table_is_not_kept(browser, settings, name):
    answer = browser.upload(name, CSV)
    assert answer.status_code == 422
    assert "is not a kind of table that can be read" in answer.text
    assert not list(settings.folder.iterdir())


def test_a_form_without_a_file_says_so(browser):
    answer = browser.post("/uploads", data={"csrf": browser.csrf}, files={"other": ("a.csv", CSV)})
    assert answer.status_code == 422
    assert "No file was chosen." in answer.text


@pytest.mark.parametrize("extra", [1, 2**17, 2**20])
def test_too_large_a_file_is_not_kept(browser, settings, extra):
    answer = browser.upload("people.csv", CSV + b"x" * (settings.max_upload + extra - len(CSV)))
    assert answer.status_code == 413
    assert "more than the 1 MiB that can be sent" in answer.text
    assert not list(settings.folder.iterdir())


def test_a_file_of_just_the_limit_is_kept(browser, settings):
    filler = b"30,f,nurse\n" * (settings.max_upload // 11 - 10)
    assert browser.upload("people.csv", b"age,sex,job\n" + filler).status_code == 200


@pytest.mark.parametrize("name", ["people.parquet", "people.xlsx", "people.arrow", "people.csv"])
def test_a_file_that_is_not_what_its_name_says_is_called_by_that_name(browser, settings, name):
    answer = browser.upload(name, b"\x00\xff\x00 nothing of the kind \xff" * 10)
    assert answer.status_code == 422
    assert name in answer.text
    assert str(settings.folder) not in answer.text


def test_of_a_workbook_with_several_sheets_one_is_asked_for(browser, settings):
    content = workbook(People=[["age", "job"], [30, "nurse"]], Notes=[["text"], ["a"], ["b"]])
    asked = browser.upload("book.xlsx", content)
    assert "has 2 sheets" in asked.text
    (offer,) = re.findall(r'name="offer" value="([^"]+)"', asked.text)
    opened = browser.submit("/tables", offer=offer, sheet="Notes")
    assert "book.xlsx::Notes</bdi> has 2 rows and 1 columns" in opened.text
    assert browser.submit("/tables", offer=offer, sheet="Other").status_code == 404


def test_a_workbook_with_one_sheet_is_opened_at_once(browser):
    answer = browser.upload("book.xlsx", workbook(People=[["age", "job"], [30, "nurse"]]))
    assert "book.xlsx</bdi> has 1 rows and 2 columns" in answer.text
