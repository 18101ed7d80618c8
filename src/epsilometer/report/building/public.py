"""The report that everybody may see: what a plan promises whatever the table holds. The table is never opened."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.curves import grid
from epsilometer.charts.promise import draw_promises
from epsilometer.formulas.advantage import advantage_from_epsilon
from epsilometer.formulas.homogeneity import local_records
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.any_table import BELIEF, MEMBERSHIP, VALUE
from epsilometer.publication.promise import n_declared, promises, promises_over
from epsilometer.report.building import parts
from epsilometer.report.building.framing import first_chart
from epsilometer.report.building.public_plan import guarantee_in_words, noise_in_words, public_plan_facts
from epsilometer.report.model import Answer, Heading, KeyNumber, Lines, Report, Section, Table, Text
from epsilometer.report.odds.crowd import Crowd
from epsilometer.vocabulary.language import language as language_named
from epsilometer.vocabulary.source import sources_of
from epsilometer.vocabulary.wording import rounded_up, shown_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.publication.promise import Promise
    from epsilometer.report.model import Block, Picture
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.passport import StatedNumber

COIN: Final = 0.5


def public_report(plan: Plan, *, language: str = "en") -> Report:
    """Return what may be told of a plan before or after its release: nothing in it depends on the table.

    For several epsilons the first one is spoken of.
    """
    words = language_named(language)
    promised = promises(plan)
    return Report(
        title=words.text("report.title.public"),
        audience=words.text("report.public"),
        confidential=False,
        scope=_scope(plan, promised[0], words),
        answers=(
            _sample_answer(promised[0], words) if plan.release.kind == "sample" else _answer(plan, promised, words),
        ),
        recommendation=_recommendation(plan, promised[0], words),
        decision=parts.decision(words, words.text("report.publish")),
        sections=tuple(_sections(plan, promised, words)),
        language=language,
    )


def _scope(plan: Plan, promise: Promise, words: Language) -> str:
    return words.text(
        f"report.promised.scope_{plan.release.kind}",
        sensitive=words.joined(plan.sensitive),
        known=words.joined(plan.quasi_identifiers),
        noise=noise_in_words(plan, promise, words),
        size=words.number(getattr(plan.release, "size", 0)),
        method=getattr(plan.release, "method", ""),
        guarantee=guarantee_in_words(promise, words),
    )


def _recommendation(plan: Plan, promise: Promise, words: Language) -> str:
    if plan.release.kind == "sample":
        return words.text("report.recommend.public_sample")
    return words.text(f"report.recommend.public{'_guarantee' if promise.worst_risk is None else ''}")


def _answer(plan: Plan, promised: Sequence[Promise], words: Language) -> Answer:
    promise, crowd = promised[0], Crowd.of(COIN, words)
    own = promise.told_right
    sentences = [words.text("report.promised.own_record", n=crowd.at_most(own), base=crowd.size)]
    numbers = [
        KeyNumber(
            value=words.percent_at_least(COIN),
            name=words.text("report.promised.coin_name"),
            meaning=words.text("report.promised.coin_meaning"),
            place="before",
        ),
        KeyNumber(
            value=words.percent(own),
            name=words.text("report.promised.own_name", guarantee=guarantee_in_words(promise, words)),
            meaning=words.text("report.promised.own_meaning"),
            place="this",
        ),
    ]
    if promise.worst_risk is not None:
        values = words.text("report.scope.values", n=promise.n_values)
        n = crowd.at_most(promise.worst_risk)
        sentences.append(words.text("report.promised.worst", values=values, n=n, base=crowd.size))
        numbers.append(
            KeyNumber(
                value=words.percent(promise.worst_risk),
                name=words.text("report.promised.worst_name"),
                meaning=words.text("report.promised.worst_meaning", values=values),
                place="worst",
            )
        )
    if promise.errors:
        mean, most = promise.errors[:2]
        key = "report.promised.error" if most.value else "report.promised.error_exact"
        sentences.append(words.text(key, mean=_error(mean, words), most=_error(most, words)))
    return Answer(
        about="",
        question=words.text("report.promised.question"),
        sentences=(
            " ".join(sentences),
            words.text("report.promised.coin", n=crowd.down(COIN), base=crowd.size),
            words.text("report.promised.attacker"),
            words.text(f"report.promised.known{'' if promise.errors else '_chances'}"),
        ),
        numbers=tuple(numbers),
        chart=_chart(plan, promised, words),
    )


def _chart(plan: Plan, promised: Sequence[Promise], words: Language) -> Picture:
    """Draw the promise over epsilon: another look at the plan, and none at the table."""
    limit = plan.release.mechanism.epsilon_limit if isinstance(plan.release, Counts) else math.inf
    epsilons = grid(limit, [promise.epsilon or 0.0 for promise in promised])
    over = promises_over(plan, epsilons.tolist())
    key = "promise" if promised[0].worst_risk is not None else "promise_own"
    return first_chart(words, key, lambda width: draw_promises(over, promised[0], width=width, language=words))


def _sample_answer(promise: Promise, words: Language) -> Answer:
    (error,) = promise.errors
    most = words.points(error.value or 0.0)
    return Answer(
        about="",
        question=words.text("report.promised.question"),
        sentences=(
            " ".join(
                (
                    words.text("report.promised.sample", base=1_000),
                    words.text("report.promised.sample_error", most=most),
                )
            ),
            words.text("report.promised.sample_others"),
            words.text("report.promised.sample_attacker"),
            words.text("report.promised.sample_known"),
        ),
        numbers=(
            KeyNumber(
                value=words.percent(1.0),
                name=words.text("report.promised.drawn_name"),
                meaning=words.text("report.promised.drawn_meaning"),
                place="worst",
            ),
            KeyNumber(
                value=words.percent(error.value or 0.0),
                name=words.text("report.promised.share_name"),
                meaning=words.text("report.promised.share_meaning"),
                place="this",
            ),
        ),
    )


def _sections(plan: Plan, promised: tuple[Promise, ...], words: Language) -> Iterator[Section]:
    first = promised[0]
    if first.epsilon is not None:
        blocks = (_table(promised, words), Text(words.text("report.promised.columns_note"), quiet=True))
        yield Section(
            name="evidence",
            heading=words.text("report.promised.each_epsilon"),
            blocks=(*blocks, *_noise(first, words)),
        )
    if lines := tuple(_left_out(plan, first, words)):
        yield Section(name="left-out", heading=words.text("report.promised.left_out"), blocks=(Lines(lines),))
    yield parts.assumptions_section(
        words,
        assumptions=(words.text(f"report.promised.{name}") for name in ("holds", "random", "once")),
        caveats=_caveats(first, words),
    )
    if first.epsilon is not None:
        named = {words.text("report.promised.sources"): sources_of(advantage_from_epsilon)}
        worst = {} if first.worst_risk is None else {words.text("report.methods.risk"): sources_of(local_records)}
        yield parts.method_section(words, {**named, **worst})
    yield parts.plan_section(words, public_plan_facts(plan, words))
    yield parts.versions_section(words)


def _table(promised: tuple[Promise, ...], words: Language) -> Table:
    columns = ["report.table.epsilon", "report.promised.value", "report.promised.membership", "report.promised.belief"]
    if promised[0].worst_risk is not None:
        columns.append("report.table.worst_of_any")
    if promised[0].errors:
        columns += ["report.table.scale", "report.promised.mean_error", "report.promised.most_error"]
    ordered = sorted(promised, key=lambda promise: promise.epsilon or 0.0)
    return Table(
        columns=tuple(words.text(column) for column in columns),
        rows=tuple(tuple(_row(promise, words)) for promise in ordered),
        numeric=frozenset(range(len(columns))),
        asked=ordered.index(promised[0]) if len(ordered) > 1 else None,
    )


def _row(promise: Promise, words: Language) -> Iterator[str]:
    yield words.number(promise.epsilon or 0.0)
    stated = {number.name: number.value for number in promise.own_record}
    for name in (VALUE, MEMBERSHIP, BELIEF):
        value = stated[name]
        yield words.text("report.promised.no_bound") if value is None else words.percent(value)
    if promise.worst_risk is not None:
        yield words.percent(promise.worst_risk)
    if promise.errors:
        yield words.number(shown_up(promise.looks[0].scale or 0.0))
        yield from (_error(number, words) for number in promise.errors[:2])


def _noise(promise: Promise, words: Language) -> Iterator[Block]:
    """Say the noise of each table where there are several; that of one stands in the table above."""
    if not promise.looks:
        return
    yield Text(words.text("report.promised.noise_note"), quiet=True)
    if len(promise.looks) == 1:
        return
    columns = ("report.promised.published_table", "report.table.noise", "report.table.epsilon", "report.table.scale")
    errors = ("report.promised.mean_error", "report.promised.most_error")
    pairs = zip(promise.errors[::2], promise.errors[1::2], strict=True)
    yield Heading(words.text("report.promised.noise_of_each"))
    yield Table(
        columns=tuple(words.text(name) for name in (*columns, *errors)),
        rows=tuple(
            (
                look.what.removeprefix("counts of "),
                words.text(f"odds.noise.{look.noise}"),
                words.number(shown_up(look.epsilon)),
                words.number(shown_up(look.scale or 0.0)),
                *(_error(number, words) for number in pair),
            )
            for look, pair in zip(promise.looks, pairs, strict=True)
        ),
        numeric=frozenset({2, 3, 4, 5}),
    )


def _left_out(plan: Plan, promise: Promise, words: Language) -> Iterator[str]:
    """Say which numbers there are not, and why."""
    if promise.epsilon is None:
        return
    if promise.worst_risk is None:
        several = plan.release.kind == "counts"
        yield words.text(f"report.promised.no_worst{'' if several else '_method'}")
    elif getattr(plan.release, "support", "") == "thresholded":
        yield words.text("report.promised.listed_only")
    elif any(n_declared(plan.domain.get(name)) is None for name in plan.sensitive):
        yield words.text("report.promised.any_values")
    if plan.release.kind == "counts" and not promise.looks:
        yield words.text("report.promised.no_noise")
    if not promise.errors:
        yield words.text("report.promised.no_error")
    if promise.worst_risk is not None and len(plan.sensitive) > 1:
        yield words.text("report.promised.several_columns")


def _caveats(promise: Promise, words: Language) -> Iterator[str]:
    if promise.epsilon is None:
        yield words.text("report.promised.rows_shown")
        yield words.text("report.promised.chosen_size")
        return
    yield words.text("report.promised.others")
    yield words.text("report.promised.chosen_epsilon")
    if promise.delta:
        yield words.text("report.promised.fails", delta=words.number(shown_up(promise.delta)))


def _error(number: StatedNumber, words: Language) -> str:
    return words.number(f"{rounded_up(number.value, 3):,g}") if number.value else words.text("report.promised.exact")
