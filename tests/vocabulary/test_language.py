"""Texts in every language: the same keys, the same placeholders, and values that stay what they are."""

import ast
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.errors import UnknownChoice
from epsilometer.vocabulary.language import LANGUAGES, PLACEHOLDER, language
from epsilometer.vocabulary.wording import is_hardly_shown, percent, percent_at_least, percent_under_noise

ENGLISH, GERMAN = map(language, ("en", "de"))
KEYS = sorted(ENGLISH.texts)
SECTIONS = tuple({f"{key.partition('.')[0]}\\." for key in KEYS})
SHARES = st.floats(0, 1)
DISTINCT = 15  # characters that no other sentence has by chance
every_language = pytest.mark.parametrize("words", [ENGLISH, GERMAN], ids=LANGUAGES)


def fields(text):
    return set(PLACEHOLDER.findall(text))


def test_every_language_has_every_text():
    assert sorted(GERMAN.texts) == KEYS


def test_a_text_takes_the_same_values_in_every_language():
    assert [key for key in KEYS if fields(GERMAN.texts[key]) != fields(ENGLISH.texts[key])] == []
    assert [key for key in KEYS if GERMAN.texts[key].strip() != GERMAN.texts[key] or not GERMAN.texts[key]] == []


def test_no_text_is_left_that_nothing_says():
    """A name is written in full in the source, or put together there from parts."""
    package = Path(em.__file__).parent
    pages = " ".join(path.read_text(encoding="utf-8") for path in package.rglob("*.j2"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in package.rglob("*.py"))
    names = {pattern_of(node) for tree in trees for node in ast.walk(tree)} - {""}
    names |= {re.escape(name) for name in re.findall(r'"([\w-]+(?:\.[\w-]+)+)"', pages)}
    spoken = "|".join(name for name in names if name.startswith(SECTIONS))
    spoken_of = re.compile(rf"(?:{spoken})(?:\.one|\.other)?")
    assert [key for key in KEYS if not spoken_of.fullmatch(key)] == []


def pattern_of(node):
    """Return what a string of the source can be, with anything for what is filled in; other nodes are nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(pattern_of(part) or ".*" for part in node.values)
    return ""


@every_language
def test_every_placeholder_is_filled(words):
    filled = {key: words.text(key, **dict.fromkeys(fields(text), "«value»")) for key, text in words.texts.items()}
    assert [key for key in KEYS if PLACEHOLDER.search(filled[key])] == []
    assert [key for key in KEYS if filled[key].count("«value»") < len(fields(words.texts[key]))] == []


@every_language
@given(value=st.text(string.printable + "{}%\\é\u202e", max_size=60), other=st.text(max_size=20))
def test_whatever_a_value_holds_stands_in_the_text_as_it_is(words, value, other):
    filled = words.text("odds.joint.left_out", left_out=value)
    before, after = words.texts["odds.joint.left_out"].split("{left_out}")
    assert filled == f"{before}{value}{after}"
    both = words.text("odds.guess.printed", epsilon=value, event=other, n=1, base=2)
    assert value in both
    assert other in both


def test_a_missing_value_or_text_is_an_error_and_no_hole():
    with pytest.raises(KeyError, match="about"):
        ENGLISH.text("report.answer_for")
    with pytest.raises(KeyError):
        ENGLISH.text("report.no such text")


def test_a_language_that_nobody_wrote_is_refused():
    with pytest.raises(UnknownChoice, match=r"^language must be one of en, de; got 'fr'\.$"):
        language("fr")


def test_texts_are_read_once():
    assert language("de") is GERMAN
    assert language() is ENGLISH


@pytest.mark.parametrize(
    ("words", "n", "expected"),
    [
        (ENGLISH, 1, "1 person"),
        (ENGLISH, 0, "0 people"),
        (ENGLISH, 1_200, "1,200 people"),
        (GERMAN, 1, "1 Person"),
        (GERMAN, 12_345_678, "12.345.678 Personen"),
    ],
)
def test_one_is_not_several(words, n, expected):
    assert words.people(n) == expected


@pytest.mark.parametrize(
    ("value", "form", "english", "german"),
    [
        (1_234_567, "", "1,234,567", "1.234.567"),
        (0.25, "", "0.25", "0,25"),
        (1e-6, "", "1e-06", "1e-06"),
        (0.12345, ".3g", "0.123", "0,123"),
        ("0.1235", "", "0.1235", "0,1235"),
        ("2,480", "", "2,480", "2.480"),
    ],
)
def test_numbers_are_written_as_in_the_language(value, form, english, german):
    assert ENGLISH.number(value, form) == english
    assert GERMAN.number(value, form) == german


def test_percentages_round_towards_caution_in_both():
    assert (ENGLISH.percent(0.0331), GERMAN.percent(0.0331)) == ("3.4 %", "3,4 %")
    assert (ENGLISH.percent(1e-9), GERMAN.percent(1e-9)) == ("below 0.0001 %", "unter 0,0001 %")
    assert (ENGLISH.percent_at_least(0.0339), GERMAN.percent_at_least(0.0339)) == ("3.3 %", "3,3 %")
    assert (ENGLISH.points(0.0331), GERMAN.points(0.0331)) == ("3.4 percentage points", "3,4 Prozentpunkte")
    assert GERMAN.points_at_least(0.0339) == "3,3 Prozentpunkte"


@given(SHARES)
def test_english_is_what_the_wording_writes(share):
    assert ENGLISH.percent(share) == percent(share)
    assert ENGLISH.percent_at_least(share) == percent_at_least(share)
    assert ENGLISH.percent_under_noise(share) == percent_under_noise(share)


@given(SHARES)
def test_german_differs_in_its_marks_alone(share):
    number = GERMAN.percent(share).removeprefix("unter ").removesuffix(" %").replace(",", ".")
    assert float(number) >= share * 100 - 1e-7
    assert is_hardly_shown(share) == GERMAN.percent(share).startswith("unter ")
    down = GERMAN.percent_at_least(share)
    assert is_hardly_shown(share) == down.startswith("unter ")
    if not is_hardly_shown(share):
        assert float(down.removesuffix(" %").replace(",", ".")) <= share * 100 + 1e-7


def test_names_are_joined_as_people_do():
    assert ENGLISH.joined(["age", "sex", "job"]) == "age, sex and job"
    assert GERMAN.joined(["age", "sex", "job"]) == "age, sex und job"


@pytest.mark.parametrize(
    "result",
    [
        em.homogeneity_risk(em.FrequencyTable.from_counts([[3, 0], [2, 1]]), em.Laplace(epsilon=1.0)),
        em.utility_loss(em.FrequencyTable.from_counts([[3, 0], [2, 1]]), em.Laplace(epsilon=1.0), repeats=3),
        em.raw_risk(em.FrequencyTable.from_counts([[3, 0], [2, 1]])),
        em.thresholding_risk(em.FrequencyTable.from_counts([[3, 0], [2, 1]]), em.Laplace(epsilon=1.0)),
        *(em.sampling_risk(population=9, sample=4, prior=prior) for prior in ("frequencies", "datasets", 0.5)),
        *(em.sampling_risk(population=9, sample=4, n_values=k, mechanism=em.Laplace(epsilon=1.0)) for k in (2, 3)),
        *(em.sampling_utility_loss(population=9, sample=4, n_values=k) for k in (2, 3)),
        em.sample_of_table(em.FrequencyTable.from_counts([[3, 0], [2, 1]]), sample=2),
    ],
    ids=lambda result: type(result).__name__,
)
def test_what_counts_and_samples_carry_is_known_in_german(result):
    lines = [*result.assumptions, *getattr(result, "caveats", ())]
    unknown = [line for line in lines if GERMAN.line(line) == line]
    # What the attacker names differs from rule to rule, and is said by the answer itself.
    assert [line for line in unknown if not line.startswith("The attacker names the value with")] == []


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Anything else.", "Anything else."),
        (
            "One person appears in up to 1,200 cells: their own guarantee is 1,200 times epsilon.",
            "Eine Person kommt in bis zu 1.200 Zellen vor: Für sie selbst gilt das 1.200-Fache von ε.",
        ),
        (
            "One person appears in up to 3 cells: their own guarantee is 4 times epsilon.",
            "One person appears in up to 3 cells: their own guarantee is 4 times epsilon.",
        ),
        (
            "500 releases were simulated, seeded with 0.",
            "500 Veröffentlichungen wurden simuliert, mit dem Startwert 0.",
        ),
        (
            "{n} records\n has 2,400 different values in 2,400 records: is it an identifier?",
            "{n} records\n hat 2.400 verschiedene Werte in 2.400 Datensätzen: Ist es eine Kennung?",
        ),
    ],
)
def test_lines_are_known_with_whatever_varies_in_them(english, german):
    assert GERMAN.line(english) == german
    assert ENGLISH.line(english) == english


def test_no_name_is_too_long_to_be_shown():
    line = f"{'x has 1 different values in ' * 4_000} has 3 different values in 3 records: is it an identifier?"
    assert GERMAN.line(line) == line


def test_every_known_line_is_one_that_can_occur():
    """A line that was reworded in English would silently lose its translation."""
    written = " ".join(path.read_text(encoding="utf-8") for path in Path(em.__file__).parent.rglob("*.py"))
    # strings that go on in the next line of the source
    joined = re.sub(r'"\s*\n\s*f?"', "", written)
    for line in GERMAN.lines:
        parts = [part[:50] for part in re.split(r"\{\w+\}|; |: ", line) if len(part) >= DISTINCT]
        assert line in joined or any(part in joined for part in parts), line
