"""Paper 002, worked through again: against numbers that were worked out independently of this package."""

import json

import jsonschema
import numpy as np
import pytest

from epsilometer.report.documents import schema_text
from epsilometer.reproduction.drawing import draw_figure
from epsilometer.reproduction.finding import Severity
from epsilometer.reproduction.sampling.figures import all_figures
from epsilometer.reproduction.sampling.reproduce import reproduce_sampling


@pytest.fixture(scope="module")
def reproduction():
    return reproduce_sampling()


@pytest.fixture(scope="module")
def findings(reproduction):
    return {finding.id: finding for finding in reproduction.findings}


@pytest.fixture(scope="module")
def figures():
    return {figure.name: figure for figure in all_figures()}


def closed_forms(m):
    """Inside and outside under the prior on frequencies: equations (4.19) and (4.20) of the paper."""
    return (0.75 + 1 / (4 * (m + 1)), 0.75 - 1 / (4 * (m + 1))) if m % 2 == 0 else (
        0.75 + 1 / (4 * m), 0.75 - 1 / (4 * (m + 2)))  # fmt: skip


def test_every_number_comes_out_or_says_why_not(reproduction):
    assert all(row.note for row in reproduction.comparisons if not row.agrees)
    assert not any(row.note for row in reproduction.comparisons if row.agrees)
    assert {row.paper for row in reproduction.comparisons} == {"002"}


def test_only_the_table_differs(reproduction):
    """With a million people four of the six numbers are others; with 500 the first is rounded wrongly."""
    wrong = [(row.place, row.quantity, row.printed) for row in reproduction.comparisons if not row.agrees]
    assert wrong == [
        ("Table 4.1, n = 1,000,000", "posterior vulnerability, m = 1", "66.74%"),
        ("Table 4.1, n = 1,000,000", "posterior loss, m = 1", "19.55%"),
        ("Table 4.1, n = 1,000,000", "posterior vulnerability, m = 100", "74.85%"),
        ("Table 4.1, n = 1,000,000", "posterior loss, m = 100", "2.79%"),
        ("Table 4.1, n = 1,000,000", "posterior vulnerability, m = 500", "75.05%"),
        ("Table 4.1, n = 1,000,000", "posterior loss, m = 500", "0%"),
        ("Table 4.1, n = 500", "posterior vulnerability, m = 1", "66.74%"),
    ]


def test_what_is_compared(reproduction):
    ours = {(row.place, row.quantity): row.ours for row in reproduction.comparisons}
    example = "posterior vulnerability, n = 2, m = 1, adversary"
    for adversary, expected in (("in", 1), ("out", 2 / 3), ("unknown", 5 / 6)):
        assert ours["Example 3.7", f"{example} {adversary}"] == pytest.approx(expected)
    assert ours["Figure 4.1", "multiplicative leakage, m = 1, adversary in"] == 2
    assert ours["Section 4.3", "limit of the leakage, frequencies"] == pytest.approx(1.5, abs=1e-8)
    assert ours["Section 4.3", "limit of the leakage, datasets"] == pytest.approx(1, abs=1e-4)
    inside, outside = closed_forms(100)
    moved = inside - (100 * inside + (10**6 - 100) * outside) / 10**6
    assert ours["Figure 4.2", "change of the vulnerability, m = 100, n from 100 to 10⁶"] == pytest.approx(moved)


def test_every_erratum_is_there_once_and_none_is_critical(reproduction):
    assert [finding.id for finding in reproduction.findings] == [f"Q{number}" for number in range(1, 8)]
    assert [finding.severity for finding in reproduction.findings] == [
        Severity.WRONG,
        Severity.WRONG,
        Severity.SLIP,
        Severity.SLIP,
        Severity.IMPRECISE,
        Severity.IMPRECISE,
        Severity.SLIP,
    ]


@pytest.mark.parametrize(
    ("erratum", "pairs"),
    [
        (
            "Q2",
            [
                (0.6674, 0.66733),
                (0.1955, 0.19546),
                (0.7485, 0.74851),
                (0.0279, 0.02786),
                (0.7505, 0.75050),
                (0, 0),
                (0.6674, 0.66667),
                (0.1955, 0.19526),
                (0.7485, 0.74753),
                (0.0279, 0.03108),
                (0.7505, 0.74950),
                (0, 0.01399),
            ],
        ),
        ("Q3", [(8, 4)]),
        ("Q4", []),
        ("Q5", []),
        ("Q6", []),
        ("Q7", [(1 / 4, 1 / 5), (3 / 12 + 1 / 8, 3 / 4 + 1 / 12)]),
    ],
)
def test_numbers_of_an_erratum(findings, erratum, pairs):
    found = [(pair.printed, pair.right) for pair in findings[erratum].pairs]
    assert found == [pytest.approx(pair, abs=5.1e-6) for pair in pairs]


def test_q1_the_printed_weight_is_negative(findings):
    """Under the prior on datasets a person outside is guessed with 1/2; inside, n = 2 and m = 1, for certain."""
    first, *others = findings["Q1"].pairs
    assert (first.printed, first.right) == pytest.approx((1 / 4, 3 / 4))
    inside = 0.5 + 3 / 8 / 2  # four coins: E|y - 2| = 3/4
    assert (others[0].printed, others[0].right) == pytest.approx((0.4 * inside - 0.3, 0.4 * inside + 0.3))
    assert all(pair.printed < 0.5 < pair.right for pair in findings["Q1"].pairs)


def test_q2_to_q7_say_what_is_right(findings):
    assert "those of 500 people" in findings["Q2"].right
    assert "66.74 % should be 66.73 %" in findings["Q2"].right
    assert "four populations" in findings["Q3"].right
    assert "the less is the secrecy" in findings["Q4"].printed
    assert findings["Q4"].right.startswith("The more")
    assert "MAD(N)/n" in findings["Q5"].right
    # MAD(990,000) / 10^6 in 30 digits, and (sqrt(2 pi) / 8) sqrt(1/m - 1/n) (1 - 0.805/m)
    assert "the losses are 0.000396942 and 0.00311733" in findings["Q5"].right
    assert "Not for m = n" in findings["Q6"].right
    assert "4(m + 2)" in findings["Q7"].right


def test_figures_4_1_and_4_4_have_three_adversaries_twice(figures):
    for name, prior in (("002-figure-4-1", "frequencies"), ("002-figure-4-4", "datasets")):
        lines = {(drawn.row, drawn.line): drawn for drawn in figures[name].curves}
        rows = ("posterior vulnerability", "multiplicative leakage")
        assert set(lines) == {(row, adversary) for row in rows for adversary in ("in", "out", "unknown")}
        assert prior in figures[name].subtitle
        for (row, _), drawn in lines.items():
            assert drawn.x.tolist() == list(range(1, 101))
            if row == rows[1]:
                assert drawn.value == pytest.approx(2 * lines[rows[0], drawn.line].value)
    frequencies = {
        drawn.line: drawn.value for drawn in figures["002-figure-4-1"].curves if drawn.row.startswith("post")
    }
    assert frequencies["in"] == pytest.approx([closed_forms(m)[0] for m in range(1, 101)])
    assert frequencies["out"] == pytest.approx([closed_forms(m)[1] for m in range(1, 101)])
    assert frequencies["unknown"] == pytest.approx(frequencies["out"], abs=1e-4)
    datasets = {drawn.line: drawn.value for drawn in figures["002-figure-4-4"].curves if drawn.row.startswith("post")}
    assert datasets["in"][:4] == pytest.approx([1, 3 / 4, 3 / 4, 11 / 16])
    assert datasets["out"].tolist() == [0.5] * 100


def test_figure_4_2_hardly_depends_on_the_population(figures):
    lines = {drawn.line: drawn for drawn in figures["002-figure-4-2"].curves}
    assert set(lines) == {"in", "out", "unknown"}
    assert (lines["in"].x[0], lines["in"].x[-1]) == (101, 10**6)
    inside, outside = closed_forms(100)
    assert lines["in"].value == pytest.approx(inside)
    assert lines["out"].value == pytest.approx(outside)
    n = lines["unknown"].x
    assert lines["unknown"].value == pytest.approx(100 / n * inside + (n - 100) / n * outside)


@pytest.mark.parametrize("name", ["002-figure-4-3", "002-figure-4-5"])
def test_figures_4_3_and_4_5_trade_risk_for_loss(figures, name):
    lines = {(drawn.row, drawn.line): drawn for drawn in figures[name].curves}
    assert set(lines) == {
        ("risk", "vulnerability, unknown"),
        ("risk", "without a release"),
        ("loss", "loss of the analyst"),
        ("loss", "loss without a release"),
    }
    assert all(drawn.x.tolist() == list(range(1, 500)) for drawn in lines.values())
    assert (np.diff(lines["risk", "vulnerability, unknown"].value) >= -1e-12).all()
    assert (np.diff(lines["loss", "loss of the analyst"].value) <= 1e-12).all()
    assert (lines["risk", "without a release"].value == 0.5).all()
    before = lines["loss", "loss without a release"].value[0]
    assert lines["loss", "loss of the analyst"].value[0] <= before + 1e-12
    if name == "002-figure-4-3":
        at = lines["loss", "loss of the analyst"].value
        assert (at[0], at[99]) == pytest.approx((0.19546, 0.02786), abs=5.1e-6)


def test_figures_are_drawn_with_a_panel_for_each_row(figures):
    for figure in figures.values():
        drawn = draw_figure(figure).to_dict()
        panels = [panel["title"] for row in drawn["vconcat"] for panel in row["hconcat"]]
        assert panels == list(dict.fromkeys(f"{curve.row}: {curve.column}" for curve in figure.curves))


def test_the_document_follows_the_schema(reproduction):
    document = json.loads(json.dumps(reproduction.to_dict(), allow_nan=False))
    jsonschema.validate(document, json.loads(schema_text()))
    assert document["papers"] == ["002"]
    assert document["confirmations"] == []


def test_the_summary_counts_what_is_there(reproduction):
    total = len(reproduction.comparisons)
    assert f"In {total - 7} of {total} comparisons the printed number comes out" in reproduction.summary
    assert reproduction.summary.endswith("There are 7 errata, none of them critical.")
    assert any("figures" in line for line in reproduction.left_out)
