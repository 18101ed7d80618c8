"""The documentation site: it builds without a warning, every page is in it, and it loads nothing from elsewhere."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
NOT_LOADED = {"canonical", "next", "prev", "edit", "alternate"}  # a link to read, not a file that the page needs


class Loads(HTMLParser):
    """Collects what a page makes a browser fetch."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in NOT_LOADED:
            self.addresses.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    done = subprocess.run(
        build, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def pages(folder):
    return sorted(folder.rglob("*.html"))


def test_every_page_is_built_and_can_be_found(site):
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert sources <= {path.relative_to(site) for path in pages(site)}
    front = (site / "index.html").read_text(encoding="utf-8")
    missing = [source for source in sources if source.as_posix() not in front and source.name != "index.html"]
    assert not missing, f"not in the navigation: {missing}"


def test_nothing_is_loaded_from_elsewhere(site):
    for page in pages(site):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.addresses
        assert [address for address in loads.addresses if "//" in address] == [], page


def test_every_public_name_is_in_the_reference(site):
    import epsilometer

    reference = (site / "reference" / "api.html").read_text(encoding="utf-8")
    missing = [
        name
        for name in epsilometer.__all__
        if name not in {"leakage", "randomizers"} and f'id="epsilometer.{name}"' not in reference
    ]
    assert not missing
