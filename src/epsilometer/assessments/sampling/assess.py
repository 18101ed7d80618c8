"""What publishing a sample comes to: for a person inside, for one outside, for the analyst."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.assessments.sampling.loss import sampling_utility_loss
from epsilometer.assessments.sampling.risk import sampling_risk
from epsilometer.assessments.sampling.setting import ADVERSARIES, TWO, checked_setting
from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.mechanisms import Mechanism

POINTS: Final = 19
NOISY_POINTS: Final = 7  # noise makes each of them cost more
SMALLEST_REACH: Final = 10_000  # sizes to look at, however small the sample
WIDER: Final = 10  # times the size asked for


def assess_sample(
    *,
    population: int,
    sample: int,
    prior: str | float = "frequencies",
    n_values: int = TWO,
    mechanism: Mechanism | None = None,
) -> SampleAssessment:
    """Assess publishing the histogram of a random sample; arguments as in :func:`sampling_risk`.

    >>> found = assess_sample(population=1_000_000, sample=500)
    >>> [round(risk.value, 4) for risk in found.at_size.risks], round(found.at_size.loss.value, 4)
    ([0.7505, 0.7495, 0.7495], 0.014)
    """
    setting = checked_setting(population=population, sample=sample, prior=prior, n_values=n_values, mechanism=mechanism)
    reach = min(setting.population, max(SMALLEST_REACH, WIDER * setting.samples[0]))
    points = POINTS if mechanism is None else NOISY_POINTS
    sizes = np.unique(np.append(np.geomspace(1, reach, points).round().astype(np.int64), setting.samples[0]))

    def curves(sizes: int | Sequence[int]) -> SampleCurves:
        inner = [size for size in np.ravel(sizes).tolist() if size < setting.population]
        adversaries = [adversary for adversary in ADVERSARIES if adversary != "out" or len(inner) == np.size(sizes)]
        about: dict[str, Any] = {"population": population, "prior": prior, "n_values": n_values, "mechanism": mechanism}
        return SampleCurves(
            risks=tuple(sampling_risk(sample=sizes, adversary=adversary, **about) for adversary in adversaries),
            loss=sampling_utility_loss(sample=sizes, **about),
        )

    below_everybody = np.unique(np.minimum(sizes, setting.population - 1)) if setting.population > 1 else sizes[:0]
    return SampleAssessment(
        release=setting.release,
        at_size=curves(setting.samples[0]),
        over_sizes=curves(below_everybody.tolist() or [setting.population]),
    )
