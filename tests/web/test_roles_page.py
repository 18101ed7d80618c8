"""The columns get their roles on a page; what is wrong stands beside its field, and nothing entered is lost."""

import html
import re

import pyarrow as pa
import pytest
from pyarrow import parquet
from starlette.exceptions import HTTPException

CSV = b"id,age,sex,job,pay\n1,30,f,nurse,?\n2,41,m,baker,10\n3,30,f,baker,20\n4,41,m,nurse,30\n"
ROLES = {"role-0": "ignore", "role-1": "quasi-identifier", "role-2": "quasi-identifier", "role-3": "sensitive"}


@pytest.fixture
def table(browser):
    return browser.upload("people.csv", CSV).url.path


def opened(app, table):
    return app.state.desk[table.rpartition("/")[2]]


def problems(answer):
    """What stands beside each field, by the name of the field."""
    found = re.findall(r'class="problem" id="problem-([\w-]*)" role="alert"><bdi>([^<]*)</bdi>', answer.text)
    return {name: html.unescape(message) for name, message in found}


def chosen(answer, what="role"):
    """The role, or the type, that is selected for each column."""
    selects = re.findall(rf'<select name="{what}-(\d+)"(.*?)</select>', answer.text, re.DOTALL)
    return {i: option for i, shown in selects for option in re.findall(r'<option value="([^"]+)" selected>', shown)}


def test_the_page_says_of_each_column_what_it_holds(browser, table):
    text = " ".join(re.sub(r"<[^>]+>", " ", browser.get(table).text).split())
    assert "people.csv has 4 rows and 5 columns." in text
    assert "decide yourself" in text
    assert "sex string, 2 values" in text


def test_roles_are_suggested_and_each_column_has_exactly_one(browser, table):
    assert len(chosen(browser.get(table))) == 5


def test_missing_values_are_counted(browser):
    page = browser.upload("people.csv", b"age,job\n30,nurse\n,baker\n").text
    assert "1 missing" in page


def test_chosen_roles_count_the_table_and_lead_to_the_counts(app, browser, table):
    answer = browser.post(
        table,
        data={
            "csrf": browser.csrf,
            **ROLES,
            "role-0": "person id",
            "bins-1": "20",
            "missing": "?, x ",
            "where": "age < 50",
        },
        follow_redirects=False,
    )
    assert (answer.status_code, answer.headers["location"]) == (303, f"{table}/counts")
    roles = opened(app, table).roles
    assert (roles.quasi_identifiers, roles.sensitive, roles.person_id) == (("age", "sex"), ("job",), "id")
    assert (roles.missing, roles.where, str(roles.bins["age"])) == (
        ("?", "x"),
        "age < 50",
        "width 20 from 0, closed left",
    )
    counted = opened(app, table).counted()
    assert [freq.n_records for freq in counted.tables] == [4]
    assert opened(app, table).counted() is counted


def test_the_page_shows_the_roles_again_as_they_were_chosen(browser, table):
    browser.submit(table, **ROLES, **{"bins-1": "0/18/65", "missing": "?", "where": "age < 50"})
    again = browser.get(table)
    assert chosen(again) == {
        "0": "ignore",
        "1": "quasi-identifier",
        "2": "quasi-identifier",
        "3": "sensitive",
        "4": "ignore",
    }
    assert 'value="0/18/65"' in again.text
    assert 'value="age &lt; 50"' in again.text
    assert 'id="missing" value="?"' in again.text


def test_the_plan_of_the_table_says_how_it_is_read(app, browser, table):
    browser.submit(table, **ROLES, **{"bins-1": "20"})
    plan = opened(app, table).plan()
    assert (plan.dataset, plan.quasi_identifiers, plan.sensitive) == ("people.csv", ("age", "sex"), ("job",))
    assert plan.release.kind == "counts"


def test_types_are_suggested_for_text_and_kept_once_chosen(app, browser, table):
    assert chosen(browser.get(table), "type") == {"0": "integer", "1": "integer"}  # others are the first, text
    browser.submit(table, **ROLES, **{"type-1": "integer", "type-2": "text", "type-4": "number"})
    assert opened(app, table).plan().types == {"age": "integer", "pay": "number"}
    again = {"0": "text", "1": "integer", "2": "text", "3": "text", "4": "number"}
    assert chosen(browser.get(table), "type") == again
    without = opened(app, table).roles.fingerprint
    browser.submit(table, **ROLES)
    assert opened(app, table).plan().types == {}
    assert opened(app, table).roles.fingerprint != without


def test_typed_sources_have_no_type_to_choose(browser, tmp_path):
    parquet.write_table(pa.table({"age": [30, 41], "sex": ["f", "m"]}), tmp_path / "t.parquet")
    page = browser.upload("t.parquet", (tmp_path / "t.parquet").read_bytes())
    assert re.findall(r'name="type-(\d)"', page.text) == ["1"]


@pytest.mark.parametrize(("more", "status"), [({}, 422), ({"type-1": "integer"}, 303), ({"bins-1": "20"}, 303)])
def test_a_filter_on_numbers_needs_their_type(browser, table, more, status):
    data = {"csrf": browser.csrf, **ROLES, "where": "age < 41", **more}
    answer = browser.post(table, data=data, follow_redirects=False)
    assert answer.status_code == status
    assert list(problems(answer)) == (["where"] if status == 422 else [])


def test_new_roles_are_counted_anew(app, browser, table):
    browser.submit(table, **ROLES)
    before = opened(app, table).counted()
    browser.submit(table, **{**ROLES, "role-2": "ignore"})
    after = opened(app, table).counted()
    assert [freq.n_cells for freq in before.tables] == [freq.n_cells for freq in after.tables] == [2]
    assert after is not before


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"bins-1": "ten"}, "bins-1", "bins of 'age': width must be a finite number, got 'ten'."),
        ({"bins-1": "-5"}, "bins-1", "width must be above 0"),
        ({"bins-1": "5/1"}, "bins-1", "edges must be one or more growing numbers"),
        ({"bins-1": "width=5,colour=red"}, "bins-1", "there is no colour"),
        ({"where": "salary > 3"}, "", "There is no column 'salary'"),
        ({"where": "age >"}, "where", "is not one SQL condition"),
        ({"where": "age IN (SELECT 1)"}, "where", "which is not allowed"),
        ({"where": "age > 1000", "type-1": "integer"}, "", "leaves no row"),
        ({"type-1": "whole"}, "", "type of age must be one of text, integer"),
        ({"type-3": "integer"}, "", "'job' is read as integer, and no value of it is one"),
        ({"role-1": "ignore", "role-2": "ignore"}, "", "There is no quasi-identifier."),
        ({"role-3": "ignore"}, "", "There is no sensitive column."),
        ({"role-0": "person id", "role-4": "person id"}, "", "all say whose row it is. Keep one of them."),
        ({"role-2": "quasi-identifier", "bins-2": "5"}, "", ""),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_what_was_entered_stays(browser, table, fields, field, message):
    answer = browser.submit(table, **{**ROLES, "missing": "unknown", **fields})
    assert answer.status_code == 422
    assert list(found := problems(answer)) == [field]
    assert message in found[field]
    assert 'id="missing" value="unknown"' in answer.text
    for name, value in fields.items():
        if not name.startswith(("role", "type")):
            assert f'value="{html.escape(value)}"' in answer.text
    assert browser.get(f"{table}/counts", follow_redirects=False).headers["location"].startswith(table)  # no roles yet


def test_several_wrong_bins_are_all_named(browser, table):
    answer = browser.submit(table, **{**ROLES, "role-0": "quasi-identifier", "bins-0": "x", "bins-1": "y"})
    assert set(problems(answer)) == {"bins-0", "bins-1"}
    assert answer.text.count('<tr><td colspan="5">') == len(problems(answer))  # the column of bins is too narrow
    assert answer.text.count('aria-invalid="true"') == 2


def test_a_wrong_choice_leaves_the_roles_before_it(app, browser, table):
    browser.submit(table, **ROLES)
    browser.submit(table, **{**ROLES, "where": "nonsense ("})
    assert opened(app, table).roles.where is None
    assert opened(app, table).counted().tables[0].n_records == 4


def test_roles_that_do_not_exist_are_like_none(browser, table):
    answer = browser.submit(table, **{"role-0": "king", "role-3": "sensitive"})
    assert "There is no quasi-identifier." in problems(answer)[""]


@pytest.mark.parametrize("page", ["counts", "sample", "compare", "cells", "release"])
def test_who_asks_for_numbers_too_early_is_led_to_the_columns(browser, table, page):
    answer = browser.get(f"{table}/{page}", follow_redirects=False)
    assert (answer.status_code, answer.headers.get("location")) == (303, f"{table}?first=roles")
    assert "First say what the columns are." in browser.get(answer.headers["location"]).text
    assert "First say" not in browser.get(table).text


def test_an_explorer_is_kept_for_each_sensitive_column(app, browser, table):
    browser.submit(table, **{**ROLES, "role-4": "sensitive"})
    found = opened(app, table)
    assert found.explorer("job") is found.explorer("job")
    assert found.explorer("job") is not found.explorer("pay")
    with pytest.raises(HTTPException, match="'age' is not a sensitive column"):
        found.explorer("age")


def test_how_many_values_there_are_is_said_as_it_is_known(browser):
    rows = "".join(f"{i},{i % 700},note {i} {'on what was seen and done that day' * 2}\n" for i in range(8_000))
    page = browser.upload("stays.csv", f"number,room,note\n{rows}".encode()).text
    found = [int(text.replace(",", "")) for text in re.findall(r"about ([\d,]+) values", page)]
    assert len(found) == 2
    assert all(7_000 <= number <= 9_000 and number % 100 == 0 for number in found)
    assert "700 values" in page
    assert "looks like free text" in page
    assert "results of tests" not in page


def test_a_column_that_tells_everybody_apart_is_warned_of(browser):
    rows = "".join(f"P{i:04},{'fm'[i % 2]},{'xy'[i % 3 == 0]}\n" for i in range(60))
    table = browser.upload("stays.csv", f"patient,sex,job\n{rows}".encode()).url.path
    roles = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "sensitive"}
    for page in (browser.submit(table, **roles), browser.get(table)):
        assert "patient has 60 values in 60 rows: it nearly tells everybody apart." in page.text
        assert "Most cells hold one person: 60 of 60 cells, and so 60 of 60 people." in page.text
    fine = browser.submit(table, **{**roles, "role-0": "ignore"})
    assert "tells everybody apart" not in fine.text
    assert "hold one person" not in fine.text
