"""A release never takes the place of the table it is made from."""

import pytest

RELEASE = ("--kind", "local", "--sensitive", "job", "--domain", "job=cook,nurse", "--epsilon", "1", "--quiet")


@pytest.mark.parametrize("name", ["people.csv", "folder/../people.csv", "link.csv"])
@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_a_release_does_not_overwrite_its_table_by_whatever_name(run, people, name, overwrite):
    folder = people.parent
    (folder / "folder").mkdir()
    (folder / "link.csv").symlink_to(people)
    before = people.read_bytes()
    outcome = run("release", people, "--unit", "row", *RELEASE, "--out", folder / name, *overwrite)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"Error: Cannot write {folder / name}: it is the table itself. Choose another name.\n"
    assert people.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["folder", "link.csv", "people.csv"]


def test_a_release_overwrites_another_file_when_told(run, people):
    before, reports = people.read_bytes(), people.with_name("reports.csv")
    reports.write_bytes(before)  # alike, but another file
    assert run("release", people, "--unit", "row", *RELEASE, "--out", reports, "--overwrite").code == 0
    assert reports.read_bytes() != before
    assert people.read_bytes() == before
