"""What is asked of every report: the same in all forms, in both languages, and nothing in it is markup."""

import dataclasses
import json
import math
import re
from html.parser import HTMLParser

import pytest

from epsilometer.report.bibliography import works
from epsilometer.report.model import Citations
from epsilometer.report.rendering.document import as_document
from epsilometer.report.rendering.html import as_html
from epsilometer.report.rendering.markdown import as_markdown, escaped
from epsilometer.vocabulary.composition import Composition
from epsilometer.vocabulary.language import LANGUAGES


def strings(part):
    """Every text of a report, in order; a chart is asked for what it says."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for name, value in part.items():
            yield name
            yield from strings(value)
    elif isinstance(part, tuple | list):
        for each in part:
            yield from strings(each)
    elif dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from strings(getattr(part, field.name))


class _Page(HTMLParser):
    """The visible text of a page, and its elements."""

    def __init__(self, page):
        super().__init__()
        self.words, self.tags, self._hidden = [], set(), 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self._hidden += tag == "style"

    def handle_endtag(self, tag):
        self._hidden -= tag == "style"

    def handle_data(self, data):
        if not self._hidden:
            self.words.append(data)


def one_line(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.fixture
def composed():
    """Two looks at one table."""
    return Composition(
        n_looks=2,
        adjacency="add-remove",
        delta=1e-6,
        added_up=1.5,
        added_delta=0.0,
        tight=1.20001,
        membership_advantage=0.537,
        unguaranteed=(),
        unit="person",
    )


@pytest.fixture
def texts():
    return lambda report: list(strings(report))


@pytest.fixture
def up():
    """Percentages of risks: one decimal, or two digits below one percent, rounded up."""

    def written(share):
        digits = 1 if share >= 0.01 or share == 0 else 1 - math.floor(math.log10(100 * share))
        return f"{math.ceil(share * 100 * 10**digits - 1e-7) / 10**digits:.{digits}f} %"

    return written


@pytest.fixture
def down():
    """Percentages of what risks are held against: one decimal, rounded down."""
    return lambda share: f"{math.floor(share * 1000 + 1e-9) / 10:.1f} %"


@pytest.fixture
def numbers():
    """The numbers of the first page, by their place."""
    return lambda report: [(number.place, number.value) for answer in report.answers for number in answer.numbers]


@pytest.fixture
def complete():
    """Assert that a report says all that its result takes for granted, warns of and rests on."""

    def check(report, *, assumptions=(), caveats=(), source=()):
        said = set(strings(report))
        assert set(assumptions) | set(caveats) <= said
        cited = {
            (work.citation, locator)
            for section in report.sections
            for block in section.blocks
            if isinstance(block, Citations)
            for work in block.works
            for locator in work.locators
        }
        assert {(work.citation, locator) for work in works(source) for locator in work.locators} <= cited

    return check


@pytest.fixture
def in_every_form():
    """Render what a builder makes in every language and form; each must open with who may see it."""

    def check(build, *hostile):
        for language in LANGUAGES:
            report = build(language=language)
            assert report.language == language
            page = _Page(as_html(report))
            seen = one_line("".join(page.words))
            markdown = as_markdown(report).text
            document = json.loads(as_document(report))
            assert markdown.startswith(f"**{escaped(report.audience)}**")
            assert document["audience"] == report.audience
            assert "script" not in page.tags
            assert "img" not in page.tags
            assert not re.search(r"(?<!\\)<(script|img)", markdown)
            for text in (report.audience, report.title, *(n.value for a in report.answers for n in a.numbers)):
                assert one_line(text) in seen
                assert one_line(escaped(text)) in one_line(markdown)
            for name in hostile:
                assert one_line(name) in seen
                assert one_line(escaped(name)) in one_line(markdown)
                assert one_line(name) in one_line(" ".join(strings(document)))

    return check
