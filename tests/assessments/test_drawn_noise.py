"""An assessment of noise of real numbers says what the whole numbers of a release give away."""

import math

import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.drawn_noise import drawn_instead
from epsilometer.vocabulary.language import language

TABLE = pa.table({"sex": ["f", "f", "m", "m"], "ill": ["no", "no", "yes", "yes"], "job": ["a", "a", "b", "b"]})


def assessed(noise, sensitive=("ill",)):
    release = em.Counts(mechanism=noise)
    return em.assess(em.Plan(table=TABLE, quasi_identifiers=("sex",), sensitive=sensitive, release=release))


def notes(noise, **settings):
    return [note for note in assessed(noise, **settings).notes if "whole numbers" in note]


def up(share):
    return math.ceil(share * 1000) / 10


def test_laplace_noise_says_what_geometric_noise_discloses():
    """Two people with the same value: theirs is shown if its count stays at 1 or more, and the other one at 0."""
    shrinks = math.exp(-0.7)
    drawn = (1 - shrinks**2 / (1 + shrinks)) / (1 + shrinks)
    here = (1 - math.exp(-0.7 * 1.5) / 2) * (1 - math.exp(-0.7 / 2) / 2)
    (note,) = notes(em.Laplace(epsilon=0.7))
    assert note == (
        "A release publishes whole numbers: it draws geometric noise at the same ε. At ε = 0.7 it discloses the ill of "
        f"at most {up(drawn)} % of the people, against at most {up(here)} % with the noise assessed."
    )
    assert language("de").line(note) == (
        "Eine Veröffentlichung zeigt ganze Zahlen: Sie zieht bei gleichem ε geometrisches Rauschen. Bei ε = 0,7 legt "
        f"sie ill von höchstens {str(up(drawn)).replace('.', ',')} % der Personen offen, gegenüber höchstens "
        f"{str(up(here)).replace('.', ',')} % mit dem hier bewerteten Rauschen."
    )


def test_gaussian_noise_says_what_discrete_gaussian_noise_discloses():
    noise = em.Gaussian(epsilon=2.0, delta=1e-6)
    sigma = em.DiscreteGaussian(epsilon=2.0, delta=1e-6).sigma
    weights = {k: math.exp(-(k**2) / (2 * sigma**2)) for k in range(-60, 61)}
    total = sum(weights.values())
    drawn = sum(w for k, w in weights.items() if k >= -1) * sum(w for k, w in weights.items() if k <= 0) / total**2
    (note,) = notes(noise)
    assert "it draws discrete Gaussian noise at the same ε. At ε = 2 it discloses" in note
    assert f"of at most {up(drawn)} % of the people" in note
    assert (
        language("de")
        .line(note)
        .startswith("Eine Veröffentlichung zeigt ganze Zahlen: Sie zieht bei gleichem ε diskretes")
    )


@pytest.mark.parametrize(
    "noise",
    [
        em.Geometric(epsilon=1.0),
        em.DiscreteGaussian(epsilon=1.0, delta=1e-6),
        em.Gaussian(epsilon=0.5, delta=1e-6, calibration="classic"),
        em.Gaussian(epsilon=1e-5, delta=1e-6),  # so much of it that whole numbers make no difference
    ],
)
def test_other_noise_says_nothing(noise):
    assert drawn_instead(noise) is None
    assert not notes(noise)


def test_each_attribute_is_spoken_of_at_the_first_epsilon_in_the_units_of_the_plan():
    noise = em.Laplace(epsilon=(0.3, 2.0), adjacency="replace", threshold=2.0)
    found = notes(noise, sensitive=("ill", "job"))
    assert [note.partition("discloses the ")[2].partition(" of at most")[0] for note in found] == [
        "ill", "job", "ill and job",
    ]  # fmt: skip
    assert all("At ε = 0.3 it" in note for note in found)
    drawn = drawn_instead(noise)
    assert (drawn.epsilon, drawn.adjacency, drawn.threshold) == (noise.epsilon, noise.adjacency, noise.threshold)


def chosen(noise, max_risk):
    plan = em.Plan(
        table=em.example_table(), quasi_identifiers=("age", "sex", "district"), sensitive=("reason",), bins={"age": 10},
        release=em.Counts(mechanism=noise), max_risk=max_risk, max_loss=0.05,
    )  # fmt: skip
    return em.choose(plan)


def drawn_risk(epsilon):
    freq = em.frequency_table(
        em.example_table(), quasi_identifiers=["age", "sex", "district"], sensitive="reason", bins={"age": 10}
    )
    return em.homogeneity_risk(freq, em.Geometric(epsilon=epsilon), average="records").value


def test_a_choice_says_first_what_is_drawn_and_whether_it_keeps_the_target():
    point = chosen(em.Laplace(epsilon=1.0), 0.02).recommended
    drawn = drawn_risk(point)
    assert drawn < 0.02
    kept, missed = (chosen(em.Laplace(epsilon=1.0), target) for target in (0.02, drawn * 0.999))
    assert kept.recommended == missed.recommended == point
    for choice in (kept, missed):
        assert choice.caveats[: len(choice.warnings)] == choice.warnings
        assert choice.warnings[0].startswith(
            "A release publishes whole numbers: it draws geometric noise at the same ε."
        )
        assert f"At ε = {point:g} it discloses the reason of at most" in choice.warnings[0]
        assert "counts pile up in the empty ones: its loss can be much larger" in choice.warnings[-1]
    assert kept.warnings[1] == "The noise that a release draws keeps the risk target of 0.02."
    assert missed.warnings[1] == (
        f"The noise that a release draws misses the risk target of {drawn * 0.999:g}. Choose again for that noise: "
        "--mechanism geometric."
    )


def test_a_choice_of_whole_number_noise_only_warns_of_empty_combinations():
    (warning,) = chosen(em.Geometric(epsilon=1.0), 0.02).warnings
    assert warning.startswith("The loss is that of the cells that are not empty.")
