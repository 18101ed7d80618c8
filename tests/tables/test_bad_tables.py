"""What a table that cannot be opened or counted gets: one line that says what, which, and what to do."""

import builtins
import gzip
import sqlite3
from contextlib import closing

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from epsilometer.errors import BadFilter, BadRoles, BadTable, MissingExtra, UnknownColumn, UnreadableFile
from epsilometer.tables import profiling
from epsilometer.tables.counting import count_table, frequency_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles

PEOPLE = {"age": [31, 31, 45, 7], "region": ["n", "n", "s", None], "income": ["low", "high", "low", "low"]}


def count(source, quasi_identifiers=("age", "region"), sensitive="income", **options):
    return frequency_table(source, quasi_identifiers=quasi_identifiers, sensitive=sensitive, **options)


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"sensitive": "incme"}, UnknownColumn, "There is no column 'incme'; the table has age"),
        ({"sensitive": "incme"}, UnknownColumn, "Did you mean 'income'?"),
        ({"quasi_identifiers": "zzz"}, UnknownColumn, "There is no column 'zzz'; the table has age"),
        ({"sensitive": "age"}, BadRoles, "Column 'age' is both quasi-identifier and sensitive. Give it one role."),
        ({"person_id": "age"}, BadRoles, "Column 'age' is both quasi-identifier and person id. Give it one role."),
        ({"person_id": "income"}, BadRoles, "Column 'income' is both sensitive and person id. Give it one role."),
        ({"person_id": "who"}, UnknownColumn, "There is no column 'who'"),
        ({"quasi_identifiers": ["age", "age"]}, BadRoles, "Column 'age' is given twice as quasi-identifier."),
        ({"sensitive": ["income", "income"]}, BadRoles, "Column 'income' is given twice as sensitive column."),
        ({"quasi_identifiers": []}, BadRoles, "There is no quasi-identifier. Name at least one of age"),
        ({"sensitive": []}, BadRoles, "There is no sensitive column. Name at least one of age, region, income."),
        ({"quasi_identifiers": "region", "bins": {"age": 5}}, BadRoles, "Column 'age' has bins but no role."),
        ({"where": "age > 100"}, BadTable, "The filter 'age > 100' leaves no row of the pyarrow table."),
        ({"where": "agee > 100"}, UnknownColumn, "There is no column 'agee'; the table has age, region, income."),
        ({"where": 'region = "n"'}, UnknownColumn, "There is no column 'n'"),
    ],
)  # fmt: skip
def test_roles_and_filters_that_do_not_fit(options, error, message):
    with pytest.raises(error) as caught:
        count(pa.table(PEOPLE), **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "where",
    [
        "age >", "1; drop table people", "select 1", "", "age; region", "drop table x",
        "alter table people", "age > 1; alter table x add y", "age > 1) or (age < 1", "age > 1 union select 1",
        "age > 1 group by age", "age > 1 limit 1", "age > 1 order by age", "age > 1 for update", "1 where age > 1",
    ],
)  # fmt: skip
def test_a_filter_is_one_condition(where, caplog):
    with pytest.raises(BadFilter, match="is not one SQL condition, such as: age >= 18 and sex = 'F'"):
        count(pa.table(PEOPLE), where=where)
    assert not caplog.records


@pytest.mark.parametrize("column", ["Alter", "update", "Show", "set", "Größe", "comment"])
@pytest.mark.parametrize("where", ["{} > 20", "{} > 20 -- the older ones", "income = 'low' and not {} <= 20"])
def test_a_column_of_the_filter_may_be_called_like_a_command(column, where, caplog):
    table = pa.table({column: [31, 7, 45], "income": ["low"] * 3})
    for name in (column, column.lower()):
        assert count(table, "income", column, where=where.format(name)).n_records == 2
    assert not caplog.records


@pytest.mark.parametrize(
    ("where", "hint"),
    [
        ("Body mass > 20", 'F\'. Put the column name in quotes: "Body mass".'),
        ("blood-type = 'A'", "names 'blood', which is no column. Put the column name in quotes: \"Blood-type\"."),
    ],
)
def test_column_names_that_are_no_plain_words_need_quotes(where, hint):
    table = pa.table({"Body mass": [31, 7], "Blood-type": ["A", "B"]})
    with pytest.raises(BadFilter) as caught:
        count(table, "Body mass", "Blood-type", where=where)
    assert str(caught.value).endswith(hint)
    assert count(table, "Body mass", "Blood-type", where='"Body mass" > 20').n_records == 1


@pytest.mark.parametrize(
    ("where", "culprit"),
    [
        ("age in (select age from read_csv('/etc/passwd'))", "SELECT age FROM"),
        ("exists (select 1)", "SELECT 1"),
        ("pg_read_file('/etc/passwd') = ''", "PG_READ_FILE"),
        ("max(age) > 3", "MAX(age)"),
        ("row_number() over () = 1", "ROW_NUMBER()"),
    ],
)
def test_a_filter_reads_nothing_but_its_row(where, culprit):
    with pytest.raises(BadFilter, match="which is not allowed") as caught:
        count(pa.table(PEOPLE), where=where)
    assert culprit in str(caught.value)


@pytest.mark.parametrize("where", ["age = 'old'", "age + 1", "region", "region > date '2020-01-01' + age + region"])
def test_a_filter_that_compares_nothing(where):
    with pytest.raises(BadFilter, match=r"is no condition|compares number with text|not allowed|converts a value"):
        count(pa.table(PEOPLE), where=where)


def test_an_empty_table():
    with pytest.raises(BadTable, match="the pyarrow table has no rows"):
        count(pa.table(PEOPLE).slice(0, 0))


def test_a_column_without_values():
    with pytest.raises(BadRoles, match=r"Column 'region' has no value in any record. Leave it out."):
        count(pa.table(PEOPLE | {"region": pa.array([None] * 4, pa.string())}))


@pytest.mark.parametrize("bins", [{}, {"age": 5}, {"age": {"edges": [0, 10]}}, {"age": {"width": 5, "top": 40}}])
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinities(bins, infinity):
    with pytest.raises(BadTable, match=r"Column 'age' is infinite in 1 record. Filter them out, or correct them."):
        count(pa.table(PEOPLE | {"age": [31.0, infinity, 45, 7]}), bins=bins)


def test_nan_is_missing():
    freq = count(pl.DataFrame(PEOPLE | {"age": [31.0, float("nan"), 45, 7]}))
    assert "1 record has no value for age; missing is counted as a value of its own." in freq.notes


def test_a_nested_column():
    with pytest.raises(BadRoles, match="Column 'age' holds array<int64>, which has no values to count"):
        count(pa.table(PEOPLE | {"age": [[1], [2], [3], [4]]}))


def test_objects_of_a_frame_are_text():
    mixed = pd.DataFrame(PEOPLE | {"age": pd.Series([31, "old", 45.0, None], dtype=object)})
    found = count(mixed, "region", "age").profile
    assert found.values == ("31", "45", "old", "(missing)")  # noqa: PD011  (no frame)
    found = count(mixed, "region", "age", types={"age": "integer"}).profile
    assert found.values == ("31", "45", "(missing)")  # noqa: PD011


def test_cells_of_a_sheet_are_text(tmp_path):
    book = openpyxl.Workbook()
    for row in (["age", "income"], [31, "low"], ["old", "low"], [7.5, "low"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    found = count(tmp_path / "t.xlsx", "income", "age").profile
    assert found.values == ("31", "7.5", "old")  # noqa: PD011


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: write(folder / "t.csv", "age,region,Age\n1,2,3\n"),
        lambda _: pd.DataFrame([[1, 2]], columns=["age", "Age"]),
        lambda _: pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["age", "Age"]),
    ],
)
def test_two_columns_of_one_name(make, tmp_path):
    with pytest.raises(BadTable, match=r"has more than one column named Age, age. Rename all but one."):
        open_table(make(tmp_path))


HEAD = "age,region,income\n" + "31,n,low\n" * 30_000


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("age,region,income\n31,n,low\n45,s\n", 3, "the header has 3 fields, this row 2."),
        ("age,region,income\n31,n,low,5\n45,s,low\n", 2, "the header has 3 fields, this row more."),
        (HEAD + "45,s\n", 30_002, "the header has 3 fields, this row 2."),
        (HEAD + "45,s,low,7\n", 30_002, "the header has 3 fields, this row more."),
        (HEAD + '45,"s,low\n', 30_002, "a quoted value does not end."),
        ('age,region,income\n31,"n"x,low\n', 2, "a quoted value does not end."),
    ],
)
def test_malformed_rows_are_reported_with_their_line(tmp_path, text, line, problem):
    path = write(tmp_path / "t.csv", text)
    with pytest.raises(UnreadableFile) as caught:
        count(path)
    assert str(caught.value) == (f"{path}, line {line}: {problem} No row was dropped; correct the file and try again.")


def test_a_comment_is_taken_for_the_header(tmp_path):
    path = write(tmp_path / "t.csv", "# people\nage,region,income\n31,n,low\n")
    with pytest.raises(UnknownColumn, match=r"There is no column 'age'; the table has # people\."):
        count(path)


def test_text_that_is_not_utf8(tmp_path):
    path = write(tmp_path / "t.csv", "age,region,income\n31,é,low\n", "latin-1")
    with pytest.raises(UnreadableFile, match=r"t.csv, line 2: the text is not UTF-8"):
        count(path)
    path = write(tmp_path / "u.csv", "âge,region,income\n31,e,low\n", "latin-1")
    with pytest.raises(UnreadableFile, match=r"does not begin with a line of UTF-8 text. Save it as CSV in UTF-8."):
        count(path)


def test_mixed_line_endings(tmp_path):
    with pytest.raises(UnreadableFile, match="mixes line endings or quotes"):
        count(write(tmp_path / "t.csv", "age,region,income\n31,n,low\r\n45,s,low\n"))


def test_files_with_different_headers(tmp_path):
    write(tmp_path / "a.csv", "age,region\n1,2\n")
    write(tmp_path / "b.csv", "age,income\n1,2\n")
    with pytest.raises(UnreadableFile, match=r"b.csv has another header than .*a.csv; files read together must agree."):
        open_table(tmp_path / "*.csv")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.parquet", b"age,income\n1,2\n", "t.parquet is not a Parquet file, though its name says so"),
        ("t.arrow", b"age,income\n1,2\n", "t.arrow is not an Arrow file, though its name says so"),
        ("t.xlsx", b"age,income\n1,2\n", "t.xlsx is not an Excel workbook, though its name says so."),
        ("t.jsonl", b"age,income\n1,2\n", "t.jsonl is not one JSON object per line, though its name says so"),
        ("t.csv.gz", b"age,income\n1,2\n", "t.csv.gz does not begin with a line of UTF-8 text"),
        ("t.csv", gzip.compress(b"age,income\n1,2\n", mtime=0), "t.csv does not begin with a line of UTF-8 text"),
        ("t.csv", b"", "t.csv is empty."),
        ("t.parquet", b"", "t.parquet is empty."),
        ("t.csv", b"\n1,2\n", "t.csv has no header line. Its first line must name the columns."),
        ("t.sav", b"x", "t.sav: the kind of file is told by the end of its name, one of .csv, .tsv"),
        ("t.db::people", b"", "There is no file"),
        ("t.csv::people", b"a,b\n1,2\n", "There is no file"),
    ],
)
def test_files_that_are_not_what_their_name_says(tmp_path, name, content, message):
    if "::" not in name:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile) as caught:
        open_table(str(tmp_path / name))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_part_of_a_file_with_one_table(tmp_path):
    write(tmp_path / "t.csv", "a,b\n1,2\n")
    with pytest.raises(UnreadableFile, match=r"t.csv holds one table; leave out '::people'"):
        open_table(f"{tmp_path / 't.csv'}::people")


def test_folders_and_absent_files(tmp_path):
    with pytest.raises(UnreadableFile, match=r"is a folder. Name a file, or a pattern such as .*\*.parquet"):
        open_table(tmp_path)
    with pytest.raises(UnreadableFile, match=r"There is no file .*t.csv. Check the name and the folder."):
        open_table(tmp_path / "t.csv")


def test_names_that_the_system_refuses_are_cut_short(tmp_path):
    with pytest.raises(UnreadableFile, match=r"^.{200}… could not be read: File name too long\.$"):
        open_table(tmp_path / ("x" * 5_000))


def test_workbooks(tmp_path):
    book = openpyxl.Workbook()
    book.create_sheet("Other")
    for name in ("a.xlsx", "b.xlsx"):
        book.save(tmp_path / name)
    with pytest.raises(BadTable, match=r"a.xlsx has the sheets Sheet, Other. Name one, as in .*a.xlsx::Sheet"):
        open_table(tmp_path / "a.xlsx")
    with pytest.raises(BadTable, match=r"a.xlsx has no sheet 'Third'; it has Sheet, Other"):
        open_table(f"{tmp_path / 'a.xlsx'}::Third")
    with pytest.raises(UnreadableFile, match="Workbooks are read one at a time, got 2"):
        open_table(tmp_path / "*.xlsx")


def test_databases(tmp_path, monkeypatch):
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE people (age INTEGER)")
    with pytest.raises(BadTable, match=r"t.db is a database; say which table of it, as in .*t.db::people"):
        open_table(path)
    with pytest.raises(BadTable, match=r"t.db has no table 'persons'; it has people"):
        open_table(f"{path}::persons")
    write(tmp_path / "u.db", "age,income\n")
    with pytest.raises(UnreadableFile, match=r"u.db is neither a SQLite nor a DuckDB database"):
        open_table(f"{tmp_path / 'u.db'}::people")
    with pytest.raises(BadTable, match="nosuch:// is not a database that can be connected to"):
        open_table("nosuch://host/db::people")


@pytest.mark.parametrize(("source", "package", "extra"), [("postgres://host/db::people", "psycopg", "postgres")])
def test_extras_that_are_not_installed(monkeypatch, source, package, extra):
    importing = builtins.__import__

    def without_package(name, *args, **kwargs):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(name)
        return importing(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_package)
    with pytest.raises(MissingExtra, match=rf"pip install '.\[{extra}\]'"):
        open_table(source)


def test_a_connection_that_fails_is_reported_without_its_password():
    with pytest.raises(BadTable, match=r"postgres://ann@127.0.0.1:1/db could not be read: connection failed") as caught:
        open_table("postgres://ann:secret@127.0.0.1:1/db::people")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        ('{"q": 1, "s": 1}\n{"q": 1, "s": ', UnreadableFile, "Malformed JSON .* in line"),
        ('{"q": 1, "q": 1, "s": 1}', BadTable, 'has duplicate key "q"'),
    ],
)
def test_json_lines_that_do_not_make_a_table(tmp_path, lines, error, message):
    with pytest.raises(error, match=message):
        count(write(tmp_path / "t.jsonl", lines), "q", "s")


def test_an_empty_sheet(tmp_path):
    openpyxl.Workbook().save(tmp_path / "t.xlsx")
    with pytest.raises(UnreadableFile, match=r"t.xlsx has no header row. Its first row must name the columns"):
        open_table(tmp_path / "t.xlsx")


def test_counts_that_do_not_add_up_are_never_returned(monkeypatch):
    profile_of = profiling.profile_of

    def forgetful(counts, cell, domain):
        return profile_of(counts.filter(counts.s0 != "high"), cell, domain)

    monkeypatch.setattr("epsilometer.tables.kept_counts.profile_of", forgetful)
    with pytest.raises(BadTable, match="Counting income lost 1 records of the pyarrow table"):
        count(pa.table(PEOPLE))


def test_a_column_that_was_not_counted():
    table = open_table(pa.table(PEOPLE))
    joint = count_table(table, assign_roles(table.columns, "age", "income"))
    with pytest.raises(UnknownColumn, match="There is no column 'region'; the table has income"):
        joint.frequency_table("region")


def test_too_many_values_to_bring_to_python(monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_VALUES", 1)
    with pytest.raises(BadTable, match=r"There are more than 1 different sensitive values. If they are numbers"):
        count(pa.table(PEOPLE))


def test_too_many_count_vectors_for_memory(monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_PROFILE_ENTRIES", 2)
    with pytest.raises(BadTable, match=r"The 2 sensitive values make more than 1 different count vectors. Put the"):
        count(pa.table(PEOPLE))


@pytest.mark.parametrize("n", [20, 8949])
def test_columns_that_look_like_identifiers(n):
    note = f"{{}} has {n:,} different values in {n:,} records: is it an identifier?"
    table = pa.table({"group": np.arange(n) % 3, "stay": np.arange(n)})
    assert count(table, "group", "stay").notes == (note.format("stay"),)
    assert count(table, "stay", "group").notes == (note.format("stay"),)


@pytest.mark.parametrize(("n_values", "asks"), [(90, True), (89, False)])
def test_nine_different_values_in_ten_records_look_like_an_identifier(n_values, asks):
    table = pa.table({"stay": np.arange(100) % n_values, "group": ["a", "b"] * 50})
    notes = count(table, "stay", "group").notes
    assert (notes == (f"stay has {n_values} different values in 100 records: is it an identifier?",)) == asks
