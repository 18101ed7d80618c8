"""An assessment in words: frequencies of people, with what they must be compared with beside them.

Risks are rounded up to whole people; the guess without a release is rounded down, because it is what the
risks are held against.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.wording import joined

if TYPE_CHECKING:
    from epsilometer.assessments.assess import Assessment, AttributeAssessment
    from epsilometer.vocabulary.risk import Risk

PEOPLE = 1_000
NOISES = {
    "laplace": "Laplace noise",
    "geometric": "geometric noise",
    "gaussian": "Gaussian noise",
    "discrete-gaussian": "discrete Gaussian noise",
}


def answer(assessment: Assessment) -> str:
    """Say what an attacker could learn: a paragraph per sensitive attribute.

    For several epsilons the first one is spoken of.
    """
    known = joined(assessment.quasi_identifiers)
    return "\n\n".join(_paragraph(attribute, known) for attribute in assessment.attributes)


def noise(risk: Risk) -> str:
    """Name the noise and its privacy parameter."""
    mechanism = risk.mechanism
    delta = f", δ = {mechanism['delta']:g}" if mechanism["delta"] else ""
    return f"{NOISES[mechanism['name']]} at ε = {first(mechanism['epsilon']):g}{delta}"


def first(value: object) -> float:
    """Return the number, or the first of a curve."""
    return float(np.atleast_1d(np.asarray(value, dtype=np.float64))[0])


def _precision(attribute: AttributeAssessment) -> str:
    precision = first(attribute.precision)
    if math.isnan(precision):  # no cell is ever published with a single value
        return ""
    right = math.ceil(precision * 100 - 1e-9)
    return f", and of 100 cells published with a single value about {right} tell the truth about a member"


def _paragraph(attribute: AttributeAssessment, known: str) -> str:
    wanted, raw, risk = attribute.sensitive, attribute.raw, attribute.people
    people = min(PEOPLE, raw.n_records)
    crowd = f"Of {people:,} people" if people == PEOPLE else f"Of the {people:,} people"
    certain = math.ceil(raw.diversity.homogeneous_share * people - 1e-9)
    guessed = math.floor(risk.no_release * people + 1e-9)
    return (
        f"{crowd} in this table, an attacker who knows {known} {_certainty(certain, wanted)}. "
        f"If you publish counts with {noise(risk)}, the cell of {_about(first(risk.value) * people)} will show their "
        f"true {wanted} and no other. That is never proof: noise can hide the other values{_precision(attribute)}. "
        f"In the worst table with as many values it would be {_about(first(risk.any_table) * people)}. "
        f"Without any table, naming the most common {wanted} for everyone is right for {guessed:,}, by luck."
    )


def _certainty(certain: int, wanted: str) -> str:
    if not certain:
        return f"can be certain of nobody's {wanted} if you publish it raw"
    return f"can be certain of the {wanted} of {certain:,} if you publish it raw: everyone in their cell shares it"


def _about(people: float) -> str:
    """Say a number of people, rounded up.

    >>> _about(0.02), _about(35.1)
    ('fewer than 1', 'about 36')
    """
    whole = math.ceil(people - 1e-9)
    return "fewer than 1" if people < 1 - 1e-9 else f"about {whole:,}"
