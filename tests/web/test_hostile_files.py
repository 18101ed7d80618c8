"""Files and filters sent to do harm: the page refuses them in words, and goes on."""

import io
import zipfile

import pytest

from epsilometer.tables import workbook_limits

TABLE = b"age,sex,ward,disease\n30,f,a,flu\n31,m,a,flu\n32,f,b,cold\n33,m,b,flu\n"
ROLES = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-3": "sensitive"}


def test_a_filter_of_the_page_writes_no_file(browser, tmp_path):
    table = browser.upload("people.csv", TABLE).url.path
    target = tmp_path / "stolen.txt"
    where = (
        'cast(age as "oid) > 0) AS f FROM (select 1 as age) u; '
        f"COPY (select 'x' as x) TO '{target}' (FORMAT csv); create temp view zz as select ((1\") = 1"
    )
    assert browser.submit(table, **ROLES, where=where).status_code == 422
    assert not target.exists()


def test_a_filter_of_the_page_reads_no_file(browser, tmp_path):
    (tmp_path / "other.txt").write_text("another secret")
    table = browser.upload("people.csv", TABLE).url.path
    where = f"""cast(age as "oid) > 0 and (select error(content) from read_text('{tmp_path}/other.txt')) and (1") = 1"""
    answer = browser.submit(table, **ROLES, where=where)
    assert answer.status_code == 422
    assert "another secret" not in answer.text


def test_a_filter_that_is_nested_too_deep_is_refused_in_words(browser):
    table = browser.upload("people.csv", TABLE).url.path
    answer = browser.submit(table, **ROLES, where="(" * 400 + "age > 0" + ")" * 400)
    assert answer.status_code == 422
    assert "The filter is nested too deeply." in answer.text


def test_a_filter_that_keeps_the_engine_busy_is_ended(serving):
    browser = serving(filter_seconds=0.0)
    table = browser.upload("people.csv", TABLE + b"30,f,a,flu\n" * 50_000).url.path
    many = " or ".join(f"age * {i} < 0" for i in range(200))
    answer = browser.submit(table, **ROLES, **{"type-0": "integer"}, where=many)
    assert answer.status_code == 422
    assert "seconds, and was ended. Write a simpler one." in answer.text
    assert browser.submit(table, **ROLES, where="").status_code == 200


@pytest.mark.parametrize("text", ["1e1000", "1e-100000", "0/1e400", "width=1,origin=1e100000"])
def test_bins_with_an_enormous_exponent_are_refused(browser, text):
    table = browser.upload("people.csv", TABLE).url.path
    answer = browser.submit(table, **ROLES, **{"bins-0": text})
    assert answer.status_code == 422
    assert "must have at most 100 digits" in answer.text


def test_a_table_with_too_many_columns_is_refused(browser):
    answer = browser.upload("wide.csv", ",".join(f"{i:x}" for i in range(60_000)).encode())
    assert answer.status_code == 422
    assert "wide.csv has 60,000 columns" in answer.text


def test_a_workbook_is_checked_before_anything_opens_it(browser, monkeypatch):
    """To list its sheets, all its texts are unpacked."""
    opened = []
    monkeypatch.setattr(workbook_limits, "MOST_UNPACKED", 2**20)
    monkeypatch.setattr("python_calamine.CalamineWorkbook.from_path", opened.append)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/sharedStrings.xml", b" " * 2**21)
    answer = browser.upload("book.xlsx", bomb.getvalue())
    assert answer.status_code == 422
    assert "book.xlsx unpacks to more than 0.0 GiB. Save the sheet as CSV" in answer.text
    assert not opened
