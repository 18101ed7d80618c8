"""A sample in words: frequencies of people, with what they must be compared with beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.report.sentences import NOISES, first
from epsilometer.vocabulary.wording import joined, percent, percent_at_least

if TYPE_CHECKING:
    from epsilometer.vocabulary.sample_assessment import SampleAssessment
    from epsilometer.vocabulary.sample_release import SampleRelease
    from epsilometer.vocabulary.table_sample import TableSample

UNEQUAL: Final = 1e-12  # a difference that is more than rounding


def sample_answer(assessment: SampleAssessment) -> str:
    """Say what publishing a sample means for a person inside, for one outside, and for the analyst."""
    release, found = assessment.release, assessment.at_size
    unknown, inside, outside = (found.risk(adversary) for adversary in ("unknown", "in", "out"))
    assert unknown is not None  # noqa: S101  (these two can always be asked about)
    assert inside is not None  # noqa: S101
    before = percent_at_least(unknown.no_release)
    loss = found.loss
    if outside is None:
        whom = f"Everybody is in the sample. Any one person's value is named right with {percent(first(inside.value))}"
        by_place = ""
    else:
        whom = (
            "An attacker who does not know whether a person is in it names that person's value right with "
            f"{percent(first(unknown.value))}"
        )
        gap = points(first(inside.value) - first(outside.value))
        by_place = (
            f" For a person known to be in the sample it is {percent(first(inside.value))}, for one known to be "
            f"outside {percent(first(outside.value))}: being drawn costs {gap}."
        )
    return (
        f"{publication(release)} {whom}, against {before} without the release.{by_place} "
        f"An analyst's estimate of the shares is off by {points(first(loss.value))} on average, "
        f"against {percent(loss.no_release).removesuffix(' %')} without the release.{_guarantee(release)}"
    )


def points(difference: float) -> str:
    """Write a difference of probabilities, rounded up.

    >>> points(0.0123)
    '1.3 percentage points'
    """
    return percent(difference).replace(" %", " percentage points")


def publication(release: SampleRelease) -> str:
    """Say what is published."""
    values = "two values" if release.n_values == 2 else f"{release.n_values:,} values"  # noqa: PLR2004
    noise = ""
    if release.mechanism is not None:
        noise = f", with {NOISES[release.mechanism['name']]} at ε = {release.mechanism['epsilon']:g}"
    drawn = f"{release.sample:,}" if isinstance(release.sample, int) else "some"
    return f"You publish how {drawn} of {release.population:,} people, drawn at random, divide over {values}{noise}."


def _guarantee(release: SampleRelease) -> str:
    given = release.guarantee
    if given is None:
        return ""
    delta = f" (δ = {given.delta:.3g})" if given.delta else ""
    return (
        f" For replacing one person's value the noise alone guarantees ε = {given.noise_epsilon:.3g} to those in the "
        f"sample; drawing the sample first makes it ε = {given.epsilon:.3g}{delta} for everybody."
    )


def table_sample_answer(found: TableSample) -> str:
    """Say what a sample of this very table gives away to an attacker who knows its shares, and to one who does not."""
    everybody, average = found.everybody, found.average
    known = joined(found.quasi_identifiers)
    of_all = _raised(everybody.no_release, everybody.inside)
    in_cells = _raised(average.no_release, average.inside)
    return (
        f"You publish how a random sample of {everybody.sampled:,} of the {everybody.people:,} people divides over "
        f"{found.sensitive}. Whoever knows the shares of {found.sensitive} in this table names a person's value right "
        f"with {percent_at_least(everybody.no_release)} without a release{of_all}. If you also publish it for each "
        f"cell of {known}, and the shares in each are known, it is {percent_at_least(average.no_release)} without "
        f"a release{in_cells}. An attacker who only has the model's prior gets {percent(everybody.model_unknown)}, "
        f"against {percent_at_least(1 / found.n_values)}: "
        f"{_comparison(everybody.no_release, everybody.model_unknown)}."
    )


def _raised(before: float, inside: float | None) -> str:
    """Say what the counts of the sample add for a person known to be in it; rounding adds nothing."""
    if inside is None:
        return ", and nobody is in the sample"
    after = percent(inside) if inside > before + UNEQUAL else percent_at_least(before)
    return f", and {after} with it if the person is known to be in the sample"


def _comparison(own: float, model: float) -> str:
    if own > model:
        return "this table's shares tell more than that attacker expects to learn"
    return "the prior takes one value to be more common than it is in this table"
