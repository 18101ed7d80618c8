"""What columns are taken for, from their names and their values."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.assessments.exploring.column_words import WORDS, meaning_of, parts_of
from epsilometer.assessments.exploring.suggestions import ONLY_A_SUGGESTION, bin_width, suggest_roles, suggested
from epsilometer.tables.column_summaries import ColumnSummary

MEANINGS = {
    "known": (
        "age Alter patient_age sex Geschlecht gênero dob geburtsdatum data_de_nascimento ZIP plz código_postal CEP "
        "Wohnort race Beruf occupation nívelEscolaridade education_num maritalStatus estado_civil Familienstand "
        "native-country country_name Bundesland city_name city_name"
    ),
    "hidden": (
        "diagnosis Hauptdiagnose ICD10 doença Krankheit maladie income Jahreseinkommen salário Nettogehalt religion "
        "Religionszugehörigkeit vote_2021 partido capital_gain heart_disease HIV"
    ),
    "numbers people": "id patient_id userID SSN CPF dni e-mail email_address Kundennummer iban",
    "names people": "name first_name Nachname apellidos phone Telefonnummer ip_address",
    None: "x7 hours_per_week fnlwgt split wagon storage manager column 年齢 -- _",
}


def column(**about):
    given = {"name": "x7", "type": "int64", "kind": "number", "n_rows": 1_000, "n_missing": 0, "n_distinct": 5, **about}
    return ColumnSummary(**given)


@pytest.mark.parametrize(("says", "name"), [(says, name) for says, names in MEANINGS.items() for name in names.split()])
def test_names_say_what_columns_are(says, name):
    meaning = meaning_of(name)
    assert (None if meaning is None else meaning.says) == says


def test_words_are_written_as_names_are_read():
    for word in WORDS:
        assert parts_of(word) == [word]


@given(st.text(max_size=400))
def test_any_text_may_be_a_name(name):
    meaning = meaning_of(name)
    assert meaning is None or meaning in WORDS.values()


def test_a_table_of_people():
    n = 5_000
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(
        {
            "patient_id": rng.permutation(n),
            "Name": [f"Person {i}" for i in range(n)],
            "idade": rng.integers(18, 95, n),
            "Postleitzahl": rng.integers(10_000, 99_999, n),
            "sexo": rng.choice(["f", "m"], n),
            "hospital": ["only one"] * n,
            "remarks": [f"{i}: the patient was seen twice and has not been well since" for i in range(n)],
            "weight_kg": rng.normal(70, 9, n),
            "diagnóstico": rng.choice(["flu", "cold", "hiv"], n),
            "x7": rng.integers(0, 4, n),
        }
    )
    found = {each.column: each for each in suggest_roles(rows)}
    assert {name: each.role for name, each in found.items()} == {
        "patient_id": "person id",
        "Name": "ignore",
        "idade": "quasi-identifier",
        "Postleitzahl": "quasi-identifier",
        "sexo": "quasi-identifier",
        "hospital": "ignore",
        "remarks": "ignore",
        "weight_kg": "ignore",
        "diagnóstico": "sensitive",
        "x7": "ignore",
    }
    assert found["idade"].reason == (
        f"Its name says age, and it has {rows.idade.nunique()} distinct values: people could know it of each other."
    )
    assert found["patient_id"].reason.endswith(" distinct values: it says whose row it is.")
    assert found["Name"].reason == "Its name says a name: it points at people directly, and has no place in a release."
    assert found["hospital"].reason == "It has one value only: it tells nobody apart."
    assert found["remarks"].reason == "Nearly every row differs, and the texts are long: looks like free text."
    assert found["weight_kg"].reason == "Nearly every row differs: looks like a measurement."
    assert found["diagnóstico"].reason.endswith("3 distinct values: people would not want it known.")
    assert found["x7"].reason.startswith("Its name says nothing to go by, and it has 4 distinct values. If people")
    assert (found["idade"].bins, found["patient_id"].bins, found["sexo"].bins) == (10.0, None, None)
    assert found["idade"].n_distinct == found["idade"].summary.n_distinct == rows.idade.nunique()


def test_what_is_known_most_widely_is_kept_while_cells_hold_several_people():
    n = 1_000
    names = ("marital_status", "education", "sex", "age_group")
    rows = pd.DataFrame(
        {name: np.arange(n) // divisor % 5 for name, divisor in zip(names, (1, 5, 25, 125), strict=True)}
    )
    roles = {each.column: each for each in suggest_roles(rows.astype(str))}
    assert [name for name, each in roles.items() if each.role == "quasi-identifier"] == ["sex", "age_group"]  # 25 cells
    assert roles["education"].reason.endswith("few people in a cell: add it if the table shall show it.")


def test_a_single_known_column_stays_however_fine():
    rows = pd.DataFrame({"postcode": [f"P{i % 50}" for i in range(100)], "vote": ["a", "b"] * 50})
    assert [each.role for each in suggest_roles(rows)] == ["quasi-identifier", "sensitive"]


def test_one_person_id_at_most():
    rows = pd.DataFrame({"x7": range(100), "email": [f"{i}@x.org" for i in range(100)], "userId": range(100)})
    found = suggest_roles(rows)
    assert [each.role for each in found] == ["ignore", "person id", "ignore"]
    assert found[0].reason == "It tells people apart as well; 'email' was taken for the person id."


def test_values_alone_may_look_like_a_person_id():
    (found, _) = suggest_roles(pd.DataFrame({"x7": range(100), "y": [1, 2] * 50}))
    assert (found.role, found.reason) == ("person id", "Nearly every row differs: looks like a person id.")


def test_without_a_sensitive_name_the_last_column_of_few_values_is_taken():
    rows = pd.DataFrame({"a": [1, 2] * 20, "class": ["x", "y"] * 20, "z": np.linspace(0, 1, 40)})
    found = suggest_roles(rows)
    assert [each.role for each in found] == ["ignore", "sensitive", "ignore"]
    assert found[1].reason.startswith("No name sounds sensitive; this is the last column of few values")
    nothing = suggest_roles(pd.DataFrame({"age": [1, 2] * 20}))
    assert [each.role for each in nothing] == ["quasi-identifier"]


@pytest.mark.parametrize(
    ("about", "role", "reason"),
    [
        ({"n_missing": 1_000, "n_distinct": 0}, "ignore", "It has no value in any row."),
        ({"n_distinct": 1, "n_missing": 9}, "ignore", "It has one value only, or none: it tells nobody apart."),
        (
            {"kind": "nested", "type": "array<int64>", "n_distinct": 0},
            "ignore",
            "It holds array<int64>, which has no values to count.",
        ),
        (
            {"name": "birthday", "kind": "time", "type": "date", "n_distinct": 990},
            "ignore",
            "Its name says a date of birth, but nearly every row differs: make it coarser before you count it.",
        ),
        (
            {"name": "diagnosis", "kind": "text", "type": "string", "n_distinct": 990},
            "ignore",
            "Its name says health, but nearly every row differs: it cannot be counted as it is.",
        ),
        (
            {"name": "salary", "n_distinct": 990, "smallest": 0.0, "largest": 90_000.0},
            "sensitive",
            "Its name says money, and it has about 990 distinct values: people would not want it known.",
        ),
    ],
)
def test_what_single_columns_are_taken_for(about, role, reason):
    found = suggested(column(**about))
    assert (found.role, found.reason) == (role, reason)


@given(st.floats(-1e12, 1e12), st.floats(1e-9, 1e12), st.integers(21, 10**9))
def test_bins_are_round_and_about_a_dozen(smallest, spread, n_distinct):
    largest = smallest + spread
    width = bin_width(column(smallest=smallest, largest=largest, n_distinct=n_distinct))
    if largest == smallest:
        assert width is None
        return
    assert 15 / 2.5 * 0.99 <= (largest - smallest) / width <= 15.001
    mantissa = width / 10.0 ** math.floor(math.log10(width) + 1e-9)
    assert any(math.isclose(mantissa, digit) for digit in (1, 2, 5))


@pytest.mark.parametrize(
    "about",
    [
        {"n_distinct": 20, "smallest": 0, "largest": 99},
        {"n_distinct": 99},
        {"smallest": -1e308, "largest": 1e308, "n_distinct": 99},
    ],
)
def test_few_values_and_no_range_need_no_bins(about):
    assert bin_width(column(**about)) is None


def test_it_says_that_it_is_a_guess():
    assert "guesses" in ONLY_A_SUGGESTION
    assert "decide yourself" in ONLY_A_SUGGESTION


SENTENCES = [f"seen on day {i}, and nothing remarkable was found that day" for i in range(50)]


@pytest.mark.parametrize("name", ["note", "result", "reason", "remarks"])
def test_free_text_is_told_by_its_values_whatever_it_is_called(name):
    (found,) = [
        each for each in suggest_roles(pd.DataFrame({"age": range(50), name: SENTENCES})) if each.column == name
    ]
    assert (found.role, found.reason) == (
        "ignore",
        "Nearly every row differs, and the texts are long: looks like free text.",
    )


def test_long_codes_of_people_are_no_free_text():
    codes = [f"{i:064x}" for i in range(50)]
    (found,) = suggest_roles(pd.DataFrame({"patient_id": codes}))
    assert found.role == "person id"
