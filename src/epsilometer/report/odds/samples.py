"""Samples in words: people in them, people outside, and the analyst."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.report.odds.crowd import Crowd, first
from epsilometer.report.odds.noise import noise
from epsilometer.report.odds.saying import Said, noting_no_gain
from epsilometer.vocabulary.evidence import Exact, UpperBound
from epsilometer.vocabulary.wording import has_grown, shown_up

if TYPE_CHECKING:
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves
    from epsilometer.vocabulary.sample_choice import Exposure, SampleChoice
    from epsilometer.vocabulary.sample_release import SampleGuarantee, SampleRelease
    from epsilometer.vocabulary.sample_risk import SampleRisk
    from epsilometer.vocabulary.table_sample import TableSample

TWO: Final = 2


def sample_risk(result: SampleRisk, words: Language) -> Said:
    """Say how well one attacker names a person's value."""
    crowd = Crowd.of(first(result.value), words, result.release.population)
    worst = words.text("odds.sample.worst", n=crowd.about(first(result.any_table)))
    return Said(
        f"{publication(result.release, words)} {_named(crowd, result)} {worst}",
        _baseline(crowd, result.no_release),
        words.text(f"odds.sample.attacker.{result.release.prior}"),
        crowd.known(result.answer),
    )


def sample_assessment(result: SampleAssessment, words: Language) -> Said:
    """Say what a sample means for a person inside, for one outside, and for the analyst."""
    release, found = result.release, result.at_size
    unknown = found.risk("unknown")
    assert unknown is not None  # noqa: S101  (whoever is in it, this can be asked)
    crowd = Crowd.of(first(unknown.value), words, release.population)
    finding = [publication(release, words), *_places(crowd, unknown, found), _loss(found, words)]
    if release.guarantee is not None:
        finding.append(_guarantee(release.guarantee, words))
    return Said(
        " ".join(finding),
        _baseline(crowd, unknown.no_release),
        words.text(f"odds.sample.attacker.{release.prior}"),
        crowd.known(unknown.answer),
    )


def publication(release: SampleRelease, words: Language) -> str:
    """Say what is published."""
    some = "" if isinstance(release.sample, int) else "some_"
    noisy = release.mechanism is not None
    two = release.n_values == TWO
    return words.text(
        f"odds.sample.{some}published{'_with' if noisy else ''}",
        sample=words.number(int(release.sizes[0])) if release.sizes.size else "",
        population=release.population,
        values=words.text("odds.sample.two") if two else words.text("odds.sample.values", n=release.n_values),
        noise="" if release.mechanism is None else noise(release.mechanism, words),
    )


def _places(crowd: Crowd, unknown: SampleRisk, found: SampleCurves) -> list[str]:
    """Say what it means to be in the sample; nobody is outside one of everybody."""
    inside, outside = found.risk("in"), found.risk("out")
    assert inside is not None  # noqa: S101  (somebody is in every sample)
    if outside is None:
        n = crowd.answered(inside.answer)
        return [crowd.words.text("odds.sample.everybody", n=n, base=crowd.size)]
    grown = has_grown(first(outside.value), outside.no_release)
    places = crowd.words.text(
        "odds.sample.places",
        base=crowd.size,
        inside=crowd.answered(inside.answer),
        outside=crowd.answered(outside.answer) if grown else crowd.words.text("odds.sample.no_more"),
        gap=crowd.about(first(inside.value) - first(outside.value)),
    )
    return [_named(crowd, unknown), places]


def _named(crowd: Crowd, result: SampleRisk) -> str:
    whom = crowd.words.text(f"odds.sample.whom.{result.adversary}")
    named = crowd.words.text("odds.sample.named", base=crowd.size, whom=whom, n=crowd.answered(result.answer))
    return noting_no_gain(crowd.words, named, first(result.value), result.no_release)


def _loss(found: SampleCurves, words: Language) -> str:
    loss = found.loss
    return words.text(
        "odds.sample.loss", loss=words.points(first(loss.value)), before=words.points_at_least(loss.no_release)
    )


def _guarantee(given: SampleGuarantee, words: Language) -> str:
    return words.text(
        "odds.sample.guarantee_delta" if given.delta else "odds.sample.guarantee",
        noise=words.number(shown_up(given.noise_epsilon)),
        epsilon=words.number(shown_up(given.epsilon)),
        delta=words.number(shown_up(given.delta)),
    )


def _baseline(crowd: Crowd, no_release: float) -> str:
    return crowd.words.text("odds.sample.baseline", n=crowd.down(no_release), base=crowd.size)


def table_sample(result: TableSample, words: Language) -> Said:
    """Say what a sample of this very table tells whoever knows its shares, and whoever does not."""
    everybody, average, sensitive = result.everybody, result.average, result.sensitive
    crowd = Crowd.of(everybody.no_release, words, everybody.people)
    known = words.joined(result.quasi_identifiers)
    published = words.text(
        "odds.table_sample.published", sampled=everybody.sampled, people=everybody.people, sensitive=sensitive
    )
    finding = (
        published,
        _inside(crowd, everybody.no_release, everybody.inside, sensitive),
        _inside_cells(crowd, average.no_release, average.inside, known),
    )
    expects_less = everybody.no_release > everybody.model_unknown
    return Said(
        " ".join(finding),
        words.text(
            "odds.table_sample.baseline",
            sensitive=sensitive,
            n=crowd.down(everybody.no_release),
            base=crowd.size,
            cells=crowd.down(average.no_release),
        ),
        words.text(
            "odds.table_sample.attacker",
            n=crowd.about(everybody.model_unknown),
            base=crowd.size,
            before=crowd.down(1 / result.n_values),
            comparison=words.text(f"odds.table_sample.{'more' if expects_less else 'less'}"),
        ),
        crowd.known(Exact(1.0)),
    )


def _inside(crowd: Crowd, before: float, inside: float | None, sensitive: str) -> str:
    """Say what the counts of the sample add for a person known to be in it; rounding adds nothing."""
    assert inside is not None  # noqa: S101  (a sample has at least one person)
    if not has_grown(inside, before):
        return crowd.words.text("odds.table_sample.not_raised", sensitive=sensitive)
    return crowd.words.text("odds.table_sample.inside", base=crowd.size, sensitive=sensitive, n=crowd.about(inside))


def _inside_cells(crowd: Crowd, before: float, inside: float | None, known: str) -> str:
    if inside is None:
        return crowd.words.text("odds.table_sample.cells_nobody", known=known)
    if not has_grown(inside, before):
        return crowd.words.text("odds.table_sample.cells_not_raised", known=known)
    return crowd.words.text("odds.table_sample.cells", known=known, n=crowd.about(inside), base=crowd.size)


def sample_choice(result: SampleChoice, words: Language) -> Said:
    """Say which size of a sample keeps the targets."""
    release = result.release
    best = next((end for end in result.ends if end.sample == result.recommended), None)
    risk = 1.0 if best is None else _exposed(best, result.adversary)
    crowd = Crowd.of(risk, words, None if best is None else release.population)
    return Said(
        _no_size(result, crowd) if best is None else _size(result, best, crowd),
        _baseline(crowd, 1 / release.n_values),
        words.text(f"odds.sample.attacker.{release.prior}"),
        crowd.known(Exact(risk) if result.evidence == Exact.kind else UpperBound(risk)),
    )


def _exposed(end: Exposure, adversary: str) -> float:
    """Return the risk that the target is about; nobody is outside a sample of everybody."""
    outside = end.inside if end.outside is None else end.outside
    return {"in": end.inside, "out": outside, "unknown": end.unknown}[adversary]


def _size(result: SampleChoice, best: Exposure, crowd: Crowd) -> str:
    words, population = crowd.words, result.release.population
    assert result.smallest is not None  # noqa: S101  (some size keeps the targets)
    assert result.largest is not None  # noqa: S101
    publish = words.text(
        "odds.sample.choice.publish_all" if best.sample == population else "odds.sample.choice.publish",
        sample=best.sample,
        population=population,
        smallest=result.smallest,
        largest=result.largest,
    )
    named = words.text(
        "odds.sample.named",
        base=crowd.size,
        whom=words.text(f"odds.sample.whom.{result.adversary}"),
        n=crowd.about(_exposed(best, result.adversary)),
    )
    return f"{publish} {named} {words.text('odds.sample.choice.loss', loss=words.points(best.loss))}"


def _no_size(result: SampleChoice, crowd: Crowd) -> str:
    words = crowd.words
    whom = words.text(f"odds.sample.whom.{result.adversary}")
    targets = [
        words.text(f"odds.sample.choice.{name}", base=crowd.size, whom=whom, **{value: written(target)})
        for name, value, target, written in (
            ("max_risk", "n", result.max_risk, crowd.down),
            ("max_loss", "loss", result.max_loss, words.points),
            ("max_gap", "gap", result.max_gap, words.points),
        )
        if target is not None
    ]
    population = result.release.population
    return words.text("odds.sample.choice.impossible", population=population, targets=words.joined(targets))
