"""Filters, bins and files made to do harm: they are refused in words, and reach nothing but the table."""

import io
import struct
import zipfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

from epsilometer.errors import BadBins, BadFilter, BadTable, UnreadableFile
from epsilometer.tables import delimited, workbook_limits
from epsilometer.tables.bins import as_bins
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.engine import embedded_engine
from epsilometer.tables.filter import filtered
from epsilometer.tables.memory import memory_limit
from epsilometer.tables.opening import open_table

OFFICE = "http://schemas.openxmlformats.org"
ROWS = pa.table({"a": [1, 2], "b": ["x", "y"]})


def write_rows(path):
    """Write a table of two rows as the kind of file that the name says."""
    if path.suffix == ".parquet":
        parquet.write_table(ROWS, path)
    elif path.suffix == ".arrow":
        feather.write_feather(ROWS, path)
    else:
        path.write_text("a,b\n1,x\n2,y\n" if path.suffix == ".csv" else '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n')
    return path


def n_rows(table):
    return table.expression.count().to_pyarrow().as_py()


# A row filter is SQL that the engine runs: nothing but a condition may come out of it


READS = "(select content like 'a%' from read_text('/x'))"


@pytest.mark.parametrize(
    "where",
    [
        f'cast(age as "oid) > 0 and {READS} and (1") = 1',
        f'try_cast(age as "oid) > 0 and {READS} and (1") = 1',
        f'age::"oid) > 0 and {READS} and (1" = 1',
        'cast([age] as "oid) > 0 and (select 1) and (1"[]) is not null',
        'cast(age as "oid) > 0) AS f FROM (select 1 as age) u; COPY (select 1) TO \'/x\'; select ((1") = 1',
        'extract("year from (select 1" from age) = 1',
        'cast(age as "a b") = 1',
        "cast(age as my_type) = 1",
        'interval 1 "day) > 1 or (1" > age',
        "unix_seconds(age collate 'p) > 0 or (select 1) > (1') > 0",
        'str_to_date(sex, "p) > 0 or (1" => 1) = 1',
    ],
)  # fmt: skip
def test_a_quoted_name_in_a_filter_cannot_carry_sql(where):
    """The parser writes some quoted names without their quotes: types, parts of dates, collations."""
    with pytest.raises((BadFilter, BadTable)):
        filtered(open_table(pa.table({"age": [1], "sex": ["f"]})).expression, where)


@pytest.mark.parametrize("where", ["(" * 400 + "a > 0" + ")" * 400, "not " * 2_000 + "a > 0"])
def test_a_filter_that_is_nested_too_deep(where):
    with pytest.raises(BadFilter, match=r"The filter is nested too deeply. Write it with fewer parentheses."):
        frequency_table(ROWS, quasi_identifiers="a", sensitive="b", where=where)


# The engine itself reaches nothing but the table, even if a filter should get through


def forbidden(folder):
    (folder / "other.txt").write_text("x")
    return (
        f"SELECT * FROM read_text('{folder / 'other.txt'}')",
        f"COPY (SELECT 1) TO '{folder / 'new.txt'}'",
        f"ATTACH '{folder / 'new.db'}'",
        "SET enable_external_access = true",
        "SELECT 'x'::INET",  # a type of an extension, which would be fetched
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl", ".arrow"])
def test_the_engine_of_a_file_reaches_nothing_else(tmp_path, suffix):
    table = open_table(write_rows(tmp_path / f"t{suffix}"))
    assert n_rows(table) == 2
    for query in forbidden(tmp_path):
        with pytest.raises(duckdb.Error):
            table.expression.get_backend().con.execute(query).fetchall()


def test_the_engine_of_a_database_reaches_nothing_else(tmp_path):
    with duckdb.connect(tmp_path / "t.duckdb") as db:
        db.execute("CREATE TABLE people AS SELECT 1 AS a")
    table = open_table(f"{tmp_path / 't.duckdb'}::people")
    assert n_rows(table) == 1
    for query in forbidden(tmp_path):
        with pytest.raises(duckdb.Error):
            table.expression.get_backend().con.execute(query).fetchall()


def test_a_view_of_a_database_reads_the_files_it_is_made_of(tmp_path):
    write_rows(tmp_path / "t.parquet")
    with duckdb.connect(tmp_path / "t.duckdb") as db:
        db.execute(f"CREATE VIEW people AS SELECT * FROM '{tmp_path / 't.parquet'}'")
    assert n_rows(open_table(f"{tmp_path / 't.duckdb'}::people")) == 2


def test_a_confined_engine_still_spills_to_its_own_folder():
    with memory_limit("200MB"):
        engine = embedded_engine()
    engine.raw_sql("CREATE TEMPORARY TABLE t AS SELECT i, repeat('x', 200) || i AS text FROM range(2_000_000) r(i)")
    ((folder,),) = engine.con.execute("SELECT current_setting('temp_directory')").fetchall()
    assert any(Path(folder).iterdir())
    assert engine.con.execute("SELECT count(DISTINCT i) FROM t").fetchall() == [(2_000_000,)]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl", ".arrow"])
@pytest.mark.parametrize(("folder", "matched"), [("[x]", "x"), ("x*", "xy"), ("x?", "xy")])
def test_a_name_that_looks_like_a_pattern_is_that_name(tmp_path, suffix, folder, matched):
    """The engine takes [x] for a pattern, and would read the file in the folder x instead."""
    for name in (folder, matched):
        (tmp_path / name).mkdir()
    path = write_rows(tmp_path / folder / f"t{suffix}")
    (tmp_path / matched / f"t{suffix}").write_text("nothing of the kind")
    assert n_rows(open_table(path)) == 2


# Files that would end the program, or keep it busy for ever


def test_an_arrow_file_whose_offsets_lead_outside(tmp_path):
    """Engines believe the offsets, and end with a segmentation fault."""
    rows = pa.table({"s": ["a", "bb", "ccc"], "x": [1, 2, 3]})
    sink = io.BytesIO()
    with ipc.new_file(sink, rows.schema) as writer:
        writer.write_table(rows)
    content = bytearray(sink.getvalue())
    struct.pack_into("<ii", content, content.index(struct.pack("<iiii", 0, 1, 3, 6)) + 8, 0x7FFFFFF0, 0x7FFFFFF8)
    (tmp_path / "t.arrow").write_bytes(content)
    for bins in ({}, {"s": 5}):
        with pytest.raises(UnreadableFile, match=r"t\.arrow is not an Arrow file, though .*out of bounds"):
            frequency_table(tmp_path / "t.arrow", quasi_identifiers="x", sensitive="s", bins=bins)


def workbook(rows, prolog="", parts=None):
    """A workbook with this XML of its rows, and more parts."""
    main, relations = f"{OFFICE}/spreadsheetml/2006/main", f"{OFFICE}/officeDocument/2006/relationships"
    relationship = f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r1" Type="{relations}'
    texts = {
        "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types"/>',
        "_rels/.rels": f'{relationship}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}">'
        '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{relationship}/worksheet" Target="worksheets/s.xml"/></Relationships>',
        "xl/worksheets/s.xml": f'{prolog}<worksheet xmlns="{main}"><sheetData><row r="1"><c r="A1" t="inlineStr">'
        f"<is><t>a</t></is></c></row>{rows}</sheetData></worksheet>",
        **(parts or {}),
    }
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in texts.items():
            book.writestr(name, text)
    return sink.getvalue()


def opened(folder, content, name="t.xlsx"):
    (folder / name).write_bytes(content)
    return open_table(folder / name)


FAR = '<c r="XFD1048576"><v>1</v></c>'


@pytest.mark.parametrize(
    "rows",
    [
        f'<row r="2">{FAR}</row>',
        '<row r="1048576"><c r="CZ1048576"/><c><v>1</v></c></row>',
        f'<row r="1048575"/><row>{"<c><v>1</v></c>" * 100}</row>',
        "<row><c><v>1</v></c></row>" + f'<x:row xmlns:x="y"><x:c r="XFD{"0" * 99}1048576"><x:v>1</x:v></x:c></x:row>',
    ],
    ids=["reference", "after an empty cell", "counted", "zeros and a prefix"],
)  # fmt: skip
def test_a_workbook_with_a_far_away_cell(tmp_path, rows):
    """The reader lays out every cell up to it, asks for 512 GiB, and ends the program."""
    with pytest.raises(
        UnreadableFile, match=r"t\.xlsx has a sheet whose cells reach to row 1,048,576 and column .*CSV"
    ):
        opened(tmp_path, workbook(rows))


def test_an_empty_cell_may_be_far_away(tmp_path):
    assert n_rows(opened(tmp_path, workbook('<row r="2"><c r="A2"><v>1</v></c><c r="XFD1048576" s="1"/></row>'))) == 1


@pytest.mark.parametrize(
    ("rows", "prolog"),
    [
        (f'<row r="2"><c x="<" r="B2"/>{FAR}</row>', ""),
        ('<row r="2"><c r="A2" r="XFD1048576"><v>1</v></c></row>', ""),
        (f'<row r="2">{FAR}</row>', "x"),
        ('<row r="2"><c><v>1</v></c></row>', '<!DOCTYPE worksheet [<!ATTLIST c r CDATA "A1">]>'),
        ('<row r="2"><c r="AAAA2"><v>1</v></c></row>', ""),
        ('<row r="two"><c><v>1</v></c></row>', ""),
    ],
    ids=["malformed", "two references", "text before", "document type", "four letters", "no number"],
)
def test_a_sheet_that_can_be_read_in_two_ways(tmp_path, rows, prolog):
    with pytest.raises(UnreadableFile, match=r"t\.xlsx is not an Excel workbook, though its name says so"):
        opened(tmp_path, workbook(rows, prolog))


def test_pictures_in_a_workbook_are_no_sheets(tmp_path):
    book = workbook('<row r="2"><c r="A2"><v>1</v></c></row>', parts={"xl/media/picture.png": b"\x89PNG\x00\xff" * 9})
    assert n_rows(opened(tmp_path, book)) == 1


@pytest.fixture
def swollen(monkeypatch):
    """A workbook that unpacks to more than is allowed."""
    monkeypatch.setattr(workbook_limits, "MOST_UNPACKED", 2**20)
    return workbook("", parts={"xl/sharedStrings.xml": b"<sst>" + b"a" * 2**21 + b"</sst>"})


def test_a_workbook_that_would_fill_the_memory(tmp_path, swollen):
    with pytest.raises(UnreadableFile, match=r"t\.xlsx unpacks to more than 0\.0 GiB. Save the sheet as CSV"):
        opened(tmp_path, swollen)


def test_a_workbook_that_lies_about_its_size(tmp_path, swollen):
    content = bytearray(swollen)
    entry = content.rindex(b"xl/sharedStrings.xml") - 46  # in the directory at the end of the archive
    assert content[entry : entry + 4] == b"PK\x01\x02"
    struct.pack_into("<I", content, entry + 24, 1_000)
    with pytest.raises(UnreadableFile, match=r"unpacks to more than"):
        opened(tmp_path, bytes(content))


def test_a_workbook_with_something_after_it(tmp_path, swollen):
    """Python no longer sees an archive with 64 KiB after it; the reader does."""
    with pytest.raises(UnreadableFile, match="is not an Excel workbook"):
        opened(tmp_path, swollen + b"\0" * 70_000)


@pytest.mark.parametrize("name", ["t.XLSX", "t.XLS"])
def test_the_end_of_a_workbooks_name_says_what_is_checked(tmp_path, name):
    with pytest.raises(UnreadableFile, match=r"write the end of the name in small letters, as in \.xls"):
        opened(tmp_path, workbook(""), name)


@pytest.mark.parametrize(
    "given",
    ["1e1000", "1e-100000", "1e1000000000", "1E1_000", "1" + "0" * 200, "0." + "0" * 200 + "1",
     {"edges": ["0", "1e400"]}, {"width": 1, "origin": "1e100000"}, {"width": 1, "top": "1.0" + "0" * 200 + "1"}],
)  # fmt: skip
def test_bins_with_an_enormous_number_of_digits(given):
    with pytest.raises(BadBins, match=r"bins of 'age': \w+ must have at most 100 digits, got '"):
        as_bins("age", given)


def test_bins_that_just_pass_make_numbers_missing():
    """Their codes are doubles, but no whole numbers that an engine can keep: such numbers have no bin."""
    bins = as_bins("a", {"width": f"3/{10**100}", "origin": f"1/{7**118}", "top": "1e100", "bottom": "-1e100"})
    with pytest.raises(BadTable, match="Column 'a' has no value in any record"):
        frequency_table(ROWS, quasi_identifiers="a", sensitive="b", bins={"a": bins})


def test_a_csv_file_with_too_many_columns(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",".join(f"{i:x}" for i in range(60_000)) + "\n")
    with pytest.raises(BadTable, match=r"t\.csv has 60,000 columns; at most 5,000 can be read. Save only those"):
        open_table(path)
    assert delimited.MOST_COLUMNS == 5_000


def test_a_row_that_imitates_our_own_complaint(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 30_000 + "epsilometer column 0 holds x,2,3\n")
    with pytest.raises(UnreadableFile, match=r"t\.csv, line 30002: the header has 2 fields, this row more"):
        frequency_table(path, quasi_identifiers="a", sensitive="b")
