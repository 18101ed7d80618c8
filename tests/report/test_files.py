"""Files appear whole or not at all, and nothing is overwritten by accident."""

import os

import pytest

from epsilometer.errors import BadOutput, OutputExists
from epsilometer.report.files import check_free, write_atomically


def test_a_new_file_appears_with_its_content_and_nothing_beside_it(tmp_path):
    write_atomically(tmp_path / "a.txt", b"new", overwrite=False)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_an_existing_file_is_kept_unless_told(tmp_path):
    target = tmp_path / "a.txt"
    target.write_bytes(b"old")
    with pytest.raises(OutputExists, match=r"a\.txt exists and is kept"):
        write_atomically(target, b"new", overwrite=False)
    assert target.read_bytes() == b"old"
    write_atomically(target, b"new", overwrite=True)
    assert target.read_bytes() == b"new"


def test_a_file_that_appears_meanwhile_is_kept(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"

    def somebody_is_faster(handle):
        target.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", somebody_is_faster)
    with pytest.raises(OutputExists):
        write_atomically(target, b"mine", overwrite=False)
    assert target.read_bytes() == b"theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_crash_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    target.write_bytes(b"old")

    def power_cut(handle):
        raise OSError("no power")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises(OSError, match="no power"):
        write_atomically(target, b"new", overwrite=True)
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path):
    with pytest.raises(BadOutput, match=r"Cannot write .*Choose a folder that exists\.$"):
        write_atomically(tmp_path / "none" / "a.txt", b"new", overwrite=False)


def test_a_name_that_the_system_refuses_is_a_clear_error(tmp_path):
    with pytest.raises(BadOutput, match=r"^Cannot write .*x: File name too long\. Choose another name\.$"):
        write_atomically(tmp_path / ("x" * 300), b"new", overwrite=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(BadOutput, match=r"it is a folder\. Name a file in it\.$"):
        write_atomically(tmp_path, b"new", overwrite=True)


@pytest.mark.parametrize("overwrite", [False, True])
def test_the_source_of_a_file_is_never_overwritten(tmp_path, overwrite):
    source = tmp_path / "table.csv"
    source.write_bytes(b"old")
    hard_link = tmp_path / "same.csv"
    hard_link.hardlink_to(source)
    for path in (source, hard_link):
        with pytest.raises(BadOutput) as error:
            check_free(path, overwrite=overwrite, source=str(source))
        assert str(error.value) == f"Cannot write {path}: it is the table itself. Choose another name."


def test_what_is_not_the_source_is_free(tmp_path):
    source, other = tmp_path / "table.csv", tmp_path / "other.csv"
    source.write_bytes(b"old")
    check_free(other, overwrite=False, source=str(source))
    other.write_bytes(b"old")
    check_free(other, overwrite=True, source=str(source))
    check_free(other, overwrite=True, source="duckdb://table-that-is-no-file")
    with pytest.raises(OutputExists):
        check_free(other, overwrite=False, source=str(source))
