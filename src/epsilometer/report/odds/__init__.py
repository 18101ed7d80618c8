"""Every result in words: frequencies of people, what holds without a release, the attacker, and how it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import UnknownChoice
from epsilometer.report.odds import choices, comparisons, counts, guarantees, guesses, locally, samples, synthetic
from epsilometer.report.odds.saying import Said
from epsilometer.vocabulary.language import Language
from epsilometer.vocabulary.language import language as spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.assessments.assess import Assessment

__all__ = ["SPEAKERS", "Said", "said", "said_of_each"]

# By name: the classes themselves would load every engine and every attack.
SPEAKERS: Final[Mapping[str, Callable[[Any, Language], Said]]] = {
    "Assessment": counts.assessment,
    "AttributeAssessment": counts.attribute,
    "Attackers": guesses.attackers,
    "Audit": synthetic.audit,
    "CellRisk": counts.cell_risk,
    "Choice": choices.choice,
    "Composition": guarantees.composition,
    "Feasible": counts.feasible,
    "Frontier": comparisons.frontier,
    "Guess": guesses.guess,
    "JointRisk": counts.joint_risk,
    "LocalRelease": locally.local_release,
    "LocalRisk": locally.local_risk,
    "OwnRecord": guarantees.own_record,
    "Passport": guarantees.passport,
    "Proximity": synthetic.proximity,
    "RawRisk": counts.raw_risk,
    "Released": guarantees.released,
    "Risk": counts.risk,
    "SampleAssessment": samples.sample_assessment,
    "SampleChoice": samples.sample_choice,
    "SampleRisk": samples.sample_risk,
    "SyntheticChoice": choices.synthetic_choice,
    "TableSample": samples.table_sample,
}


def said(result: object, language: str | Language = "en") -> Said:
    """Say what a result comes to, as a person would who has to decide by it; of a curve, the first point.

    Raises:
        UnknownChoice: it is no risk, or there are no texts in the language.

    >>> from epsilometer import FrequencyTable, Laplace, homogeneity_risk
    >>> risk = homogeneity_risk(FrequencyTable.from_counts([[19, 1]]), Laplace(epsilon=1.0), average="records")
    >>> said(risk).baseline
    'Without any release, naming the most common value for everyone is right for 950 of 1,000 people, by luck.'
    >>> said(risk, "de").known
    'Das Risiko ist exakt und aufgerundet. Wie oft Raten richtig liegt, ist abgerundet.'
    """
    kind = type(result).__name__
    if kind not in SPEAKERS:
        raise UnknownChoice("result", kind, SPEAKERS, hint="Other results have no risk to speak of.")
    return SPEAKERS[kind](result, _language(language))


def said_of_each(assessment: Assessment, language: str | Language = "en") -> tuple[Said, ...]:
    """Say what an assessment comes to for each sensitive attribute by itself."""
    return counts.each_attribute(assessment, _language(language))


def _language(given: str | Language) -> Language:
    return given if isinstance(given, Language) else spoken(given)
