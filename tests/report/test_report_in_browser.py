"""Reports open in a real browser without a network and without an error, and print with the decision on page one."""

import shutil
import subprocess

import pytest

import epsilometer as em
from epsilometer.assessments.counted import counted
from epsilometer.assessments.curves import risk_and_loss
from epsilometer.assessments.exploring.risk_grid import risk_grid
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.report.building.counts import counts_report
from epsilometer.report.building.public import public_report
from epsilometer.report.writing import write_report

A4, MARGINS = (794, 1123), (53, 57)  # pixels: of a sheet, and of its margins of 14 and 15 mm at top and left


def counts(language, *, known=("age", "sex", "district"), table=None):
    plan = em.Plan(
        table=table or em.example_table(),
        quasi_identifiers=known,
        sensitive=("reason",),
        bins={"age": 5},
        release=em.Counts(mechanism=em.Laplace(epsilon=(1.0, 0.1))),
    )
    (table,) = counted(plan).tables
    noise = em.Laplace(epsilon=1.0)
    curves = [risk_and_loss(table, noise)]
    grids = [risk_grid(table, noise)]
    return counts_report(em.assess(plan), curves, spread=risk_spread(table, noise), grids=grids, language=language)


LONG = {"district": "district_of_the_main_residence", "admission": "reason_for_the_admission_as_coded"}
KNOWN = ("age", "sex", *LONG.values())


def public(language):
    return public_report(em.Plan(table=None, quasi_identifiers=("age",), sensitive=("job",)), language=language)


@pytest.fixture(scope="module", params=["counts en", "counts de", "public en", "public de"])
def page(request, chromium, tmp_path_factory):
    kind, language = request.param.split()
    file = tmp_path_factory.mktemp("report") / "report.html"
    write_report((counts if kind == "counts" else public)(language), file, overwrite=False)
    context = chromium.new_context(offline=True)
    opened, heard, asked = context.new_page(), [], []
    opened.on("console", lambda message: heard.append(message.text))
    opened.on("pageerror", lambda error: heard.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(file.as_uri())
    yield opened, heard, asked
    context.close()


def test_it_opens_without_an_error_and_asks_for_nothing(page):
    opened, heard, asked = page
    assert heard == []
    assert asked == [opened.url]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_telephone(page, scheme):
    opened, _, _ = page
    opened.emulate_media(color_scheme=scheme)
    opened.set_viewport_size({"width": 390, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


def test_it_prints_on_several_sheets_with_the_decision_on_the_first(page):
    opened, _, _ = page
    printed = opened.pdf(prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") > 1
    opened.set_viewport_size({"width": A4[0] - 2 * MARGINS[1], "height": A4[1] - 2 * MARGINS[0]})
    opened.emulate_media(media="print")
    box = opened.locator(".signature").bounding_box()
    opened.emulate_media(media="screen")
    assert box["y"] + box["height"] < A4[1] - 2 * MARGINS[0]


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext reads what is printed")
@pytest.mark.parametrize(("language", "signature"), [("en", "Signature"), ("de", "Unterschrift")])
def test_the_decision_is_printed_on_the_first_sheet_whatever_columns_are_called(
    chromium, tmp_path, language, signature
):
    example = em.example_table()
    table = example.rename_columns([LONG.get(name, name) for name in example.column_names])
    write_report(counts(language, known=KNOWN, table=table), tmp_path / "report.html", overwrite=False)
    opened = chromium.new_page()
    opened.goto((tmp_path / "report.html").as_uri())
    opened.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    opened.close()
    sheets = ["pdftotext", "-l", "1", str(tmp_path / "report.pdf"), "-"]
    first = subprocess.run(sheets, check=True, capture_output=True, text=True).stdout
    assert signature in first
    assert {"en": "privacy parameter", "de": "mehr Rauschen"}[language] in first


def test_the_first_chart_is_printed_over_the_whole_width(page):
    opened, _, _ = page
    opened.set_viewport_size({"width": A4[0] - 2 * MARGINS[1], "height": A4[1] - 2 * MARGINS[0]})
    opened.emulate_media(media="print")
    box, text = opened.locator(".at-first .wide svg").bounding_box(), opened.locator("main").bounding_box()
    opened.emulate_media(media="screen")
    width, height = (float(part) for part in opened.locator(".at-first .wide svg").get_attribute("viewBox").split()[2:])
    assert min(box["width"], box["height"] * width / height) > 0.97 * text["width"]


def test_tables_for_experts_begin_a_sheet(page):
    opened, _, _ = page
    opened.emulate_media(media="print")
    before = [element.evaluate("it => getComputedStyle(it).breakBefore") for element in opened.locator("details").all()]
    opened.emulate_media(media="screen")
    assert set(before) <= {"page"}
