"""What is wrong with a release is seen before it is confirmed, in words of the page, and nothing typed is lost."""

import html
import re

import pytest

from epsilometer import FrequencyTable, Geometric, homogeneity_risk
from epsilometer.releases import appearing
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.release import carry_out
from epsilometer.report.odds import said

REASONS = "birth\ncirculatory\ndigestive\ninjury\nmental health\nrespiratory"
DECLARED = {
    "kind": "counts",
    "epsilon": "0.5",
    "domain-0": "0..120",
    "domain-1": "female\r\nmale",
    "domain-2": REASONS.replace("\n", "\r\n"),
    "file": "stays.csv",
}
PATIENTS = "id,sex,job\n" + "".join(f"{i},{'fm'[i % 2]},{('nurse', 'baker')[i % 3 == 0]}\n" for i in range(60))
ROLES = {"role-0": "ignore", "role-1": "quasi-identifier", "role-2": "sensitive"}
BOTH = {"kind": "counts", "epsilon": "1", "domain-0": "f\nm", "domain-1": "nurse\nbaker", "file": "out.csv"}


def text(answer):
    """What a person reads on the page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


def typed_in(answer):
    """What stands in the fields of the form, as a browser would send it."""
    areas = re.findall(r'<textarea name="([^"]+)"[^>]*>(.*?)</textarea>', answer.text, re.DOTALL)
    fields = re.findall(r'<input name="([^"]+)"[^>]*? value="([^"]*)"', answer.text)
    return {name: html.unescape(value) for name, value in [*areas, *fields]}


def shown_by(browser, answer):
    """What waits for a yes on a page."""
    *_, table_id, _, word = answer.url.path.split("/")
    return browser.app.state.confirmations.about(browser.app.state.desk[table_id], word)


@pytest.fixture
def table(browser):
    return browser.open_example()


@pytest.fixture
def opened():
    """Send a table to a browser's server, and give its columns roles."""

    def of(browser, content, roles=None, name="patients.csv"):
        table = browser.upload(name, content.encode()).url.path
        answer = browser.post(table, data={"csrf": browser.csrf, **(roles or ROLES)}, follow_redirects=False)
        assert answer.status_code == 303, text(answer)
        return table

    return of


def test_lines_stay_lines_and_a_corrected_form_declares_the_same_values(browser, table):
    failed = browser.submit(f"{table}/release", **{**DECLARED, "epsilon": "a"})
    assert failed.status_code == 422
    again = typed_in(failed)
    assert again["domain-2"].split("\n") == REASONS.split("\n")
    shown = browser.submit(f"{table}/release", **{**again, "kind": "counts", "epsilon": "0.5"})
    assert "Declared: age 0 to 120; sex 2 values; reason 6 values." in text(shown)


def test_what_is_typed_cannot_leave_its_field(browser, table):
    failed = browser.submit(f"{table}/release", **{**DECLARED, "domain-1": "</textarea><b>\nna\x00me", "epsilon": "a"})
    assert "&lt;/textarea&gt;&lt;b&gt;\nna\N{REPLACEMENT CHARACTER}me</textarea>" in failed.text


def test_who_does_not_publish_gets_the_form_back_as_it_was(browser, table):
    shown = browser.submit(f"{table}/release", **{**DECLARED, "may-be-missing-1": "on"})
    back = browser.get(f"{shown.url.path}/form")
    assert f'href="{shown.url.path}/form"' in shown.text
    fields = typed_in(back)
    assert fields["domain-2"] == REASONS
    assert (fields["domain-0"], fields["epsilon"], fields["file"]) == ("0..120", "0.5", "stays.csv")
    assert 'name="may-be-missing-1" checked' in back.text


def test_the_form_comes_back_for_the_columns_as_they_are_now(browser, table):
    shown = browser.submit(f"{table}/release", **DECLARED)
    browser.submit(table, **{"role-1": "quasi-identifier", "role-4": "sensitive"})
    fields = typed_in(browser.get(f"{shown.url.path}/form"))
    assert fields["domain-0"].split() == ["female", "male"]
    assert fields["domain-1"] == REASONS


@pytest.mark.parametrize("kind", ["counts", "local", "synthetic"])
def test_values_that_are_not_declared_are_named_before_anything_is_entered(browser, opened, settings, kind):
    table = opened(browser, PATIENTS + "98,x,smith\n99,y,nurse\n")
    fields = {**BOTH, "kind": kind, "domain-1": "nurse\nbaker"}
    if kind == "local":
        fields = {"kind": kind, "domain-0": "nurse\nbaker", "file": "out.csv"}
    shown = browser.submit(f"{table}/release", **fields)
    assert shown.status_code == 422
    assert "Column 'job': the table holds 'smith' too, not declared below. Add what may occur." in text(shown)
    if kind != "local":
        assert "Column 'sex': the table holds 'x' and 'y' too" in text(shown)
    assert "--domain" not in text(shown)
    assert not settings.ledger.exists()


@pytest.mark.parametrize("kind", ["counts", "synthetic"])
def test_missing_values_have_a_box_to_tick(browser, opened, settings, kind):
    table = opened(browser, PATIENTS + "98,,nurse\n")
    shown = browser.submit(f"{table}/release", **{**BOTH, "kind": kind})
    assert "Column 'sex': values are missing in the table. Tick “Missing values are a value of their own”" in text(
        shown
    )
    assert "--domain" not in text(shown)
    assert not settings.ledger.exists()
    ticked = browser.submit(f"{table}/release", **{**BOTH, "kind": kind, "may-be-missing-0": "on"})
    assert "Publish this?" in text(ticked)


def test_of_many_values_that_are_not_declared_some_are_named(browser, opened):
    table = opened(browser, PATIENTS + "".join(f"{i},v{i},nurse\n" for i in range(100, 140)))
    shown = text(browser.submit(f"{table}/release", **BOTH))
    assert "'v129' and 10 more too, not declared below" in shown
    assert "'v130'" not in shown


def test_a_synthetic_table_of_people_with_an_id_is_refused_at_once(browser, opened, settings):
    table = opened(browser, PATIENTS, {**ROLES, "role-0": "person id"})
    shown = browser.submit(f"{table}/release", **{**BOTH, "kind": "synthetic"})
    assert (shown.status_code, settings.ledger.exists()) == (422, False)
    assert "A synthetic table takes each row for a person." in text(shown)


def test_a_second_name_for_the_same_file_is_charged_to_the_first_too_which_is_filled_in(browser, opened, settings):
    table = opened(browser, PATIENTS)
    assert typed_in(browser.get(f"{table}/release"))["dataset"] == "patients"
    fields = {**BOTH, "dataset": "ward 7"}
    first = browser.submit(f"{table}/release", **fields)
    browser.finished(browser.submit(first.url.path, confirmation="ward 7"))
    other = browser.submit(f"{table}/release", **{**fields, "dataset": "patients"})
    assert "Charged to as well ward 7" in text(other)
    form = browser.get(f"{table}/release")
    assert typed_in(form)["dataset"] == "ward 7"
    assert "The ledger knows this table as ward 7" in text(form)
    with open_ledger(settings.ledger) as ledger:
        assert [entry.state for entry in ledger.entries()] == ["done"]


def test_a_file_that_is_there_can_be_replaced_or_another_name_is_taken(serving, tmp_path):
    out = tmp_path / "published"
    out.mkdir()
    browser = serving(out=out)
    table = browser.open_example()
    (out / "stays.csv.passport.json").write_text("kept")
    refused = browser.submit(f"{table}/release", **DECLARED)
    assert "stays.csv or its passport is there already. Call it stays-2.csv" in text(refused)
    agreed = browser.submit(f"{table}/release", **DECLARED, replace="on")
    assert "a file of that name is replaced" in text(agreed)
    done = browser.finished(browser.submit(agreed.url.path, confirmation="Example: invented hospital stays"))
    assert "It is released" in text(done)
    assert (out / "stays.csv.passport.json").read_text() != "kept"
    (out / typed_in(browser.get(f"{table}/release"))["file"]).write_text("")
    assert typed_in(browser.get(f"{table}/release"))["file"].endswith("-counts-2.csv")


def test_a_release_that_waits_to_be_finished_can_be_asked_for_again(serving, tmp_path, monkeypatch):
    """A crash may leave a sealed release whose passport stands and whose file does not: the same form finishes it."""
    out = tmp_path / "published"
    out.mkdir()
    browser = serving(out=out)
    table = browser.open_example()
    asked = browser.submit(f"{table}/release", **DECLARED)
    plan = shown_by(browser, asked).plan
    ledger_file, put = browser.app.state.settings.ledger, appearing.put

    def put_passports_only(file, *, overwrite):
        if file.target.name == "stays.csv":
            raise KeyboardInterrupt
        put(file, overwrite=overwrite)

    monkeypatch.setattr(appearing, "put", put_passports_only)  # not in the process that finishes it
    with pytest.raises(KeyboardInterrupt):
        carry_out(plan, out=out / "stays.csv", ledger=ledger_file, overwrite=False)
    again = browser.submit(f"{table}/release", **DECLARED)
    assert "Publish this?" in text(again)
    done = browser.finished(browser.submit(again.url.path, confirmation="Example: invented hospital stays"))
    assert "It is released" in text(done)
    assert (out / "stays.csv").exists()
    with open_ledger(ledger_file) as ledger:
        assert [entry.state for entry in ledger.entries()] == ["done"]


def test_a_file_that_appears_after_the_preview_is_kept_and_leaves_no_entry(serving, tmp_path, settings):
    out = tmp_path / "published"
    out.mkdir()
    browser = serving(out=out)
    asked = browser.submit(f"{browser.open_example()}/release", **DECLARED)
    (out / "stays.csv").write_text("kept")
    failed = browser.finished(browser.submit(asked.url.path, confirmation="Example: invented hospital stays"))
    assert "A file of this name has appeared meanwhile, and is kept. Choose another name." in text(failed)
    assert f'href="{asked.url.path}/form"' in failed.text
    assert not settings.ledger.exists()


def test_the_share_of_people_disclosed_is_shown_before_and_after(browser, opened):
    """With an id of their own for each row, people are disclosed as often as the rows are."""
    counts = FrequencyTable.from_counts([[20, 10], [20, 10]])  # nurses and bakers among women and men
    expected = said(homogeneity_risk(counts, Geometric(epsilon=1.0), average="records"))
    for role in ("ignore", "person id"):
        table = opened(browser, PATIENTS, {**ROLES, "role-0": role})
        shown = browser.submit(f"{table}/release", **{**BOTH, "dataset": "patients"})
        done = browser.finished(browser.submit(shown.url.path, confirmation="patients"))
        for page in (shown, done):
            assert expected.finding in text(page)
            assert expected.baseline in text(page)


def test_of_people_with_several_rows_no_share_is_stated(browser, opened):
    table = opened(browser, PATIENTS + "1,f,nurse\n", {**ROLES, "role-0": "person id"})
    shown = text(browser.submit(f"{table}/release", **BOTH))
    assert "Some people have several rows, so that the share of people whom the counts disclose is not worked" in shown


def test_a_sample_says_first_that_rows_go_out_as_they_are(browser, table):
    shown = text(browser.submit(f"{table}/release", kind="sample", size="24", file="drawn.csv"))
    assert "Publish this? The rows of the people who are drawn go out as they are: nothing protects them." in shown
    assert "That is 24 people, 1.0 % of all, and the file will hold their age, sex and reason" in shown
    assert "better than a coin" not in shown
    assert "One look" not in shown


@pytest.mark.parametrize(
    ("asked", "drawn"), [("laplace", "geometric"), ("gaussian", "discrete-gaussian"), ("", "geometric")]
)
def test_the_noise_that_is_drawn_is_the_noise_that_is_named(browser, table, asked, drawn):
    form = browser.get(f"{table}/release?kind=counts&mechanism={asked}").text
    assert f'<option value="{drawn}" selected>' in form
    assert '<option value="laplace"' not in form
    shown = text(browser.submit(f"{table}/release", **DECLARED, mechanism=asked, delta="1e-6"))
    named = {"geometric": "two-sided geometric noise", "discrete-gaussian": "discrete Gaussian noise"}[drawn]
    assert f"Publish counts with {named}, whole numbers, at ε = 0.5" in shown
    assert "laplace" not in shown.lower()


def test_a_budget_is_set_where_the_release_is_shown(browser, opened, settings):
    table = opened(browser, PATIENTS)
    shown = browser.submit(f"{table}/release", **BOTH)
    assert "Set a budget" in text(shown)
    same = browser.submit(f"{shown.url.path}/budget", epsilon="1.5", delta="")
    assert "patients: no releases were published. Of a budget of ε = 1.5 at δ = 0" in text(same)
    assert "Would be left ε = 0.5" in text(same)
    late = browser.submit(f"{shown.url.path}/budget", epsilon="9")  # from the page that was shown before it was set
    assert "Tick the box to change it." in text(late)
    with open_ledger(settings.ledger) as ledger:
        assert ledger.budget("patients").epsilon == 1.5


def test_a_budget_is_changed_only_on_purpose(browser, opened, settings):
    table = opened(browser, PATIENTS)
    with open_ledger(settings.ledger) as ledger:
        ledger.set_budget("patients", epsilon=0.5, delta=0.0)
    shown = browser.submit(f"{table}/release", **BOTH)
    assert "The rest of the budget does not pay" in text(shown)
    assert "A larger one protects them less." in text(shown)
    unticked = browser.submit(f"{shown.url.path}/budget", epsilon="2")
    assert unticked.status_code == 422
    assert "The budget is as it was. Tick the box to change it." in text(unticked)
    changed = text(browser.submit(f"{shown.url.path}/budget", epsilon="2", delta="0.01", change="on"))
    assert "The budget was ε = 0.5 at δ = 0." in changed
    assert "δ = 0.01 is large" in changed


@pytest.mark.parametrize(("epsilon", "message"), [("a", "Epsilon must be a number"), ("-1", "epsilon must be in (0,")])
def test_a_budget_that_is_none_is_refused(browser, opened, settings, epsilon, message):
    shown = browser.submit(f"{opened(browser, PATIENTS)}/release", **BOTH)
    answer = browser.submit(f"{shown.url.path}/budget", epsilon=epsilon)
    assert answer.status_code == 422
    assert message in text(answer)


def test_no_other_page_can_set_a_budget(browser, opened, settings):
    shown = browser.submit(f"{opened(browser, PATIENTS)}/release", **BOTH)
    assert browser.post(f"{shown.url.path}/budget", data={"epsilon": "9"}).status_code == 403
    assert not settings.ledger.exists()


def test_a_form_for_other_roles_is_not_taken_for_these(browser, opened):
    """In another tab the columns got other roles: domain-0 would be that of another column."""
    table = opened(browser, PATIENTS)
    form = browser.get(f"{table}/release")
    roles = re.search(r'name="roles" value="([^"]+)"', form.text)[1]
    assert "Publish this?" in text(browser.submit(f"{table}/release", **BOTH, roles=roles))
    browser.submit(table, **{**ROLES, "role-1": "sensitive", "role-2": "quasi-identifier"})
    for late in (
        browser.submit(f"{table}/release", **BOTH, roles=roles),
        browser.get(f"{table}/release?kind=counts&roles={roles}"),
    ):
        assert late.status_code == 409
        assert "The columns' roles were changed in another tab." in text(late)
