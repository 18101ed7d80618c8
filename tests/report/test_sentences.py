"""The answer in words, to the letter, for tables small enough to check by hand."""

import pytest

import epsilometer as em
from epsilometer.report.sentences import answer
from epsilometer.vocabulary.wording import joined, percent, percent_at_least, percent_under_noise


def table(rows):
    import pyarrow as pa

    return pa.table({"age": [r[0] for r in rows], "sex": [r[1] for r in rows], "job": [r[2] for r in rows]})


def test_three_people_of_four_are_certain():
    """Cells: two cooks of 20, a cook and a nurse of 30, a nurse of 40. Raw certainty: 3 of 5; mode: 3 cooks of 5.

    At epsilon 1, z(0) = 0.696735, z(1) = 0.303265, z(2) = 0.111565. People disclosed: 2 z(0) (1 - z(2)) for the
    first cell, 2 times 1/2 (1 - z(1)) z(1) for each of the two of the second, z(0) (1 - z(1)) for the third:
    (1.238007 + 0.422591 + 0.485439) / 5 = 0.429207, or 2.15 people: about 3. Cells with a single value: 0.652837,
    0.422591 and 0.577409 expected, true of a random member 0.619003, 0.211295 and 0.485439: 1.315737 of 1.652837.
    """
    rows = [(20, "f", "cook"), (20, "f", "cook"), (30, "f", "cook"), (30, "f", "nurse"), (40, "f", "nurse")]
    plan = em.Plan(table=table(rows), quasi_identifiers=("age", "sex"), sensitive=("job",))
    assessment = em.assess(plan)
    assert assessment.attributes[0].people.value == pytest.approx(0.429207, abs=1e-6)
    assert answer(assessment) == (
        "Of the 5 people in this table, an attacker who knows age and sex can be certain of the job of 3 if you "
        "publish it raw: everyone in their cell shares it. If you publish counts with Laplace noise at ε = 1, the "
        "cell of about 3 of 5 people will show their true job and no other. In the worst table with as many values it "
        "would be about 4 of 5 people. A cell published with a single value is never proof: noise can hide the others. "
        "Pick one of its members at random: in about 80 of 100 cases the value is theirs. Without any table, naming "
        "the most common job for everyone is right for 3 of 5, by luck. The attacker is taken to know this of a "
        "person exactly, to know that the person is in the table, and to take each published cell at face value. The "
        "risk is exact, and rounded up. What a guess gets right is rounded down."
    )


def test_large_tables_are_spoken_of_per_thousand_and_each_attribute_by_itself():
    rows = [(i % 50, "fm"[i % 2], "ab"[i % 3 % 2]) for i in range(3000)]
    plan = em.Plan(
        table=table(rows),
        quasi_identifiers=("age",),
        sensitive=("job", "sex"),
        release=em.Counts(mechanism=em.Gaussian(epsilon=(0.5, 1.0), delta=1e-6)),
    )
    first, second, together = answer(em.assess(plan)).split("\n\n")
    assert first.startswith("Of 1,000 people in this table, an attacker who knows age can be certain of nobody's job")
    assert "Gaussian noise at ε = 0.5, δ = 1e-06" in first
    assert "certain of the sex of 1,000 if you publish it raw" in second
    assert "certain of nobody's job and sex" in together


def test_numbers_round_towards_caution():
    assert (percent(0.12300), percent(0.123001), percent(1.0)) == ("12.3 %", "12.4 %", "100.0 %")
    assert (percent_at_least(0.123), percent_at_least(0.1239)) == ("12.3 %", "12.3 %")


@pytest.mark.parametrize(
    ("share", "risk", "guess"),
    [
        (1 / 3_000, "0.034 %", "0.033 %"),
        (1.01e-6, "0.00011 %", "0.00010 %"),
        (9.99e-7, "below 0.0001 %", "below 0.0001 %"),
        (1e-300, "below 0.0001 %", "below 0.0001 %"),
    ],
)
def test_small_shares_are_written_in_one_way(share, risk, guess):
    """A risk and the guess that it is held against have as many digits; neither falls to nothing."""
    assert (percent(share), percent_under_noise(share), percent_at_least(share)) == (risk, risk, guess)


def test_a_risk_under_noise_is_never_written_as_nothing():
    """Two counts of a thousand at ε = 5: exp(-5000) is no double, and no zero. What was counted may be zero."""
    people = em.homogeneity_risk(em.FrequencyTable.from_counts([[1_000, 1_000]]), em.Laplace(epsilon=5.0)).value
    assert people == 0
    assert percent_under_noise(people) == "below 0.0001 %"
    assert percent(0.0) == "0.0 %"


def test_names_are_joined_as_people_do():
    assert joined(["age"]) == "age"
    assert joined(["age", "sex"]) == "age and sex"
