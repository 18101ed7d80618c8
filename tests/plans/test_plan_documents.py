"""A plan and its file say the same thing: laws of writing and reading."""

import json
from fractions import Fraction

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadQuestion
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from epsilometer.plans.files import plan_text, read_plan
from epsilometer.plans.plain_data import plain_data
from epsilometer.plans.plan import Plan
from epsilometer.plans.reading import source_from
from epsilometer.plans.release_kinds import (
    POST_PROCESSING,
    RANDOMIZERS,
    SPLITS,
    Counts,
    CountsOf,
    Local,
    Raw,
    Sample,
    Synthetic,
)
from epsilometer.plans.validation import plan_from
from epsilometer.tables.bins import EdgeBins, WidthBins, as_bins
from epsilometer.tables.types import COLUMN_TYPES

# Anything a person may have as a name or a value, the words that YAML changes among them.
texts = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=8),
    st.sampled_from(
        ["no", "on", "Yes", "null", "~", "01", "1e5", "1:30", "2020-01-01", "=", "<<", "# x", "a: b", "é\n"]
    ),
)
names = texts.filter(bool)
columns = st.lists(names, min_size=1, max_size=3, unique=True).map(tuple)
epsilons = st.floats(0.01, 10.0)
deltas = st.floats(1e-9, 0.4)
fractions = st.fractions(-100, 100, max_denominator=10**6)
closed = st.sampled_from(["left", "right"])


@st.composite
def bins(draw):
    ends = sorted(draw(st.lists(fractions, min_size=2, max_size=5, unique=True)))
    if draw(st.booleans()):
        return EdgeBins(tuple(ends), draw(closed))
    bottom, top = draw(st.sampled_from([(None, None), (ends[0], None), (None, ends[1]), (ends[0], ends[1])]))
    return WidthBins(ends[1] - ends[0], draw(fractions), draw(closed), top, bottom)


@st.composite
def mechanisms(draw):
    kind = draw(st.sampled_from([Laplace, Geometric, Gaussian, DiscreteGaussian]))
    calibrated = kind in (Gaussian, DiscreteGaussian)
    some = st.sampled_from([0.1, 0.75, 3.0]) if calibrated else epsilons  # calibrating takes its time
    settings = {
        "epsilon": draw(st.one_of(some, st.lists(some, min_size=1, max_size=3).map(tuple))),
        "adjacency": draw(st.sampled_from(["add-remove", "replace"])),
        "threshold": draw(st.sampled_from([0.5, 3.0, -1.25])),
    }
    if calibrated:
        settings["delta"] = draw(st.sampled_from([1e-7, 0.001]))
    if kind is Gaussian:
        settings["calibration"] = draw(st.sampled_from(["analytic", "probabilistic"]))
    return kind(**settings)


@st.composite
def counts(draw):
    support, delta = draw(st.sampled_from([("declared", None), ("thresholded", 1e-7)]))
    weights = st.floats(0.01, 100)
    return Counts(
        mechanism=draw(mechanisms()),
        support=support,
        support_delta=delta,
        tables=tuple(draw(st.lists(st.builds(CountsOf, columns=columns, weight=weights), max_size=2))),
        split=draw(st.sampled_from(SPLITS)),
        cells_per_person=draw(st.integers(1, 9)),
        post_processing=tuple(draw(st.lists(st.sampled_from(POST_PROCESSING), unique=True))),
    )


releases = st.one_of(
    counts(),
    st.builds(Sample, size=st.integers(1, 10**9), strata=st.one_of(st.just(()), columns)),
    st.builds(
        Synthetic,
        method=st.sampled_from(["mst", "privbayes"]),
        epsilon=epsilons,
        delta=deltas,
        columns=st.one_of(st.just(()), columns),
        rows=st.one_of(st.none(), st.integers(1, 99)),
        n_bins=st.integers(1, 99),
    ),
    st.builds(Local, randomizer=st.sampled_from(RANDOMIZERS[:4]), epsilon=epsilons, shuffled=st.booleans()),
    st.builds(Local, randomizer=st.just("gaussian"), delta=deltas),
    st.just(Raw()),
)
values = st.lists(st.one_of(texts, st.none()), min_size=1, max_size=4)
ends = st.floats(-1e6, 1e6)
domains = st.one_of(
    values,
    st.tuples(ends, ends).map(sorted).map(tuple),
    st.fixed_dictionaries({"values": values, "missing": st.just(True)}),
    st.fixed_dictionaries({"low": st.just(0.0), "high": st.floats(0, 9)}, optional={"missing": st.just(True)}).flatmap(
        lambda domain: st.just({**domain, "bins": 4})
    ),
)
units = st.one_of(
    st.just({}),
    st.just({"unit": "row"}),
    st.builds(lambda n: {"unit": "row", "rows_per_person": n}, st.integers(1, 99)),
    st.builds(lambda name: {"person_id": name}, names),
)
plans = st.builds(
    lambda unit, **settings: Plan(**unit, **settings),
    unit=units,
    table=st.sampled_from(
        ["people.csv", "data/*.parquet", "people.db::persons", "/data/people.csv", "postgres://h/d::t"]
    ),
    quasi_identifiers=columns,
    sensitive=columns,
    dataset=st.one_of(st.none(), names),
    types=st.dictionaries(names, st.sampled_from(COLUMN_TYPES), max_size=2),
    bins=st.dictionaries(names, bins(), max_size=2),
    where=st.one_of(st.none(), texts.filter(bool)),
    missing=st.lists(texts, max_size=2).map(tuple),
    release=releases,
    domain=st.dictionaries(names, domains, max_size=2),
    max_risk=st.one_of(st.none(), st.floats(0, 1)),
    max_loss=st.one_of(st.none(), st.floats(0, 1)),
)


@given(plans)
def test_a_plan_written_and_read_is_the_same_plan(plan):
    assert plan_from(source_from(plan_text(plan), "plan.yaml")) == plan


@given(plans)
def test_as_json_it_is_the_same_plan_too(plan):
    for text in (json.dumps(plain_data(plan)), json.dumps(plain_data(plan), indent="\t")):
        assert plan_from(source_from(text, "plan.json")) == plan


@given(plans)
def test_a_second_writing_changes_nothing(plan):
    text = plan_text(plan)
    assert plan_text(plan_from(source_from(text, "plan.yaml"))) == text


@given(plans)
def test_other_readers_of_yaml_see_the_same_keys(plan):
    """The file is YAML for others as well, with the roles as lists of texts."""
    document = yaml.safe_load(plan_text(plan))
    assert document["quasi_identifiers"] == list(plan.quasi_identifiers)
    assert document["release"]["kind"] == plan.release.kind


def minimal(**settings):
    return Plan(table="people.csv", quasi_identifiers=("age",), sensitive=("job",), **settings)


def test_only_what_matters_is_written():
    assert plan_text(minimal()) == (
        "# A plan for epsilometer: a table, its roles, what is to be published of it, and what must be met.\n"
        "table: people.csv\n"
        "quasi_identifiers: [age]\n"
        "sensitive: [job]\n"
        "release: {kind: counts, mechanism: laplace, epsilon: 1.0, adjacency: add-remove, support: declared}\n"
    )


def test_the_shortest_file_is_a_plan_with_the_defaults_of_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.yaml").write_text("table: people.csv\nquasi_identifiers: age\nsensitive: job\n", encoding="utf-8")
    assert read_plan("plan.yaml") == minimal()


def test_values_of_other_types_are_written_as_texts_and_widths_as_bins():
    read = plan_from(source_from(plan_text(minimal(bins={"age": 0.1}, domain={"age": [1, 2.5, None]})), "plan.yaml"))
    assert read == minimal(bins={"age": as_bins("age", "0.1")}, domain={"age": ["1", "2.5", None]})


def test_decimals_are_kept_to_the_last_digit():
    text = "table: a.csv\nquasi_identifiers: [x]\nsensitive: [y]\nbins: {x: 0.12345678901234567890123}\n"
    plan = plan_from(source_from(text, "plan.yaml"))
    assert plan.bins["x"].width == Fraction("0.12345678901234567890123")
    assert plan_from(source_from(plan_text(plan), "plan.yaml")) == plan


def test_what_looks_like_something_else_stays_what_it_is():
    """Norway is not false, a code keeps its zeros, and 1e-5 is a number without a point."""
    text = (
        "table: a.csv\n"
        "quasi_identifiers: [on, 2020]\n"
        "sensitive: y\n"
        "release: {mechanism: gaussian, epsilon: 1, delta: 1e-5}\n"
        "domain: {country: [no, se, ~], zip: [01234, 1.50], when: [2020-01-01], yes: [true, False]}\n"
    )
    plan = plan_from(source_from(text, "plan.yaml"))
    assert plan.quasi_identifiers == ("on", "2020")
    assert plan.release.mechanism == Gaussian(epsilon=1.0, delta=1e-5)
    assert plan.domain == {
        "country": ["no", "se", None],
        "zip": ["01234", "1.50"],
        "when": ["2020-01-01"],
        "yes": ["true", "False"],
    }


@pytest.mark.parametrize(
    ("table", "seen"),
    [
        ("people.csv", "{folder}/people.csv"),
        ("../people.csv", "{folder}/../people.csv"),
        ("data/*.parquet", "{folder}/data/*.parquet"),
        ("people.db::persons", "{folder}/people.db::persons"),
        ("/data/people.csv", "/data/people.csv"),
        ("postgres://ann@host/db::persons", "postgres://ann@host/db::persons"),
    ],
)
def test_tables_are_looked_for_beside_the_plan(tmp_path, table, seen):
    path = tmp_path / "plan.yaml"
    path.write_text(f"table: {table}\nquasi_identifiers: [x]\nsensitive: [y]\n", encoding="utf-8")
    assert read_plan(path).table == seen.format(folder=tmp_path)


def test_a_folder_with_brackets_is_no_pattern(tmp_path):
    folder = tmp_path / "plans [new]"
    folder.mkdir()
    (folder / "plan.yaml").write_text("table: '*.csv'\nquasi_identifiers: [x]\nsensitive: [y]\n", encoding="utf-8")
    assert read_plan(folder / "plan.yaml").table == f"{tmp_path}/plans [[]new]/*.csv"


def test_a_plan_for_another_folder_names_the_table_as_seen_from_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plans").mkdir()
    text = plan_text(minimal(), tmp_path / "plans")
    assert "table: ../people.csv\n" in text
    (tmp_path / "plans" / "plan.yaml").write_text(text, encoding="utf-8")
    assert read_plan("plans/plan.yaml").table == "plans/../people.csv"


def test_values_are_read_from_files_beside_the_plan(tmp_path):
    (tmp_path / "regions.csv").write_text('region\nNorth\n\n"South, far"\n', encoding="utf-8")
    (tmp_path / "codes.txt").write_text("\ufeffregion\na,b\n", encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(
        "table: a.csv\nquasi_identifiers: [region]\nsensitive: [code]\n"
        "domain: {region: {file: regions.csv}, other: {file: regions.csv, missing: true}, code: {file: codes.txt}}\n",
        encoding="utf-8",
    )
    assert read_plan(tmp_path / "plan.yaml").domain == {
        "region": ["North", "South, far"],
        "other": {"values": ["region", "North", "South, far"], "missing": True},
        "code": ["region", "a,b"],
    }


def test_a_frame_cannot_be_written():
    with pytest.raises(BadQuestion, match=r"^A plan can be written for a file or a database, not for a list.$"):
        plan_text(Plan(table=[], quasi_identifiers=("a",), sensitive=("b",)))


def test_a_domain_that_is_none_cannot_be_written():
    with pytest.raises(BadQuestion, match=r"^A domain is a list of values or \(low, high\), not 'female'.$"):
        plan_text(minimal(domain={"sex": "female"}))


@pytest.mark.parametrize("table", ["postgres://ann:secret@host/db::t", "postgres://host/db?password=secret::t"])
def test_no_password_is_ever_written(table):
    with pytest.raises(BadQuestion, match=r"^A plan is not written with a password in it.") as refused:
        plan_text(Plan(table=table, quasi_identifiers=("a",), sensitive=("b",)))
    assert "secret" not in str(refused.value)
