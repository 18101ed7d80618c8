"""Reports as a file that no spreadsheet runs."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.randomizers import LocalLaplace, RandomizedResponse, UnaryEncoding
from epsilometer.report.delimited import as_file, safe_text
from epsilometer.report.local_reports import reports_table
from epsilometer.vocabulary.evidence import Exact, Interval
from epsilometer.vocabulary.local_release import LocalRelease, Statistic


def made(randomizer, reports, labels=(), *, risk=None, shuffled=True):
    return LocalRelease(
        column="job",
        reports=np.asarray(reports),
        labels=labels,
        shuffled=shuffled,
        n_people=len(reports),
        drawing=randomizer.describe(),
        statistics=(Statistic(name="a", value=0.5, interval=Interval(0.4, 0.6, 0.95)),),
        risk=risk,
    )


RESPONSE = RandomizedResponse(epsilon=1.0, n_values=2)
RISK = em.local_risk(RESPONSE, [0.5, 0.5], n_people=1_200)
KNOWN = replace(RISK, answer=Exact(0.73101), shuffled=Exact(0.50501), no_release=0.50019)


FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\tx", "\r=1", "\n=1", "-inf", "+1_000", "-", "=", "+nan", "-2e", "--1"]


@pytest.mark.parametrize("text", FORMULAS, ids=repr)
def test_formulas_are_quoted(text):
    assert safe_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["flu", "", "1", "-1", "+1.5", "-2.", "-1e-5", "a=b", "'=1", "é"])
def test_everything_else_stays_as_it_is(text):
    assert safe_text(text) == text


@given(st.text())
def test_what_begins_like_a_formula_is_a_number_or_quoted(text):
    safe = safe_text(text)
    assert safe.endswith(text)
    if safe.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
        assert np.isfinite(float(safe))


def rows_of(release):
    return list(csv.reader(io.StringIO(as_file(reports_table(release), ".csv").decode("utf-8"), newline="")))


def test_values_are_written_by_name():
    labels = ("flu", "=1+1", 'the "b", c', "line\nbreak", "-5")
    assert rows_of(made(RESPONSE, [1, 0, 2, 4, 3], labels)) == [
        ["report"], ["'=1+1"], ["flu"], ['the "b", c'], ["-5"], ["line\nbreak"],
    ]  # fmt: skip


def test_bits_stand_in_a_column_for_each_value():
    bits = np.array([[0, 1], [1, 1], [0, 0]], dtype=np.uint8)
    assert rows_of(made(UnaryEncoding(epsilon=1.0, n_values=2), bits, ("=1+1", "flu"))) == [
        ["report: =1+1", "report: flu"], ["0", "1"], ["1", "1"], ["0", "0"],
    ]  # fmt: skip


def test_numbers_are_written_to_the_last_digit():
    numbers = np.array([0.1, -1 / 3, 1e-300, 123456789.123456789])
    header, *rows = rows_of(made(LocalLaplace(epsilon=1.0, low=0.0, high=1.0), numbers))
    assert header == ["report"]
    assert [float(row[0]) for row in rows] == numbers.tolist()
