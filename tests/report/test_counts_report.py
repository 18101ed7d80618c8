"""The report on counts: confidential first, true to the results, safe whatever the columns are called."""

import dataclasses
import re
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.exploring.risk_grid import risk_grid
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.report.bibliography import citations, works
from epsilometer.report.building.counts import counts_report
from epsilometer.report.model import Citations, Details, Table
from epsilometer.report.odds import said_of_each
from epsilometer.report.rendering.html import as_html
from epsilometer.report.rendering.markdown import as_markdown
from epsilometer.report.templating import rounded
from epsilometer.vocabulary.curves import Curves
from epsilometer.vocabulary.evidence import Estimate, Exact, Heuristic, Interval, UpperBound
from epsilometer.vocabulary.loss import Loss
from epsilometer.vocabulary.risk_spread import Spread
from epsilometer.vocabulary.source import Source
from epsilometer.vocabulary.wording import percent, percent_at_least, readable

ASKED = (1.0, 0.1, 5.0)
GRID = (0.1, 0.5, 1.0, 2.0)
SECTIONS = ("evidence", "assumptions", "method", "plan", "versions", "promises", "limits")
HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>&amp;",
    "\u202eعمر",
    "{{ 7 * 7 }}" + "x" * 300,
)


def table(names):
    rows = [("ab"[i % 2], "cd"[i % 3 % 2], "ef"[i % 5 % 2], "gh"[i % 7 % 2]) for i in range(60)]
    return pa.table([pa.array(column) for column in zip(*rows, strict=True)], names=list(names))


def loss():
    values = np.array([0.5, 0.2, 0.1001, 0.05])
    estimate = Estimate(values, Interval(values - 0.01, values + 0.01, 0.95))
    return Loss(
        question="How far off?",
        answer=estimate,
        by_way={1: estimate},
        table_l1=Exact(values),
        table_largest=UpperBound(values),
        mechanism={"name": "laplace", "epsilon": GRID},
        repeats=1_500,
        seed=424242,
        assumptions=("Negative counts are published as zero.",),
        caveats=("Other uses may lose more.",),
        source=(Source("DworkRoth2014", "Theorem 3.6"),),
    )


def page_of(assessment, curves, **more):
    return as_html(counts_report(assessment, curves, **more))


@cache
def made(names=("age", "sex", "place", "illness"), sensitive=1, riskiest=0):
    """An assessment at the epsilons asked for, its curves on a grid, and the report of both."""
    cut = len(names) - sensitive

    def assessed(epsilons):
        return em.assess(
            em.Plan(
                table=table(names),
                quasi_identifiers=names[:cut],
                sensitive=names[cut:],
                release=em.Counts(mechanism=em.Laplace(epsilon=epsilons)),
            ),
            riskiest=riskiest,
        )

    assessment = assessed(ASKED)
    curves = [
        Curves(
            sensitive=attribute.sensitive,
            people=attribute.people,
            cells=attribute.cells,
            loss=loss(),
            people_by_threshold={0.5: attribute.people.value, 3.0: attribute.people.value / 2},
            knee=Heuristic(0.5),
            cell_sizes=np.array([1, 9]),
            cells_of_size=np.array([3, 4]),
        )
        for attribute in assessed(GRID).attributes
    ]
    return assessment, curves, page_of(assessment, curves)


class Page(HTMLParser):
    """The tags, the attributes and the visible text of a page; the text of pictures is kept apart."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag in ("head", "svg"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and tag == self.open[-1]:
            self.open.pop()

    def handle_data(self, data):
        if not self.open and data.strip():
            self.texts.append(" ".join(data.split()))

    @property
    def text(self):
        return " ".join(self.texts)


def pictures(html):
    return re.findall(r"<svg.*?</svg>", html, re.DOTALL)


def test_the_first_thing_to_read_is_who_may_see_it():
    page = Page(made()[2])
    assert page.texts[0] == (
        "Confidential: computed from the table itself. Share it only with people who may see the table."
    )


@pytest.mark.parametrize("names", [("age", "sex", "place", "illness"), HOSTILE])
def test_the_page_needs_no_network_and_runs_nothing(names):
    html = made(names)[2]
    page = Page(html)
    assert not {"script", "link", "iframe", "object", "embed", "img", "base", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name == "src" or name.startswith("on")]
    targets = {value for name, value in page.attributes if name in ("href", "xlink:href")}
    assert targets == {f"#{name}" for name in SECTIONS}
    assert targets <= {f"#{value}" for name, value in page.attributes if name == "id"}
    assert set(re.findall(r"https?://[^\"' ]*", html)) == {
        "http://www.w3.org/2000/svg",  # names of dialects, which nothing fetches
        "http://www.w3.org/1999/xlink",
    }
    assert "url(" not in html
    assert "@import" not in html


def test_names_of_columns_are_text_wherever_they_stand():
    _, _, html = made(HOSTILE)
    text = Page(html).text
    for name in HOSTILE:
        assert " ".join(readable(name).split()) in text
    assert "\u202e" not in html
    assert "49xxx" not in text  # templates inside names are not run


def test_every_picture_is_xml_and_comes_in_two_widths():
    for names in (("age", "sex", "place", "illness"), HOSTILE):
        drawn = [ET.fromstring(svg) for svg in pictures(made(names)[2])]
        assert len(drawn) == 8
        assert sorted(float(root.attrib["width"]) > 400 for root in drawn) == [False] * 4 + [True] * 4


@pytest.mark.parametrize("sensitive", [1, 2])
def test_answers_then_what_to_do_then_numbers_then_one_chart_then_one_decision_then_the_evidence(sensitive):
    assessment, _, html = made(sensitive=sensitive)
    text, parts = Page(html).text, []
    parts += [told.finding for told in said_of_each(assessment)]
    parts += ["Recommendation"]
    parts += ["Without a release", "This table, ε = 1", "Any table"] * len(assessment.attributes)
    at = 0
    for part in (*parts, "Decision", "The rest of this report", "Evidence for", "It is a probability"):
        at = text.replace("\N{NO-BREAK SPACE}", " ").index(part, at) + len(part)
    assert text.count("Decision") == 1
    first_page = html[: html.index('class="signature"')]
    assert len(pictures(first_page)) == 2  # one chart, at two widths


@pytest.mark.parametrize(
    ("values", "climbs", "finding"),
    [
        ([0.1, 0.1, 0.2, 0.3], True, "From about ε = 0.5, the risk to people starts to climb"),
        ([0.3, 0.2, 0.2, 0.2], False, "More ε does not raise the risk in this table"),
    ],
)
def test_the_dotted_line_is_explained_only_where_it_is_drawn(values, climbs, finding):
    assessment, (curves,), _ = made()
    people = dataclasses.replace(curves.people, answer=Exact(np.array(values)))
    html = page_of(assessment, [dataclasses.replace(curves, people=people)])
    assert f'aria-label="{finding}"' in html
    assert ("The dotted line marks" in html) == climbs


def test_the_three_numbers_are_those_of_the_first_epsilon_asked_for():
    assessment, _, html = made()
    people = assessment.attributes[0].people
    cards = re.findall(r"<li[^>]*><strong>(.*?)</strong>", html)[:3]
    assert [card.replace("\N{NO-BREAK SPACE}", " ") for card in cards] == [
        percent_at_least(people.no_release),
        percent(people.value[0]),
        percent(people.any_table[0]),
    ]


def test_the_table_of_epsilons_repeats_the_results_and_admits_what_was_not_computed():
    assessment, _, html = made()
    result = assessment.attributes[0]
    found = [
        re.findall(r'<td class="number"><bdi>(.*?)</bdi></td>', row.replace("\N{NO-BREAK SPACE}", " "))
        for row in re.findall(r'<tr(?: class="asked")?>(<td class="number">.*?)</tr>', html, re.DOTALL)
    ]
    losses = {0.1: "50.0 %", 1.0: "10.1 %", 5.0: "not computed"}
    numbers = (result.people.value, result.cells.value, result.people.any_table, result.own_record.value_advantage)
    expected = [
        [f"{epsilon:g}", *(percent(column[i]) for column in numbers), losses[epsilon]]
        for epsilon, i in sorted((epsilon, i) for i, epsilon in enumerate(ASKED))
    ]
    assert found == expected
    assert re.search(r'class="asked"><td class="number"><bdi>1</bdi></td>', html)


def test_every_raw_measure_is_there_once_and_those_for_experts_are_folded():
    assessment, _, html = made()
    frame = assessment.attributes[0].raw.to_frame()
    short, folded, _ = re.split(r"<details>|</details>", html[html.index("The table as it is, unprotected") :])
    found = [
        [tuple(re.findall(r"<td[^>]*><bdi>(.*?)</bdi></td>", row)) for row in re.findall(r"<tr><td.*?</tr>", part)]
        for part in (short, folded)
    ]
    assert [row[0] for row in found[0]] == ["homogeneous records", "homogeneous share", "unique records", "k"]
    expected = [(row.measure.split(".")[1].replace("_", " "), row.direction) for row in frame.itertuples()]
    assert sorted((name, direction) for name, _, _, direction in found[0] + found[1]) == sorted(expected)
    assert all(row[2].replace("&#39;", "'") in set(frame["meaning"]) for row in found[0] + found[1])


def test_the_prior_is_the_number_of_no_release():
    assessment, _, html = made()
    prior = assessment.attributes[0].people.no_release
    named = r"<bdi>prior</bdi></td><td class=\"number\"><bdi>(.*?)</bdi>"
    identity, value = re.findall(named, html.replace("\N{NO-BREAK SPACE}", " "))
    assert value == percent_at_least(prior)
    assert float(value.removesuffix(" %")) < 100 * prior  # the table is such that rounding shows
    assert identity == "1.6 %"  # of 60 people, rounded down


def test_the_riskiest_cells_are_listed_with_the_epsilon_they_are_for():
    assessment, _, html = made(riskiest=2)
    listed = html[html.index("The riskiest cells at ε = 1") :]
    text = Page(listed[: listed.index("</table>")]).text.replace("\N{NO-BREAK SPACE}", " ")
    worst = assessment.attributes[0].riskiest
    assert len(worst) == 2
    for cell in worst:
        records = ", ".join(f"{n} {value}" for value, n in cell.counts.items())
        chances = f"{percent(cell.any_value)} {percent(cell.own_value)} {rounded(cell.people, up=True)}"
        assert f"{' '.join(cell.cell.values())} {records} {chances}" in text
    assert "The riskiest cells" not in made()[2]


def test_all_that_was_assessed_is_written_down_and_harmless():
    assessment, curves, _ = made()
    plan = {"table": "stays.csv", "bins": "age: width 5", "filter": "ward <> '<b>x</b>'"}
    text = Page(page_of(dataclasses.replace(assessment, plan=plan), curves)).text
    assert "The plan Table stays.csv Bins age: width 5 Filter ward <> '<b>x</b>' Noise" in text
    assert "One person may change one person added or removed" in text


def test_no_line_of_assumptions_and_caveats_comes_twice():
    assessment, curves, _ = made(sensitive=2)
    repeated = (loss().assumptions[0], "A note.", "A note.")
    html = page_of(dataclasses.replace(assessment, notes=(*assessment.notes, *repeated)), curves)
    lines = re.findall(r"<li>(.*?)</li>", html)
    assert len(lines) == len(set(lines))
    assert "A note." in lines


def test_assumptions_caveats_sources_versions_and_seed_travel_with_the_numbers():
    assessment, curves, html = made()
    text = Page(html).text
    people, raw = assessment.attributes[0].people, assessment.attributes[0].raw
    for line in (*people.assumptions, *people.caveats, *raw.caveats, *loss().assumptions, *loss().caveats):
        assert line in text
    for source in (*people.source, *raw.source, *curves[0].loss.source):
        assert citations()[source.key] in text
        assert source.locator in text
    assert "Simulated releases 1,500, seed 424242" in text
    assert f"numpy {np.__version__}" in text


def test_several_attributes_each_have_evidence():
    assert len(pictures(made(sensitive=2)[2])) == 24  # two attributes and both together


def test_curves_must_match_the_attributes():
    assessment, _, _ = made()
    with pytest.raises(ValueError, match="zip"):
        page_of(assessment, [])


def test_measures_round_the_way_they_are_told():
    assert (rounded(0.1001, up=True), rounded(0.1009, up=False)) == ("0.101", "0.100")
    assert (rounded(12_000.0, up=False), rounded(float("inf"), up=True)) == ("12,000", "unbounded")


def test_sources_are_gathered_by_work():
    found = works([Source("Sweeney2002", "a"), Source("DworkRoth2014", "b"), Source("Sweeney2002", "c")])
    assert [work.locators for work in found] == [("a", "c"), ("b",)]
    assert found[1].citation == (
        "Cynthia Dwork, Aaron Roth: The algorithmic foundations of differential privacy. 2014."
    )
    assert not [citation for citation in citations().values() if "{" in citation]


@pytest.mark.parametrize(
    ("risks", "shown"),
    [
        ([0.0, 0.0, 0.5, 1.0], "As a rule of thumb, the risk of illness starts to climb from about ε = 0.5 on."),
        (
            [0.3, 0.2, 0.2, 0.2],
            "For illness, more ε does not raise the risk in this table; the guarantee still weakens",
        ),
        (
            [0.3, 1e-4, 2e-4, 3e-4],
            "For illness, the risk rises with ε in places only; it is largest at about ε = 0.1. The guarantee weakens",
        ),
    ],
)
def test_without_targets_nothing_is_recommended_but_what_the_curve_shows_is_said(risks, shown):
    assessment, (curves,), _ = made()
    people = dataclasses.replace(curves.people, answer=Exact(np.array(risks)))
    said = counts_report(assessment, [dataclasses.replace(curves, people=people)]).recommendation
    assert said.startswith("No limits for the risk and the loss were set, so nothing is recommended here: whoever")
    assert "epsilometer choose" not in said
    assert shown in said


def test_the_command_that_finds_noise_is_named_where_methods_are():
    assessment, curves, _ = made()
    (method,) = [section for section in counts_report(assessment, curves).sections if section.name == "method"]
    assert "“epsilometer choose” finds the noise" in method.blocks[0].text


@pytest.mark.parametrize(("epsilon", "decided"), [((1.0,), "at ε = 1."), (0.5, "at ε = 0.5."), (ASKED, "at ε = ____.")])
def test_the_decision_names_the_epsilon_of_a_report_about_one(epsilon, decided):
    _, curves, _ = made()
    names = ("age", "sex", "place", "illness")
    release = em.Counts(mechanism=em.Laplace(epsilon=epsilon))
    plan = em.Plan(table=table(names), quasi_identifiers=names[:3], sensitive=names[3:], release=release)
    assert counts_report(em.assess(plan), curves).decision[0] == f"Publish with this noise, {decided}"


def spread_of(*people):
    """How risk is spread, given as pairs of a risk and how many people have it."""
    risks, numbers = map(np.array, zip(*people, strict=True))
    found = risk_spread(em.FrequencyTable.from_counts([[3, 0], [9, 9]]), em.Laplace(epsilon=1.0))
    return dataclasses.replace(found, people=Spread(risks, numbers), answer=Exact(0.0022))


@pytest.mark.parametrize(
    ("people", "language", "said", "card"),
    [
        (
            ((0.001, 7_969), (0.5, 31)),
            "en",
            "At ε = 1, 0.22 % of the people are disclosed on average, but 31 of the 8,000 people bear a risk of 50 % "
            "or more. ",
            ["31"],
        ),
        (
            ((0.001, 7_999), (0.2, 1)),
            "de",
            "Bei ε = 1 sind im Mittel 0,22 % der Personen offengelegt, aber 1 von 8.000 Personen trägt ein Risiko von "
            "mindestens 10 %. ",
            ["1"],
        ),
        (
            ((0.001, 8_000),),
            "en",
            "At ε = 1, 0.22 % of the people are disclosed on average, and nobody bears a risk of 1 % or more. ",
            [],
        ),
    ],
)
def test_the_first_sentence_says_the_mean_and_how_many_bear_a_high_risk(people, language, said, card):
    assessment, curves, _ = made()
    (answer,) = counts_report(assessment, curves, spread=spread_of(*people), language=language).answers
    assert answer.sentences[0].startswith(said)
    assert [number.place for number in answer.numbers] == ["before", "this", *["worst"] * len(card), "worst"]
    assert [number.value for number in answer.numbers[2:-1]] == card


@pytest.mark.parametrize(
    ("noise", "drawn"),
    [
        (em.Laplace(epsilon=ASKED), "whole-number noise at the same ε: two-sided geometric noise."),
        (em.Gaussian(epsilon=ASKED, delta=1e-6), "whole-number noise at the same ε: discrete Gaussian noise."),
        (em.Geometric(epsilon=ASKED), None),
    ],
)
def test_the_first_page_says_that_a_release_draws_whole_numbers(noise, drawn):
    assessment, curves, _ = made()
    (part,) = assessment.attributes
    asked = dataclasses.replace(part, people=dataclasses.replace(part.people, mechanism=noise.describe()))
    (answer,) = counts_report(dataclasses.replace(assessment, attributes=(asked,)), curves).answers
    said = " ".join(answer.sentences[1:])
    assert ("A release draws" in said) == (drawn is not None)
    assert drawn is None or f"{drawn} Its risk stands under “What to keep in mind”." in said


@pytest.mark.parametrize(("epsilon", "pointed"), [(1.0, True), (1e-5, False)])
def test_only_a_caveat_that_is_there_is_pointed_to(epsilon, pointed):
    """Gaussian noise of a scale above 10,000 is not assessed again with whole numbers."""
    noise = em.Gaussian(epsilon=epsilon, delta=1e-6)
    assessment = em.assess(
        em.Plan(
            table=table(("age", "sex", "place", "illness")),
            quasi_identifiers=("age",),
            sensitive=("illness",),
            release=em.Counts(mechanism=noise),
        )
    )
    _, curves, _ = made()
    (answer,) = counts_report(assessment, curves).answers
    said = " ".join(answer.sentences)
    assert "A release draws whole-number noise" in said
    assert ("Its risk stands under" in said) == pointed
    assert any("whole numbers" in note for note in assessment.notes) == pointed


def test_shares_of_the_raw_table_are_percentages():
    assessment, curves, _ = made()
    raw = assessment.attributes[0].raw
    tables = [block for block in walked(counts_report(assessment, curves).sections) if isinstance(block, Table)]
    shown = {row[0]: row[1] for table in tables if "measure" in table.columns for row in table.rows}
    assert shown["homogeneous share"] == percent(raw.diversity.homogeneous_share)
    assert shown["prosecutor mean"] == percent(raw.reidentification.prosecutor_mean)
    assert shown["equal distance"] == rounded(raw.closeness.equal_distance, up=True)
    assert {name for name, value in shown.items() if value.endswith(" %")} == {
        "alpha", "homogeneous share", "unique share", "prosecutor largest", "prosecutor mean", "share above threshold",
        "journalist largest", "marketer", "prior", "posterior",
    }  # fmt: skip


def walked(sections):
    """All blocks of sections, folded ones too."""
    blocks = [block for section in sections for block in section.blocks]
    return [*blocks, *(inner for block in blocks if isinstance(block, Details) for inner in block.blocks)]


def test_a_small_prior_is_not_rounded_to_nothing():
    assessment, curves, _ = made()
    (part,) = assessment.attributes
    raw = dataclasses.replace(
        part.raw, reidentification=dataclasses.replace(part.raw.reidentification, prior=1 / 8_000)
    )
    changed = dataclasses.replace(assessment, attributes=(dataclasses.replace(part, raw=raw),))
    assert "0.012 %" in str(counts_report(changed, curves))


def test_measures_notes_of_sources_and_joined_names_are_german():
    assessment, curves, _ = made(sensitive=2)
    report = counts_report(assessment, curves, language="de")
    everything = str(report)
    for english in ("homogeneous share", "unique share", "share above threshold", "unbounded", "Reidentification"):
        assert english not in everything
    assert {"homogener Anteil", "einzigartiger Anteil", "Anteil über der Schwelle"} <= {
        row[0] for block in walked(report.sections) if isinstance(block, Table) for row in block.rows
    }
    notes = {note for block in walked(report.sections) if isinstance(block, Citations) for work in block.works
             for note in work.locators}  # fmt: skip
    assert {"Homogenitätsangriff", "Definition der k-Anonymität"} <= notes
    assert not {note for note in notes if re.search(r"\b(the|of|with|each)\b", note)}
    assert report.answers[-1].about == "place und illness"
    assert "place and illness" not in everything


def test_the_chart_of_the_first_page_marks_the_epsilon_of_the_answer():
    assessment, curves, _ = made()
    (answer,) = counts_report(assessment, curves).answers
    drawn = answer.chart.draw(860).to_dict()
    at = {"x": 1.0, "value": float(np.asarray(assessment.attributes[0].people.value)[0])}
    assert [at] in list(drawn["datasets"].values())


def test_with_targets_the_choice_is_recommended():
    names = ("age", "sex", "place", "illness")
    plan = em.Plan(table=table(names), quasi_identifiers=names[:3], sensitive=names[3:], max_risk=0.9, max_loss=0.9)
    choice = em.choose(plan)
    assessment, curves, _ = made()
    report = counts_report(assessment, curves, choice=choice)
    assert report.recommendation.startswith(f"Publish with ε = {choice.recommended:g}")
    assert set(choice.caveats) <= set(Page(as_html(report)).texts)


def test_the_spread_and_the_grid_have_sections_of_their_own():
    counts = em.FrequencyTable.from_counts([[3, 0], [2, 1], [9, 9]])
    spread = risk_spread(counts, em.Laplace(epsilon=1.0))
    grid = risk_grid(counts, em.Laplace(epsilon=(0.5, 1.0)), thresholds=[0.5, 2.0])
    assessment, curves, plain = made()
    html = page_of(assessment, curves, spread=spread, grids=[grid])
    assert len(pictures(html)) - len(pictures(plain)) == 4
    text = Page(html).text.replace("\N{NO-BREAK SPACE}", " ")
    assert f"everybody {percent(spread.people.not_exceeded_by(1.0))}" in text
    assert f"10.0 % {spread.people.number_at_least(0.1)}" in text
    assert 'href="#spread"' in html
    assert 'href="#grid-1"' in html


def test_german_reports_are_german_but_for_names_and_works():
    assessment, curves, _ = made()
    text = as_markdown(counts_report(assessment, curves, language="de")).text
    for english in ("Decision", "Evidence", "people disclosed", "The attacker", "exact", "rounded", "records in"):
        assert english not in text
    for german in ("Vertraulich", "Empfehlung", "Entscheidung", "Belege", "Der Angreifer", "aufgerundet"):
        assert german in text


def test_the_charts_of_a_german_report_are_german():
    """Captions would explain lines that are called something else."""
    names = ("alter", "geschlecht", "ort", "krank")
    assessment, curves, _ = made(names)
    freq = em.frequency_table(table(names), quasi_identifiers=names[:3], sensitive=names[3:])
    noise = em.Laplace(epsilon=1.0)
    html = page_of(
        assessment,
        curves,
        spread=risk_spread(freq, noise),
        grids=[risk_grid(freq, noise)],
        language="de",
    )
    drawn = [" ".join(ET.fromstring(svg).itertext()).lower().split() for svg in pictures(html)]
    assert len(drawn) >= 6
    for words in drawn:
        assert not {"the", "of", "people", "cells", "risk", "release", "table"} & {*words}
        assert {"ε", "risiko", "zellen", "personen", "tabelle"} & {*words}
