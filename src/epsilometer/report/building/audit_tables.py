"""The tables of an audit: how near records come, next to whom, what is guessed, and what an analyst loses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from epsilometer.report.model import Table
from epsilometer.vocabulary.wording import shown_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.assessments.synthetic.frame import Frame
    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.assessments.synthetic.usefulness import Usefulness
    from epsilometer.attacks.inference import InferenceRisk
    from epsilometer.vocabulary.evidence import Estimate
    from epsilometer.vocabulary.language import Language


def nearness(words: Language, near: Proximity) -> Table:
    """Every measure of the distance of synthetic records from original ones."""
    return _measures(
        words, _near(words, near), "near_title", words.text("report.audit.near_caption", metric=words.line(near.metric))
    )


def usefulness(words: Language, useful: Usefulness) -> Table:
    """What an analyst loses."""
    return _measures(words, _lost(words, useful), "useful_title", "")


def strangers(words: Language, frame: Frame) -> Table:
    """Nearness next to that of held-out people."""
    n_compared = max(band.n_compared for band in frame.bands)
    share = words.percent(frame.power.share)
    return Table(
        columns=_headings(words, "nearest_person", "synthetic", "held_out", "is", "with_copies"),
        rows=tuple(
            (
                words.text(f"report.audit.band.{_key(band.measure)}"),
                _short(words, band.value),
                words.text("report.shared.both_ends", low=_short(words, band.low), high=_short(words, band.high)),
                words.text(f"report.audit.{band.place}"),
                _short(words, band.planted),
            )
            for band in frame.bands
        ),
        numeric=frozenset({1, 2, 4}),
        caption=f"{words.text('report.audit.strangers_title', n=n_compared)}. "
        + words.text("report.audit.strangers_caption", share=share),
    )


def leak(words: Language, frame: Frame) -> Table:
    """The leak test, subset by subset, and what it can find."""
    found = frame.power.found, frame.rehearsal.false_alarms, frame.rehearsal.planted.found
    power, false, planted = (words.percent(float(share.value)) for share in found)
    chance = words.percent_at_least(frame.leak.by_chance)
    return Table(
        columns=_headings(words, "subset", "n_records", "in_training", "by_chance", "z"),
        rows=tuple(
            (
                words.text(f"report.audit.records.{_key(subset.name)}"),
                words.number(subset.n_records),
                words.percent(subset.in_training),
                chance,
                words.number(subset.z, ".1f"),
            )
            for subset in frame.leak.subsets
        ),
        numeric=frozenset({1, 2, 3, 4}),
        caption=f"{words.text('report.audit.leak_title', p=words.number(frame.leak.p_value, '.3f'))}. "
        + words.text(
            "report.audit.leak_caption",
            share=words.percent(frame.power.share),
            power=power,
            false=false,
            planted=planted,
        ),
    )


def guesses(words: Language, inference: InferenceRisk) -> Table:
    """Guesses about people in the table, and about others."""
    return Table(
        columns=(words.text("report.table.adversary"), *_headings(words, "in_table", "not_in_table", "excess")),
        rows=tuple(
            (
                words.text(f"report.audit.attacker.{_key(guessed.attacker)}"),
                *(_interval(words, share) for share in (guessed.training, guessed.control, guessed.excess)),
            )
            for guessed in inference.guessed
        ),
        numeric=frozenset({1, 2, 3}),
        caption=f"{words.text('report.audit.guesses_title', n=inference.n_targets)}. "
        + words.text("report.audit.guesses_caption", no_release=words.percent_at_least(inference.no_release)),
    )


def _near(words: Language, near: Proximity) -> Iterator[tuple[str, str]]:
    yield _named(words, "n_rows"), f"{words.number(near.n_original)} / {words.number(near.n_synthetic)}"
    yield _named(words, "hitting_rate"), words.percent(near.hitting_rate)
    yield _named(words, "nearest_smallest"), _short(words, near.nearest.minimum)
    for share, distance in near.nearest.quantiles.items():
        written = words.text("writing.percent", number=words.number(100 * share, ".3g"))
        yield _named(words, "nearest_quantile", share=written), _short(words, distance)
    yield _named(words, "nearest_median"), _pair(words, near.nearest.median, near.nearest.mean)
    pairs = near.coverage
    radius = _short(words, near.radius)
    yield _named(words, "coverage", pairs=pairs.n_pairs, radius=radius), words.percent(pairs.rate)
    yield _named(words, "every_pairing"), _named(words, "all_pairings" if pairs.every_pairing else "one_pairing")
    proved = _named(words, "smallest_there_is")
    if pairs.gap:
        proved = _named(words, "above_smallest", gap=words.number(shown_up(pairs.gap)))
    yield _named(words, "pair_distance", proved=proved), _short(words, pairs.mean_distance)
    if near.voronoi is not None:
        yield _named(words, "voronoi"), _short(words, near.voronoi.median)
    if near.voronoi_pairing is not None:
        yield _named(words, "voronoi_pairing"), _short(words, near.voronoi_pairing[0])
    chance = float(near.candidates.probability)
    yield _named(words, "candidates", n=len(near.cliques)), words.number(shown_up(chance))


def _lost(words: Language, useful: Usefulness) -> Iterator[tuple[str, str]]:
    for part in useful.marginals:
        ways = _named(words, "columns", n=part.ways)
        yield _named(words, "mean_worst", ways=ways), _pair(words, part.mean, part.worst)
    if useful.associations is not None:
        yield _named(words, "associations"), _pair(words, useful.associations.mean, useful.associations.worst)
    if useful.moments is not None:
        errors = useful.moments.mean, useful.moments.standard_deviation, useful.moments.variance
        yield (
            _named(words, "moments"),
            " / ".join(words.text("writing.percent", number=words.number(shown_up(error))) for error in errors),
        )
    if useful.propensity is not None:
        yield _named(words, "propensity"), words.number(shown_up(useful.propensity.ratio))
    if useful.models is not None:
        target = useful.models.target
        yield _named(words, "baseline", target=target), words.percent_at_least(useful.models.baseline)
        for model in useful.models.models:
            accuracies = (words.percent_at_least(float(e.value)) for e in (model.on_original, model.on_synthetic))
            yield _named(words, "model", target=target, model=model.model), " / ".join(accuracies)


def _measures(words: Language, rows: Iterator[tuple[str, str]], title: str, caption: str) -> Table:
    return Table(
        columns=(words.text("report.table.measure"), words.text("report.table.value")),
        rows=tuple(rows),
        numeric=frozenset({1}),
        caption=f"{words.text(f'report.audit.{title}')}. {caption}".strip(),
    )


def _key(name: str) -> str:
    """Return the key of the text for something that a result names in English: ``nearest-5`` for nearest 5 %."""
    return "-".join(re.findall("[a-z0-9]+", name.lower()))


def _headings(words: Language, *names: str) -> tuple[str, ...]:
    return tuple(words.text(f"report.audit.{name}") for name in names)


def _named(words: Language, name: str, **values: str | int) -> str:
    return words.text(f"report.audit.{name}", **values)


def _short(words: Language, distance: float) -> str:
    """Write a distance; nearer is riskier, so that it is rounded down."""
    return words.number(shown_down(distance))


def _pair(words: Language, one: float, other: float) -> str:
    return f"{words.number(shown_up(one))} / {words.number(shown_up(other))}"


def _interval(words: Language, estimate: Estimate) -> str:
    low, high = words.percent_between(float(estimate.interval.low), float(estimate.interval.high))
    return words.text("report.audit.interval", value=words.percent(float(estimate.value)), low=low, high=high)
