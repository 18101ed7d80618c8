"""The pages in a browser: they move, they can be read by everybody, and they speak to nobody else."""

import re

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from epsilometer.web.jobs import Job

expect = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser").expect
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe checks the pages")

PAGES = (
    "",
    "/counts",
    "/counts?max_risk_percent=20&max_loss_percent=10&near=yes",
    "/sample",
    "/compare",
    "/cells",
    "/report",
    "/release",
)
SERIOUS = ("serious", "critical")
WIDE, NARROW = {"width": 1400, "height": 1000}, {"width": 390, "height": 844}
LOOKS = [(WIDE, "light"), (WIDE, "dark"), (NARROW, "light")]
LINE = ".mark-line path"


def drawn(page):
    page.wait_for_selector("#chart[data-drawn]")
    return page


def text(page, name):
    return page.inner_text(f"[data-text={name}] >> nth=0")


def is_dimmed(page):
    return page.evaluate("getComputedStyle(document.querySelector('.numbers')).opacity") != "1"


def known_loss(page):
    expect(page.locator("[data-text=loss]").first).to_contain_text("%")
    return text(page, "loss")


def violations(page):
    """What keeps somebody from using the page."""
    found = axe_playwright.Axe().run(page).response["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found if one["impact"] in SERIOUS]


def wider_than_the_screen(page):
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth") > 0


@pytest.fixture(autouse=True)
def _begin_anew(server, table):
    """Pages begin with what was asked last of their table, which the tests share."""
    opened = server.state.desk[table.rpartition("/")[2]]
    for kind in ("counts", "sample"):
        opened.remember({"kind": kind})


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("viewport", "scheme"), LOOKS)
def test_pages_are_quiet_stay_here_and_can_be_used_by_everybody(visiting, table, path, viewport, scheme):
    with visiting(viewport=viewport, color_scheme=scheme) as visit:
        page = visit.open(f"{table}{path}")
        assert violations(page) == []
        assert not wider_than_the_screen(page)
        assert (visit.complaints, visit.elsewhere) == ([], [])


def hindrances(page):
    """What axe finds on a page, and where it does not fit the screen: wide, dark and on a telephone."""
    found = []
    for viewport, scheme in LOOKS:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        found += violations(page)
        found += [(scheme, viewport)] * wider_than_the_screen(page)
    return found


def test_the_way_to_a_release_can_be_used_by_everybody(visiting, table):
    with visiting() as visit:
        page = visit.open("/")
        assert hindrances(page) == []
        page = visit.open(f"{table}/release")
        page.click("button:has-text('See what it would cost')")
        page.wait_for_selector("text=Which values occur is a secret")
        assert hindrances(page) == []
        page.select_option("[name=support]", "thresholded")
        page.fill("[name=support_delta]", "1e-6")
        page.click("button:has-text('See what it would cost')")
        page.wait_for_selector("#confirmation")
        assert hindrances(page) == []
        page.fill("#confirmation", page.inner_text(".confirm strong"))
        page.click("button:has-text('Publish')")
        page.wait_for_url("**/released/*", timeout=120_000)
        assert hindrances(page) == []
        assert [line for line in visit.complaints if "422" not in line] == []


def test_work_and_what_it_comes_to_can_be_used_by_everybody(visiting, table):
    with visiting() as visit:
        page = visit.open(f"{table}/compare")
        page.click("button:has-text('Compare them')")
        page.wait_for_selector("progress")
        page.route("**/state", lambda route: route.abort())  # so that it stands still while it is looked at
        assert hindrances(page) == []
        page.unroute("**/state")
        page.reload()
        page.wait_for_url("**/compared/*", timeout=300_000)
        assert hindrances(page) == []


def test_epsilon_moves_by_the_keyboard_and_everything_follows(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts"))
        known_loss(page)
        line, number, sentence = (
            page.get_attribute(f"{LINE} >> nth=3", "d"),
            text(page, "this_table"),
            text(page, "noise"),
        )
        here = page.get_attribute(".mark-rule line >> nth=-1", "transform")
        page.focus("#slider")
        for _ in range(12):
            page.keyboard.press("ArrowLeft")
        page.wait_for_url("**epsilon=0.251*")
        expect(page.locator("#slider")).to_have_attribute("aria-valuetext", re.compile("0.251"))
        assert page.input_value("#number") == "0.251"
        assert text(page, "this_table") != number
        assert "At ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.251" in text(page, "noise") != sentence
        assert page.get_attribute(".mark-rule line >> nth=-1", "transform") != here
        assert page.get_attribute(f"{LINE} >> nth=3", "d") == line  # the curve is the same, the place on it is not
        expect(page.locator("#announcement")).not_to_be_empty()
        assert page.inner_text("#announcement") == text(page, "finding")
        assert "epsilon=0.251" in page.get_attribute("a[href*='/release']:has-text('Publish')", "href")
        assert visit.complaints == []


def test_another_threshold_redraws_the_lines_and_works_out_new_losses(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts"))
        before, loss = page.get_attribute(f"{LINE} >> nth=3", "d"), known_loss(page)
        page.fill("#threshold", "8")
        page.wait_for_url("**threshold=8*")
        expect(page.locator(LINE).nth(3)).not_to_have_attribute("d", before)
        expect(page.locator("[data-text=loss]").first).to_have_text(re.compile("%"))
        assert text(page, "loss") != loss
        assert page.evaluate("performance.getEntriesByName('redraw').length") == 1


def test_threshold_and_delta_have_sliders_that_move_their_numbers(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts?mechanism=gaussian&delta=1e-6"))
        before = text(page, "this_table")
        page.focus("[data-moves=threshold]")
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        expect(page.locator("#threshold")).to_have_value("5")
        page.wait_for_url("**threshold=5*")
        expect(page.locator("[data-text=this_table]").first).not_to_have_text(before)
        scale = text(page, "scale")
        page.focus("[data-moves=delta]")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#delta")).to_have_value("2e-6")
        expect(page.locator("[data-text=scale]").first).not_to_have_text(scale)
        page.fill("#threshold", "7.3")
        expect(page.locator("[data-moves=threshold]")).to_have_value("14")  # 7.5, the next position


def test_the_recommended_epsilon_is_one_press_away(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts?epsilon=10"))
        page.fill("#max_risk_percent", "60")
        page.fill("#max_loss_percent", "20")
        page.wait_for_selector("#use:visible")
        wanted = re.search(r"[0-9.]+", page.inner_text("#use"))[0]
        page.click("#use")
        page.wait_for_url(f"**epsilon={wanted}&*")
        assert page.input_value("#number") == wanted
        page.wait_for_selector("#use", state="hidden")


def test_what_cannot_be_is_said_and_the_page_goes_on(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts"))
        page.select_option("#mechanism", "gaussian")
        page.fill("#delta", "1")
        page.wait_for_selector("#problem:visible")
        assert "delta must be in (0, 1)" in page.inner_text("#problem")
        assert is_dimmed(page)
        page.fill("#delta", "1e-5")
        page.wait_for_selector("#problem", state="hidden")
        assert not is_dimmed(page)
        page.wait_for_url("**delta=1e-05*")


@pytest.mark.parametrize(
    ("path", "field", "typed"),
    [
        ("/counts", "number", ""),
        ("/counts", "number", "0"),
        ("/counts", "number", "99999"),
        ("/counts", "number", "0,5"),
        ("/counts", "threshold", "1,5"),
        ("/counts", "max_loss_percent", "7,5"),
        ("/counts", "threshold", ""),
        ("/counts", "max_risk_percent", "150"),
        ("/sample", "number", "0"),
        ("/sample", "number", "9000"),
        ("/sample", "number", "1.5"),
        ("/sample", "number", "1,000"),
    ],
)
def test_what_is_typed_is_shown_or_refused_and_never_passed_over(visiting, table, path, field, typed):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}{path}"))
        expect(page.locator("body")).not_to_contain_text("working it out")
        known = text(page, "noise")
        page.fill(f"#{field}", typed)
        page.wait_for_selector("#problem:visible")
        assert "still those of the last setting" in page.inner_text("#problem")
        assert page.get_attribute(f"#{field}", "aria-invalid") == "true"
        assert page.inner_text(".beside") in page.inner_text("#problem")
        assert is_dimmed(page)
        page.select_option("#adjacency", "replace") if path == "/counts" else page.check("[name=adversary][value=in]")
        page.wait_for_timeout(600)  # what is wrong stays so, whatever else is changed
        assert page.get_attribute(f"#{field}", "aria-invalid") == "true"
        assert text(page, "noise") == known
        page.fill(f"#{field}", "12")
        page.wait_for_selector("#problem", state="hidden")
        assert page.locator(".beside").count() == 0
        assert page.get_attribute(f"#{field}", "aria-invalid") is None
        assert not is_dimmed(page)
        assert [line for line in visit.complaints if "422" not in line] == []


def test_tabs_keep_the_setting(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts"))
        page.fill("#number", "2.5")
        page.fill("#max_risk_percent", "7")
        page.wait_for_url("**epsilon=2.5&*max_risk_percent=7*")
        for tab in ("Release", "Riskiest cells", "Columns", "Counts"):
            page.click(f"header nav >> text={tab}")
            page.wait_for_load_state("networkidle")
            if tab == "Release":
                assert page.input_value("#epsilon") == "2.5"
        assert (page.input_value("#number"), page.input_value("#max_risk_percent")) == ("2.5", "7")


def test_on_a_telephone_nothing_stands_before_the_chart(visiting, table):
    with visiting(viewport=NARROW) as visit:
        page = drawn(visit.open(f"{table}/counts"))
        page.evaluate("document.getElementById('chart').scrollIntoView()")
        slider, chart = page.locator(".slider").bounding_box(), page.locator("#chart").bounding_box()
        assert slider["y"] + slider["height"] <= chart["y"]


def test_work_says_that_the_page_was_ended(visiting, server):
    job = Job(kind="release", title="Release", back="/", then="", remains="The ledger says whether it was published.")
    server.state.jobs._jobs[job.id] = job
    with visiting() as visit:
        page = visit.open(f"/jobs/{job.id}")
        expect(page.locator("button")).to_have_text("Cancel")
        page.route("**/state", lambda route: route.abort())
        expect(page.locator("#gone")).to_have_text(
            "The page was ended. Nothing more will happen here. The ledger says whether it was published."
        )
        expect(page.locator("button")).to_be_hidden()
        expect(page.locator("progress")).to_be_hidden()
        assert [line for line in visit.complaints if "net::ERR_FAILED" not in line] == []
    del server.state.jobs._jobs[job.id]


def test_roles_that_are_changed_in_another_tab_change_no_number_here(visiting, csv_file):
    with visiting() as visit:
        page = visit.page
        page.set_input_files("#file", {"name": "tabs.csv", "mimeType": "text/csv", "buffer": csv_file.read_bytes()})
        page.click("text=Open it")
        page.wait_for_selector("[name=role-0]")
        for place, role in enumerate(("quasi-identifier", "quasi-identifier", "sensitive")):
            page.select_option(f"[name=role-{place}]", role)
        page.click("text=Show what it gives away")
        page.wait_for_url("**/counts")
        drawn(page)
        known_loss(page)
        number = text(page, "this_table")
        other = page.context.new_page()
        other.goto(page.url.partition("/counts")[0])
        other.select_option("[name=role-1]", "ignore")
        other.click("text=Show what it gives away")
        other.wait_for_url("**/counts")
        page.fill("#number", "3")
        page.wait_for_selector("#problem:visible")
        assert "roles were changed in another tab. Load this page again." in page.inner_text("#problem")
        assert text(page, "this_table") == number
        assert is_dimmed(page)
        page.reload()
        assert "knows district learn of reason" in page.inner_text("h1")


def test_noise_with_decimals_says_what_a_release_draws(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/counts"))
        note = page.locator("[data-text=drawn]")
        expect(note).to_be_hidden()
        page.select_option("#mechanism", "laplace")
        expect(note).to_contain_text("it draws geometric noise")
        page.select_option("#mechanism", "geometric")
        expect(note).to_be_hidden()


@pytest.mark.parametrize("viewport", [WIDE, NARROW])
def test_the_role_of_a_column_can_be_read(visiting, table, viewport):
    with visiting(viewport=viewport) as visit:
        page = visit.open(table)
        assert page.evaluate(
            """() => {
              const select = document.querySelector("[name=role-0]");
              const width = (text) => {
                const line = document.createElement("span");
                line.style.font = getComputedStyle(select).font;
                line.style.position = "absolute";
                line.textContent = text;
                document.body.append(line);
                return line.offsetWidth;
              };
              return Math.max(...[...select.options].map((each) => width(each.text))) + 40 <= select.clientWidth;
            }"""
        )


def test_the_sample_moves_too(visiting, table):
    with visiting() as visit:
        page = drawn(visit.open(f"{table}/sample"))
        before = text(page, "loss")
        page.focus("#slider")
        page.keyboard.press("Home")
        page.wait_for_url("**size=1&*")
        expect(page.locator("[data-text=loss]").first).not_to_have_text(before)
        page.check("[name=adversary][value=in]")
        page.wait_for_url("**adversary=in*")
        expect(page.locator("[data-text=this_sample]")).to_contain_text("100")
        assert visit.complaints == []


def test_lines_turn_bright_on_a_dark_page(visiting, table):
    shades = {}
    for scheme in ("light", "dark"):
        with visiting(color_scheme=scheme) as visit:
            page = drawn(visit.open(f"{table}/counts"))
            shades[scheme] = page.evaluate(f"getComputedStyle(document.querySelectorAll('{LINE}')[3]).stroke")
    assert shades == {"light": "rgb(0, 114, 178)", "dark": "rgb(90, 180, 240)"}


def test_without_a_script_one_setting_can_be_read_and_another_asked_for(visiting, table):
    with visiting(java_script_enabled=False) as visit:
        page = visit.open(f"{table}/counts")
        number = text(page, "this_table")
        page.fill("#number", "0.1")
        page.click("text=Show this setting")
        page.wait_for_url("**epsilon=0.1*")
        assert text(page, "this_table") != number
        assert "%" in text(page, "loss")


def test_the_keyboard_alone_leads_from_the_example_to_a_setting(visiting):
    with visiting() as visit:
        page = visit.open("/")
        _tab_to(page, "Open the example")
        page.keyboard.press("Enter")
        page.wait_for_selector("[name=role-0]")
        _tab_to(page, "Show what it gives away")
        page.keyboard.press("Enter")
        page.wait_for_url("**/counts")
        drawn(page)
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == "slider":
                break
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        page.keyboard.press("PageDown")
        page.wait_for_url("**epsilon=*")
        assert page.evaluate("document.activeElement.id") == "slider"
        assert outline != "none"
        assert visit.complaints == []


def test_the_report_opens_from_the_disk_with_nothing_from_anywhere(visiting, chromium, table, tmp_path):
    with visiting() as visit:
        page = visit.open(f"{table}/counts?max_risk_percent=40&max_loss_percent=20&epsilon=0.5")
        page.click("text=Make a report")
        page.click("button:has-text('Make the report')")
        page.wait_for_url("**/report/*", timeout=120_000)
        with page.expect_download() as download:
            page.click("main a[download]")
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        assert (visit.complaints, visit.elsewhere) == ([], [])
    context = chromium.new_context(offline=True, viewport=NARROW)
    report = context.new_page()
    asked, complaints = [], []
    report.on("request", lambda request: asked.append(request.url))
    report.on("console", lambda message: complaints.append(message.text))
    report.on("pageerror", lambda error: complaints.append(str(error)))
    report.goto(path.as_uri())
    assert report.inner_text("body").startswith("Confidential")
    assert violations(report) == []
    assert not wider_than_the_screen(report)
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert complaints == []
    context.close()


def _tab_to(page, label):
    """Press the tabulator until this button has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == label:
            return
    raise AssertionError(label)
