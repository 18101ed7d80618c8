"""Questions about a sample that cannot be answered: each says which part cannot be, and what is allowed."""

import math
import re

import numpy as np
import pytest

import epsilometer as em
from epsilometer.errors import BadCounts, OutOfRange, UnknownChoice

GOOD = {"population": 10, "sample": 3}
ONE = em.Laplace(epsilon=1.0)
SIZE = "A sample has at least one person and at most the whole population."
PEOPLE = "It is a number of people."
VALUES = "An attribute has at least two values."
BELIEF = "Or say 'frequencies' (1) or 'datasets' (infinity)."


def number(name, allowed, got, hint):
    return OutOfRange, f"{name} must be in {allowed}, got {got}. {hint}"


def whole_numbers(name, low, high, got, hint):
    return number(name, f"the whole numbers [{low}, {high}]", got, hint)


SETTINGS = {
    "more than everybody": ({"sample": 11}, whole_numbers("sample", 1, 10, "11", SIZE)),
    "nobody": ({"sample": 0}, whole_numbers("sample", 1, 10, "0", SIZE)),
    "fewer than nobody": ({"sample": -1}, whole_numbers("sample", 1, 10, "-1", SIZE)),
    "half a person": ({"sample": 2.5}, whole_numbers("sample", 1, 10, "2.5", SIZE)),
    "sample not a number": ({"sample": math.nan}, whole_numbers("sample", 1, 10, "nan", SIZE)),
    "sample is a truth": ({"sample": True}, whole_numbers("sample", 1, 10, "True", SIZE)),
    "sample is text": ({"sample": "3"}, whole_numbers("sample", 1, 10, "'3'", SIZE)),
    "a truth among sizes": ({"sample": [3, True]}, whole_numbers("sample", 1, 10, "True", SIZE)),
    "nobody among sizes": ({"sample": np.array([3, 0])}, whole_numbers("sample", 1, 10, "0", SIZE)),
    "half a person among sizes": ({"sample": np.array([3, 0.5])}, whole_numbers("sample", 1, 10, "0.5", SIZE)),
    "sizes in sizes": ({"sample": [[1], [2, 3]]}, whole_numbers("sample", 1, 10, "[1]", SIZE)),
    "no sizes": ({"sample": []}, number("sample", "[1, 10]", "[]", "Give at least one sample size.")),
    "no people": ({"population": 0}, whole_numbers("population", 1, 10**15, "0", PEOPLE)),
    "people not a number": ({"population": math.nan}, whole_numbers("population", 1, 10**15, "nan", PEOPLE)),
    "people without end": ({"population": math.inf}, whole_numbers("population", 1, 10**15, "inf", PEOPLE)),
    "too many people": ({"population": 10**400}, whole_numbers("population", 1, 10**15, str(10**400), PEOPLE)),
    "fraction of people": ({"population": 9.5}, whole_numbers("population", 1, 10**15, "9.5", PEOPLE)),
    "people are a truth": ({"population": True}, whole_numbers("population", 1, 10**15, "True", PEOPLE)),
    "one value": ({"n_values": 1}, whole_numbers("n_values", 2, 10**15, "1", VALUES)),
    "fraction of values": ({"n_values": 2.5}, whole_numbers("n_values", 2, 10**15, "2.5", VALUES)),
    "values are a truth": ({"n_values": True}, whole_numbers("n_values", 2, 10**15, "True", VALUES)),
    "strength zero": ({"prior": 0}, number("prior", "[1e-100, 1e+100]", "0", BELIEF)),
    "strength negative": ({"prior": -1.0}, number("prior", "[1e-100, 1e+100]", "-1.0", BELIEF)),
    "strength not a number": ({"prior": math.nan}, number("prior", "[1e-100, 1e+100]", "nan", BELIEF)),
    "strength that underflows": ({"prior": 1e-300}, number("prior", "[1e-100, 1e+100]", "1e-300", BELIEF)),
    "strength that overflows": ({"prior": 1e300}, number("prior", "[1e-100, 1e+100]", "1e+300", BELIEF)),
    "strength is a truth": ({"prior": True}, number("prior", "[1e-100, 1e+100]", "True", BELIEF)),
    "strength is nothing": ({"prior": None}, number("prior", "[1e-100, 1e+100]", "None", BELIEF)),
    "unknown prior": (
        {"prior": "uniform"},
        (
            UnknownChoice,
            "prior must be one of frequencies, datasets; got 'uniform'. "
            "A positive number stands for a symmetric Dirichlet.",
        ),
    ),
    "several epsilons": (
        {"mechanism": em.Laplace(epsilon=(1.0, 2.0))},
        number("epsilon", "the single numbers", "(1.0, 2.0)", "Name one: mechanism.at(1.0)."),
    ),
}


@pytest.mark.parametrize("ask", [em.sampling_risk, em.sampling_utility_loss, em.assess_sample])
@pytest.mark.parametrize(("wrong", "expected"), SETTINGS.values(), ids=SETTINGS.keys())
def test_settings_that_cannot_be(ask, wrong, expected):
    kind, message = expected
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        ask(**{**GOOD, **wrong})


RISKS = {
    "nobody is outside": (
        {"sample": 10, "adversary": "out"},
        number("sample", "[1, 9] for adversary 'out'", "10", "When everybody is in the sample, nobody is outside."),
    ),
    "nobody is outside of one of the sizes": (
        {"sample": [3, 10], "adversary": "out"},
        number("sample", "[1, 9] for adversary 'out'", "10", "When everybody is in the sample, nobody is outside."),
    ),
    "unknown adversary": (
        {"adversary": "inside"},
        (UnknownChoice, "adversary must be one of in, out, unknown; got 'inside'."),
    ),
    "neither size nor histogram": (
        {"sample": None},
        number("sample", "[1, 10]", "None", "Give the sample's size or its histogram."),
    ),
    "histogram of another size": (
        {"histogram": [3, 1]},
        number("sample", "{4}, the sum of the histogram", "3", "Leave it out."),
    ),
    "histogram and sizes": (
        {"histogram": [3, 1], "sample": [4, 4]},
        number("sample", "{4}, the sum of the histogram", "[4, 4]", "Leave it out."),
    ),
    "histogram of other values": (
        {"histogram": [2, 1], "n_values": 3},
        number("n_values", "{2}, the length of the histogram", "3", "Leave it out."),
    ),
    "histogram with noise": (
        {"histogram": [2, 1], "mechanism": ONE},
        number("mechanism", "the releases without noise", "'laplace'", "Leave the noise out."),
    ),
    "histogram of too many": (
        {"histogram": [9, 2], "sample": None},
        whole_numbers("sample", 1, 10, "11", SIZE),
    ),
    "histogram of nobody": ({"histogram": [0, 0], "sample": None}, whole_numbers("sample", 1, 10, "0", SIZE)),
    "histogram of one value": ({"histogram": [3]}, whole_numbers("n_values", 2, 10**15, "1", VALUES)),
    "histogram of everybody, nobody outside": (
        {"histogram": [9, 1], "sample": None, "adversary": "out"},
        number("sample", "[1, 9] for adversary 'out'", "10", "When everybody is in the sample, nobody is outside."),
    ),
    "negative counts": (
        {"histogram": [4, -1]},
        (BadCounts, "counts must not be negative, got -1 in row 0, column 1."),
    ),
    "fractions of people": (
        {"histogram": [2.5, 0.5]},
        (BadCounts, "counts must be whole numbers, got 2.5 in row 0, column 0."),
    ),
    "counts that are not numbers": (
        {"histogram": ["two", "one"]},
        (
            BadCounts,
            "counts must be a rectangular array of numbers, one row per cell; rows differ in length or hold text.",
        ),
    ),
    "no counts": (
        {"histogram": []},
        (BadCounts, "counts must have one row per cell and one column per value, got shape (1, 0)."),
    ),
}


@pytest.mark.parametrize(("wrong", "expected"), RISKS.values(), ids=RISKS.keys())
def test_risks_that_cannot_be(wrong, expected):
    kind, message = expected
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        em.sampling_risk(**{**GOOD, **wrong})


SHARE = "It is a probability or a share."
CHOICES = {
    "no target": (
        {},
        number("max_risk", "[0, 1]", "None", "Give max_risk, max_loss or max_gap, or several of them."),
    ),
    "risk above one": ({"max_risk": 1.5}, number("max_risk", "[0, 1]", "1.5", SHARE)),
    "risk not a number": ({"max_risk": math.nan}, number("max_risk", "[0, 1]", "nan", SHARE)),
    "risk is a truth": ({"max_risk": True}, number("max_risk", "[0, 1]", "True", SHARE)),
    "loss below zero": ({"max_loss": -0.1}, number("max_loss", "[0, 1]", "-0.1", SHARE)),
    "gap is text": ({"max_gap": "0.1"}, number("max_gap", "[0, 1]", "'0.1'", SHARE)),
    "unknown adversary": (
        {"max_risk": 0.7, "adversary": "inside"},
        (UnknownChoice, "adversary must be one of in, out, unknown; got 'inside'."),
    ),
    "nobody is outside": (
        {"population": 1, "max_risk": 0.7, "adversary": "out"},
        number("sample", "[1, 0] for adversary 'out'", "1", "When everybody is in the sample, nobody is outside."),
    ),
    "half a population": (
        {"population": 0.5, "max_risk": 0.7},
        whole_numbers("population", 1, 10**15, "0.5", PEOPLE),
    ),
    "one value": ({"n_values": 1, "max_risk": 0.7}, whole_numbers("n_values", 2, 10**15, "1", VALUES)),
    "strength zero": ({"prior": 0, "max_risk": 0.7}, number("prior", "[1e-100, 1e+100]", "0", BELIEF)),
}


@pytest.mark.parametrize(("wrong", "expected"), CHOICES.values(), ids=CHOICES.keys())
def test_choices_that_cannot_be(wrong, expected):
    kind, message = expected
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        em.choose_sample(**{"population": 10, **wrong})


TABLES = {
    "more than everybody": ({"sample": 7}, whole_numbers("sample", 1, 6, "7", SIZE)),
    "nobody": ({"sample": 0}, whole_numbers("sample", 1, 6, "0", SIZE)),
    "strength zero": ({"prior": 0}, number("prior", "[1e-100, 1e+100]", "0", BELIEF)),
    "no cells": ({"limit": 0}, number("limit", "[1, inf)", "0", "It is a number of cells.")),
}


@pytest.mark.parametrize(("wrong", "expected"), TABLES.values(), ids=TABLES.keys())
def test_samples_of_a_table_that_cannot_be(wrong, expected):
    kind, message = expected
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        em.sample_of_table(em.FrequencyTable.from_counts([[2, 1], [0, 3]]), **{"sample": 3, **wrong})
