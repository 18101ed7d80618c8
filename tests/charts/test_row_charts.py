"""Charts of one number per row: what was given, rounded towards caution, under a title that says the finding."""

import dataclasses
import json
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import epsilometer as em
from epsilometer.charts.cell_risk import draw_cell_risk
from epsilometer.charts.composition import Spent, draw_budgets, draw_composition
from epsilometer.charts.export import to_json, to_svg
from epsilometer.charts.guess import draw_guess
from epsilometer.charts.joint_risk import draw_joint_risk
from epsilometer.charts.local import draw_local_release, draw_local_risk
from epsilometer.charts.marginals import draw_marginals
from epsilometer.charts.own_record import draw_own_record
from epsilometer.charts.passport import draw_passport
from epsilometer.charts.raw_risk import draw_raw_risk
from epsilometer.charts.rows import Row, Scale, bars, dots, up_to_longest
from epsilometer.charts.scenarios import draw_scenarios
from epsilometer.charts.spending import draw_spending
from epsilometer.charts.table_sample import draw_table_sample
from epsilometer.charts.theme import BLUE, NARROW, WIDE, dressed
from epsilometer.reproduction.agreement import draw_agreement
from epsilometer.reproduction.comparison import Comparison
from epsilometer.reproduction.confirmation import Confirmation
from epsilometer.reproduction.finding import Finding, Severity
from epsilometer.reproduction.result import Reproduction
from epsilometer.utility.marginal_distances import MarginalDistance
from epsilometer.vocabulary.cell_risk import CellRisk
from epsilometer.vocabulary.composition import Composition
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval, UpperBound
from epsilometer.vocabulary.guess import Field, Guess
from epsilometer.vocabulary.joint_risk import JointRisk
from epsilometer.vocabulary.local_release import LocalRelease, Statistic
from epsilometer.vocabulary.local_risk import LocalRisk
from epsilometer.vocabulary.own_record import OwnRecord
from epsilometer.vocabulary.passport import Guarantee, Passport, StatedNumber
from epsilometer.vocabulary.scenario_shares import ScenarioShares
from epsilometer.vocabulary.spending import Spending
from epsilometer.vocabulary.synthetic_table import SyntheticTable
from epsilometer.vocabulary.table_sample import CellAverage, GroupSample, TableSample

LAPLACE = {"name": "laplace", "epsilon": 1.0, "delta": 0.0}
RAW = em.raw_risk(em.FrequencyTable.from_counts([[3, 0], [2, 1], [0, 1]]))
SCENARIOS = ScenarioShares(
    probability=np.array([0.3, 0.05, 0.1, 0.1, 0.2, 0.05, 0.05, 0.15]),
    scenarios=tuple(f"scenario {number}" for number in range(1, 9)),
    mechanism=LAPLACE,
    source=(),
)
OWN = OwnRecord(membership_advantage=0.25, value_advantage=0.4501, value_posterior=0.75, prior=0.2889)
JOINT = JointRisk(answer=Exact(0.12), each=(0.1, 0.0301), no_release=(0.3, 0.2), left_out=())
TWO_LOOKS = Composition(
    n_looks=2,
    adjacency="add-remove",
    delta=1e-6,
    added_up=1.5,
    added_delta=0.0,
    tight=1.25,
    membership_advantage=0.4,
    unguaranteed=(),
)
GUESS = Guess(
    question="?",
    event="any",
    method="exact",
    released="separately",
    fields=tuple(
        Field(name=name, k=None, n=None, prior=prior, sensitivity=1.0) for name, prior in (("a", 0.1), ("b", 0.2))
    ),
    no_release=0.2805,
    advantage=0.1,
    answer=Exact(0.24939),
    no_noise=False,
    prior_free=0.1337,
    in_words="",
    assumptions=(),
    caveats=(),
    source=(),
)
LOCAL = LocalRisk(
    question="?",
    randomizer={},
    n_people=900,
    answer=Exact(0.646),
    shuffled=Estimate(0.61, Interval(0.6, 0.62, 0.95)),
    no_release=0.6,
    any_table=0.9,
    local_epsilon=1.0,
    shuffled_epsilon=None,
    shuffled_delta=0.0,
    assumptions=(),
    caveats=(),
    source=(),
)
JOBS = LocalRelease(
    column="job",
    reports=np.zeros(400),
    labels=("cook", "nurse"),
    shuffled=True,
    n_people=400,
    drawing={},
    statistics=(
        Statistic(name="nurse", value=0.3, interval=Interval(0.21, 0.39, 0.95)),
        Statistic(name="cook", value=0.7, interval=Interval(0.61, 0.79, 0.95)),
        Statistic(name="mean", value=12.0, interval=Interval(11.0, 13.0, 0.95)),
    ),
    risk=None,
)
EVERYBODY = GroupSample(
    label={},
    people=2_400,
    sampled=100,
    counts={},
    no_release=0.2889,
    inside=0.2921,
    outside=0.2889,
    model_inside=0.5,
    model_outside=0.4,
    loss=None,
    model_loss=None,
)
SAMPLE = TableSample(
    table="t",
    sensitive="reason",
    quasi_identifiers=("sex", "age"),
    n_values=6,
    prior="frequencies",
    alpha=1.0,
    everybody=EVERYBODY,
    cells=(),
    n_cells=18,
    average=CellAverage(no_release=0.32, inside=0.45, outside=None),
    assumptions=(),
    caveats=(),
)
CELL = CellRisk(
    cell={"sex": "f", "age": "40"},
    counts={"flu": 2, "cold": 8},
    any_value=0.07,
    own_value=0.04,
    no_release=0.8,
    people=0.4,
)
SHARES = MarginalDistance(ways=2, columns=(("a", "b"), ("a", "c")), distances=np.array([0.1, 0.3001]))
SPENT = SyntheticTable(
    rows=None,
    method="mst",
    epsilon=1.0,
    delta=1e-6,
    adjacency="add-remove",
    spent=(Spending("number of records", 0.05), Spending("counts", 0.95)),
    domains=(),
    n_rows=243,
    in_words="",
    caveats=(),
)
REPRODUCED = Reproduction(
    about="Two papers.",
    papers=(),
    data="",
    comparisons=(
        Comparison(paper="1", place="", quantity="", printed="0.5", ours=0.5),
        Comparison(paper="1", place="", quantity="", printed="0.7", ours=0.5),
        Comparison(paper="1", place="", quantity="", printed="0.6", ours=0.6),
    ),
    confirmations=(),
    findings=(Finding(id="E1", severity=Severity.WRONG, place="", printed="", right=""),),
    left_out=(),
)
PASSPORT = Passport(
    dataset="stays",
    kind="counts",
    released_at="2026-01-31T12:00:00Z",
    ledger_entry="",
    plan={},
    protection=None,
    guarantee=Guarantee(epsilon=1.0, delta=1e-6, accounting="added up"),
    looks=(),
    mechanisms=(),
    support=None,
    post_processing=(),
    risks=(
        StatedNumber(name="membership", value=0.46212, evidence="upper bound", meaning="better than a coin"),
        StatedNumber(name="belief", value=None, evidence="upper bound", meaning="no bound"),
    ),
    utility=(),
    outputs=(),
    input_commitment=None,
    unsafe_seed=None,
    versions=None,
)
CHARTS = {
    "raw": lambda width: draw_raw_risk(RAW, width=width),
    "scenarios": lambda width: draw_scenarios(SCENARIOS, width=width),
    "own record": lambda width: draw_own_record(OWN, width=width),
    "joint": lambda width: draw_joint_risk(JOINT, width=width),
    "composition": lambda width: draw_composition(TWO_LOOKS, width=width),
    "budgets": lambda width: draw_budgets([Spent("clinic", TWO_LOOKS, 0.5)], width=width),
    "guess": lambda width: draw_guess(GUESS, width=width),
    "local risk": lambda width: draw_local_risk(LOCAL, width=width),
    "local release": lambda width: draw_local_release(JOBS, width=width),
    "table sample": lambda width: draw_table_sample(SAMPLE, width=width),
    "cell": lambda width: draw_cell_risk(CELL, width=width),
    "marginals": lambda width: draw_marginals(SHARES, width=width),
    "spending": lambda width: draw_spending(SPENT, width=width),
    "reproduction": lambda width: draw_agreement(REPRODUCED, width=width),
    "passport": lambda width: draw_passport(PASSPORT, width=width),
}
every_chart = pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS.keys())


def drawn(chart):
    """Every row of a chart: its name, the end of its bar or its dot, and its text."""
    data = chart.to_dict()["datasets"].values()
    rows = [row for values in data for row in values]
    names = {row["y"]: " ".join(row["name"]) for row in rows if "name" in row}
    numbers = {
        row["y"]: row.get("value", row["x"])
        for row in rows
        if "name" not in row and "text" not in row and "high" not in row
    }
    texts = {row["y"]: row["text"] for row in rows if "text" in row}
    return [
        (name.replace("\N{NO-BREAK SPACE}", " "), numbers[y], texts[y])
        for (_, name), y in zip(sorted(names.items()), sorted(texts), strict=True)
    ]


def intervals(chart):
    return [(row["x"], row["high"]) for rows in chart.to_dict()["datasets"].values() for row in rows if "high" in row]


@every_chart
def test_charts_fit_their_pages(draw, fits_its_page):
    fits_its_page(draw)


@every_chart
def test_charts_compute_nothing_and_load_nothing(draw):
    chart = draw(WIDE)
    assert json.loads(to_json(chart)) == chart.to_dict()
    assert not re.search('"(transform|aggregate|bin|expr|signal|params|url|href)"', to_json(chart))


def test_rows_hold_what_they_were_given():
    rows = [Row("first", 0.25, "25 %", BLUE), Row("second", 0.5, "50 %", BLUE, (0.4, 0.6))]
    for draw in (bars, dots):
        chart = dressed(draw(rows, up_to_longest(rows, "share"), width=WIDE), title="t", subtitle="s", width=WIDE)
        assert drawn(chart) == [("first", 0.25, "25 %"), ("second", 0.5, "50 %")]
        assert intervals(chart) == [(0.4, 0.6)]


def test_a_scale_ends_with_the_longest_row():
    assert up_to_longest([Row("a", 0.5, "", BLUE, (0.4, 0.6))], "t").high == 0.6
    assert up_to_longest([Row("a", 0.0, "", BLUE)], "t").high == 1.0
    assert up_to_longest([Row("a", 1e-9, "", BLUE)], "t").high == 1e-5


def test_long_names_are_broken_and_long_texts_have_room():
    row = Row("word " * 40, 1.0, "a text of thirty characters ...", BLUE)
    narrow = dressed(bars([row], Scale("t"), width=NARROW), title="t", subtitle="s", width=NARROW)
    assert float(ET.fromstring(to_svg(narrow)).attrib["width"]) <= NARROW + 10
    (name,) = [row["name"] for rows in narrow.to_dict()["datasets"].values() for row in rows if "name" in row]
    assert len(name) > 3


def test_the_table_as_it_is(title):
    """Cells 3+0, 2+1, 0+1: four of seven are in cells of one value, one is alone; guesses are right for six."""
    rows = drawn(draw_raw_risk(RAW))
    assert [text for _, _, text in rows] == ["71.4 %", "85.8 %", "57.2 %", "14.3 %", "100.0 %", "42.9 %"]
    assert rows[2][0] == "Value certain: everyone in the cell has the same"
    assert title(draw_raw_risk(RAW))[0] == (
        "Published as it is, the table gives the value of 57.2 % of the people away for certain, and 14.3 % are alone "
        "in a cell"
    )
    safe = em.raw_risk(em.FrequencyTable.from_counts([[5, 5]]))
    assert title(draw_raw_risk(safe))[0].endswith(
        "gives nobody's value away for certain, and nobody is alone in a cell"
    )


def test_scenarios_by_what_the_published_cell_shows(title):
    """True alone: 0.3 + 0.15; false alone: 0.05 + 0.05; several: 0.1 + 0.2; empty: 0.1 + 0.05."""
    chart = draw_scenarios(SCENARIOS)
    assert [number for _, number, _ in drawn(chart)] == SCENARIOS.probability.tolist()
    said = "of the cells show a single value that is true of somebody, 10.0 % one that is not"
    assert title(chart)[0] == f"At ε = 1, 45.0 % {said}"
    curve = dataclasses.replace(
        SCENARIOS,
        probability=np.stack([SCENARIOS.probability, SCENARIOS.probability]),
        mechanism={**LAPLACE, "epsilon": (1.0, 2.0)},
    )
    rows = [row for values in draw_scenarios(curve).to_dict()["datasets"].values() for row in values]
    ends = {round(row["value"], 9) for row in rows if row.get("x") == 2.0 and "name" not in row}
    assert ends == {0.45, 0.1, 0.3, 0.15}


def test_own_record_shows_the_worst_of_several_and_where_there_is_no_bound(title):
    assert [(number, text) for _, number, text in drawn(draw_own_record(OWN))] == [
        (0.25, "25.0 %"),
        (0.4501, "45.1 %"),
        (0.2889, "28.8 %"),
        (0.75, "75.0 %"),
    ]
    several = dataclasses.replace(OWN, value_advantage=np.array([0.1, 0.3]), value_posterior=None)
    rows = drawn(draw_own_record(several))
    assert rows[1][1:] == (0.3, "10.0 % to 30.0 %")
    assert rows[3][1:] == (1.0, "no bound")
    assert title(draw_own_record(several))[0].endswith("at most 30.0 % better than a coin")


def test_joint_risk_next_to_that_of_each_release(title):
    assert drawn(draw_joint_risk(JOINT)) == [
        ("This release alone", 0.1, "10.0 %"),
        ("Earlier release 1 alone", 0.0301, "3.1 %"),
        ("At least one of them", 0.12, "12.0 %"),
    ]
    assert title(draw_joint_risk(JOINT))[0] == "Taken together, the releases disclose 12.0 % of the people"
    partial = dataclasses.replace(JOINT, left_out=("a sample", "reports"))
    assert title(draw_joint_risk(partial))[1].endswith("Left out: a sample; reports.")


def test_composition_by_both_accounts(title):
    assert drawn(draw_composition(TWO_LOOKS)) == [("Added up", 1.5, "1.5"), ("By the laws of the noise", 1.25, "1.25")]
    assert title(draw_composition(TWO_LOOKS))[0] == "2 looks at the data together: ε = 1.25 at δ = 1e-06"
    unbounded = dataclasses.replace(TWO_LOOKS, tight=float("inf"))
    assert drawn(draw_composition(unbounded))[1] == ("By the laws of the noise: no epsilon holds", 1.5, "no bound")


@pytest.mark.parametrize(
    ("accounts", "finding", "n_rows"),
    [
        ([], "0 data sets, of which 0 have a budget", 1),
        ([Spent("clinic", TWO_LOOKS, 0.5)], "clinic: ε = 1.25 is spent, and 0.5 is left of the budget", 2),
        ([Spent("clinic", TWO_LOOKS, 0.0)], "clinic: ε = 1.25 is spent, and nothing is left of the budget", 2),
        ([Spent("clinic", TWO_LOOKS, None)], "clinic: ε = 1.25 is spent, and no budget limits it", 1),
        ([Spent("a", TWO_LOOKS, 0.5), Spent("b", TWO_LOOKS, None)], "2 data sets, of which 1 has a budget", 3),
    ],
)
def test_budgets(accounts, finding, n_rows, title):
    chart = draw_budgets(accounts)
    assert title(chart)[0] == finding
    assert len(drawn(chart)) == n_rows


def test_what_is_spent_without_bound_says_so(title):
    unbounded = dataclasses.replace(TWO_LOOKS, added_up=float("inf"), tight=float("inf"), unguaranteed=("a sample",))
    chart = draw_budgets([Spent("clinic", unbounded, 0.0)])
    assert title(chart)[0] == "clinic: what is spent has no bound, and nothing is left of the budget"
    assert drawn(chart)[0][1:] == (1.0, "no bound")


def test_guesses_before_and_after(title):
    chart = draw_guess(GUESS)
    assert [(number, text) for _, number, text in drawn(chart)] == [
        (0.1, "10.0 %"),
        (0.2, "20.0 %"),
        (0.2805, "28.0 %"),
        (pytest.approx(0.3805), "38.1 %"),
    ]
    assert title(chart) == (
        "At ε = 0.2493 per unit, a guess is right with at most 38.1 %, against 28.0 % without a release",
        "How the bound is known: exact. ε = 0.1337 keeps a gain of at most 10.0 percentage points, whatever the "
        "attacker knew before.",
    )
    sure = dataclasses.replace(
        GUESS, fields=GUESS.fields[:1], event="single", no_release=1.0, no_noise=True, prior_free=np.inf
    )
    assert [number for _, number, _ in drawn(draw_guess(sure))] == [1.0, 1.0]
    assert title(draw_guess(sure))[0].startswith("The bound asks for no noise to speak of")
    assert "No noise keeps a gain" in title(draw_guess(sure))[1]


def test_reports_of_one_person_and_of_all():
    chart = draw_local_risk(LOCAL)
    assert [(number, text) for _, number, text in drawn(chart)] == [
        (0.6, "60.0 %"),
        (0.61, "61.0 %"),
        (0.646, "64.6 %"),
        (0.9, "90.0 %"),
    ]
    assert intervals(chart) == [(0.6, 0.62)]
    bound = draw_local_risk(dataclasses.replace(LOCAL, shuffled=UpperBound(0.62)))
    assert drawn(bound)[1][0].endswith("in random order, at most")
    assert intervals(bound) == []


def test_estimates_of_local_reports_have_intervals(title):
    chart = draw_local_release(JOBS)
    assert drawn(chart) == [("cook", 0.7, "70.0 %"), ("nurse", 0.3, "30.0 %")]
    assert intervals(chart) == [(0.61, 0.79), (0.21, 0.39)]
    assert title(chart)[0] == "Of job, cook is reported for between 61.0 % and 79.0 % of the people"
    mean = dataclasses.replace(JOBS, labels=(), statistics=JOBS.statistics[2:])
    assert drawn(draw_local_release(mean)) == [("mean", 12.0, "12")]
    assert title(draw_local_release(mean))[0] == "Of job, the mean lies between 11 and 13"
    names = tuple(f"value {number}" for number in range(30))
    many = dataclasses.replace(
        JOBS, labels=names, statistics=tuple(dataclasses.replace(JOBS.statistics[0], name=name) for name in names)
    )
    assert len(drawn(draw_local_release(many))) == 20
    assert "The 20 largest of 30 values are shown." in title(draw_local_release(many))[1]


def test_a_sample_of_a_table_adds_what_it_adds(title):
    chart = draw_table_sample(SAMPLE)
    assert [(number, text) for _, number, text in drawn(chart)] == [
        (0.2889, "28.8 %"),
        (0.2921, "29.3 %"),
        (0.2889, "no more"),  # rounded up, it would look like more
        (0.32, "32.0 %"),
        (0.45, "45.0 %"),
        (pytest.approx((100 * 0.5 + 2_300 * 0.4) / 2_400), "40.5 %"),
    ]
    known = "Knowing the shares of reason, a guess is right with 28.8 %"
    assert title(chart)[0] == f"{known}; with the sample, about somebody in it, with 29.3 %"
    idle = dataclasses.replace(SAMPLE, everybody=dataclasses.replace(EVERYBODY, inside=None))
    assert title(draw_table_sample(idle))[0] == f"{known}, and the sample adds nothing to it"


def test_a_cell_by_value(title):
    assert drawn(draw_cell_risk(CELL)) == [("cold", 8, "8"), ("flu", 2, "2")]
    assert title(draw_cell_risk(CELL))[0] == "sex f, age 40: of 10 people, noisy counts would disclose 0.4 on average"


def test_marginals_with_the_worst_first(title):
    assert drawn(draw_marginals(SHARES)) == [("a, c", 0.3001, "30.1 %"), ("a, b", 0.1, "10.0 %")]
    assert title(draw_marginals(SHARES))[0] == (
        "Shares of 2 columns at a time are off by 20.1 percentage points on average, and by 30.1 percentage points at "
        "worst"
    )
    many = MarginalDistance(ways=1, columns=tuple((str(i),) for i in range(30)), distances=np.linspace(0, 1, 30))
    assert len(drawn(draw_marginals(many))) == 20
    assert title(draw_marginals(many))[0].startswith("Shares of one column at a time")
    assert "The 20 largest of 30 are shown." in title(draw_marginals(many))[1]


def test_where_the_budget_went(title):
    assert drawn(draw_spending(SPENT)) == [("counts", 0.95, "0.95"), ("number of records", 0.05, "0.05")]
    assert title(draw_spending(SPENT))[0] == "243 synthetic rows, made from 2 looks at the data that cost ε = 1"
    assert "δ = 1e-06" in title(draw_spending(SPENT))[1]
    many = dataclasses.replace(SPENT, delta=0.0, spent=(Spending("counts", 0.01),) * 30)
    assert len(drawn(draw_spending(many))) == 20
    assert "The 20 most expensive looks are shown." in title(draw_spending(many))[1]
    assert "one look" in title(draw_spending(dataclasses.replace(SPENT, spent=SPENT.spent[:1])))[0]


def test_printed_numbers_that_come_out(title):
    chart = draw_agreement(REPRODUCED)
    assert [number for _, number, _ in drawn(chart)] == [2, 1, 0, 1, 0, 0]
    assert title(chart) == ("2 of 3 printed numbers come out, and 1 erratum was found", "Two papers.")
    inside = Confirmation(table="", mechanism="", delta=0.0, epsilon=1.0, exact=0.5, simulated=0.5, low=0.4, high=0.6)
    simulated = dataclasses.replace(REPRODUCED, confirmations=(inside, dataclasses.replace(inside, exact=0.7)))
    assert [number for _, number, _ in drawn(draw_agreement(simulated))][2:4] == [1, 1]


def test_what_a_passport_states(title):
    assert drawn(draw_passport(PASSPORT)) == [
        ("Membership: better than a coin", 0.46212, "46.3 %"),
        ("Belief: no bound", 1.0, "no bound"),
    ]
    assert title(draw_passport(PASSPORT))[0] == "stays: the counts release guarantees ε = 1, δ = 1e-06"
    pure = dataclasses.replace(PASSPORT, guarantee=Guarantee(epsilon=0.5, delta=0.0, accounting="added up"), risks=())
    assert title(draw_passport(pure))[0] == "stays: the counts release guarantees ε = 0.5"
    assert drawn(draw_passport(pure)) == [("The passport states no bound", 1.0, "no bound")]
    drawn_ones = dataclasses.replace(
        PASSPORT, kind="sample", guarantee=Guarantee(epsilon=0.0, delta=0.05, accounting="added up")
    )
    assert "each person was drawn with a chance of at most 5.0 %" in title(draw_passport(drawn_ones))[0]
