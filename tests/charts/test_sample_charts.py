"""Charts of samples: every point, names that do not overlap, and the card of a notebook."""

import html
from itertools import chain, pairwise

import numpy as np
import pytest

import epsilometer as em
from epsilometer.charts.lines import LINE_HEIGHT
from epsilometer.charts.sample_curve import draw_sample, draw_sample_risk

ASSESSED = em.assess_sample(population=10_000, sample=50)
SAMPLE = ASSESSED.over_sizes
SAMPLE_RISK = em.sampling_risk(population=10**6, sample=[300, 10**5, 5], n_values=3, prior=0.5)  # with intervals


def panels(chart):
    """The rows of each panel of a chart, with the height and the top of its axis."""
    drawn = chart.to_dict()
    for part in drawn.get("vconcat", [drawn]):
        found = [row for layer in part["layer"] for row in drawn["datasets"][layer["data"]["name"]]]
        yield found, part["height"], part["layer"][0]["encoding"]["y"]["scale"]["domain"][1]


def points(rows):
    return {(row["x"], row["value"]) for row in rows if "value" in row}


def all_rows(chart):
    return list(chain.from_iterable(rows for rows, *_ in panels(chart)))


def test_a_sample_is_drawn_with_every_point(title):
    """At 50 of 10,000 the closed forms give 0.005 * 0.75490 + 0.995 * 0.74510 = 0.74515; the loss is 0.04351."""
    chart = draw_sample(ASSESSED)
    sizes = SAMPLE.loss.release.sizes.tolist()
    (risk, *_), (loss, *_) = panels(chart)
    for adversary in SAMPLE.risks:
        assert set(zip(sizes, adversary.value.tolist(), strict=True)) <= points(risk)
    assert {(size, 0.5) for size in sizes} <= points(risk)
    assert set(zip(sizes, SAMPLE.loss.value.tolist(), strict=True)) <= points(loss)
    assert [row["name"] for row in risk if "name" in row] == ["in sample", "outside", "unknown", "no release"]
    assert title(chart) == (
        "With 50 people a value is named right with 74.6 %, and shares are off by 4.4 percentage points",
        "10,000 people, 2 values, prior on frequencies.",
    )


@pytest.mark.parametrize(("people", "reach", "marked"), [(10_000, 9_999, [50]), (3, 2, [])])
def test_the_size_asked_for_is_marked_in_both_panels(people, reach, marked):
    """Nobody is outside a sample of everybody: the axis ends one person before it, and there is no mark."""
    chart = draw_sample(em.assess_sample(population=people, sample=min(50, people))).to_dict()
    for part in chart["vconcat"]:
        marks = [layer for layer in part["layer"] if layer["mark"]["type"] == "rule"]
        assert [chart["datasets"][mark["data"]["name"]] for mark in marks] == [[{"x": size}] for size in marked]
        assert all(set(mark["encoding"]) == {"x"} for mark in marks)  # from the bottom to the top
        assert part["layer"][0]["encoding"]["x"]["scale"]["domain"] == [1, reach]


def test_a_sample_with_noise_says_so(title):
    noisy = em.assess_sample(population=30, sample=5, mechanism=em.Geometric(epsilon=0.5))
    assert title(noisy.plot())[1] == "30 people, 2 values, prior on frequencies, geometric noise at ε = 0.5."


def test_a_sample_of_everybody_has_no_line_outside():
    alone = em.assess_sample(population=1, sample=1)
    assert [row["name"] for row in all_rows(draw_sample(alone)) if "name" in row] == [
        "in sample",
        "unknown",
        "no release",
        "loss",
    ]


@pytest.mark.parametrize("sizes", [1, 9, 100, 5_000])
def test_names_of_sample_lines_do_not_overlap(sizes):
    """Lines that end at one place, as outside and unknown do, have names one above the other."""
    over = em.sampling_risk(population=10_000, sample=[sizes, 10_000])
    for risk in (em.assess_sample(population=10_000, sample=sizes), over):
        for found, height, top in panels(risk.plot()):
            named = sorted(row["value"] for row in found if "name" in row)
            assert all(later - earlier >= top * LINE_HEIGHT / height - 1e-12 for earlier, later in pairwise(named))
            assert named[-1] <= top


def test_the_risk_of_a_sample_holds_every_point_and_its_interval():
    chart = draw_sample_risk(SAMPLE_RISK)
    sizes = SAMPLE_RISK.release.sizes.tolist()
    for values in (SAMPLE_RISK.value, np.full(3, 1 / 3), np.ones(3)):
        assert set(zip(sizes, values.tolist(), strict=True)) <= points(all_rows(chart))
    band = {(row["x"], row["value"], row["high"]) for row in all_rows(chart) if "high" in row}
    interval = SAMPLE_RISK.answer.interval
    assert band == set(zip(sizes, interval.low.tolist(), interval.high.tolist(), strict=True))
    assert {row["name"] for row in all_rows(chart) if "name" in row} == {"any table", "no release", "unknown"}


def test_the_risk_of_a_sample_draws_itself(title):
    """Of nine people three are drawn: (1/3) 5/6 + (2/3) 7/10 = 0.74444."""
    one = em.sampling_risk(population=9, sample=3)
    assert title(one.plot()) == ("A person's value is named right with 74.5 %, against 50.0 % without", one.question)
    assert [row["text"] for row in all_rows(one.plot()) if "text" in row] == ["50.0 %", "74.5 %", "100.0 %"]
    card = one._repr_html_()
    assert "You publish how 3 of 9 people, drawn at random, divide over two values." in card
    assert "The risk is exact" in card
    assert all(line in html.unescape(card) for line in (*one.assumptions, *one.caveats))
    assert "(4.28), corrected" in card
    assert card.count("<svg") == 1
    assert "You publish how some of 9 people" in em.sampling_risk(population=9, sample=[1, 3])._repr_html_()
