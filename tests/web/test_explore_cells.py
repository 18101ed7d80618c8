"""The riskiest cells: as the library has them, for the eyes of those who may see the table."""

import csv
import html
import io
import re

import pytest

import epsilometer as em

ROLES = {"role-0": "quasi-identifier", "role-1": "sensitive"}
CSV = "town,job\n" + "".join(
    f"{town},{job}\n" for town, job, n in (("=1+1", "@nurse", 30), ("b", "baker", 3)) for _ in range(n)
)


@pytest.fixture
def table(browser):
    sent = browser.upload("people.csv", CSV.encode())
    browser.submit(sent.url.path, **ROLES)
    return sent.url.path


def listed(browser, table, **asked):
    text = browser.get(f"{table}/download/cells.csv", params=asked).content.decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_cells_are_those_of_the_library(browser, table):
    import pandas as pd

    freq = em.frequency_table(pd.read_csv(io.StringIO(CSV)), quasi_identifiers=["town"], sensitive="job")
    expected = em.riskiest_cells(freq, em.Geometric(epsilon=0.5, threshold=2.0))
    found = listed(browser, table, epsilon=0.5, threshold=2)
    assert [float(row["people disclosed"]) for row in found] == pytest.approx([cell.people for cell in expected])
    assert [row["records"] for row in found] == ["30", "3"]


def test_a_spreadsheet_runs_nothing(browser, table):
    answer = browser.get(f"{table}/download/cells.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="people-riskiest-cells.csv"'
    for row in csv.reader(io.StringIO(answer.text)):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row), row
    assert listed(browser, table)[0]["town"] == "'=1+1"


def test_the_page_says_that_it_is_confidential_and_what_it_is_about(browser, table):
    page = html.unescape(browser.get(f"{table}/cells", params={"epsilon": "0.25"}).text)
    assert page.index("Confidential:") < page.index("<h1>")
    assert "If you publish counts with geometric noise at ε = 0.25" in page
    assert "The 2 riskiest cells" in page
    assert "<bdi>=1+1</bdi>" in page


def test_people_disclosed_are_of_so_many(browser, table):
    page = browser.get(f"{table}/cells", params={"epsilon": "0.5", "threshold": "2"}).text
    expected = [float(row["people disclosed"]) for row in listed(browser, table, epsilon=0.5, threshold=2)]
    shown = re.findall(r'class="number">([\d.]+) of (\d+)<', page)
    assert [people for _, people in shown] == ["30", "3"]
    assert [float(number) for number, _ in shown] == pytest.approx(expected, rel=0.1)
    assert all(float(number) >= exact for (number, _), exact in zip(shown, expected, strict=True))


def test_fewer_cells_can_be_asked_for(browser, table):
    assert len(listed(browser, table, n=1)) == 1
    assert "The 1 riskiest cell" in browser.get(f"{table}/cells", params={"n": 1}).text


@pytest.mark.parametrize(
    ("n", "message"),
    [
        *((n, "It is a number of cells.") for n in ("0", "-1", "10001")),
        *((n, "n must be a whole number, written with digits alone; got") for n in ("many", "1.5", "²", "9" * 5_000)),
        ("9" * 40, "n must be in [-1e+15, 1e+15], got 99999"),
    ],
)
def test_a_number_of_cells_is_a_number(browser, table, n, message):
    for page in ("cells", "download/cells.csv"):
        answer = browser.get(f"{table}/{page}", params={"n": n})
        assert answer.status_code == 422
        assert message in html.unescape(answer.text)
