"""What is wrong with a plan file is said in one line: file, line, key, value, what is allowed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadPlan, BadQuestion, EpsilometerError, OutOfRange
from epsilometer.plans.files import read_plan
from epsilometer.plans.reading import Source, source_from
from epsilometer.plans.validation import plan_from

ROLES = "table: people.csv\nquasi_identifiers: [age]\nsensitive: [job]\n"  # three lines; what follows begins in line 4

WRONG = {
    "a value out of range": (
        "release:\n  epsilon: -1",
        "line 5: release.epsilon must be in (0, inf), got -1. A smaller",
    ),
    "one of several": ("release: {epsilon: [1, 0]}", "line 4: release.epsilon must be in (0, inf), got 0. A smaller"),
    "no number": ("release: {epsilon: much}", "line 4: release.epsilon must be a number, got 'much'."),
    "a comma for a point": ("targets: {max_risk: '0,5'}", "line 4: targets.max_risk must be a number, got '0,5'."),
    "a target that is no share": (
        "targets:\n  max_loss: 1.5",
        "line 5: targets.max_loss must be in [0, 1], got 1.5. It",
    ),
    "a number that is not whole": (
        "release: {kind: sample, size: 2.5}",
        "line 4: release.size must be a whole number, got 2.5.",
    ),
    "a sample of nobody": (
        "release: {kind: sample, size: 0}",
        "line 4: release.size must be in [1, inf), got 0. It is",
    ),
    "a sample without a size": (
        "release: {kind: sample}",
        "line 4: release.size is missing: the number of rows of the",
    ),
    "no truth value": (
        "release:\n  kind: local\n  shuffled: no",
        "line 6: release.shuffled must be true or false, got 'no'.",
    ),
    "an unknown randomizer": (
        "release: {kind: local, randomizer: dice}",
        "line 4: release.randomizer must be one of response, unary, exponential, laplace, gaussian; got 'dice'.",
    ),
    "a delta nobody needs": (
        "release: {kind: local, delta: 1e-5}",
        "line 4: delta goes with the gaussian randomizer, and only with it.",
    ),
    "a local delta of one": (
        "release: {kind: local, randomizer: gaussian, delta: 1}",
        "line 4: release.delta must be in (0, 1), got 1. It is the probability that epsilon fails.",
    ),
    "a local epsilon of zero": (
        "release: {kind: local, epsilon: 0}",
        "line 4: release.epsilon must be in (0, inf), got 0",
    ),
    "an unknown method": (
        "release: {kind: synthetic, method: magic}",
        "line 4: release.method must be one of mst, aim, ",
    ),
    "a synthetic delta of one": (
        "release: {kind: synthetic, delta: 1}",
        "line 4: release.delta must be in [0, 1), got 1. Far below one over",
    ),
    "no rows": ("release: {kind: synthetic, rows: 0}", "line 4: release.rows must be in [1, inf), got 0. Leave it out"),
    "no bins": ("release: {kind: synthetic, n_bins: 0}", "line 4: release.n_bins must be in [1, inf), got 0. It is a"),
    "an unknown kind": (
        "release: {kind: count}",
        "line 4: release.kind must be one of counts, sample, synthetic, local, raw; got 'count'.",
    ),
    "no release": ("release: counts", "line 4: release must be a mapping with a kind and its settings, got 'counts'."),
    "an unknown mechanism": (
        "release: {mechanism: lapalce}",
        "line 4: release.mechanism must be one of laplace, geometric, gaussian, discrete-gaussian; got 'lapalce'.",
    ),
    "an unknown adjacency": (
        "release: {adjacency: near}",
        "line 4: release.adjacency must be one of add-remove, replace; got 'near'.",
    ),
    "a delta that is needed": (
        "release: {mechanism: gaussian}",
        "line 4: release.delta must be in (0, 1), got nothing. gaussian noise needs one, well below 1 / people.",
    ),
    "a delta that is not": (
        "release: {delta: 1e-5}",
        "line 4: release.delta must be in {0}, got 1e-5. laplace noise has none; leave it out.",
    ),
    "support without its delta": (
        "release: {support: thresholded}",
        "line 4: Thresholded support needs support_delta (--support-delta), the chance that one person makes a count "
        "listed, such as 1e-6.",
    ),
    "a support delta without its support": (
        "release: {support_delta: 1e-6}",
        "line 4: support_delta goes with thresholded support only, got 1e-06 with declared support. Leave it out.",
    ),
    "a support delta of one": (
        "release: {support: thresholded, support_delta: 1}",
        "line 4: release.support_delta must be in (0, 1), got 1. It is a chance below 1 / people.",
    ),
    "an unknown unit": ("unit: household", "line 4: unit must be row, or a mapping with person_id or rows_per_person"),
    "two units": ("unit: {person_id: p, rows_per_person: 2}", "line 4: A unit has a person_id, or rows_per_person"),
    "no rows of a person": ("unit: {rows_per_person: 0}", "line 4: unit.rows_per_person must be in [1, inf), got 0."),
    "an old key": ("person_id: p", "line 4: there is no key person_id"),
    "an unknown type": ("types: {age: int}", "line 4: types.age must be one of text, integer, "),
    "a type without a column": ("types: [age]", "line 4: "),
    "no counts of a person": (
        "release: {cells_per_person: 0}",
        "line 4: release.cells_per_person must be in [1, inf), got 0. It is a number of counts.",
    ),
    "a list for a number": ("release: {threshold: [1]}", "line 4: release.threshold must be a number, got a list."),
    "a list for a whole number": (
        "release: {kind: sample, size: [1]}",
        "line 4: release.size must be a whole number, got a list.",
    ),
    "an unknown step": (
        "release: {post_processing: [whole, rounded]}",
        "line 4: release.post_processing must be one of non-negative, whole, totals; got 'rounded'.",
    ),
    "a weight of zero": (
        "release:\n  tables:\n    - {columns: [age]}\n    - {columns: [job], weight: 0}",
        "line 7: release.tables.1.weight must be in (0, inf), got 0. It is a part of the budget.",
    ),
    "a table of nothing": (
        "release: {tables: [{columns: []}]}",
        "line 4: A table of counts needs columns. Name at least one.",
    ),
    "a table without columns": (
        "release: {tables: [{weight: 1}]}",
        "line 4: release.tables.0.columns is missing: the columns that are counted.",
    ),
    "a misspelt key": ("targets: {max_rsk: 1}", "line 4: there is no key targets.max_rsk. Did you mean max_risk?"),
    "a key of another kind": (
        "release: {kind: sample, size: 3, epsilon: 1}",
        "line 4: there is no key release.epsilon. There are kind, size, strata.",
    ),
    "bins without a width": (
        "bins:\n  age:\n    width: 0",
        "line 5: bins of 'age': width must be above 0, got 0.",
    ),
    "bins of nothing": ("bins: 5", "line 4: bins must be a mapping with a key for each column, got 5."),
    "a list for a text": ("where: [a]", "line 4: where must be text, got a list."),
    "a mapping for a list": ("missing: {a: b}", "line 4: missing must be a list, got a mapping."),
    "nothing in a list": ("missing: [~]", "line 4: missing.0 must be text, got nothing."),
    "targets of nothing": (
        "targets: 1",
        "line 4: targets must be a mapping with keys such as max_risk, max_loss, got 1.",
    ),
    "a domain of one value": (
        "domain: {sex: female}",
        "line 4: domain.sex must be a list of values, or a mapping with low and high, values or file, got 'female'.",
    ),
    "a domain that ends before it begins": (
        "domain: {age: {low: 90, high: 17}}",
        "line 4: domain.age.high must be in [90, inf), got 17. It is the largest value there may be.",
    ),
    "a domain without an end": (
        "domain:\n  age: {low: 17}",
        "line 5: A domain has low and high, or values, or a file; exactly one of these.",
    ),
    "two domains at once": (
        "domain: {age: {low: 1, high: 2, values: [a]}}",
        "line 4: A domain has low and high, or values, or a file; exactly one of these.",
    ),
    "an infinite domain": (
        "domain: {age: {low: -inf, high: 2}}",
        "line 4: domain.age.low must be in (-inf, inf), got -inf.",
    ),
    "a domain in no bins": (
        "domain: {age: {low: 1, high: 2, bins: 0}}",
        "line 4: domain.age.bins must be in [1, inf), got 0. It is a number of bins.",
    ),
    "bins of values": ("domain: {age: {values: [a], bins: 2}}", "line 4: The bins of a domain go with low and high."),
    "a key given twice": ("where: a\nwhere: b", "line 5: 'where' was given before, in line 4. Give it once."),
    "a key that is a list": ("[a, b]: c", "line 4: a key must be text."),
    "no YAML": ("where: 'a", "this cannot be read as YAML: found unexpected end of stream."),
    "a tab": ("\twhere: a", "line 4: this cannot be read as YAML: found character '\\t' that cannot start any token."),
    "two documents": ("---\ntable: b", "line 4: this cannot be read as YAML: but found another document."),
    "parts that lead to themselves": (
        "where: &all [*all]",
        "line 4: this cannot be read as YAML: names of other parts (*name) are not followed.",
    ),
    "a bell": ("where: \x07", "this cannot be read as YAML: unacceptable character #x0007: special characters are not"),
    "a tower": ("where: " + "[" * 3000, "this is nested too deeply."),
}


@pytest.mark.parametrize(("rest", "words"), WRONG.values(), ids=WRONG.keys())
def test_one_line_says_what_is_wrong_and_where(rest, words):
    with pytest.raises(BadPlan) as refused:
        plan_from(source_from(ROLES + rest + "\n", "plan.yaml"))
    message = str(refused.value)
    assert re.match(r"plan\.yaml(, line \d+)?: ", message)
    assert words in message
    assert "\n" not in message


WITHOUT = {
    "a misspelt role": ("table: a.csv\nquasi_identifier: [x]\nsensitive: [y]", "Did you mean quasi_identifiers?"),
    "no role": (
        "table: a.csv\nquasi_identifiers: [x]",
        "plan.yaml: sensitive is missing: the columns that an attacker",
    ),
    "an empty role": (
        "table: a.csv\nquasi_identifiers:\nsensitive: y",
        "plan.yaml: quasi_identifiers is missing: the ",
    ),
    "no table": ("quasi_identifiers: [x]\nsensitive: [y]", "plan.yaml: table is missing: the table that it is about."),
    "no keys": ("- a", "plan.yaml: this must be keys with values, each as 'key: value'."),
    "nothing": ("", "plan.yaml: this must be keys with values, each as 'key: value'."),
    "no text": (
        "table: {a: b}\nquasi_identifiers: x\nsensitive: y",
        "plan.yaml, line 1: table must be text, got a mapping.",
    ),
}


@pytest.mark.parametrize(("text", "words"), WITHOUT.values(), ids=WITHOUT.keys())
def test_what_every_plan_needs(text, words):
    with pytest.raises(BadPlan, match=re.escape(words)):
        plan_from(source_from(text, "plan.yaml"))


scalars = st.one_of(st.text(max_size=6), st.sampled_from(["1", "-1", "nan", "inf", "true", "counts", "~", "laplace"]))
anything = st.recursive(
    scalars | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["table", "quasi_identifiers", "sensitive", "bins", "missing", "release", "domain", "targets", "unit", "types"]
SETTINGS = [
    "kind",
    "epsilon",
    "delta",
    "tables",
    "columns",
    "size",
    "low",
    "high",
    "values",
    "file",
    "max_risk",
    "width",
]
sections = st.dictionaries(st.sampled_from(SETTINGS), anything, max_size=3)
documents = st.dictionaries(
    st.sampled_from(KEYS), st.one_of(anything, sections, st.dictionaries(st.sampled_from("ab"), sections)), max_size=6
)


@given(documents)
def test_whatever_is_given_the_answer_is_a_plan_or_one_readable_line(data):
    """No message of the library that checks the document reaches the reader, and no other error at all."""
    whole = {"table": "a.csv", "quasi_identifiers": ["x"], "sensitive": ["y"]} | data
    lines = {(key,): number for number, key in enumerate(whole, start=1)}
    said = ""
    try:
        plan_from(Source("plan.yaml", whole, lines))
    except EpsilometerError as refused:
        said = str(refused)
    assert not re.search(r"Input should|validation error|pydantic|Field required", said)


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("absent.yaml", lambda path: None, "absent.yaml cannot be read: No such file or directory."),
        ("folder.yaml", lambda path: path.mkdir(), "folder.yaml cannot be read: Is a directory."),
        (
            "latin.yaml",
            lambda path: path.write_bytes(b"table: \xe9"),
            "latin.yaml cannot be read: it is not text in UTF-8.",
        ),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, make, words):
    make(tmp_path / name)
    with pytest.raises(BadPlan, match=re.escape(words)):
        read_plan(tmp_path / name)


VALUES = {
    "no file": (None, "The values in {path} cannot be read: No such file or directory."),
    "no text": (b"\xe9", "The values in {path} cannot be read: it is not text in UTF-8."),
    "no value": (b"\n\n", "There is no value in {path}. List every value that may occur."),
    "only a header": (b"region\n", "There is no value in {path}. List every value that may occur."),
    "two columns": (b"a\nb,c\n", "{path}, line 2 has 2 columns; a file of values has one."),
}


@pytest.mark.parametrize(("content", "words"), VALUES.values(), ids=VALUES.keys())
def test_files_of_values_that_are_none(tmp_path, content, words):
    path = tmp_path / "regions.csv"
    if content is not None:
        path.write_bytes(content)
    (tmp_path / "plan.yaml").write_text(ROLES + "domain:\n  region: {file: regions.csv}\n", encoding="utf-8")
    with pytest.raises(BadPlan) as refused:
        read_plan(tmp_path / "plan.yaml")
    assert str(refused.value) == f"{tmp_path}/plan.yaml, line 5: {words.format(path=path)}"


def test_flags_are_put_over_a_file_key_by_key():
    text = ROLES + "bins: {age: 5, hours: 10}\nrelease: {mechanism: geometric, epsilon: 2}\n"
    plan = plan_from(
        source_from(text, "plan.yaml").over({"bins": {"age": "7"}, "release": {"epsilon": 3.0}, "table": "b"})
    )
    assert (plan.table, plan.release.mechanism.name, plan.release.mechanism.epsilon) == ("b", "geometric", 3.0)
    assert {column: float(bins.width) for column, bins in plan.bins.items()} == {"age": 7.0, "hours": 10.0}


NO_PART = "plays no part for a release of {}. Leave it out, or choose another kind."


def test_what_a_flag_got_wrong_is_not_blamed_on_the_file():
    source = source_from(ROLES + "release: {mechanism: geometric}\n", "plan.yaml")
    with pytest.raises(
        OutOfRange, match=r"^epsilon must be in \(0, inf\), got -1.0. A smaller epsilon means more noise.$"
    ):
        plan_from(source.over({"release": {"epsilon": -1.0}}))
    with pytest.raises(BadQuestion, match=f"^size {NO_PART.format('counts')}$"):
        plan_from(source.over({"release": {"size": 3}}))
    with pytest.raises(BadQuestion, match=f"^epsilon {NO_PART.format('raw')}$"):
        plan_from(source.over({"release": None}).over({"release": {"kind": "raw", "epsilon": 1.0}}))


def test_halves_of_a_character_are_joined():
    """JSON writes characters beyond the first 65,536 as two halves; half of one is no character."""
    data = source_from('{"a": "\\ud83d\\ude00", "b": "\\ud83d"}', "plan.json").data
    assert data == {"a": "\N{GRINNING FACE}", "b": "\N{REPLACEMENT CHARACTER}"}
