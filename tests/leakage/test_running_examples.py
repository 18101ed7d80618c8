"""Paper 002, chapters 2 and 3: every number of Table 2.2 and of the running examples, as exact fractions."""

import itertools
import json
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from epsilometer.leakage import bayes, exact, g, guessing, hyper, identity_gain, joint, tabulate, uncertainty, uniform

ORACLE = json.loads((Path(__file__).parents[1] / "reference" / "oracle.json").read_text(encoding="utf-8"))

PRIOR = exact(["1/2", "1/3", "1/6"])
CHANNEL = exact([["1/4", "1/4", "1/4", "1/4"], ["1/2", "1/2", 0, 0], [0, "2/3", 0, "1/3"]])


def is_fraction(number, text):
    return isinstance(number, Fraction) and number == Fraction(text)


def test_table_2_2_joint():
    expected = exact([["1/8", "1/8", "1/8", "1/8"], ["1/6", "1/6", 0, 0], [0, "1/9", 0, "1/18"]])
    assert (joint(PRIOR, CHANNEL) == expected).all()


def test_table_2_2_hyper_distribution():
    found = hyper(PRIOR, CHANNEL)
    inners = exact([["3/7", "9/29", 1, "9/13"], ["4/7", "12/29", 0, 0], [0, "8/29", 0, "4/13"]])
    assert (found.outer == exact(["7/24", "29/72", "1/8", "13/72"])).all()
    assert (found.inners == inners).all()


def test_table_2_2_bayes():
    assert is_fraction(bayes.prior(PRIOR), "1/2")
    assert is_fraction(bayes.posterior(PRIOR, CHANNEL), "7/12")
    assert is_fraction(bayes.additive_leakage(PRIOR, CHANNEL), "1/12")
    assert is_fraction(bayes.multiplicative_leakage(PRIOR, CHANNEL), "7/6")
    assert is_fraction(bayes.capacity(CHANNEL), "7/4")
    assert is_fraction(bayes.multiplicative_leakage(uniform(3), CHANNEL), "7/4")
    assert bayes.strategy(PRIOR, CHANNEL).tolist() == [1, 1, 0, 0]


def test_table_2_2_other_measures():
    """Tries by hand from the columns of Table 2.2b, largest first: 5/12 + 3/4 + 1/8 + 17/72 = 55/36."""
    assert is_fraction(guessing.prior(PRIOR), "5/3")
    assert is_fraction(guessing.posterior(PRIOR, CHANNEL), "55/36")
    assert is_fraction(guessing.additive_leakage(PRIOR, CHANNEL), "5/36")
    assert is_fraction(guessing.multiplicative_leakage(PRIOR, CHANNEL), "12/11")
    wrong_guess = 1 - identity_gain(3)
    assert is_fraction(uncertainty.posterior(PRIOR, CHANNEL, wrong_guess), "5/12")
    assert is_fraction(uncertainty.multiplicative_leakage(PRIOR, CHANNEL, wrong_guess), "6/5")
    assert is_fraction(g.multiplicative_leakage(PRIOR, CHANNEL, identity_gain(3)), "7/6")


ANSWERS = {
    "posterior Bayes vulnerability, Table 2.2": lambda: bayes.posterior(PRIOR, CHANNEL),
    "outer probability 0, Table 2.2c": lambda: hyper(PRIOR, CHANNEL).outer[0],
    "outer probability 1, Table 2.2c": lambda: hyper(PRIOR, CHANNEL).outer[1],
    "outer probability 2, Table 2.2c": lambda: hyper(PRIOR, CHANNEL).outer[2],
}


@pytest.mark.parametrize("entry", [e for e in ORACLE["references"] if e["category"] == "qif"], ids=lambda e: e["id"])
def test_oracle(entry):
    assert is_fraction(ANSWERS[entry["quantity"]](), entry["exact"])


def test_the_bank_password():
    """Table 2.1: knowing nothing of a four-digit password is worth 10 dollars of 100 000, two candidates 50 000."""
    stolen = 100_000 * identity_gain(2)
    assert g.prior(exact(["1/2", "1/2"]), stolen) == 50_000
    assert bayes.prior(uniform(10_000)) * 100_000 == 10


POPULATIONS = ["".join(values) for values in itertools.product("ab", repeat=2)]
SECRETS = [(population, target) for population in POPULATIONS for target in (1, 2)]
SAMPLE = tabulate(lambda secret, y: secret[0][:1].count("a") == y, SECRETS, (0, 1))
HITS = tabulate(lambda guess, secret: secret[0][secret[1] - 1] == guess, "ab", SECRETS)
DISTANCE = tabulate(
    lambda guess, population: abs(guess - Fraction(population.count("a"), 2)),
    [Fraction(0), Fraction(1, 2), Fraction(1)],
    POPULATIONS,
)


def by_frequency(population):
    """Every frequency of value a is equally likely, and so is every population with that frequency."""
    return Fraction(1, 3 * comb(2, population.count("a")))


def by_dataset(population):
    """Every population is equally likely."""
    return Fraction(1, 4)


def attacker(belief, targets):
    return exact([belief(p) * (t in targets) / len(targets) for p, t in SECRETS])


@pytest.mark.parametrize(
    ("belief", "targets", "posterior"),
    [
        (by_frequency, [1], "1"),
        (by_frequency, [2], "2/3"),
        (by_frequency, [1, 2], "5/6"),
        (by_dataset, [1], "1"),
        (by_dataset, [2], "1/2"),
        (by_dataset, [1, 2], "3/4"),
    ],
    ids=["in", "out", "unknown", "in, datasets", "out, datasets", "unknown, datasets"],
)
def test_examples_3_5_and_3_7(belief, targets, posterior):
    prior = attacker(belief, targets)
    assert is_fraction(g.prior(prior, HITS), "1/2")
    assert is_fraction(g.posterior(prior, SAMPLE, HITS), posterior)
    assert is_fraction(g.additive_leakage(prior, SAMPLE, HITS), Fraction(posterior) - Fraction(1, 2))


def test_tables_3_2_to_3_4():
    assert HITS.astype(int).tolist() == [[1, 1, 1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 1, 0, 1, 1]]
    assert SAMPLE.astype(int).tolist() == [[0, 1]] * 4 + [[1, 0]] * 4
    assert (exact([[1, "1/2", "1/2", 0], ["1/2", 0, 0, "1/2"], [0, "1/2", "1/2", 1]]) == DISTANCE).all()


def test_the_analyst_of_section_3_4():
    prior = exact([by_frequency(population) for population in POPULATIONS])
    sample = tabulate(lambda population, y: population[:1].count("a") == y, POPULATIONS, (0, 1))
    assert is_fraction(uncertainty.prior(prior, DISTANCE), "1/3")
    assert is_fraction(uncertainty.posterior(prior, sample, DISTANCE), "1/6")
    assert is_fraction(uncertainty.additive_leakage(prior, sample, DISTANCE), "1/6")
    assert is_fraction(uncertainty.multiplicative_leakage(prior, sample, DISTANCE), "2")
    assert uncertainty.strategy(prior, sample, DISTANCE).tolist() == [0, 2]
