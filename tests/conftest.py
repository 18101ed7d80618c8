"""How properties are tested, anew on every run or repeatably, and how a page is read."""

import os
import re
from html.parser import HTMLParser

import mpmath
import pytest
from hypothesis import settings

settings.register_profile("explore", deadline=None, max_examples=60)
settings.register_profile("repeatable", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "explore")


@pytest.fixture(autouse=True)
def _fifty_digits():
    """Give every test the same digits: mpmath keeps them for the whole process, whoever set them last."""
    with mpmath.workdps(50):
        yield


class _Reader(HTMLParser):
    """What a browser makes of a page: its text in order, and its elements."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.elements = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.texts))


@pytest.fixture
def read_page():
    """Read a page or a card as a browser does."""
    return _Reader
