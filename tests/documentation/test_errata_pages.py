"""The errata pages are written from the findings themselves."""

import runpy
from pathlib import Path

EXPLANATION = Path(__file__).parents[2] / "docs" / "explanation"


def test_the_errata_pages_are_what_the_findings_say():
    pages = runpy.run_path(str(EXPLANATION / "make_errata.py"))["pages"]()
    assert set(pages) == set(EXPLANATION.glob("errata-*.md"))
    for file, text in pages.items():
        assert text == file.read_text(encoding="utf-8"), file.name
