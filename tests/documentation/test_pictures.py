"""The picture on the front page shows what the program says now."""

from pathlib import Path
from xml.etree import ElementTree as ET

from typer.testing import CliRunner

from epsilometer.cli.main import app

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "demo.svg"


def words(text):
    return " ".join(text.replace("\xa0", " ").split())


def test_the_picture_of_the_demo_is_what_the_demo_prints():
    """Up to the rules of its tables, which a terminal draws in another way than a file does."""
    shown = words(" ".join(text.text or "" for text in ET.parse(PICTURE).iter("{http://www.w3.org/2000/svg}text")))
    printed = CliRunner().invoke(app, ["demo"], env={"COLUMNS": "100"}).stdout
    _, answer, *rest = printed.split("\n\n")  # what comes first says that the table is made up
    assert answer.startswith("Of 1,000 people in this table")
    assert words(answer) in shown
    assert all(words(part) in shown for part in rest if part.startswith("What "))
