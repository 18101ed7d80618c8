"""An audit of a synthetic table on a terminal: the answer in words, then the numbers, then the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.rendering import print_list, table_with_columns
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent, percent_at_least

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epsilometer.assessments.synthetic.audit import Audit
    from epsilometer.assessments.synthetic.frame import Frame
    from epsilometer.assessments.synthetic.proximity import Proximity
    from epsilometer.assessments.synthetic.usefulness import Usefulness
    from epsilometer.attacks.inference import InferenceRisk
    from epsilometer.vocabulary.evidence import Estimate


def print_audit(found: Audit, console: Console) -> None:
    """Print an audit: with lines on a terminal, as plain text when piped."""
    plain = not console.is_terminal
    console.print(Text(found.in_words))
    tables = [_nearness(found.proximity, plain=plain)]
    if found.frame is not None:
        tables += [_strangers(found.frame, plain=plain), _leak(found.frame, plain=plain)]
    if found.inference is not None:
        tables.append(_guesses(found.inference, plain=plain))
    tables.append(_usefulness(found.usefulness, plain=plain))
    for table in tables:
        console.print()
        console.print(table)
    said = (*found.caveats, *found.proximity.notes, *found.usefulness.notes)
    print_list("What to keep in mind", said, console)
    console.print()
    console.print(Text(CONFIDENTIAL, style="bold"))


def _nearness(near: Proximity, *, plain: bool) -> Table:
    """Every measure of the distance of synthetic records from original ones."""
    title = "How near synthetic records come to original ones"
    table = table_with_columns(
        title,
        ("measure", "value"),
        plain=plain,
        caption=f"Smaller is nearer to real people. Distance: {near.metric}. Nearest originals by"
        f" {near.search.in_words}. Paired by {near.coverage.how.in_words}.",
    )
    table.add_row("records: original / synthetic", f"{near.n_original:,} / {near.n_synthetic:,}")
    table.add_row("equal to an original (hitting rate)", percent(near.hitting_rate))
    table.add_row("nearest original: smallest distance (y-privacy)", f"{near.nearest.minimum:.4g}")
    for share, distance in near.nearest.quantiles.items():
        table.add_row(f"nearest original: {share:.0%} are at most this far", f"{distance:.4g}")
    table.add_row("nearest original: median / mean", f"{near.nearest.median:.4g} / {near.nearest.mean:.4g}")
    pairs = near.coverage
    proved = "the smallest there is" if pairs.gap == 0 else f"at most {pairs.gap:.2g} above the smallest"
    table.add_row(f"{pairs.n_pairs:,} paired one to one: within {near.radius:.4g} (coverage)", percent(pairs.rate))
    table.add_row(
        "pairs: cheapest pairings that coverage is the largest of", "all" if pairs.every_pairing else "only one"
    )
    table.add_row(f"pairs: mean distance, {proved}", f"{pairs.mean_distance:.4g}")
    if near.voronoi is not None:
        table.add_row("from where two originals are as near: median (Voronoi)", f"{near.voronoi.median:.4g}")
    if near.voronoi_pairing is not None:
        table.add_row("from originals moved to such places (Voronoi, as printed)", f"{near.voronoi_pairing[0]:.4g}")
    chance = float(near.candidates.probability)
    table.add_row(f"put together from {len(near.cliques)} parts (p-privacy)", f"{chance:.3g}")
    return table


def _strangers(frame: Frame, *, plain: bool) -> Table:
    """Nearness next to that of held-out people."""
    n_compared = max(band.n_compared for band in frame.bands)
    table = table_with_columns(
        f"Next to people who were held out, up to {n_compared:,} of each at a time",
        ("nearest person in the table", "synthetic", "held-out people", "is", "with copies"),
        plain=plain,
        caption="held-out people: 95 % of random parts of them. nearer: nearer than people not in the table are. "
        f"with copies: after copies were planted among {percent(frame.power.share)} of the records.",
    )
    for band in frame.bands:
        inside = f"{band.low:.4g} to {band.high:.4g}"
        table.add_row(band.measure, f"{band.value:.4g}", inside, band.place, f"{band.planted:.4g}")
    return table


def _leak(frame: Frame, *, plain: bool) -> Table:
    """The leak test, subset by subset, and what it can find."""
    false, planted = frame.rehearsal.false_alarms, frame.rehearsal.planted
    table = table_with_columns(
        f"Leak test: {frame.leak.verdict}, p = {frame.leak.p_value:.3f}",
        ("synthetic records", "number", "nearest is in the table", "by chance", "z"),
        plain=plain,
        caption=f"Copies planted among {percent(frame.power.share)} of this table: found {_of(frame.power.found)}. "
        f"Rehearsed on held-out people: false alarms {_of(false)}, the same copies found {_of(planted.found)}.",
    )
    for subset in frame.leak.subsets:
        share, chance = percent(subset.in_training), percent(frame.leak.by_chance)
        table.add_row(subset.name, f"{subset.n_records:,}", share, chance, f"{subset.z:.1f}")
    return table


def _guesses(inference: InferenceRisk, *, plain: bool) -> Table:
    """Guesses about people in the table, and about others."""
    table = table_with_columns(
        f"The sensitive column guessed, {inference.n_targets:,} people of each kind",
        ("attacker", "in the table", "held out", "excess"),
        plain=plain,
        caption=f"Without a release: {percent_at_least(inference.no_release)}. In brackets: 95 % intervals.",
    )
    for guessed in inference.guessed:
        table.add_row(guessed.attacker, *map(_shown, (guessed.training, guessed.control, guessed.excess)))
    return table


def _usefulness(useful: Usefulness, *, plain: bool) -> Table:
    """What an analyst loses."""
    table = table_with_columns("What an analyst loses", ("measure", "value"), plain=plain)
    for part in useful.marginals:
        columns = "1 column" if part.ways == 1 else f"{part.ways} columns"
        table.add_row(f"shares of {columns} at a time: mean / worst", f"{part.mean:.4f} / {part.worst:.4f}")
    if useful.associations is not None:
        pair = useful.associations
        table.add_row("association of pairs: mean / worst", f"{pair.mean:.4f} / {pair.worst:.4f}")
    if useful.moments is not None:
        errors = useful.moments
        shown = " / ".join(f"{error:.3g} %" for error in (errors.mean, errors.standard_deviation, errors.variance))
        table.add_row("numeric columns: error of mean / deviation / variance", shown)
    if useful.propensity is not None:
        table.add_row("told apart (pMSE), times what chance gives", f"{useful.propensity.ratio:.3g}")
    if useful.models is not None:
        target = useful.models.target
        table.add_row(Text(f"{target}: the most frequent value"), f"{useful.models.baseline:.1%}")
        for model in useful.models.models:
            accuracies = f"{model.on_original.value:.1%} / {model.on_synthetic.value:.1%}"
            table.add_row(Text(f"{target} by {model.model}: trained on original / synthetic"), accuracies)
    return table


def _shown(estimate: Estimate) -> str:
    low, high = ENGLISH.percent_between(float(estimate.interval.low), float(estimate.interval.high))
    return f"{percent(float(estimate.value))} ({low} to {high})"


def _of(estimate: Estimate) -> str:
    return f"{float(estimate.value):.0%} of the time"
