"""The public report is computed from the plan alone: proofs that the table plays no part in it, in any form."""

import re

import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.charts.theme import NARROW
from epsilometer.errors import BadQuestion, UnknownChoice
from epsilometer.plans.release_kinds import CountsOf, Local, Raw, Sample, Synthetic
from epsilometer.report.building.public import public_report
from epsilometer.report.rendering.document import as_document
from epsilometer.report.rendering.html import as_html
from epsilometer.report.rendering.markdown import as_markdown

SECRETS = ("sentinel-file", "sentinel-value", "sentinel-word")
TABLES = (CountsOf(columns=("age",)), CountsOf(columns=("sex", "job"), weight=3.0))
RELEASES = {
    "counts": em.Counts(mechanism=em.Laplace(epsilon=(1.0, 0.1, 5.0))),
    "gaussian": em.Counts(mechanism=em.Gaussian(epsilon=0.5, delta=1e-6, adjacency="replace")),
    "thresholded": em.Counts(support="thresholded", support_delta=1e-6, post_processing=("whole",)),
    "tables": em.Counts(tables=TABLES),
    "optimised": em.Counts(tables=TABLES, split="optimised"),
    "sample": Sample(size=400, strata=("sex",)),
    "synthetic": Synthetic(method="mst", epsilon=0.7, columns=("age", "job"), rows=100),
    "response": Local(epsilon=0.7),
    "local gaussian": Local(randomizer="gaussian", epsilon=0.7, delta=1e-4, shuffled=False),
}
DOMAIN = {
    "job": ["cook", "nurse", None],
    "sex": {"values": ["f", "m"], "missing": True},
    "age": (0, 99),
    "income": {"low": 0, "high": 9, "missing": True},
}
FORMS = {"html": as_html, "markdown": lambda report: as_markdown(report).text, "json": as_document}


class Untouchable:
    """A table that breaks whoever looks at it in any way."""

    def __getattribute__(self, name):
        raise AssertionError(f"the table was asked for {name}")

    def __iter__(self):
        raise AssertionError("the rows were read")

    __str__ = __repr__ = __len__ = __iter__


def plan(kind="counts", **changes):
    settings = {
        "table": Untouchable(),
        "quasi_identifiers": ("age", "sex"),
        "sensitive": ("job",),
        "bins": {"age": 5},
        "domain": DOMAIN,
        "release": RELEASES[kind],
    } | changes
    return em.Plan(**settings)


@pytest.fixture
def _nothing_can_be_opened(monkeypatch):
    def refuse(*_args, **_settings):
        raise AssertionError("a table was opened")

    for module in ("tables.opening", "plans.plan"):
        monkeypatch.setattr(f"epsilometer.{module}.open_table", refuse)
    monkeypatch.setattr("builtins.open", refuse)


@pytest.mark.parametrize("kind", RELEASES)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("named", [None, "no/such/file.csv", "postgres://nobody:secret@nowhere/x::t"])
def test_no_table_is_needed(kind, language, named, request):
    table = Untouchable() if named is None else named
    public_report(plan(kind, table=table), language=language)  # reads the texts and the bibliography
    request.getfixturevalue("_nothing_can_be_opened")
    report = public_report(plan(kind, table=table), language=language)
    assert report.audience.startswith({"en": "Public: ", "de": "Öffentlich: "}[language])
    assert not report.confidential
    (answer,) = report.answers
    assert (answer.chart is None) == (kind == "sample")
    if answer.chart is not None:
        assert answer.chart.draw(NARROW).to_dict()["datasets"]


@pytest.mark.parametrize(
    ("kind", "language", "caveat"),
    [
        ("counts", "en", "If ε was chosen by looking at the table, that choice itself tells a little about it."),
        ("synthetic", "de", "Wurde ε mit Blick auf die Tabelle gewählt, verrät schon diese Wahl ein wenig über sie."),
        ("sample", "en", "If the size was chosen by looking at the table, that choice itself tells a little about it."),
    ],
)
def test_it_says_that_a_choice_by_looking_tells_something(kind, language, caveat):
    assert caveat in as_markdown(public_report(plan(kind), language=language)).text


@pytest.mark.parametrize("kind", RELEASES)
@pytest.mark.parametrize("form", FORMS)
def test_two_tables_have_the_same_report_and_neither_shows(tmp_path, kind, form):
    written = []
    for number, name in enumerate(SECRETS[:2]):
        rows = {"age": [70_001 + number] * 8_191, "sex": [SECRETS[1]] * 8_191, "job": [SECRETS[2]] * 8_191}
        file = tmp_path / f"{name}.csv"
        file.write_text(
            "\n".join([",".join(rows), *map(",".join, zip(*(map(str, c) for c in rows.values()), strict=True))])
        )
        written.append(FORMS[form](public_report(plan(kind, table=str(file)))))
        written.append(FORMS[form](public_report(plan(kind, table=pa.table(rows)))))
    assert len(set(written)) == 1
    assert not re.search(r"sentinel|70\W?00[12]|8\W?191", written[0])
    assert str(tmp_path) not in written[0]


def test_the_password_of_a_database_is_nowhere():
    for form in FORMS.values():
        assert "hunter2" not in form(public_report(plan(table="postgres://me:hunter2@host/db::t")))


def test_the_first_thing_to_read_is_who_may_see_it():
    html = as_html(public_report(plan()))
    body = html[html.index("<body>") :]
    assert re.search(r">([^<\n]+)<", body)[1] == "Public: nothing in it was computed from the table. It may be shared."
    assert "Confidential" not in html


def texts_of(report):
    return as_markdown(report).text.replace("\\", "")


def test_counts_promise_bounds_the_worst_table_and_the_error_of_a_count():
    text = texts_of(public_report(plan()))
    # tanh(1/2) for one count moved by one: told right (1 + 0.4622) / 2 of the times
    assert "can be told right at most 732 of 1,000 times" in text
    assert (
        "In the worst table with 3 values, the published cell of at most 535 of 1,000 people" in text
    )  # 0.7311 squared
    assert "A published count is off by 0.851 on average, and 95 of 100 are off by 3 or less." in text  # 1 / sinh(1)
    assert "| **1** | **46.3 %** | **46.3 %** | **88.1 %** | **53.5 %** | **1** | **0.851** | **3** |" in text
    assert "- **Declared for job:** 3 values" in text
    assert "- **Declared for sex:** 3 values" in text
    assert "- **Declared for income:** 0 to 9, or missing" in text
    assert "- **Declared for age:** 0 to 99" in text
    assert "- **Bins:** age: 5" in text


def test_what_is_left_out_is_said_with_the_reason():
    assert "it was not declared as a list. Two are taken" in texts_of(public_report(plan(domain={})))
    assert "several tables together have no formula" in texts_of(public_report(plan("tables")))
    assert "how the budget is split depends on" in texts_of(public_report(plan("optimised")))
    assert "can show it alone for certain" in texts_of(public_report(plan("thresholded")))
    assert "that depends on the table" in texts_of(public_report(plan("synthetic")))
    several = plan(quasi_identifiers=("age",), sensitive=("job", "sex"))
    assert "Each secret column by itself" in texts_of(public_report(several))
    assert "What is left out" not in texts_of(public_report(plan()))


def test_several_tables_are_listed_with_their_noise():
    text = texts_of(public_report(plan("tables")))
    assert "| age | geometric noise | 0.25 | 4 |" in text
    assert "| sex, job | geometric noise | 0.75 | 1.334 |" in text  # rounded up


def test_a_delta_is_told_and_a_belief_then_has_no_bound():
    text = texts_of(public_report(plan("gaussian")))
    assert "The guarantee may fail with a chance of δ = 1e-06." in text
    assert "no bound" in text


def test_a_sample_promises_nothing_to_those_who_are_drawn():
    text = texts_of(public_report(plan("sample")))
    assert "of 1,000 of them, the secrets of 1,000 are told" in text
    assert "off by 2.5 percentage points typically, or less" in text  # sqrt(1/2 * 1/2 / 400)
    assert "**Same part of each group by:** sex" in text


def test_settings_of_every_kind_are_written_down():
    synthetic, local = (texts_of(public_report(plan(kind))) for kind in ("synthetic", "local gaussian"))
    for fact in ("**Method:** mst", "**Columns:** age, job", "**Rows:** 100", "**Bins of a number:** 20"):
        assert fact in synthetic
    for fact in ("**Randomiser:** Gaussian noise", "**Order of the reports:** that of the table"):
        assert fact in local
    assert "**Order of the reports:** random" in texts_of(public_report(plan("response")))
    assert "**Afterwards:** whole" in texts_of(public_report(plan("thresholded")))
    assert "**Data set:** stays" in texts_of(public_report(plan(dataset="stays")))


def test_raw_rows_have_no_public_report():
    with pytest.raises(BadQuestion, match="promise nothing"):
        public_report(plan(release=Raw()))


def test_the_language_must_be_known():
    with pytest.raises(UnknownChoice, match="language"):
        public_report(plan(), language="xx")


@pytest.mark.parametrize(
    ("release", "drawn"),
    [
        (
            em.Counts(mechanism=em.Laplace(epsilon=5.0)),
            "two-sided geometric noise at ε = 5 (for a plan with Laplace noise)",
        ),
        (RELEASES["gaussian"], "discrete Gaussian noise at ε = 0.5, δ = 1e-06 (for a plan with Gaussian noise)"),
        (em.Counts(mechanism=em.Geometric(epsilon=5.0)), "with geometric noise at ε = 5;"),
    ],
)
def test_the_noise_that_is_drawn_is_named(release, drawn):
    assert drawn in public_report(plan(release=release)).scope


@pytest.mark.parametrize(
    ("epsilon", "said"), [(5.0, "at least 95 of 100 are exact."), (1.0, "95 of 100 are off by 3 or less.")]
)
def test_counts_that_are_not_off_are_exact(epsilon, said):
    report = public_report(plan(release=em.Counts(mechanism=em.Geometric(epsilon=epsilon))))
    assert said in report.answers[0].sentences[0]
    assert (report.sections[0].blocks[0].rows[0][-1] == "exact") == (epsilon == 5.0)
