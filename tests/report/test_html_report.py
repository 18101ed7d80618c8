"""The report: confidential first, self-contained, true to the results, safe whatever the columns are called."""

import re
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.report.bibliography import citations, works
from epsilometer.report.html import assessment_report
from epsilometer.report.sentences import answer
from epsilometer.report.templating import cautious
from epsilometer.vocabulary.curves import Curves
from epsilometer.vocabulary.evidence import Estimate, Exact, Heuristic, Interval, UpperBound
from epsilometer.vocabulary.loss import Loss
from epsilometer.vocabulary.source import Source
from epsilometer.vocabulary.wording import percent, percent_at_least, readable

ASKED = (1.0, 0.1, 5.0)
GRID = (0.1, 0.5, 1.0, 2.0)
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


@cache
def made(names=("age", "sex", "place", "illness"), sensitive=1):
    """An assessment at the epsilons asked for, its curves on a grid, and the report of both."""
    cut = len(names) - sensitive

    def assessed(epsilons):
        return em.assess(
            em.Plan(
                table=table(names),
                quasi_identifiers=names[:cut],
                sensitive=names[cut:],
                mechanism=em.Laplace(epsilon=epsilons),
            )
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
    return assessment, curves, assessment_report(assessment, curves)


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
    assert targets == {"#evidence", "#assumptions", "#method", "#promises", "#limits"}
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
        assert readable(name) in text
    assert "\u202e" not in html
    assert "49xxx" not in text  # templates inside names are not run


def test_every_picture_is_xml_and_comes_in_two_widths():
    for names in (("age", "sex", "place", "illness"), HOSTILE):
        drawn = [ET.fromstring(svg) for svg in pictures(made(names)[2])]
        assert len(drawn) == 8
        assert 'aria-label="From about ε = 0.5, the risk to people starts to climb"' in made(names)[2]
        assert sorted(float(root.attrib["width"]) > 400 for root in drawn) == [False] * 4 + [True] * 4


def test_the_decision_comes_first_and_in_the_words_of_the_answer():
    assessment, _, html = made()
    text = Page(html).text
    places = [
        text.index(part)
        for part in (answer(assessment), "No release", "Decision", "Evidence for", "It is a probability")
    ]
    assert places == sorted(places)


def test_the_three_numbers_are_those_of_the_first_epsilon_asked_for():
    assessment, _, html = made()
    people = assessment.attributes[0].people
    assert re.findall(r"<li[^>]*><strong>(.*?)</strong>", html)[:3] == [
        percent_at_least(people.no_release),
        percent(people.value[0]),
        percent(people.any_table[0]),
    ]


def test_the_table_of_epsilons_repeats_the_results_and_admits_what_was_not_computed():
    assessment, _, html = made()
    result = assessment.attributes[0]
    found = [
        re.findall(r'<td class="number">(.*?)</td>', row)
        for row in re.findall(r'<tr(?: class="asked")?>(<td class="number">.*?)</tr>', html, re.DOTALL)
    ]
    losses = {0.1: "50.0 %", 1.0: "10.1 %", 5.0: "not computed"}
    numbers = (result.people.value, result.cells.value, result.people.any_table, result.own_record.value_advantage)
    expected = [
        [f"{epsilon:g}", *(percent(column[i]) for column in numbers), losses[epsilon]]
        for epsilon, i in sorted((epsilon, i) for i, epsilon in enumerate(ASKED))
    ]
    assert found == expected
    assert re.search(r'class="asked"><td class="number">1</td>', html)


def test_every_raw_measure_is_there_with_its_meaning_and_direction():
    assessment, _, html = made()
    text = Page(html).text
    for row in assessment.attributes[0].raw.to_frame().itertuples():
        name = row.measure.split(".")[1].replace("_", " ")
        assert f"{name} {cautious(row.value, row.direction)} {row.meaning} {row.direction}" in text


def test_assumptions_caveats_sources_versions_and_seed_travel_with_the_numbers():
    assessment, curves, html = made()
    text = Page(html).text
    people, raw = assessment.attributes[0].people, assessment.attributes[0].raw
    for line in (*people.assumptions, *people.caveats, *raw.caveats, *loss().assumptions, *loss().caveats):
        assert line in text
    for source in (*people.source, *raw.source, *curves[0].loss.source):
        assert citations()[source.key] in text
        assert source.locator in text
    assert "1,500, seed 424242" in text
    assert f"numpy {np.__version__}" in text


def test_several_attributes_each_have_an_answer_and_evidence():
    assessment, _, html = made(sensitive=2)
    text = Page(html).text
    for paragraph in answer(assessment).split("\n\n"):
        assert paragraph in text
    assert len(pictures(html)) == 24  # two attributes and both together


def test_curves_must_match_the_attributes():
    assessment, _, _ = made()
    with pytest.raises(ValueError, match="zip"):
        assessment_report(assessment, [])


def test_a_risk_shows_itself_in_a_notebook_with_what_it_takes_for_granted():
    card = em.homogeneity_risk(em.FrequencyTable.from_counts([[3, 0], [2, 1]]), em.Laplace(epsilon=1.0))._repr_html_()
    text = Page(card).text
    assert "Laplace noise at ε = 1. How the number is known: exact." in text
    assert "The attacker knows the quasi-identifiers of the target exactly" in text
    assert "Disclosure risk from homogeneity attack" in text
    assert ET.fromstring(pictures(card)[0]) is not None


def test_measures_round_towards_more_risk():
    assert (cautious(0.1001, "larger is riskier"), cautious(0.1009, "larger is safer")) == ("0.101", "0.100")
    assert (cautious(12_000.0, "larger is safer"), cautious(float("inf"), "larger is riskier")) == (
        "12,000",
        "unbounded",
    )


def test_sources_are_gathered_by_work():
    found = works([Source("Sweeney2002", "a"), Source("DworkRoth2014", "b"), Source("Sweeney2002", "c")])
    assert [work.locators for work in found] == [("a", "c"), ("b",)]
    assert found[1].citation == (
        "Cynthia Dwork, Aaron Roth: The algorithmic foundations of differential privacy. 2014."
    )
    assert not [citation for citation in citations().values() if "{" in citation]
