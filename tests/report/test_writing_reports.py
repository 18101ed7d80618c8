"""Reports as files: the ending decides the form, nothing is overwritten unasked, nobody else may read them."""

import json

import pytest

from epsilometer.errors import BadOutput, OutputExists, UnknownChoice
from epsilometer.plans.plan import Plan
from epsilometer.report.building.public import public_report
from epsilometer.report.model import Picture, Section, Text
from epsilometer.report.writing import write_report
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.risk import Risk


def risk():
    return Risk(
        question="Who?",
        measure="homogeneity local",
        average="records",
        answer=Exact(0.1),
        no_release=0.2,
        any_table=0.3,
        mechanism={"epsilon": 1.0},
        assumptions=(),
        caveats=(),
        source=(),
    )


@pytest.fixture(scope="module")
def report():
    from dataclasses import replace

    made = public_report(Plan(table=None, quasi_identifiers=("age",), sensitive=("job",)))
    picture = Picture(name="risk", draw=lambda _width: risk().plot(), caption="How to read it.")
    return replace(made, sections=(Section(name="evidence", heading="Evidence \ud800", blocks=(Text("x"), picture)),))


@pytest.mark.parametrize("name", ["r.html", "r.HTM", "r.md", "r.json"])
def test_the_ending_decides_the_form(report, tmp_path, name):
    write_report(report, tmp_path / name, overwrite=False)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text.startswith({"h": "<!doctype html>", "m": "**Public: ", "j": "{\n"}[name[2].lower()])
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    if name.endswith("json"):
        assert json.loads(text)["sections"][0]["heading"] == "Evidence \N{REPLACEMENT CHARACTER}"


def test_markdown_has_its_charts_beside_it(report, tmp_path):
    write_report(report, tmp_path / "a b.md", overwrite=False)
    pictures = sorted((tmp_path / "a b-charts").iterdir())
    assert [picture.name for picture in pictures] == ["01-promise.svg", "02-risk.svg"]
    for picture in pictures:
        assert picture.read_text(encoding="utf-8").startswith("<svg")
        assert f"](a%20b-charts/{picture.name})" in (tmp_path / "a b.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["r.html", "r.md", "r.json"])
def test_nothing_is_overwritten_unasked(report, tmp_path, name):
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(OutputExists):
        write_report(report, tmp_path / name, overwrite=False)
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    write_report(report, tmp_path / name, overwrite=True)
    assert (tmp_path / name).read_text(encoding="utf-8") != "mine"
    write_report(report, tmp_path / name, overwrite=True)


def test_a_folder_of_charts_that_is_there_is_not_written_into_unasked(report, tmp_path):
    (tmp_path / "r-charts").mkdir()
    with pytest.raises(OutputExists, match="r-charts"):
        write_report(report, tmp_path / "r.md", overwrite=False)
    assert not list((tmp_path / "r-charts").iterdir())


def test_a_file_with_the_name_of_the_folder_is_never_replaced(report, tmp_path):
    (tmp_path / "r-charts").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputExists, match="r-charts"):
        write_report(report, tmp_path / "r.md", overwrite=True)


def test_other_endings_are_refused(report, tmp_path):
    with pytest.raises(
        UnknownChoice, match=r"one of \.html, \.htm, \.md, \.json; got '\.pdf'\. A report is a web page"
    ):
        write_report(report, tmp_path / "r.pdf", overwrite=False)


def test_a_folder_that_cannot_be_made_is_told(report, tmp_path, monkeypatch):
    def refuse(*_args, **_settings):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    with pytest.raises(BadOutput, match=r"Cannot make the folder .*r-charts: Permission denied\. Choose another place"):
        write_report(report, tmp_path / "r.md", overwrite=False)
    assert not list(tmp_path.iterdir())
