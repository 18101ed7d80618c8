"""No value of a CSV file changes on its way into the counts."""

import gzip

import pytest

from epsilometer.tables.counting import frequency_table
from epsilometer.tables.opening import open_table

MANY = 25_000  # more than what is read at first


def write(folder, text, name="t.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def values_of(path, **options):
    return frequency_table(path, quasi_identifiers="q", sensitive="s", **options).profile.values


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        (["2", "10", "1"], ("1", "10", "2")),
        (["2.50", "10", "2.5", "1e1"], ("10", "1e1", "2.5", "2.50")),
        ([" 2", "2 ", "2"], (" 2", "2", "2 ")),
        (["00123", "0123", "123"], ("00123", "0123", "123")),
        (["9007199254740993", "9007199254740992", "1.5"], ("1.5", "9007199254740992", "9007199254740993")),
        (["99999999999999999999", "99999999999999999998"], ("99999999999999999998", "99999999999999999999")),
        (["true", "True", "T"], ("T", "True", "true")),
        (["2020-01-02", "02/01/2020"], ("02/01/2020", "2020-01-02")),
        (["#1", "1"], ("#1", "1")),
        (['"a, ""b"""', '"two\nlines"'], ('a, "b"', "two\nlines")),
        (["1", "", '""', "  "], ("1", "(missing)")),
        (["1.5", "nan", "NaN"], ("1.5", "NaN", "nan")),
        (["1", "1_000"], ("1", "1_000")),
        (["-", "."], ("-", ".")),
    ],
)
def test_values_keep_their_identity(tmp_path, fields, values):
    path = write(tmp_path, "q,s\n" + "".join(f"a,{field}\n" for field in fields))
    assert values_of(path) == values


@pytest.mark.parametrize(
    ("late", "values"),
    [
        ("1.5", ("1", "2", "(missing)")),
        ("02", ("1", "2")),
        ("2.0", ("1", "2")),
        ("10", ("1", "2", "10")),
        ("x", ("1", "2", "(missing)")),
        ("?", ("1", "2", "(missing)")),
        ("99999999999999999999", ("1", "2", "(missing)")),
    ],
)
def test_a_late_value_that_does_not_fit_is_missing_and_said(tmp_path, late, values):
    path = write(tmp_path, "q,s\n" + "a,1\na,2\n" * MANY + f"b,{late}\n")
    freq = frequency_table(path, quasi_identifiers="q", sensitive="s", missing="?", types={"s": "integer"})
    assert freq.profile.values == values
    assert freq.n_records == 2 * MANY + 1
    said = [note for note in freq.notes if note.startswith("1 value of s cannot be read as integer")]
    assert len(said) == (late in {"1.5", "x", "99999999999999999999"})


def test_a_late_value_in_a_column_with_bins(tmp_path):
    path = write(tmp_path, "q,s\n" + "1,a\n" * MANY + "x,a\n")
    freq = frequency_table(path, quasi_identifiers="q", sensitive="s", bins={"q": 5})
    assert [cell["q"] for cell in freq.cells().to_pylist()] == ["[0, 5)", "(missing)"]
    assert any(note.startswith("1 value of q cannot be read as number") for note in freq.notes)


def test_marks_are_missing_in_every_type(tmp_path):
    path = write(tmp_path, "q,s\na,?\na, ?\na,10\na,9\na,n/a\n")
    marks = ("?", "n/a")
    assert values_of(path, missing=marks) == ("10", "9", "(missing)")
    freq = frequency_table(path, quasi_identifiers="q", sensitive="s", missing=marks, types={"s": "integer"})
    assert freq.profile.values == ("9", "10", "(missing)")
    assert not any("cannot be read" in note for note in freq.notes)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_blank_lines_and_byte_order_marks(tmp_path, newline):
    path = write(tmp_path, "\ufeff" + newline.join(["q,s", "a,1", "", "b,2"]))
    freq = frequency_table(path, quasi_identifiers="q", sensitive="s")
    assert (freq.n_records, freq.profile.values) == (2, ("1", "2"))


def test_awkward_names(tmp_path):
    path = write(tmp_path, '"it\'s ""x""", s ,\na,1,2\n')
    assert open_table(path).columns == ('it\'s "x"', "s", "column3")
    freq = frequency_table(path, quasi_identifiers='it\'s "x"', sensitive="s", where='"it\'s ""x""" = \'a\'')
    assert freq.n_records == 1


def test_several_files_are_one_table(tmp_path):
    with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
        file.write("q,s\na,1\n")
    with gzip.open(tmp_path / "b.csv.gz", "wt") as file:
        file.write("q,s\na,2\n")
    assert values_of(tmp_path / "*.csv.gz") == ("1", "2")
