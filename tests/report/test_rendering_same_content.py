"""A report says the same as a web page, as Markdown and as JSON, whatever the names in it look like."""

import dataclasses
import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import altair as alt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from epsilometer.charts.theme import dressed
from epsilometer.report.bibliography import Work
from epsilometer.report.model import (
    Answer,
    Citations,
    Details,
    Facts,
    Heading,
    KeyNumber,
    Lines,
    Picture,
    Report,
    Section,
    Table,
    Text,
)
from epsilometer.report.rendering.document import as_document
from epsilometer.report.rendering.html import as_html
from epsilometer.report.rendering.markdown import as_markdown, escaped
from epsilometer.vocabulary.wording import readable

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>&amp;&lt;",
    "\u202eعمر\u0000",
    "{{ 7 * 7 }}" + "x" * 10_000,
    "=HYPERLINK(1) | a `b` **c** _d_ ~~e~~ [f](javascript:g) ![h](i) $j$",
    "# no heading",
    "- no list",
    "1. no list",
    "https://example.org www.example.org a@example.org :tada:",
    "\ud800 half a character",
)
NOT_SHOWN = {"place", "language", "name"}  # names of sections and pictures are for links and files


def drawn(title):
    def draw(width):
        marks = alt.Chart(alt.InlineData(values=[{"x": 1, "y": 2}])).mark_point().encode(x="x:Q", y="y:Q")
        return dressed(alt.layer(marks).properties(width=width), title=title, subtitle="how to read it", width=width)

    return draw


def report(names=tuple("abcdefghij"), **changes):
    picture = Picture(name="points", draw=drawn(f"The finding about {names[0]}"), caption=f"Caption {names[1]}")
    number = KeyNumber(value="12.4 %", name=f"Number {names[2]}", meaning=f"of {names[3]} are.", place="this")
    table = Table(
        columns=(f"column {names[4]}", "n"),
        rows=((names[4], "1,000"), (names[5], ""), ("plain", "ε = 1")),
        numeric=frozenset({1}),
        caption=f"Table {names[6]}",
        asked=0,
    )
    blocks = (
        Text(f"A paragraph on {names[7]}.", lead=f"Lead {names[8]}."),
        Text("A note.", quiet=True),
        Heading(f"Heading {names[9]}"),
        Lines((names[0], names[5], names[6], names[7])),
        Facts({names[1]: names[2], "rows": names[6]}),
        table,
        picture,
        Citations((Work("Some Body: Some *work*. 1999.", ("Eq. (1)", "p. 3_4")),)),
        Details(f"For experts {names[3]}", (Text(names[4]), table)),
    )
    content = {
        "title": f"Title {names[0]}?",
        "audience": "Confidential: a test.",
        "confidential": True,
        "scope": f"Scope {names[8]}",
        "answers": tuple(
            Answer(
                about=about, question=f"Question {about}?", sentences=(f"{about} first.", "Same."), numbers=(number,)
            )
            for about in (names[0], names[9])
        ),
        "recommendation": f"Recommendation {names[5]}",
        "decision": (f"Publish {names[2]} at ____", "Do not: ____"),
        "sections": (
            Section(name="evidence", heading=f"Evidence {names[1]}", blocks=blocks),
            Section(name="plan", heading="Plan", blocks=(Text("Text."),)),
        ),
    } | changes
    if "answers" not in changes:
        first, *others = content["answers"]
        content["answers"] = (dataclasses.replace(first, chart=picture), *others)
    return Report(**content)


def texts(value, name=""):
    """All texts of a report, found by walking through whatever it is made of."""
    if isinstance(value, str):
        if name not in NOT_SHOWN and value:
            yield value
    elif isinstance(value, KeyNumber):
        yield from (value.value, value.name, value.meaning)
    elif isinstance(value, Picture):
        yield from (value.caption, str(value.draw(860).description))
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from texts(getattr(value, field.name), field.name)
    elif isinstance(value, Mapping):
        yield from value
        yield from value.values()
    elif isinstance(value, tuple | frozenset):
        for part in value:
            yield from texts(part)


def plain(text):
    """Text as a reader has it: unreadable characters marked, spaces alike, places to write on left out."""
    return " ".join(readable(text).replace("\N{NO-BREAK SPACE}", " ").replace("____", "").split())


class Page(HTMLParser):
    """Tags, attributes and text of a page; of pictures only what they are called."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.parts, self.open = [], [], [], 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        self.parts += [value for name, value in attrs if name in ("aria-label", "alt")]
        self.open += tag in ("svg", "style")

    def handle_endtag(self, tag):
        self.open -= tag in ("svg", "style")

    def handle_data(self, data):
        if not self.open:
            self.parts.append(data)

    @property
    def text(self):
        return plain("".join(self.parts).replace("\n", " "))


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def parsed(markdown):
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)


@pytest.fixture(scope="module", params=["plain", "hostile"])
def made(request):
    return report() if request.param == "plain" else report(HOSTILE)


@pytest.mark.parametrize("form", ["html", "markdown", "json"])
def test_every_text_of_the_report_is_in_every_form(made, form):
    if form == "json":
        shown = " ".join(map(plain, strings(json.loads(as_document(made)))))
    else:
        shown = Page(as_html(made) if form == "html" else parsed(as_markdown(made).text)).text
    missing = [text for text in texts(made) if plain(text) not in shown]
    assert not missing


@pytest.mark.parametrize("form", ["html", "markdown", "json"])
def test_who_may_see_it_comes_first(made, form):
    if form == "json":
        keys = list(json.loads(as_document(made)))
        assert keys[:2] == ["schema", "audience"]
    else:
        page = Page(
            as_html(made)[as_html(made).index("<body>") :] if form == "html" else parsed(as_markdown(made).text)
        )
        assert page.text.startswith(made.audience)


def test_names_are_text_and_nothing_else(made):
    page = Page(as_html(made))
    assert not {"script", "link", "iframe", "object", "embed", "img", "base", "form"} & set(page.tags)
    assert not [name for _, name, _ in page.attributes if name == "src" or name.startswith("on")]
    assert {value for _, name, value in page.attributes if name == "href"} == {"#evidence", "#plan"}
    assert "\u202e" not in as_html(made)
    written = Page(parsed(as_markdown(made).text))
    assert {tag for tag in written.tags if tag not in ("p", "strong", "em", "ul", "li", "a", "img")} <= {
        "h1", "h2", "h3", "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    assert {value for tag, name, value in written.attributes if (tag, name) == ("a", "href")} == {"#evidence", "#plan"}
    assert {value for tag, name, value in written.attributes if (tag, name) == ("img", "src")} == {
        "charts/01-points.svg",
        "charts/02-points.svg",
    }
    assert written.tags.count("h1") == 1


def test_the_page_asks_for_nothing_and_runs_nothing(made):
    html = as_html(made)
    assert (
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        in html
    )
    assert "url(" not in html
    assert "@import" not in html


def test_pictures_are_xml_in_two_widths_on_the_page_and_in_one_beside_markdown(made):
    widths = [
        float(ET.fromstring(svg).attrib["width"]) > 600 for svg in re.findall("<svg.*?</svg>", as_html(made), re.DOTALL)
    ]
    assert widths == [True, False] * 2
    pictures = as_markdown(made, folder="x-charts").pictures
    assert [ET.fromstring(svg).tag.rpartition("}")[2] for svg in pictures.values()] == ["svg", "svg"]
    assert list(pictures) == ["x-charts/01-points.svg", "x-charts/02-points.svg"]


def test_the_json_holds_the_charts_as_specifications():
    document = json.loads(as_document(report()))
    assert document["schema"] == "epsilometer/report/1"
    assert document["confidential"] is True
    chart = document["answers"][0]["chart"]
    assert chart["vega_lite"]["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert chart["finding"] == "The finding about a"


def test_the_page_is_in_the_language_of_the_report():
    html = as_html(report(language="de"))
    assert '<html lang="de">' in html
    assert "Entscheidung" in html
    assert "Entscheidung" in as_markdown(report(language="de")).text


def test_a_public_report_is_marked_on_every_sheet():
    html = as_html(report(audience="Public: a test.", confidential=False))
    assert 'class="audience public"' in html
    assert '@bottom-left { content: "Public"; }' in html


def test_nothing_to_decide_and_nothing_to_recommend_leave_no_empty_box():
    html = as_html(report(decision=(), recommendation=None))
    markdown = as_markdown(report(decision=(), recommendation=None)).text
    for heading in ("Decision", "Recommendation"):
        assert heading not in Page(html).text
        assert heading not in markdown


def test_what_all_answers_say_alike_is_said_once_on_the_page():
    assert Page(as_html(report())).text.count("Same.") == 1


@given(st.text(st.characters(codec="utf-8")))
def test_escaped_text_reads_as_it_was(text):
    line = escaped(text)
    assume(plain(text))
    for document in (line, f"- {line}", f"| a |\n| --- |\n| {line} |", f"**{line}** x"):
        page = Page(parsed(document))
        assert plain(text) in page.text
        assert set(page.tags) <= {"p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "strong"}
