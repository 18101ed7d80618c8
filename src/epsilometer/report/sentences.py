"""Results in English words, for terminals and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.report.odds import said, said_of_each

if TYPE_CHECKING:
    from epsilometer.assessments.assess import Assessment


def answer(assessment: Assessment) -> str:
    """Say what an attacker could learn: a paragraph per sensitive attribute."""
    return "\n\n".join(each.paragraph for each in said_of_each(assessment))


def in_words(result: object) -> str:
    """Say what a result comes to, in one paragraph."""
    return said(result).paragraph
