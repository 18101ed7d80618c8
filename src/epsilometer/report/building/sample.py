"""The report of a published sample: of numbers that were given, of a table, or of sizes that were searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.sample_curve import draw_sample
from epsilometer.charts.stretches import draw_sample_choice
from epsilometer.charts.table_sample import draw_table_sample
from epsilometer.formulas.sampling import known_shares
from epsilometer.formulas.sampling.own_shares_loss import own_shares_loss
from epsilometer.formulas.sampling.shares_loss import shares_loss
from epsilometer.formulas.sampling.vulnerability import inside, outside, unknown
from epsilometer.report.building.framing import (
    as_given,
    audience,
    baseline,
    cited,
    closing,
    evidence,
    first_chart,
    how_known,
    maybe_percent,
    named_right,
)
from epsilometer.report.building.parts import decision
from epsilometer.report.model import Answer, KeyNumber, Report, Table
from epsilometer.report.odds import said
from epsilometer.report.odds.crowd import first
from epsilometer.report.odds.noise import noise
from epsilometer.report.odds.saying import noting_no_gain
from epsilometer.vocabulary.language import language as spoken

if TYPE_CHECKING:
    from epsilometer.report.model import Picture
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves
    from epsilometer.vocabulary.sample_choice import SampleChoice
    from epsilometer.vocabulary.sample_release import SampleRelease
    from epsilometer.vocabulary.table_sample import GroupSample, TableSample

MODEL: Final = (inside, outside, unknown, shares_loss)
OWN_SHARES: Final = (known_shares.inside, known_shares.outside, own_shares_loss)


def sample_report(
    assessment: SampleAssessment,
    *,
    choice: SampleChoice | None = None,
    table: TableSample | None = None,
    language: str = "en",
) -> Report:
    """Report what publishing a sample gives away.

    Args:
        assessment: the sample by the model, and other sizes of it.
        choice: the search that found its size, if there was one.
        table: the same sample of a real table; makes the report confidential.
        language: of the texts.
    """
    words = spoken(language)
    found = assessment.at_size
    chart = first_chart(words, "sample", lambda width: draw_sample(assessment, width=width, language=words))
    own = () if table is None else (_own_answer(words, table),)
    return Report(
        title=words.text("report.title.sample"),
        audience=audience(words, confidential=table is not None),
        confidential=table is not None,
        scope=_scope(words, assessment.release, table),
        answers=(*own, _model_answer(words, assessment, chart=chart if table is None else None)),
        recommendation=None if choice is None else _recommendation(words, choice, of_table=table is not None),
        decision=decision(words, words.text("report.sample.decide", size=int(assessment.release.sizes[0]))),
        sections=(
            evidence(
                words,
                None if table is None else _groups(words, table),
                _three_people(words, found),
                None if choice is None else _ends(words, choice),
                None if table is None else chart,
                _other_sizes(words, assessment),
            ),
            *closing(
                words,
                assumptions=(*(table.assumptions if table else ()), *_granted(found)),
                caveats=(*(table.caveats if table else ()), *(line for risk in found.risks for line in risk.caveats)),
                methods={
                    words.text("report.sample.method_risk"): [s for risk in found.risks for s in risk.source],
                    words.text("report.methods.loss"): found.loss.source,
                    **({} if table is None else {words.text("report.sample.own_shares"): cited(*OWN_SHARES)}),
                },
                asked=_asked(words, assessment.release),
            ),
        ),
        language=language,
    )


def sample_choice_report(choice: SampleChoice, *, from_table: bool = False, language: str = "en") -> Report:
    """Report why no size of a sample keeps the limits."""
    words = spoken(language)
    return Report(
        title=words.text("report.title.sample_choice"),
        audience=audience(words, confidential=from_table),
        confidential=from_table,
        scope=words.text(
            "report.sample.scope_open",
            population=choice.release.population,
            values=words.text("report.scope.values", n=choice.release.n_values),
        ),
        answers=(
            Answer(
                about="",
                question=words.text("report.asks.sample_choice"),
                sentences=said(choice, language=language).sentences,
                numbers=(),
                chart=first_chart(
                    words, "sample_choice", lambda width: draw_sample_choice(choice, width=width, language=words)
                ),
            ),
        ),
        recommendation=_recommendation(words, choice, of_table=from_table),
        decision=(),
        sections=closing(
            words,
            methods={words.text("report.sample.method_risk"): cited(*MODEL)},
            asked=_asked(words, choice.release),
        ),
        language=language,
    )


def _model_answer(words: Language, assessment: SampleAssessment, *, chart: Picture | None) -> Answer:
    """Answer for an attacker who knows nothing of the shares; beside a table it has no chart of its own."""
    risk = assessment.at_size.risk("unknown") or assessment.at_size.risks[0]
    return Answer(
        about=words.text("report.sample.model") if chart is None else "",
        question=words.text("report.asks.sample"),
        sentences=said(assessment, language=words.code).sentences,
        numbers=named_right(words, before=risk.no_release, this=first(risk.value), worst=first(risk.any_table)),
        chart=chart,
    )


def _own_answer(words: Language, table: TableSample) -> Answer:
    """Answer for an attacker who knows the shares of the very table."""
    everybody, cells = table.everybody, table.average
    numbers = [baseline(words, everybody.no_release, words.text("report.sample.own_before"))]
    if everybody.inside is not None:
        numbers.append(
            KeyNumber(
                value=words.percent(everybody.inside),
                name=words.text("report.this_table"),
                meaning=noting_no_gain(
                    words, words.text("report.sample.own_inside"), everybody.inside, everybody.no_release
                ),
                place="this",
            )
        )
    if cells.inside is not None:
        numbers.append(
            KeyNumber(
                value=words.percent(cells.inside),
                name=words.text("report.sample.each_cell"),
                meaning=noting_no_gain(
                    words,
                    words.text("report.sample.own_cells", known=words.joined(table.quasi_identifiers)),
                    cells.inside,
                    cells.no_release,
                ),
                place="worst",
            )
        )
    return Answer(
        about=words.text("report.sample.own_shares"),
        question=words.text("report.asks.sample"),
        sentences=said(table, language=words.code).sentences,
        numbers=tuple(numbers),
        chart=first_chart(words, "table_sample", lambda width: draw_table_sample(table, width=width, language=words)),
    )


def _recommendation(words: Language, choice: SampleChoice, *, of_table: bool) -> str:
    limits = {"risk": choice.max_risk, "loss": choice.max_loss, "gap": choice.max_gap}
    given = words.joined(
        words.text(f"report.sample.limit_{name}", value=as_given(words, limit))
        for name, limit in limits.items()
        if limit is not None
    )
    sentences = [words.text("report.sample.none")]
    if choice.smallest is not None and choice.largest is not None and choice.recommended is not None:
        key = "report.sample.publish" if choice.smallest < choice.largest else "report.sample.publish_one"
        sentences = [
            words.text(
                key,
                size=choice.recommended,
                population=choice.release.population,
                smallest=choice.smallest,
                largest=choice.largest,
            )
        ]
    sentences.append(words.text("report.sample.limits_asked", limits=given))
    if of_table:
        sentences.append(words.text("report.sample.model_only"))
    return " ".join(sentences)


def _scope(words: Language, release: SampleRelease, table: TableSample | None) -> str:
    size = int(release.sizes[0])
    if table is not None:
        return words.text(
            "report.sample.scope_table",
            sample=size,
            population=release.population,
            table=table.table,
            sensitive=table.sensitive,
        )
    values = words.text("report.scope.values", n=release.n_values)
    return words.text("report.scope.sample", sample=size, population=release.population, values=values)


def _three_people(words: Language, found: SampleCurves) -> Table:
    rows = [
        (
            words.text(f"report.table.adversary_{risk.adversary}"),
            words.percent_at_least(risk.no_release),
            words.percent_beside(first(risk.value), risk.no_release),
            words.percent(first(risk.any_table)),
            words.points(first(risk.additive_leakage)),
            how_known(words, risk.evidence) + ("" if risk.fraction is None else f", {risk.fraction}"),
        )
        for risk in found.risks
    ]
    return Table(
        columns=(
            words.text("report.table.adversary"),
            words.text("report.table.without_release"),
            words.text("report.table.named_right"),
            words.text("report.sample.any_table"),
            words.text("report.shared.gained"),
            words.text("report.table.known"),
        ),
        rows=tuple(rows),
        numeric=frozenset({1, 2, 3, 4}),
        caption=words.text("report.sample.people_title"),
    )


def _other_sizes(words: Language, assessment: SampleAssessment) -> Table:
    curves = assessment.over_sizes
    names = {"unknown": "unknown", "in": "inside", "out": "outside"}
    risks = [np.asarray(risk.value) for risk in curves.risks]
    losses, sizes = np.asarray(curves.loss.value), curves.loss.release.sizes
    asked = np.flatnonzero(sizes == assessment.release.sample)
    return Table(
        columns=(
            words.text("report.sample.size"),
            *(words.text(f"report.sample.{names[risk.adversary]}") for risk in curves.risks),
            words.text("report.sample.error"),
        ),
        rows=tuple(
            (
                words.number(int(size)),
                *(words.percent(float(risk[i])) for risk in risks),
                words.percent(float(losses[i])),
            )
            for i, size in enumerate(sizes)
        ),
        numeric=frozenset(range(len(risks) + 2)),
        caption=f"{words.text('report.sample.sizes_title')}. {words.text('report.sample.sizes_caption')}",
        asked=int(asked[0]) if asked.size else None,
    )


def _ends(words: Language, choice: SampleChoice) -> Table | None:
    if not choice.ends:
        return None
    return Table(
        columns=tuple(
            words.text(f"report.sample.{name}") for name in ("size", "inside", "outside", "unknown", "error")
        ),
        rows=tuple(
            (
                words.number(end.sample),
                *(maybe_percent(words, chance) for chance in (end.inside, end.outside, end.unknown, end.loss)),
            )
            for end in choice.ends
        ),
        numeric=frozenset(range(5)),
        caption=words.text("report.sample.ends_title"),
    )


def _groups(words: Language, found: TableSample) -> Table:
    names = ("sampled", "most_common", "shares_in", "shares_out", "prior_in", "prior_out", "error")
    first = len(found.quasi_identifiers)
    return Table(
        columns=(
            *found.quasi_identifiers,
            words.text("report.table.people"),
            *(words.text(f"report.sample.{name}") for name in names),
        ),
        rows=tuple(_group(words, group, first) for group in (found.everybody, *found.cells)),
        numeric=frozenset(range(first, first + 8)),
        caption=f"{words.text('report.sample.groups_title')}. "
        + words.text(
            "report.sample.groups_caption",
            shown=len(found.cells),
            cells=words.text("report.scope.cells", n=found.n_cells),
        ),
    )


def _group(words: Language, group: GroupSample, n_labels: int) -> tuple[str, ...]:
    everybody = (words.text("report.sample.everybody"), *[""] * (n_labels - 1))
    return (
        *(tuple(group.label.values()) or everybody[:n_labels]),
        words.number(group.people),
        words.number(group.sampled),
        words.percent_at_least(group.no_release),
        *(
            "–" if chance is None else words.percent_beside(chance, group.no_release)
            for chance in (group.inside, group.outside)
        ),
        *(maybe_percent(words, chance) for chance in (group.model_inside, group.model_outside, group.loss)),
    )


def _granted(found: SampleCurves) -> list[str]:
    return [*(line for risk in found.risks for line in risk.assumptions), *found.loss.assumptions]


def _asked(words: Language, release: SampleRelease) -> dict[str, str]:
    added = words.text("report.nothing") if release.mechanism is None else noise(release.mechanism, words)
    return {
        words.text("report.sample.population"): words.number(release.population),
        words.text("report.sample.values"): words.number(release.n_values),
        words.text("report.sample.prior"): words.text(
            f"report.sample.prior_{release.prior.lower()}", alpha=words.number(release.alpha)
        ),
        words.text("report.methods.noise"): added,
    }
